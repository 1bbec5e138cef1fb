package kafka

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"testing"

	"koffsets/offsetstore"

	"github.com/google/go-cmp/cmp"
)

// message is a message of format v0 or v1.
func message(magic, attrs byte, offset, time int64, key, value []byte) []byte {
	b := make([]byte, 18)
	binary.BigEndian.PutUint64(b, uint64(offset))
	b[magicAt], b[17] = magic, attrs
	if magic == 1 {
		b = binary.BigEndian.AppendUint64(b, uint64(time))
	}
	for _, field := range [][]byte{key, value} {
		if field == nil {
			b = binary.BigEndian.AppendUint32(b, 1<<32-1)
			continue
		}
		b = append(binary.BigEndian.AppendUint32(b, uint32(len(field))), field...)
	}
	binary.BigEndian.PutUint32(b[8:], uint32(len(b)-entryPrefix))
	binary.BigEndian.PutUint32(b[12:], crc32.ChecksumIEEE(b[16:]))
	return b
}

func gzipped(messages ...[]byte) []byte {
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	for _, m := range messages {
		_, _ = w.Write(m)
	}
	_ = w.Close()
	return buf.Bytes()
}

// Topics older than Kafka 0.11, or written by such clients, still hold these.
func TestMessagesOfOldFormats(t *testing.T) {
	t.Parallel()
	const isGzip = 1
	k := func(s string) []byte { return []byte(s) }
	log := bytes.Join([][]byte{
		message(0, 0, 0, 0, k("a"), k("1")),
		message(0, isGzip, 2, 0, nil, gzipped(message(0, 0, 1, 0, k("b"), nil), message(0, 0, 2, 0, nil, k("")))),
		message(1, 0, 3, 1700, k("c"), k("1")),
		// Of three wrapped messages the cleaner left the first and the last.
		message(1, isGzip, 6, 1800, nil, gzipped(message(1, 0, 0, 1801, k("d"), k("1")), message(1, 0, 2, 1803, k("e"), k("1")))),
		data(7, -1, 0, "f"),
	}, nil)
	var got []string
	out := newOutput(bounded(), func(records []offsetstore.Record) error {
		for _, r := range records {
			got = append(got, fmt.Sprintf("%d %d %q %v %v", r.Offset, r.Timestamp, r.Key, r.Key == nil, r.Value == nil))
		}
		return nil
	})
	p := &partition{start: 1, next: 1, end: 8, decided: 8, stable: 8}
	if _, err := p.take(log, out); err != nil {
		t.Fatal(err)
	}
	if err := out.flush(); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`1 -1 "b" false true`, `2 -1 "" true false`, `3 1700 "c" false false`,
		`4 1801 "d" false false`, `6 1803 "e" false false`, `7 1005 "f" false true`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if p.next != 8 {
		t.Errorf("next is %d", p.next)
	}
}

func TestADamagedMessageOfAnOldFormat(t *testing.T) {
	t.Parallel()
	for name, log := range map[string][]byte{
		"checksum": message(1, 0, 1, 0, []byte("a"), nil),
		"wrapper":  message(1, 1, 1, 0, nil, []byte("not gzip")),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "checksum" {
				log[len(log)-5]++
			}
			_, err := taken(&partition{end: 100, decided: 100, stable: 100}, append(data(0, -1, 0, "a"), log...))
			var bad *corrupt
			if !errors.As(err, &bad) || bad.at != 1 {
				t.Errorf("got %v", err)
			}
		})
	}
}
