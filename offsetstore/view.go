package offsetstore

import (
	"bytes"
	"cmp"
	"iter"
	"slices"

	"koffsets/decode"
	"koffsets/release"
)

// Summary counts what a view was made of.
type Summary struct {
	// Records is all records read, whatever became of them.
	Records int
	// Live, Deleted, Null and Unreadable count source partitions by state.
	Live, Deleted, Null, Unreadable int
	// Malformed counts the records whose key names no source partition, but for
	// those that name a connector and a null source partition: connectors
	// without partitions write them, and every release skips them.
	Malformed int
	// NullPartitions counts those.
	NullPartitions int
	// Connectors counts the connectors with a source partition, deleted or not.
	Connectors int
}

func (s *Summary) count(state State) {
	switch state {
	case Live:
		s.Live++
	case Deleted:
		s.Deleted++
	case Null:
		s.Null++
	case Unreadable:
		s.Unreadable++
	}
}

// View is what an offsets topic holds, as one release reads it at one
// isolation level. It shares the memory of the Fold it came from.
type View struct {
	Description Description
	Release     release.Release
	Isolation   Isolation
	Summary     Summary

	shards     []*shard // ascending by topic partition
	index      index
	suspects   []uint32 // singles that findings are to be looked for in
	connectors map[string]*connector
	names      []string // of the connectors, in order
	strays     []stray  // misplaced copies
	sorted     bool
}

// connector counts a connector's live keys, all and those in its own order of
// fields. Source partitions that validateFormat refuses do not count.
type connector struct {
	live, ownOrder int
	ordered        []uint32 // its source partitions by canonical spelling, once sorted
}

// stray is a key off its home partition.
type stray struct {
	partition int32
	key       []byte
}

// View is what was folded; d says where it came from. The fold takes no more
// records afterwards.
func (f *Fold) View(d Description) *View {
	v := &View{
		Description: d, Release: f.options.Release, Isolation: f.options.Isolation,
		connectors: make(map[string]*connector),
	}
	v.Summary.Records = f.records
	for _, s := range f.shards {
		v.shards = append(v.shards, s)
	}
	slices.SortFunc(v.shards, func(a, b *shard) int { return cmp.Compare(a.partition, b.partition) })
	for _, s := range v.shards {
		v.countOddities(s)
		if s.lost > 0 {
			v.Description.Incomplete = append(slices.Clip(v.Description.Incomplete), Incomplete{
				Partition: s.partition, Offset: Unknown, Finding: ReadIncomplete,
				Reason: "its keys and values do not fit into 32 GiB",
			})
		}
	}
	v.index = v.newIndex()
	for n := range v.index.singles {
		v.countSingle(uint32(n))
	}
	for i := range v.index.groups {
		v.countGroup(&v.index.groups[i])
	}
	for name := range v.connectors {
		v.names = append(v.names, name)
	}
	slices.Sort(v.names)
	v.Summary.Connectors = len(v.names)
	return v
}

// visible reports whether the view's isolation level sees an oddity.
func (v *View) visible(o *oddity) bool { return !o.uncommitted || v.Isolation == ReadUncommitted }

func (v *View) countOddities(s *shard) {
	for i := range s.oddities {
		o := &s.oddities[i]
		if !v.visible(o) {
			continue
		}
		if c := decode.CheckKey(&v.Release.Rules, s.oddKey(o)); c.Verdict == decode.KeyPartitionNull {
			v.Summary.NullPartitions++
		} else {
			v.Summary.Malformed++
		}
	}
}

func (s *shard) oddKey(o *oddity) []byte {
	if o.unit == noKey {
		return nil
	}
	key, _ := item(s.odd.arena.at(o.unit)).key()
	return key
}

// countSingle judges the value of a plain key at home; only where something is
// odd about it will it be looked at again.
func (v *View) countSingle(n uint32) {
	it := v.item(v.index.singles[n])
	key, at := it.key()
	name, _ := plainKey(key)
	c := v.connectors[string(name)]
	if c == nil {
		c = new(connector)
		v.connectors[string(name)] = c
	}
	check := decode.CheckValue(&v.Release.Rules, it.valueAt(at))
	state := stateOf(check.Verdict)
	v.Summary.count(state)
	if state != Deleted {
		c.live++
	}
	if state > Deleted || check.Wraps {
		v.suspects = append(v.suspects, n)
	}
}

func (v *View) countGroup(g *group) {
	e := v.entry(g.refs)
	g.connector, g.canonical = e.Connector, e.CanonicalKey
	v.Summary.count(e.State)
	c := v.connectors[e.Connector]
	if c == nil {
		c = new(connector)
		v.connectors[e.Connector] = c
	}
	for i := range e.Copies {
		k := &e.Copies[i]
		if k.Misplaced {
			v.strays = append(v.strays, stray{k.Partition, k.Key})
		}
		if e.wins[i] && !k.Tombstone && !e.Nested {
			c.live++
			if k.Spelling == decode.OwnOrder {
				c.ownOrder++
			}
		}
	}
}

// Connectors lists the connectors, in order.
func (v *View) Connectors() []string { return slices.Clone(v.names) }

// Entries yields every source partition, ordered by connector and canonical
// spelling; with names only those connectors'.
func (v *View) Entries(connectors ...string) iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		v.sort()
		for _, name := range v.names {
			if len(connectors) > 0 && !slices.Contains(connectors, name) {
				continue
			}
			for _, n := range v.connectors[name].ordered {
				if !yield(v.entry(v.index.refs(n))) {
					return
				}
			}
		}
	}
}

// sort puts each connector's source partitions in order, once.
func (v *View) sort() {
	if v.sorted {
		return
	}
	v.sorted = true
	for n := range uint32(v.index.len()) {
		c := v.connectors[v.connectorOf(n)]
		c.ordered = append(c.ordered, n)
	}
	for _, c := range v.connectors {
		slices.SortStableFunc(c.ordered, func(a, b uint32) int { return bytes.Compare(v.canonicalOf(a), v.canonicalOf(b)) })
	}
}

func (v *View) connectorOf(n uint32) string {
	if int(n) >= len(v.index.singles) {
		return v.index.groups[int(n)-len(v.index.singles)].connector
	}
	name, _ := plainKey(v.canonicalOf(n))
	return string(name)
}

func (v *View) canonicalOf(n uint32) []byte {
	if int(n) >= len(v.index.singles) {
		return v.index.groups[int(n)-len(v.index.singles)].canonical
	}
	key, _ := v.item(v.index.singles[n]).key()
	return key
}
