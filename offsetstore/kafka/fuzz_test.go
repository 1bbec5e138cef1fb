package kafka

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"testing"

	"koffsets/offsetstore"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// fuzzUnpacked is the bound of a decompressed batch while fuzzing.
const fuzzUnpacked = 1 << 16

// memoryBound is what reading an answer may allocate in all: each message of an
// old format and each batch costs a piece of memory, a compressed one up to its
// bound several times over.
func memoryBound(in int) uint64 { return 8<<20 + uint64(in)*(64+fuzzUnpacked/8) }

// FuzzTake: whatever a broker answers, nothing panics, what is handed over lies
// in order between start and end, and a second answer goes on behind the first.
func FuzzTake(f *testing.F) {
	f.Add(data(0, -1, 0, "a"), data(1, 1, 0, "b"))
	f.Add(append(data(0, 1, 0, "a"), mark(1, 1, 0, markerAbort)...), data(1, 1, 0, "b"))
	f.Add(made{base: 3, delta: 9, count: 2, producer: -1, records: append(rec(0, "x"), rec(7, "y")...)}.bytes(), []byte{})
	f.Add(made{attrs: 2, count: 1, producer: -1, records: []byte{0x0a, 0x24, 0, 0, 0, 2, 'k', 1, 0, 0}}.bytes(), mark(0, 2, 0, 1))
	legacy := make([]byte, 40)
	legacy[11], legacy[magicAt] = 28, 1
	f.Add(legacy, legacy)
	for codec := range packers {
		log := append(rec(0, "x"), rec(7, "y")...)
		f.Add(made{attrs: uint16(codec), delta: 9, count: 2, producer: -1, records: packed(f, codec, log)}.bytes(), []byte{})
	}
	f.Add(message(1, 1, 6, 1800, nil, gzipped(message(1, 0, 0, 1801, []byte("d"), []byte("1")))), message(0, 0, 7, 0, nil, nil))
	unpack := unpackUpTo(fuzzUnpacked)
	f.Fuzz(func(t *testing.T, first, second []byte) {
		const start, end = 1, 50
		last := int64(-1)
		out := newOutput(unpack, func(records []offsetstore.Record) error {
			for _, r := range records {
				if r.Offset <= last || r.Offset < start || r.Offset >= end {
					t.Fatalf("offset %d behind %d", r.Offset, last)
				}
				last = r.Offset
			}
			return nil
		})
		p := &partition{start: start, next: start, end: end, decided: 20, stable: 20}
		for _, answer := range [][]byte{reseal(first), reseal(second)} {
			before := p.next
			var err error
			if n := allocatedBy(func() { _, err = p.take(answer, out) }); n > memoryBound(len(answer)) {
				t.Errorf("%d bytes allocated for %d", n, len(answer))
			}
			var bad *corrupt
			if err != nil && !errors.As(err, &bad) {
				t.Fatal(err)
			}
			if p.next < before {
				t.Fatalf("went back from %d to %d", before, p.next)
			}
			if err != nil {
				p.stop(err)
				break
			}
		}
		if err := p.finish(p.why, out); err != nil {
			t.Fatal(err)
		}
		if out.held != 0 {
			t.Errorf("%d bytes are still held back", out.held)
		}
		if err := out.flush(); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzAnswer: whatever a broker answers to a fetch or a metadata request, a
// topic partition is read on, tried again or given up with a reason, and never
// complete before its end.
func FuzzAnswer(f *testing.F) {
	fetch := kmsg.NewPtrFetchResponse()
	topic := kmsg.NewFetchResponseTopic()
	for id := range int32(3) {
		p := kmsg.NewFetchResponseTopicPartition()
		p.Partition, p.HighWatermark = id, 2
		p.RecordBatches = append(data(0, -1, 0, "a"), data(1, 1, 0, "b")...)
		topic.Partitions = append(topic.Partitions, p)
	}
	fetch.Topics = append(fetch.Topics, topic)
	for _, version := range []int16{4, 11, 12, 17} {
		fetch.SetVersion(version)
		f.Add(version, fetch.AppendTo(nil))
	}
	metadata := kmsg.NewPtrMetadataResponse()
	about := kmsg.NewMetadataResponseTopic()
	about.Topic = kmsg.StringPtr("t")
	about.Partitions = append(about.Partitions, kmsg.NewMetadataResponseTopicPartition())
	metadata.Topics = append(metadata.Topics, about)
	for _, version := range []int16{1, 7, 12} {
		metadata.SetVersion(version)
		f.Add(-version, metadata.AppendTo(nil))
	}
	client, err := kgo.NewClient()
	if err != nil {
		f.Fatal(err)
	}
	defer client.Close()
	f.Fuzz(func(t *testing.T, version int16, in []byte) {
		metadata, resp := kmsg.NewPtrMetadataResponse(), kmsg.NewPtrFetchResponse()
		metadata.SetVersion(-(version % 14))
		resp.SetVersion(version % 19)
		parse := resp.ReadFrom
		if version < 0 {
			parse = metadata.ReadFrom
		}
		var failed error
		if n := allocatedBy(func() { failed = parse(in) }); n > 8<<20+1000*uint64(len(in)) {
			t.Errorf("%d bytes allocated for %d", n, len(in))
		}
		if failed != nil {
			return
		}
		if version < 0 {
			checkMetadata(t, metadata)
			return
		}
		r := newReader(New(Config{Topic: "t"}).(*source).cfg, client, discard)
		for id := range int32(3) {
			r.partitions = append(r.partitions, &partition{id: id, phase: reading, listed: true, end: int64(id) + 1, decided: 1, stable: 1})
		}
		if n := allocatedBy(func() { failed = r.fetched(r.partitions, resp, kerr.ErrorForCode(resp.ErrorCode)) }); n > memoryBound(len(in)) {
			t.Errorf("%d bytes allocated for %d", n, len(in))
		}
		if failed != nil {
			t.Fatal(failed)
		}
		for _, p := range r.partitions {
			if p.phase == done && p.why == nil && p.next < p.end {
				t.Errorf("%d is complete at %d of %d", p.id, p.next, p.end)
			}
		}
	})
}

func checkMetadata(t *testing.T, resp *kmsg.MetadataResponse) {
	got, err := topicOf(resp, "t")
	if err != nil {
		return
	}
	got.describe(new(offsetstore.Description))
	for id := range int32(len(got.partitions) + 1) {
		if leader, _, err := got.leader(id); (leader < 0) != (err != nil) {
			t.Errorf("partition %d is led by %d (%v)", id, leader, err)
		}
	}
}

// reseal mends the checksums, so that the fuzzer gets behind them.
func reseal(log []byte) []byte {
	log = bytes.Clone(log)
	for rest := log; len(rest) >= headerSize && rest[magicAt] == 2; {
		size := entryPrefix + int(int32(binary.BigEndian.Uint32(rest[8:])))
		if size < headerSize || size > len(rest) {
			break
		}
		binary.BigEndian.PutUint32(rest[crcAt:], crc32.Checksum(rest[afterCRC:size], castagnoli))
		rest = rest[size:]
	}
	return log
}
