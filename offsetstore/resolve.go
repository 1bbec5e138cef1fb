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
	key := decode.ParseKey(&v.Release.Rules, copies[e.instance()].Key)
	e.Connector, e.SourcePartition = key.Connector, key.SourcePartition
	e.CanonicalKey, e.Nested = key.Canonical, key.Nested

	shown := &copies[e.shown()]
	e.Place, e.Timestamp = shown.Place, shown.Timestamp
	e.Key, e.Value, e.Offset = shown.Key, shown.Value, shown.Offset
	e.State = stateOf(shown.Offset.Verdict)
	e.Canonical = bytes.Equal(e.Key, e.CanonicalKey)

	if e.canonical = e.lookup(e.CanonicalKey); e.canonical == nil {
		e.canonical = v.elsewhere(&key)
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
		key, at := it.key()
		value := it.valueAt(at)
		k := decode.ParseKey(&v.Release.Rules, key)
		copies[i] = Copy{
			Place: Place{partition, it.offset()}, Timestamp: it.timestamp(),
			Key: key, Value: value, Tombstone: value == nil,
			Spelling: k.Spelling, Misplaced: v.misplaced(partition, key),
			Offset: decode.ParseValue(&v.Release.Rules, value), keyWraps: k.Wraps,
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
		e.spellings = append(e.spellings, byKey[:n:n])
		byKey = byKey[n:]
	}
	slices.SortFunc(e.spellings, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
}

// lookup is what a worker's memory holds for a key: nil where nothing or a
// tombstone is.
func (e *Entry) lookup(key []byte) *Copy {
	for i := range e.Copies {
		if e.wins[i] && bytes.Equal(e.Copies[i].Key, key) && !e.Copies[i].Tombstone {
			return &e.Copies[i]
		}
	}
	return nil
}

// own is the copy whose spelling the connector wrote last: one that Connect can
// write where there is one, alive where there is one.
func (e *Entry) own() int {
	written := func(i int) bool { return e.wins[i] && e.Copies[i].Spelling != decode.Other }
	alive := func(i int) bool { return !e.Copies[i].Tombstone }
	for _, want := range []func(int) bool{
		func(i int) bool { return written(i) && alive(i) },
		written,
		func(i int) bool { return e.wins[i] && alive(i) },
	} {
		if i := e.last(want); i >= 0 {
			return i
		}
	}
	return e.last(e.any)
}

// shown is the copy the entry shows: the connector's own, or what else is
// alive, or the last tombstone.
func (e *Entry) shown() int {
	if i := e.own(); !e.Copies[i].Tombstone {
		return i
	}
	if i := e.last(func(i int) bool { return e.wins[i] && !e.Copies[i].Tombstone }); i >= 0 {
		return i
	}
	return e.last(e.any)
}

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
	e.Found.Own = read(e.lookup(e.Copies[e.own()].Key))
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
			e.Listed.Ambiguous = e.Listed.Ambiguous || !first && gone != e.Copies[i].Tombstone
			first, gone = false, e.Copies[i].Tombstone
		}
	}
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
	return e.lookup(key.Canonical)
}
