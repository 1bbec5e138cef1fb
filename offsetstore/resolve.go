package offsetstore

import (
	"bytes"
	"cmp"
	"slices"

	"koffsets/decode"
)

// entry reads the items of one source partition and settles what is shown,
// listed and found.
func (v *View) entry(refs []ref) *Entry {
	copies := v.copies(refs)
	e := &Entry{Copies: copies}
	e.settle()
	key := copies[e.instance()].parsed
	e.Connector, e.SourcePartition = key.Connector, key.SourcePartition
	e.CanonicalKey, e.Nested = key.Canonical, key.Nested

	shown := &copies[e.shown()]
	e.Place, e.Timestamp = shown.Place, shown.Timestamp
	e.Key, e.Value, e.Offset = shown.Key, shown.Value, shown.Offset
	e.State = stateOf(shown.Offset.Verdict)
	e.Canonical = bytes.Equal(e.Key, e.CanonicalKey)

	var known bool
	if e.canonical, known = e.lookup(e.CanonicalKey); !known {
		e.canonical = v.elsewhere(key)
	}
	e.find()
	e.list()
	return e
}

// copies reads items, ordered by topic partition and offset.
func (v *View) copies(refs []ref) []Copy {
	copies := make([]Copy, len(refs))
	for i, r := range refs {
		it, partition := v.item(r), v.shards[r.shard>>1].partition
		key, value := it.key(), it.value()
		parsed := decode.ParseKey(&v.Release.Rules, key)
		copies[i] = Copy{
			Place: Place{partition, it.offset()}, Timestamp: it.timestamp(),
			Key: key, Value: value, Tombstone: value == nil,
			Spelling: parsed.Spelling, Misplaced: v.misplaced(partition, key),
			Offset: decode.ParseValue(&v.Release.Rules, value), parsed: &parsed,
		}
	}
	slices.SortFunc(copies, func(a, b Copy) int {
		return cmp.Or(cmp.Compare(a.Partition, b.Partition), compareOffsets(a.Place.Offset, b.Place.Offset))
	})
	for i := range copies {
		copies[i].Place.Offset = max(copies[i].Place.Offset, Unknown)
	}
	return copies
}

// compareOffsets orders records of one topic partition: by offset, those
// without one behind them in order of arrival, which counts from -2 downwards.
func compareOffsets(a, b int64) int {
	switch {
	case a >= 0 && b >= 0:
		return cmp.Compare(a, b)
	case a < 0 && b < 0:
		return cmp.Compare(b, a)
	}
	return cmp.Compare(b, a) // the negative one is the later one
}

// later reports whether copy j was written after copy i: by place on one topic
// partition, by timestamp across several.
func (e *Entry) later(i, j int) bool {
	a, b := &e.Copies[i], &e.Copies[j]
	if a.Partition == b.Partition || a.Timestamp == b.Timestamp {
		return j > i
	}
	return b.Timestamp > a.Timestamp
}

// last is the copy written last of those wanted, or -1. A topic partition
// speaks through its last wanted copy, whatever the timestamps before it.
func (e *Entry) last(want func(i int) bool) int {
	last, own := -1, -1
	for i := range e.Copies {
		if want(i) {
			own = i
		}
		end := i+1 == len(e.Copies) || e.Copies[i+1].Partition != e.Copies[i].Partition
		if end && own >= 0 {
			if last < 0 || e.later(last, own) {
				last = own
			}
			own = -1
		}
	}
	return last
}

func (e *Entry) any(int) bool { return true }

// settle finds for every key the copy that a lookup finds, and whether that
// hangs on the order in which topic partitions are read.
func (e *Entry) settle() {
	if len(e.Copies) == 1 {
		e.wins, e.spellings = []bool{true}, []exactKey{{copies: []int{0}}}
		return
	}
	e.wins = make([]bool, len(e.Copies))
	byKey := make([]int, len(e.Copies))
	for i := range byKey {
		byKey[i] = i
	}
	slices.SortStableFunc(byKey, func(i, j int) int { return bytes.Compare(e.Copies[i].Key, e.Copies[j].Key) })
	for len(byKey) > 0 {
		n, winner, first := 0, byKey[0], &e.Copies[byKey[0]]
		for ; n < len(byKey) && bytes.Equal(e.Copies[byKey[n]].Key, first.Key); n++ {
			c := &e.Copies[byKey[n]]
			if e.later(winner, byKey[n]) {
				winner = byKey[n]
			}
			e.Split = e.Split || n > 0
			e.Ambiguous = e.Ambiguous || c.Tombstone != first.Tombstone || !bytes.Equal(c.Value, first.Value)
		}
		e.wins[winner] = true
		e.spellings = append(e.spellings, exactKey{byKey[:n:n], winner})
		byKey = byKey[n:]
	}
	slices.SortFunc(e.spellings, func(a, b exactKey) int { return cmp.Compare(a.copies[0], b.copies[0]) })
}

