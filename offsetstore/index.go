package offsetstore

import (
	"bytes"
	"slices"

	"koffsets/decode"
)

// ref names an item of a view: the shard's index and, in the lowest bit,
// whether the item lies in its over table.
type ref struct{ shard, unit uint32 }

// index tells which items are one source partition.
//
// Nearly every key is plain and lies at home, so that nothing else can be the
// same source partition but what is not plain or not at home. Only the latter
// are parsed and joined by identity; each of their source partitions then looks
// for the one plain key at home that may belong to it.
type index struct {
	singles []ref   // source partitions of one plain key at home
	groups  []group // all others
}

// group is the items of a source partition.
type group struct {
	refs      []ref
	connector string
	canonical []byte
}

func (ix *index) len() int { return len(ix.singles) + len(ix.groups) }

// refs is the items of a source partition: singles first, then groups.
func (ix *index) refs(n uint32) []ref {
	if int(n) < len(ix.singles) {
		return ix.singles[n : n+1]
	}
	return ix.groups[int(n)-len(ix.singles)].refs
}

// build fills the index and counts what it finds on the way.
func (v *View) build() {
	var others []ref
	for i, s := range v.shards {
		for r, it := range v.items(uint32(i)) {
			key := it.key()
			name, ok := decode.Plain(key)
			if !ok || !v.atHome(s.partition, key) {
				others = append(others, r)
				continue
			}
			v.index.singles = append(v.index.singles, r)
			if v.countSingle(name, it.value(), 1) {
				v.suspects = append(v.suspects, r)
			}
		}
	}
	joined := v.join(others)
	for r := range joined {
		name, _ := decode.Plain(v.item(r).key())
		v.countSingle(name, v.item(r).value(), -1)
	}
	if len(joined) > 0 {
		isJoined := func(r ref) bool { return joined[r] }
		v.index.singles = slices.DeleteFunc(v.index.singles, isJoined)
		v.suspects = slices.DeleteFunc(v.suspects, isJoined)
	}
	for i := range v.index.groups {
		v.countGroup(&v.index.groups[i])
	}
}

// join groups the others, and gives the plain keys that belong to a group.
func (v *View) join(others []ref) (joined map[ref]bool) {
	ix := &v.index
	joined = make(map[ref]bool)
	groups := make(map[string]int)
	var id []byte
	for _, r := range others {
		key := v.item(r).key()
		k := decode.ParseKey(&v.Release.Rules, key)
		id = k.AppendIdentity(id[:0])
		g, ok := groups[string(id)]
		if !ok {
			g = len(ix.groups)
			groups[string(id)] = g
			ix.groups = append(ix.groups, group{})
			if plain, ok := v.plainTwin(k.Canonical, id); ok {
				ix.groups[g].refs = append(ix.groups[g].refs, plain)
				joined[plain] = true
			}
		}
		ix.groups[g].refs = append(ix.groups[g].refs, r)
	}
	return joined
}

// plainTwin finds the plain key at home that is one source partition with a key
// of this canonical spelling and identity.
func (v *View) plainTwin(canonical, id []byte) (ref, bool) {
	if _, ok := decode.Plain(canonical); !ok {
		return ref{}, false
	}
	for i, s := range v.shards {
		if !v.atHome(s.partition, canonical) {
			continue
		}
		// Infinity is written as a string, which reads as another partition.
		r, ok := v.find(uint32(i), canonical)
		if ok && bytes.Equal(v.identity(canonical), id) {
			return r, true
		}
	}
	return ref{}, false
}

func (v *View) identity(key []byte) []byte {
	k := decode.ParseKey(&v.Release.Rules, key)
	return k.AppendIdentity(nil)
}

// atHome reports whether a key surely lies where its connector writes it, and
// can lie nowhere else unseen: on its home partition, or on the only one.
func (v *View) atHome(partition int32, key []byte) bool {
	if n := v.Description.Partitions; n > 0 && partition >= 0 {
		return int(partition) == decode.Home(key, n)
	}
	return len(v.shards) == 1
}

// misplaced reports whether a key surely lies elsewhere than its connector
// writes it.
func (v *View) misplaced(partition int32, key []byte) bool {
	n := v.Description.Partitions
	return n > 0 && partition >= 0 && int(partition) != decode.Home(key, n)
}

// items yields the items of a shard that the view's isolation level sees.
func (v *View) items(shard uint32) func(yield func(ref, item) bool) {
	return func(yield func(ref, item) bool) {
		s := v.shards[shard]
		over := s.over
		if v.Isolation == ReadCommitted {
			over = nil
		}
		for unit, it := range s.main.each {
			if over != nil {
				key := it.key()
				if o := over.lookup(hashOf(over.seed, key), key); o != nil && !o.stale() {
					continue
				}
			}
			if !yield(ref{shard << 1, unit}, it) {
				return
			}
		}
		for unit, it := range over.each {
			if !yield(ref{shard<<1 | 1, unit}, it) {
				return
			}
		}
	}
}

// find is the item of a key on a shard, as the isolation level sees it.
func (v *View) find(shard uint32, key []byte) (ref, bool) {
	s := v.shards[shard]
	hash := hashOf(s.main.seed, key)
	if v.Isolation == ReadUncommitted && s.over != nil {
		if slot, it := s.over.find(hash, key); it != nil && !it.stale() {
			return ref{shard<<1 | 1, uint32(s.over.words[slot]) - 1}, true
		}
	}
	slot, it := s.main.find(hash, key)
	if it == nil {
		return ref{}, false
	}
	return ref{shard << 1, uint32(s.main.words[slot]) - 1}, true
}

func (v *View) item(r ref) item {
	s := v.shards[r.shard>>1]
	if r.shard&1 != 0 {
		return s.over.arena.at(r.unit)
	}
	return s.main.arena.at(r.unit)
}
