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

func (s *Summary) count(state State, n int) {
	switch state {
	case Live:
		s.Live += n
	case Deleted:
		s.Deleted += n
	case Null:
		s.Null += n
	case Unreadable:
		s.Unreadable += n
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
	suspects   []ref // singles that findings are to be looked for in
	connectors map[string]*connector
	names      []string // of the connectors, in order
	strays     []stray  // misplaced copies
	sorted     bool
}

// connector counts a connector's source partitions, and its live keys, all and
// those in its own order of fields. Keys that validateFormat refuses are not
// among the latter.
type connector struct {
	partitions     int
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
	v.build()
	for name, c := range v.connectors {
		if c.partitions > 0 {
			v.names = append(v.names, name)
		}
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
	return item(s.odd.arena.at(o.unit)).key()
}

// countSingle counts a plain key at home, or takes it back, and reports whether
// there is something odd about its value. Otherwise it need not be looked at
// again to find what is wrong.
func (v *View) countSingle(name, value []byte, n int) (odd bool) {
	check := decode.CheckValue(&v.Release.Rules, value)
	state := stateOf(check.Verdict)
	v.Summary.count(state, n)
	c := v.connectors[string(name)]
	if c == nil {
		c = new(connector)
		v.connectors[string(name)] = c
	}
	c.partitions += n
	if state != Deleted {
		c.live += n
	}
	return state > Deleted || check.Wraps
}

func (v *View) countGroup(g *group) {
	e := v.entry(g.refs)
	g.connector, g.canonical = e.Connector, e.CanonicalKey
	v.Summary.count(e.State, 1)
	c := v.connectors[e.Connector]
	if c == nil {
		c = new(connector)
		v.connectors[e.Connector] = c
	}
	c.partitions++
	for i := range e.Copies {
		k := &e.Copies[i]
		if k.Misplaced {
			v.strays = append(v.strays, stray{k.Partition, k.Key})
		}
		if e.alive(i) && !e.Nested {
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
	type row struct {
		canonical []byte
		n         uint32
	}
	var rows []row
	for _, c := range v.connectors {
		rows = rows[:0]
		for _, n := range c.ordered {
			rows = append(rows, row{v.canonicalOf(n), n})
		}
		slices.SortFunc(rows, func(a, b row) int { return cmp.Or(bytes.Compare(a.canonical, b.canonical), cmp.Compare(a.n, b.n)) })
		for i := range rows {
			c.ordered[i] = rows[i].n
		}
	}
}

func (v *View) connectorOf(n uint32) string {
	if int(n) >= len(v.index.singles) {
		return v.index.groups[int(n)-len(v.index.singles)].connector
	}
	name, _ := decode.Plain(v.canonicalOf(n))
	return string(name)
}

func (v *View) canonicalOf(n uint32) []byte {
	if int(n) >= len(v.index.singles) {
		return v.index.groups[int(n)-len(v.index.singles)].canonical
	}
	return v.item(v.index.singles[n]).key()
}
