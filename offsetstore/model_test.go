package offsetstore

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"koffsets/decode"
	"koffsets/release"
)

// spellings are keys of few source partitions: plain ones, other spellings of
// them, and what names none.
var spellings = []string{
	`["c",{"p":1}]`, `["c", {"p":1}]`, `["c",{"p":1} ]`, `["c",{"p":1.0}]`, `["c",{"p":1.00}]`,
	`["c",{"a":1,"b":"x"}]`, `["c",{"b":"x","a":1}]`, `["c",{"b":"x", "a":1}]`,
	`["c",{"Aa":1,"BB":2}]`, `["c",{"BB":2,"Aa":1}]`, // one bucket: both are canonical
	`["c",{"p":1e400}]`, `["c",{"p":"Infinity"}]`, // one canonical spelling, two source partitions
	`["d",{}]`, `["d",{"p":[1]}]`, `["d", {"p":[1]}]`, `["d",{"p":18446744073709551617}]`, `["d",{"p":1}]`,
	`["é",{"p":"ü"}]`, `["\u00e9",{"p":"ü"}]`, "[\"\U0001f600\",{}]", `["\uD83D\uDE00",{}]`,
	`x`, ``, `{}`, `["c"]`, `[1,{}]`, `["c",1]`, `["c",null]`,
}

var values = []string{
	`{"o":1}`, `{"o":2}`, `{"o":18446744073709551617}`, ``, `null`, `5`, `{"o":[1]}`, `x`,
}

// topicOf draws records of a small topic, in the order of a source.
func topicOf(t *rapid.T) []Record {
	known := rapid.Bool().Draw(t, "offsets known")
	next := map[int32]int64{}
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Record {
		r := Record{Partition: rapid.Int32Range(-1, 3).Draw(t, "partition"), Offset: Unknown}
		if known {
			r.Offset = next[r.Partition]
			next[r.Partition] += rapid.Int64Range(1, 3).Draw(t, "gap")
		}
		r.Timestamp = rapid.Int64Range(0, 20).Draw(t, "timestamp")
		if rapid.IntRange(0, 30).Draw(t, "null key") > 0 {
			r.Key = []byte(rapid.SampledFrom(spellings).Draw(t, "key"))
		}
		if rapid.IntRange(0, 3).Draw(t, "tombstone") > 0 {
			r.Value = []byte(rapid.SampledFrom(values).Draw(t, "value"))
		}
		switch rapid.IntRange(0, 40).Draw(t, "txn") {
		case 0, 1, 2:
			r.Txn = TxnAborted
		case 3:
			r.Txn = TxnOpen
		}
		return r
	}), 0, 60).Draw(t, "records")
}

// model is the plainest way to say what a view is.
type model struct {
	rules      *release.Rules
	partitions int
	last       map[modelKey]*modelRecord
	odd        int
	null       int
}

type modelKey struct {
	partition int32
	key       string
}

type modelRecord struct {
	Record
	arrival int
}

func newModel(rules *release.Rules, records []Record, level Isolation, partitions int) *model {
	m := &model{rules: rules, partitions: partitions, last: map[modelKey]*modelRecord{}}
	open := map[int32]bool{}
	for i, r := range records {
		open[r.Partition] = open[r.Partition] || r.Txn == TxnOpen
		if level == ReadCommitted && (open[r.Partition] || r.Txn == TxnAborted) {
			continue
		}
		switch decode.CheckKey(rules, r.Key).Verdict {
		case decode.OK:
			m.last[modelKey{r.Partition, string(r.Key)}] = &modelRecord{r, i}
		case decode.KeyPartitionNull:
			m.null++
		default:
			m.odd++
		}
	}
	return m
}

// later: on one topic partition by arrival, across them by timestamp, then by
// number.
func (m *model) later(a, b *modelRecord) bool {
	if a.Partition == b.Partition {
		return b.arrival > a.arrival
	}
	if a.Timestamp != b.Timestamp {
		return b.Timestamp > a.Timestamp
	}
	return b.Partition > a.Partition
}

// newest lets each topic partition speak through its last record.
func (m *model) newest(records []*modelRecord) *modelRecord {
	perPartition := map[int32]*modelRecord{}
	for _, r := range records {
		if p := perPartition[r.Partition]; p == nil || r.arrival > p.arrival {
			perPartition[r.Partition] = r
		}
	}
	var best *modelRecord
	for _, p := range []int32{-1, 0, 1, 2, 3} {
		if r := perPartition[p]; r != nil && (best == nil || m.later(best, r)) {
			best = r
		}
	}
	return best
}

