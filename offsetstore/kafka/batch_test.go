package kafka

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"strings"
	"sync"
	"testing"

	"koffsets/offsetstore"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kgo"
)

// made is a record batch in the making.
type made struct {
	base     int64
	delta    int32 // last offset delta
	attrs    uint16
	producer int64
	epoch    int16
	count    int32
	records  []byte
	wrongCRC bool
}

func (m made) bytes() []byte {
	b := make([]byte, headerSize, headerSize+len(m.records))
	binary.BigEndian.PutUint64(b, uint64(m.base))
	binary.BigEndian.PutUint32(b[8:], uint32(headerSize-entryPrefix+len(m.records)))
	b[magicAt] = 2
	binary.BigEndian.PutUint16(b[21:], m.attrs)
	binary.BigEndian.PutUint32(b[23:], uint32(m.delta))
	binary.BigEndian.PutUint64(b[27:], 1000)
	binary.BigEndian.PutUint64(b[35:], 2000)
	binary.BigEndian.PutUint64(b[43:], uint64(m.producer))
	binary.BigEndian.PutUint16(b[51:], uint16(m.epoch))
	binary.BigEndian.PutUint32(b[57:], uint32(m.count))
	b = append(b, m.records...)
	binary.BigEndian.PutUint32(b[crcAt:], crc32.Checksum(b[afterCRC:], castagnoli))
	if m.wrongCRC {
		b[crcAt]++
	}
	return b
}

// rec is one record: a key and no value.
func rec(delta int64, key string) []byte {
	b := []byte{0}
	b = binary.AppendVarint(b, 5) // time
	b = binary.AppendVarint(b, delta)
	b = binary.AppendVarint(b, int64(len(key)))
	b = append(b, key...)
	b = binary.AppendVarint(b, -1) // value
	b = append(b, 0)               // headers
	return append(binary.AppendVarint(nil, int64(len(b))), b...)
}

// data is a batch of one record.
func data(offset, producer int64, epoch int16, key string) []byte {
	m := made{base: offset, producer: producer, epoch: epoch, count: 1, records: rec(0, key)}
	if producer >= 0 {
		m.attrs = attrTransactional
	}
	return m.bytes()
}

// mark is a batch that ends a transaction.
func mark(offset, producer int64, epoch int16, kind byte) []byte {
	key := string([]byte{0, 0, 0, kind})
	return made{
		base: offset, producer: producer, epoch: epoch, attrs: attrControl | attrTransactional, count: 1, records: rec(0, key),
	}.bytes()
}

// bounded is the decompressor that a reading has.
var bounded = sync.OnceValue(func() kgo.Decompressor { return unpackUpTo(unpackedBytes) })

// unpackUpTo is a reading's decompressor with another bound.
func unpackUpTo(bytes int) kgo.Decompressor {
	options := New(Config{Bootstrap: []string{"nowhere:1"}, Options: []kgo.Opt{kgo.MaxDecompressBatchBytes(bytes)}}).(*source).options()
	client, err := kgo.NewClient(options...)
	if err != nil {
		panic(err)
	}
	defer client.Close()
	return unpacker(client)
}

func discard([]offsetstore.Record) error { return nil }

// taken gives what a partition hands over of a log, and how it ends.
func taken(p *partition, log []byte) (lines []string, err error) {
	out := newOutput(bounded(), func(records []offsetstore.Record) error {
		for _, r := range records {
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%d %s %s", r.Offset, r.Key, r.Txn)))
		}
		return nil
	})
	_, err = p.take(log, out)
	_ = out.flush()
	lines = append(lines, "|") // what follows was held back
	if err == nil {
		err = p.finish(nil, out)
		_ = out.flush()
	}
	return lines, err
}

