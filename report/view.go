package report

import (
	"iter"

	"koffsets/decode"
	"koffsets/offsetstore"
)

// View is the complete offset view, or the part of some connectors.
type View struct {
	view       *offsetstore.View
	connectors []string // all where empty
	sum        *offsetstore.Summary
}

// NewView reports a view; with connectors only theirs.
func NewView(v *offsetstore.View, connectors []string) *View {
	return &View{view: v, connectors: connectors}
}

// Schema implements [Result].
func (*View) Schema() string { return "koffsets.view/v1" }

// Head implements [Result].
func (v *View) Head(o *Object) { head(o, v.view) }

// Items implements [Result].
func (v *View) Items() iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for e := range v.view.Entries(v.connectors...) {
			if !yield(entry{e}) {
				return
			}
		}
	}
}

// summary counts what is shown; records and malformed are of the whole topic.
func (v *View) summary() offsetstore.Summary {
	if len(v.connectors) == 0 {
		return v.view.Summary
	}
	if v.sum != nil {
		return *v.sum
	}
	sum := offsetstore.Summary{Records: v.view.Summary.Records, Malformed: v.view.Summary.Malformed}
	seen := map[string]bool{}
	for e := range v.view.Entries(v.connectors...) {
		if !seen[e.Connector] {
			seen[e.Connector] = true
			sum.Connectors++
		}
		*[...]*int{
			offsetstore.Live: &sum.Live, offsetstore.Deleted: &sum.Deleted,
			offsetstore.Null: &sum.Null, offsetstore.Unreadable: &sum.Unreadable,
		}[e.State]++
	}
	v.sum = &sum
	return sum
}

// Summary implements [Result].
func (v *View) Summary(o *Object) {
	sum := v.summary()
	o.Int("records", int64(sum.Records))
	o.Int("live", int64(sum.Live))
	o.Int("deleted", int64(sum.Deleted))
	o.Int("null", int64(sum.Null))
	o.Int("unreadable", int64(sum.Unreadable))
	o.Int("malformed", int64(sum.Malformed))
	o.Int("connectors", int64(sum.Connectors))
}

// Names implements [Result]: the connectors.
func (v *View) Names() iter.Seq[Safe] {
	return func(yield func(Safe) bool) {
		last, any := "", false
		for e := range v.view.Entries(v.connectors...) {
			if any && e.Connector == last {
				continue
			}
			last, any = e.Connector, true
			if !yield(name(e.Connector)) {
				return
			}
		}
	}
}

// entry is an item of a view.
type entry struct{ *offsetstore.Entry }

// Members implements [Item].
func (e entry) Members(o *Object) {
	o.Text("connector", e.Connector)
	o.Map("source_partition", &e.SourcePartition)
	o.Map("source_offset", e.sourceOffset())
	o.Text("state", e.State.String())
	o.place(e.Place)
	o.Known("timestamp", e.Timestamp)
	o.Key("key", e.Key)
	o.Bool("canonical", e.Canonical)
	o.Object("listed", func() {
		o.Bool("shown", e.Listed.Shown)
		o.Map("offset", e.Listed.Offset)
	})
	o.Object("found", func() {
		o.Map("canonical", e.Found.Canonical)
		o.Map("own", e.Found.Own)
	})
	o.List("copies", len(e.Copies), func(i int) {
		c := &e.Copies[i]
		o.place(c.Place)
		o.Known("timestamp", c.Timestamp)
		o.Key("key", c.Key)
		o.Bool("tombstone", c.Tombstone)
		o.Map("source_offset", offsetOf(&c.Offset))
	})
}

func (e entry) sourceOffset() *decode.Object {
	if e.State != offsetstore.Live {
		return nil
	}
	return &e.Offset.Map
}

// offsetOf is the source offset that a value holds, nil for none.
func offsetOf(v *decode.Offset) *decode.Object {
	if v.Verdict != decode.ValueOK {
		return nil
	}
	return &v.Map
}