func (m *model) lookup(key []byte) *modelRecord {
	var holders []*modelRecord
	for k, r := range m.last {
		if k.key == string(key) {
			holders = append(holders, r)
		}
	}
	return m.newest(holders)
}

// read is what a task gets for a key, as text.
func (m *model) read(key []byte) (text string, fails bool) {
	r := m.lookup(key)
	if r == nil || r.Value == nil {
		return "null", false
	}
	o := decode.ParseValue(m.rules, r.Value)
	switch o.Verdict {
	case decode.ValueOK:
		return string(o.Map.AppendJSON(nil)), false
	case decode.ValueNullLookalike:
		return "null", false
	}
	return "null", true
}

// modelEntry is what of an entry the model answers for.
type modelEntry struct {
	Copies           []string
	Canonical, Own   string
	Shown            bool
	Listed           string
	Split, Ambiguous bool
	State            State
}

func (m *model) entries() map[string]modelEntry {
	groups := map[string][]*modelRecord{}
	for k, r := range m.last {
		parsed := decode.ParseKey(m.rules, []byte(k.key))
		id := string(parsed.AppendIdentity(nil))
		groups[id] = append(groups[id], r)
	}
	entries := map[string]modelEntry{}
	for id, g := range groups {
		slices.SortFunc(g, func(a, b *modelRecord) int {
			return cmp.Or(cmp.Compare(a.Partition, b.Partition), cmp.Compare(a.arrival, b.arrival))
		})
		entries[id] = m.entry(g)
	}
	return entries
}

func (m *model) entry(g []*modelRecord) modelEntry {
	instance := g[0]
	if i := slices.IndexFunc(g, func(r *modelRecord) bool { return r.Value != nil }); i >= 0 {
		instance = g[i]
	}
	key := decode.ParseKey(m.rules, instance.Key)
	var e modelEntry
	spelled := func(r *modelRecord) decode.Spelling { k := decode.ParseKey(m.rules, r.Key); return k.Spelling }
	for _, r := range g {
		e.Copies = append(e.Copies, fmt.Sprintf("%d@%d %d %q %q %v %s", r.Partition, r.Offset, r.Timestamp, r.Key, r.Value, r.Value == nil, spelled(r)))
		for _, o := range g {
			if o != r && bytes.Equal(o.Key, r.Key) {
				e.Split = true
				e.Ambiguous = e.Ambiguous || (o.Value == nil) != (r.Value == nil) || !bytes.Equal(o.Value, r.Value)
			}
		}
	}
	filter := func(want func(r *modelRecord) bool) []*modelRecord {
		var some []*modelRecord
		for _, r := range g {
			if want(r) {
				some = append(some, r)
			}
		}
		return some
	}
	wins := func(r *modelRecord) bool { return m.lookup(r.Key) == r }
	alive := func(r *modelRecord) bool { return r.Value != nil }
	own := cmp.Or(
		m.newest(filter(func(r *modelRecord) bool { return wins(r) && alive(r) && spelled(r) != decode.Other })),
		m.newest(filter(func(r *modelRecord) bool { return wins(r) && spelled(r) != decode.Other })),
		m.newest(filter(func(r *modelRecord) bool { return wins(r) && alive(r) })),
		m.newest(filter(wins)))
	shown := own
	if !alive(own) {
		shown = cmp.Or(m.newest(filter(func(r *modelRecord) bool { return wins(r) && alive(r) })), m.newest(filter(wins)))
	}
	e.State = stateOf(decode.CheckValue(m.rules, shown.Value).Verdict)
	listed, fails := m.read(key.Canonical)
	e.Canonical, e.Own, e.Listed = "null", "null", "null"
	if !key.Nested {
		e.Canonical = listed
		e.Own, _ = m.read(own.Key)
	}
	if e.Shown = alive(m.newest(g)) && !key.Nested && !fails; e.Shown {
		e.Listed = listed
	}
	return e
}

func text(o *decode.Object) string {
	if o == nil {
		return "null"
	}
	return string(o.AppendJSON(nil))
}