// lookup is what a worker's memory holds for a key, nil for nothing. known is
// false where the topic holds not even a tombstone for it.
func (e *Entry) lookup(key []byte) (live *Copy, known bool) {
	for _, s := range e.spellings {
		if c := &e.Copies[s.winner]; bytes.Equal(c.Key, key) {
			if c.Tombstone {
				return nil, true
			}
			return c, true
		}
	}
	return nil, false
}

// own is the copy whose spelling the connector wrote last: one that Connect can
// write where there is one, alive where there is one.
func (e *Entry) own() int {
	written := func(i int) bool { return e.wins[i] && e.Copies[i].Spelling != decode.Other }
	for _, want := range []func(int) bool{
		func(i int) bool { return written(i) && !e.Copies[i].Tombstone },
		written,
		e.alive,
	} {
		if i := e.last(want); i >= 0 {
			return i
		}
	}
	return e.last(e.winner)
}

// shown is the copy the entry shows: the connector's own, or what else is
// alive, or the last tombstone.
func (e *Entry) shown() int {
	if i := e.own(); !e.Copies[i].Tombstone {
		return i
	}
	if i := e.last(e.alive); i >= 0 {
		return i
	}
	return e.last(e.winner)
}

func (e *Entry) winner(i int) bool { return e.wins[i] }
func (e *Entry) alive(i int) bool  { return e.wins[i] && !e.Copies[i].Tombstone }

// instance is the copy whose map Connect keeps in its listing: of equal maps it
// keeps the first, and equal maps may be written in different orders.
func (e *Entry) instance() int {
	for i := range e.Copies {
		if !e.Copies[i].Tombstone {
			return i
		}
	}
	return 0
}

func stateOf(v decode.ValueVerdict) State {
	switch v {
	case decode.ValueOK:
		return Live
	case decode.ValueTombstone:
		return Deleted
	case decode.ValueNullLookalike:
		return Null
	}
	return Unreadable
}

// read is what a reader makes of a copy: nil without an offset.
func read(c *Copy) *decode.Object {
	if c == nil || c.Offset.Verdict != decode.ValueOK {
		return nil
	}
	return &c.Offset.Map
}

// find settles what a task gets. A source partition with a list or a map in it
// is refused before anything is looked up.
func (e *Entry) find() {
	if e.Nested {
		return
	}
	e.Found.Canonical = read(e.canonical)
	own, _ := e.lookup(e.Copies[e.own()].Key)
	e.Found.Own = read(own)
}

// list settles what the REST API shows: the source partitions whose last
// record under any spelling is no tombstone, each with the offset that a lookup
// of its canonical spelling finds, but for those where the lookup fails.
func (e *Entry) list() {
	e.Listed.Shown = !e.gone() && !e.Nested
	if e.canonical != nil && stateOf(e.canonical.Offset.Verdict) == Unreadable {
		e.Listed.Shown = false
	}
	if e.Listed.Shown {
		e.Listed.Offset = read(e.canonical)
	}
	first := true
	var gone bool
	for i := range e.Copies {
		if i+1 == len(e.Copies) || e.Copies[i+1].Partition != e.Copies[i].Partition {
			e.orderDecides = e.orderDecides || !first && gone != e.Copies[i].Tombstone
			first, gone = false, e.Copies[i].Tombstone
		}
	}
	e.Listed.Ambiguous = e.orderDecides || e.instanceDecides()
}

// instanceDecides reports whether live spellings of the source partition are
// looked up under different canonical ones: Java iterates equal maps differently
// where two fields share a bucket and came in another order. Connect keeps the
// map that it read first, of records that may be gone from the topic.
func (e *Entry) instanceDecides() bool {
	var canonical []byte
	for i := range e.Copies {
		c := &e.Copies[i]
		if c.Tombstone {
			continue
		}
		if canonical != nil && !bytes.Equal(c.parsed.Canonical, canonical) {
			return true
		}
		canonical = c.parsed.Canonical
	}
	return false
}

// gone reports whether the last record under any spelling is a tombstone: then
// the source partition is no longer in Connect's set.
func (e *Entry) gone() bool { return e.Copies[e.last(e.any)].Tombstone }

// elsewhere looks a canonical spelling up that reads as another source
// partition than the one it was written for: Infinity becomes a string.
func (v *View) elsewhere(key *decode.Key) *Copy {
	if bytes.Equal(v.identity(key.Canonical), key.AppendIdentity(nil)) {
		return nil
	}
	var refs []ref
	for i := range v.shards {
		if r, ok := v.find(uint32(i), key.Canonical); ok {
			refs = append(refs, r)
		}
	}
	if len(refs) == 0 {
		return nil
	}
	e := &Entry{Copies: v.copies(refs)}
	e.settle()
	live, _ := e.lookup(key.Canonical)
	return live
}
