package offsetstore

import (
	"cmp"
	"fmt"
	"slices"

	"koffsets/decode"
)

// REST is, byte for byte, what a worker of the release that has lost nothing
// answers to GET /connectors/{connector}/offsets. A connector that the topic
// does not know has no offsets. Releases before 3.5 have no such request: an
// error.
//
// The order of the list is Java's, of hash maps. Where two source partitions
// share a bucket in each of them, the one whose records began first comes
// first for a worker; here it is the one whose last record came first.
func (v *View) REST(connector string) ([]byte, error) {
	if !v.Release.Rules.JudgesKeys {
		return nil, fmt.Errorf("workers of %s have no GET /connectors/{connector}/offsets: it came with 3.5.0", v.Release.Asked)
	}
	answer := []byte(`{"offsets":[`)
	for i, e := range v.listing(connector) {
		if i > 0 {
			answer = append(answer, ',')
		}
		answer = append(answer, `{"partition":`...)
		answer = e.SourcePartition.AppendCanonical(answer)
		answer = append(answer, `,"offset":`...)
		if e.Listed.Offset == nil {
			answer = append(answer, "null"...)
		} else {
			answer = e.Listed.Offset.AppendCanonical(answer)
		}
		answer = append(answer, '}')
	}
	return append(answer, "]}"...), nil
}

// defaultCapacity is that of a java.util.HashMap made without one.
const defaultCapacity = 16

// listing is a connector's source partitions in the order of the REST API's
// answer. They pass through Java's hash maps one after the other: the sets of
// KafkaOffsetBackingStore's and ConnectorOffsetBackingStore's connectorPartitions;
// in OffsetStorageReaderImpl.offsets a map by serialised key; the stores' answers,
// the second a copy of the first; a map by source partition.
func (v *View) listing(connector string) []*Entry {
	var set []*Entry
	rank := v.readingOrder()
	for e := range v.Entries(connector) {
		if !e.gone() {
			set = append(set, e)
		}
	}
	slices.SortStableFunc(set, func(a, b *Entry) int {
		x, y := a.Copies[a.instance()].Place, b.Copies[b.instance()].Place
		return cmp.Or(cmp.Compare(rank(x.Partition), rank(y.Partition)), cmp.Compare(x.Offset, y.Offset))
	})
	partition := func(e *Entry) int32 { return e.SourcePartition.HashCode() }
	serialized := func(e *Entry) int32 { return bufferHash(e.CanonicalKey) }
	capacity := len(set)
	set = throughMap(set, defaultCapacity, partition)
	set = throughMap(set, defaultCapacity, partition)
	set = onePerKey(set)
	set = throughMap(set, capacity, serialized)
	set = throughMap(set, defaultCapacity, serialized)
	set = throughMap(set, len(set)*4/3+1, serialized)
	set = slices.DeleteFunc(set, func(e *Entry) bool { return !e.Listed.Shown })
	return throughMap(set, capacity, partition)
}

// throughMap is the order in which a HashMap gives back what it was given.
func throughMap(entries []*Entry, capacity int, hash func(*Entry) int32) []*Entry {
	hashes := make([]int32, len(entries))
	for i, e := range entries {
		hashes[i] = hash(e)
	}
	ordered := make([]*Entry, 0, len(entries))
	for _, i := range decode.HashOrder(hashes, capacity) {
		ordered = append(ordered, entries[i])
	}
	return ordered
}

// onePerKey leaves out what cannot be serialised, and of those with the same
// serialised key all but the last, which takes the place of the first.
func onePerKey(entries []*Entry) []*Entry {
	at := make(map[string]int)
	var kept []*Entry
	for _, e := range entries {
		if e.Nested {
			continue
		}
		if i, ok := at[string(e.CanonicalKey)]; ok {
			kept[i] = e
			continue
		}
		at[string(e.CanonicalKey)] = len(kept)
		kept = append(kept, e)
	}
	return kept
}

// bufferHash is java.nio.ByteBuffer.hashCode.
func bufferHash(b []byte) int32 {
	h := int32(1)
	for i := len(b) - 1; i >= 0; i-- {
		h = 31*h + int32(int8(b[i]))
	}
	return h
}

// readingOrder ranks the topic partitions as a worker that starts reads them,
// where one broker leads them all: in the order of a HashMap of TopicPartition,
// filled in numeric order.
func (v *View) readingOrder() func(partition int32) int64 {
	table := int64(defaultCapacity)
	for int64(v.Description.Partitions) > table/4*3 {
		table *= 2
	}
	var topic int32
	for _, c := range []byte(v.Description.Topic) {
		topic = 31*topic + int32(c)
	}
	return func(partition int32) int64 {
		h := uint32(31*(31+partition) + topic)
		return int64(h^h>>16)&(table-1)<<32 | int64(uint32(partition))
	}
}