func viewEntries(t *rapid.T, v *View) map[string]modelEntry {
	entries := map[string]modelEntry{}
	var before *Entry
	for e := range v.Entries() {
		if before != nil && cmp.Or(cmp.Compare(before.Connector, e.Connector), bytes.Compare(before.CanonicalKey, e.CanonicalKey)) > 0 {
			t.Fatalf("%s comes before %s", before.CanonicalKey, e.CanonicalKey)
		}
		before = e
		k := decode.ParseKey(&v.Release.Rules, e.Copies[0].Key)
		id := string(k.AppendIdentity(nil))
		if _, twice := entries[id]; twice {
			t.Fatalf("%s comes twice", e.CanonicalKey)
		}
		m := modelEntry{
			Canonical: text(e.Found.Canonical), Own: text(e.Found.Own), Shown: e.Listed.Shown, Listed: text(e.Listed.Offset),
			Split: e.Split, Ambiguous: e.Ambiguous, State: e.State,
		}
		for _, c := range e.Copies {
			m.Copies = append(m.Copies, fmt.Sprintf("%d@%d %d %q %q %v %s", c.Partition, c.Place.Offset, c.Timestamp, c.Key, c.Value, c.Tombstone, c.Spelling))
		}
		entries[id] = m
	}
	return entries
}

func TestViewAgreesWithTheModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		records := topicOf(t)
		o := Options{
			Release:   release.MustParse(rapid.SampledFrom(release.Known()).Draw(t, "release")),
			Isolation: Isolation(rapid.IntRange(0, 1).Draw(t, "isolation")),
		}
		d := Description{Partitions: rapid.SampledFrom([]int{0, 4}).Draw(t, "partitions")}
		f := NewFold(o)
		for rest := records; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "batch")
			f.Add(rest[:n])
			rest = rest[n:]
		}
		v := f.View(d)
		m := newModel(&o.Release.Rules, records, o.Isolation, d.Partitions)
		want := m.entries()
		if diff := gocmp.Diff(want, viewEntries(t, v), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("the view differs (- model, + view):\n%s", diff)
		}
		s := Summary{Records: len(records), Malformed: m.odd, NullPartitions: m.null, Connectors: v.Summary.Connectors}
		for _, e := range want {
			s.count(e.State, 1)
		}
		if s != v.Summary || v.Summary.Connectors != len(v.Connectors()) {
			t.Fatalf("counted %+v, want %+v", v.Summary, s)
		}
		v.Findings(FindingOptions{})
		for _, c := range v.Connectors() {
			v.REST(c)
		}
	})
}

// TestViewTellsNothingOfHowRecordsCame folds one topic in two orders that keep
// each topic partition's own, and after compaction.
func TestViewTellsNothingOfHowRecordsCame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		records := topicOf(t)
		rules := release.MustParse(release.Default).Rules
		for i := range records {
			records[i].Txn = TxnNone
			if records[i].Offset == Unknown {
				records[i].Offset = int64(i)
			}
		}
		byPartition := slices.Clone(records)
		slices.SortStableFunc(byPartition, func(a, b Record) int { return cmp.Compare(a.Partition, b.Partition) })
		compacted := slices.DeleteFunc(slices.Clone(records), func(r Record) bool {
			return decode.CheckKey(&rules, r.Key).Verdict == decode.OK &&
				slices.ContainsFunc(records, func(o Record) bool {
					return o.Partition == r.Partition && o.Offset > r.Offset && bytes.Equal(o.Key, r.Key)
				})
		})
		o, d := Options{Release: release.MustParse(release.Default)}, Description{Partitions: 4, Topic: "t"}
		answer := func(records []Record) (entries map[string]modelEntry, findings []Finding, rest string) {
			f := NewFold(o)
			f.Add(records)
			v := f.View(d)
			for _, c := range v.Connectors() {
				b, err := v.REST(c)
				if err != nil {
					t.Fatal(err)
				}
				rest += string(b)
			}
			return viewEntries(t, v), v.Findings(FindingOptions{}), rest
		}
		entries, findings, rest := answer(records)
		for what, other := range map[string][]Record{"grouped by topic partition": byPartition, "compacted": compacted} {
			e, f, r := answer(other)
			if diff := gocmp.Diff(entries, e); diff != "" {
				t.Fatalf("%s, entries differ:\n%s", what, diff)
			}
			if diff := gocmp.Diff(findings, f, cmpopts.IgnoreUnexported(decode.Value{})); diff != "" {
				t.Fatalf("%s, findings differ:\n%s", what, diff)
			}
			if rest != r {
				t.Fatalf("%s: %s became %s", what, rest, r)
			}
		}
	})
}
