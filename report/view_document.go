package report

import (
	"fmt"
	"strconv"

	"koffsets/decode"
	"koffsets/offsetstore"
)

// Document implements [Result].
func (v *View) Document(f Format, o Options) *Document {
	d := &Document{Tail: func() []Line { return v.tail(o) }}
	switch {
	case f == TSV:
		d.Table = v.tsv(o)
	case f == Wide || o.Verbose:
		d.Table = v.rows(o, v.wideRow, "connector", "source_partition", "source_offset", "place", "updated",
			"key", "listed", "found", "found_own", "copies")
	default:
		d.Table = v.rows(o, v.row, "connector", "source_partition", "source_offset", "place", "updated")
		for i := range d.Table.Columns[:3] {
			d.Table.Columns[i].Cut = true
			d.Table.Columns[i].Middle = i < 2 // names and keys differ at their ends
		}
	}
	return d
}

// rows makes the table of a screen. An entry whose winner cannot be known has
// a row for each copy.
func (v *View) rows(o Options, row func(entry, Options) []Span, names ...Safe) *Rows {
	t := &Rows{Columns: columns(names...)}
	t.Rows = func(yield func([]Span) bool) {
		for e := range v.entries() {
			first := row(e, o)
			if !yield(first) {
				return
			}
			if !e.Ambiguous {
				continue
			}
			for i := range e.Copies {
				c := &e.Copies[i]
				if c.Place == e.Place {
					continue
				}
				other := append([]Span(nil), first...)
				other[2] = Span{"or " + valueText(&c.Offset, o).Text, Warn}
				other[3].Text = placeOf(v.view.Description.Topic, c.Place)
				other[4].Text = when(c.Timestamp, o.Now)
				if !yield(other) {
					return
				}
			}
		}
	}
	return t
}

func (v *View) row(e entry, o Options) []Span {
	return []Span{
		{name(e.Connector), Plain},
		{o.mapText(&e.SourcePartition), Plain},
		v.marked(e, o),
		{placeOf(v.view.Description.Topic, e.Place), Plain},
		{when(e.Timestamp, o.Now), Plain},
	}
}

// marked is the source offset with a mark where it is not as it seems: the
// screen must not show an offset as sound that the REST API hides, or that no
// task finds.
func (v *View) marked(e entry, o Options) Span {
	s := valueText(&e.Offset, o)
	if e.doubtful() {
		return Span{"! " + s.Text, Warn}
	}
	return s
}

// doubtful reports whether there is an offset that the listing or every lookup
// misses, or that stands under several spellings.
func (e entry) doubtful() bool {
	unseen := !e.Listed.Shown || e.Found.Canonical == nil && e.Found.Own == nil
	return e.State == offsetstore.Live && (unseen || e.Spellings() > 1)
}

func (v *View) wideRow(e entry, o Options) []Span {
	listed := Span{o.mapText(e.Listed.Offset), Plain}
	if !e.Listed.Shown {
		listed = Span{"not listed", Dim}
	}
	return append(v.row(e, o),
		Span{o.keyText(e.Key), Plain},
		listed,
		Span{o.mapText(e.Found.Canonical), Plain},
		Span{o.mapText(e.Found.Own), Plain},
		Span{thousands(len(e.Copies)), Plain},
	)
}

// valueText shows a source offset, or why there is none.
func valueText(v *decode.Offset, o Options) Span {
	switch v.Verdict {
	case decode.ValueOK:
		return Span{o.mapText(&v.Map), Plain}
	case decode.ValueTombstone:
		return Span{"deleted", Dim}
	case decode.ValueNullLookalike:
		return Span{"null, but no tombstone", Warn}
	case decode.ValueNotJSON:
		return Span{quoting(fmt.Sprintf("unreadable: %s at byte %d", v.Reason, v.ErrorAt)), Bad}
	case decode.ValueNotMap:
		return Span{"unreadable: " + Safe(v.Class.String()) + ", no map", Bad}
	case decode.ValueFieldNotPrimitive:
		if o.KeyFormat == Redacted {
			return Span{"unreadable: a field is a " + Safe(v.Class.String()), Bad}
		}
		return Span{"unreadable: field " + name(v.Field) + " is a " + Safe(v.Class.String()), Bad}
	}
	return Span{"unreadable: nested too deeply", Bad}
}

func (v *View) tail(o Options) []Line {
	sum := &v.shown
	entries := sum.Live + sum.Deleted + sum.Null + sum.Unreadable
	line := count(entries, "source partition") + " of " + count(sum.Connectors, "connector") + " · " + states(sum, ", ")
	lines := []Line{{{line, Plain}}, origin(v.view, o)}
	if v.ambiguous > 0 {
		lines = append(lines, Line{{count(v.ambiguous, "source partition") + " with differing copies on several topic partitions: which one a worker finds cannot be known", Warn}})
	}
	if v.doubtful > 0 {
		lines = append(lines, Line{{"! " + count(v.doubtful, "source partition") + " not as it seems: not listed, not found by a task, or under several spellings (-o wide, koffsets scan)", Warn}})
	}
	if n := v.view.Summary.Malformed; n > 0 {
		lines = append(lines, Line{{"not in the view: " + count(n, "record") + " with a malformed key (koffsets scan names each)", Warn}})
	}
	if n := v.view.Summary.NullPartitions; n > 0 {
		lines = append(lines, Line{{"not in the view: " + count(n, "record") + " of connectors without source partitions (key-partition-null)", Plain}})
	}
	lines = append(lines, judged(v.view)...)
	return append(lines, notes(v.view, true)...)
}

func (v *View) tsv(o Options) *Rows {
	t := &Rows{Columns: columns("connector", "source_partition", "source_offset", "state", "partition", "offset", "timestamp",
		"key", "canonical", "listed_shown", "listed_offset", "found_canonical", "found_own", "copies")}
	t.Rows = each(v.entries(), func(e entry) []Span {
		return plain(
			name(e.Connector), o.mapText(&e.SourcePartition), o.mapText(e.sourceOffset()), Safe(e.State.String()),
			known(int64(e.Place.Partition), none), known(e.Place.Offset, none), known(e.Timestamp, none),
			o.keyCell(e.Key), yesNo(e.Canonical), yesNo(e.Listed.Shown),
			o.mapText(e.Listed.Offset), o.mapText(e.Found.Canonical), o.mapText(e.Found.Own),
			Safe(strconv.Itoa(len(e.Copies))),
		)
	})
	return t
}
