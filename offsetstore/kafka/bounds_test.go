package kafka

import (
	"bytes"
	"encoding/binary"
	"errors"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
)

var packers = map[kgo.CompressionCodecType]kgo.CompressionCodec{
	kgo.CodecGzip: kgo.GzipCompression(), kgo.CodecSnappy: kgo.SnappyCompression(),
	kgo.CodecLz4: kgo.Lz4Compression(), kgo.CodecZstd: kgo.ZstdCompression(),
}

func packed(t testing.TB, codec kgo.CompressionCodecType, in []byte) []byte {
	t.Helper()
	c, err := kgo.DefaultCompressor(packers[codec])
	if err != nil {
		t.Fatal(err)
	}
	out, used := c.Compress(new(bytes.Buffer), in)
	if used != codec {
		t.Fatalf("packed by %d, not %d", used, codec)
	}
	return bytes.Clone(out)
}

func TestACompressedBatchMayNotBecomeTooMuch(t *testing.T) {
	t.Parallel()
	const bound = 1 << 20
	for codec := range packers {
		for size, want := range map[int]string{
			bound / 2: "holds 1 records, 0 can be read", // unpacked, though no records
			2 * bound: "a batch cannot be decompressed",
		} {
			bomb := made{attrs: uint16(codec), producer: -1, count: 1, records: packed(t, codec, make([]byte, size))}.bytes()
			p := &partition{end: 1, decided: 1, stable: 1}
			_, err := p.take(bomb, newOutput(unpackUpTo(bound), nil))
			if err == nil || !strings.HasPrefix(err.Error(), "a batch") || !strings.Contains(err.Error(), want) {
				t.Errorf("codec %d, %d bytes: %v", codec, size, err)
			}
		}
	}
}

// What claims to become gigabytes is refused before memory is found for it.
func TestAClaimedSizeIsNotBelieved(t *testing.T) {
	claim := binary.AppendUvarint(nil, 1<<30)
	for name, batch := range map[string]made{
		"snappy":           {attrs: uint16(kgo.CodecSnappy), count: 1, records: append(claim, 0, 0, 0)},
		"snappy in chunks": {attrs: uint16(kgo.CodecSnappy), count: 1, records: append([]byte("\x82SNAPPY\x00\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x06"), append(claim, 0)...)},
		"zstd":             {attrs: uint16(kgo.CodecZstd), count: 1, records: append([]byte{0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0x40}, 1, 0, 0)},
		"records":          {count: 1<<31 - 1, records: rec(0, "a")},
		"record":           {count: 1, records: append(binary.AppendVarint(nil, 1<<30), 0)},
		"headers":          {count: 1, records: append([]byte{40, 0, 0, 0, 1, 1}, append(binary.AppendVarint(nil, 1<<30), make([]byte, 20)...)...)},
	} {
		batch.producer = -1
		log := batch.bytes()
		p := &partition{end: 1, decided: 1, stable: 1}
		out := newOutput(bounded(), nil)
		out.sink = discard
		allocated := allocatedBy(func() {
			_, err := p.take(log, out)
			var bad *corrupt
			if !errors.As(err, &bad) {
				t.Errorf("%s: %v", name, err)
			}
		})
		if allocated > 8<<20 {
			t.Errorf("%s: %d bytes allocated", name, allocated)
		}
	}
}

func TestWhatTransactionsHoldBackIsBoundedForAllTopicPartitionsTogether(t *testing.T) {
	t.Parallel()
	out := newOutput(bounded(), discard)
	others := heldLimit - 2*len(data(0, 1, 0, "a"))
	out.held = others
	p := &partition{end: 100, decided: 100, stable: 100}
	_, err := p.take(bytes.Join([][]byte{data(0, 1, 0, "a"), data(1, 1, 0, "b"), data(2, 1, 0, "c"), data(3, 1, 0, "d")}, nil), out)
	var bad *corrupt
	if !errors.As(err, &bad) || bad.at != 3 || !strings.Contains(err.Error(), "hold back more than 1024 MiB") {
		t.Errorf("got %v", err)
	}
	if err := p.finish(err, out); err != nil || out.held != others {
		t.Errorf("%d bytes are held back, not %d (%v)", out.held, others, err)
	}
}

// allocatedBy gives the bytes that f allocates, roughly.
func allocatedBy(f func()) uint64 {
	allocs := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(allocs)
	before := allocs[0].Value.Uint64()
	f()
	metrics.Read(allocs)
	return allocs[0].Value.Uint64() - before
}