func TestTransactionsDecidedAsTheLogSays(t *testing.T) {
	t.Parallel()
	const commit, abort, other = markerCommit, markerAbort, 4
	for name, test := range map[string]struct {
		stable int64
		log    [][]byte
		want   []string
	}{
		"two producers, the first decided last": {
			100,
			[][]byte{data(0, 1, 0, "a"), data(1, 2, 0, "b"), mark(2, 2, 0, abort), mark(3, 1, 0, commit)},
			[]string{"0 a", "1 b aborted", "|"},
		},
		"a producer's transactions in a row": {
			100,
			[][]byte{data(0, 1, 0, "a"), mark(1, 1, 0, commit), data(2, 1, 0, "b"), mark(3, 1, 0, abort)},
			[]string{"0 a", "2 b aborted", "|"},
		},
		"a marker of a newer epoch fences": {
			100,
			[][]byte{data(0, 1, 3, "a"), mark(1, 1, 4, abort)},
			[]string{"0 a aborted", "|"},
		},
		"a marker of an older epoch says nothing": {
			0,
			[][]byte{data(0, 2, 9, "z"), data(1, 1, 3, "a"), mark(2, 1, 2, abort)},
			[]string{"0 z open", "|", "1 a open"},
		},
		"another control record says nothing": {
			100,
			[][]byte{data(0, 1, 0, "a"), mark(1, 1, 0, other)},
			[]string{"|", "0 a"},
		},
		"no marker, though it is over: committed": {
			1,
			[][]byte{data(0, 1, 0, "a"), data(1, -1, 0, "b")},
			[]string{"|", "0 a", "1 b"},
		},
		"no marker, and not over: open": {
			0,
			[][]byte{made{base: 0, delta: 1, attrs: attrTransactional, count: 1, producer: 1, records: rec(1, "a")}.bytes(), data(2, 3, 0, "b")},
			[]string{"1 a open", "|", "2 b open"},
		},
		"what is behind a hanging transaction does not wait for it": {
			1,
			[][]byte{data(0, -1, 0, "a"), data(1, 1, 0, "b"), data(2, -1, 0, "c"), data(3, 1, 0, "d"), data(4, 2, 0, "e"), mark(5, 2, 0, commit)},
			[]string{"0 a", "1 b open", "2 c", "3 d open", "4 e", "|"},
		},
		"emptied batches": {
			100,
			[][]byte{made{base: 0, delta: 4, producer: -1}.bytes(), data(5, -1, 0, "a"), made{base: 6, delta: 2, attrs: attrTransactional}.bytes()},
			[]string{"5 a", "|"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := taken(&partition{end: 100, decided: test.stable, stable: test.stable}, bytes.Join(test.log, nil))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAMarkerThatTheLastStableOffsetDeniesStopsTheReading(t *testing.T) {
	t.Parallel()
	p := &partition{end: 100, stable: 0}
	_, err := taken(p, append(data(0, 1, 0, "a"), mark(1, 1, 0, markerCommit)...))
	var bad *corrupt
	if !errors.As(err, &bad) || bad.at != 1 {
		t.Errorf("got %v", err)
	}
}

func TestOnlyTheOffsetsAskedForAreHandedOver(t *testing.T) {
	t.Parallel()
	m := made{base: 0, delta: 3, producer: -1, count: 4}
	for i := range int64(4) {
		m.records = append(m.records, rec(i, fmt.Sprint("k", i))...)
	}
	p := &partition{start: 1, next: 1, end: 3, decided: 3, stable: 3}
	got, err := taken(p, m.bytes())
	if diff := cmp.Diff([]string{"1 k1", "2 k2", "|"}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestBatchesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	huge := binary.AppendVarint(nil, 1<<40)
	good := made{base: 1, producer: -1, count: 1, records: rec(0, "b")}
	with := func(change func(*made)) []byte { m := good; change(&m); return m.bytes() }
	for name, test := range map[string]struct {
		batch []byte
		want  string
		again bool
		read  int64 // records before what cannot be read
	}{
		"wrong checksum":            {with(func(m *made) { m.wrongCRC = true }), "checksum", true, 0},
		"unknown format":            {func() []byte { b := good.bytes(); b[magicAt] = 3; return b }(), "unknown format 3", true, 0},
		"length below zero":         {func() []byte { b := good.bytes(); b[8] = 0xff; return b }(), "bytes long", true, 0},
		"length of nothing":         {func() []byte { b := good.bytes(); copy(b[8:], []byte{0, 0, 0, 1}); return b }(), "1 bytes long", true, 0},
		"shorter than its header":   {func() []byte { b := good.bytes(); copy(b[8:], []byte{0, 0, 0, 20}); return b }(), "shorter than its header", true, 0},
		"offsets backwards":         {with(func(m *made) { m.delta = -1 }), "offsets 1 to 0", true, 0},
		"offset below zero":         {with(func(m *made) { m.base = -5 }), "offsets -5", true, 0},
		"fewer records than said":   {with(func(m *made) { m.count = 2 }), "holds 2 records, 1", false, 1},
		"more records than said":    {with(func(m *made) { m.records = append(m.records, m.records...) }), "out of order", false, 1},
		"records without any bytes": {with(func(m *made) { m.records = nil }), "holds 1 records, 0", false, 0},
		"count below zero":          {with(func(m *made) { m.count = -7 }), "holds -7 records", false, 1},
		"record longer than batch":  {with(func(m *made) { m.records = huge }), "0 can be read", false, 0},
		"key longer than record": {with(func(m *made) {
			m.records = append([]byte{20, 0, 0, 0}, huge...)
		}), "0 can be read", false, 0},
		"headers that are not there": {with(func(m *made) {
			m.records = append([]byte{12, 0, 0, 0, 1, 1}, 100)
		}), "50 headers", false, 0},
		"fewer headers than none": {with(func(m *made) {
			m.records = []byte{12, 0, 0, 0, 1, 1, 1}
		}), "-1 headers", false, 0},
		"header without a name": {with(func(m *made) {
			m.records = []byte{16, 0, 0, 0, 1, 1, 2, 1, 1}
		}), "cut off", false, 0},
		"bytes behind the headers": {with(func(m *made) {
			m.records = []byte{16, 0, 0, 0, 1, 1, 0, 7, 7}
		}), "2 bytes behind", false, 0},
		"number beyond 64 bits": {with(func(m *made) {
			m.records = append(append([]byte{40, 0, 0}, bytes.Repeat([]byte{0xff}, 16)...), 1, 1)
		}), "0 can be read", false, 0},
		"offset beyond all": {with(func(m *made) {
			m.records = append([]byte{30, 0, 0}, append(binary.AppendVarint(nil, math.MaxInt64), 1, 1, 0)...)
		}), "out of order", false, 0},
		"count beyond the bytes": {with(func(m *made) { m.count = math.MaxInt32 }), "holds 2147483647 records, 1", false, 1},
		"last of all offsets":    {with(func(m *made) { m.base = math.MaxInt64 }), "offsets 9223372036854775807", true, 0},
		"an offset again":        {with(func(m *made) { m.base = 0 }), "at offset 0 follows offset 0", true, 0},
		"header cut off": {with(func(m *made) {
			m.records = append([]byte{16, 0, 0, 0, 1, 1}, 2, 40, 0)
		}), "cut off", false, 0},
		"offset before the batch": {with(func(m *made) { m.records = rec(-1, "b") }), "out of order", false, 0},
		"more behind the gzip": {with(func(m *made) {
			m.attrs, m.records = 1, append(gzipped(m.records), "more"...)
		}), "decompressed", false, 0},
		"offset beyond the batch": {with(func(m *made) { m.records = rec(9, "b") }), "out of order", false, 0},
		"not compressed":          {with(func(m *made) { m.attrs = 1 }), "decompressed", false, 0},
		"unknown codec":           {with(func(m *made) { m.attrs = 7 }), "decompressed", false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &partition{end: 100, decided: 100, stable: 100}
			got, err := taken(p, append(data(0, -1, 0, "a"), test.batch...))
			var bad *corrupt
			if !errors.As(err, &bad) || !strings.Contains(bad.Error(), test.want) {
				t.Fatalf("got %v, want …%s…", err, test.want)
			}
			if bad.at != 1+test.read || bad.again != test.again {
				t.Errorf("at %d, again %v", bad.at, bad.again)
			}
			if got[0] != "0 a" {
				t.Errorf("what lies before it is lost: %q", got)
			}
		})
	}
}

func TestACutBatchTellsItsSize(t *testing.T) {
	t.Parallel()
	whole := data(0, -1, 0, "a")
	for n := range whole {
		p := &partition{end: 100, decided: 100, stable: 100}
		cut, err := p.take(whole[:n], newOutput(bounded(), nil))
		if want := len(whole); err != nil || n > magicAt && cut != want || p.next != 0 {
			t.Fatalf("%d of %d bytes: size %d, next %d, %v", n, want, cut, p.next, err)
		}
	}
}
