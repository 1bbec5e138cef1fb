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
	shown      offsetstore.Summary
	doubtful   int
	ambiguous  int
}

// NewView reports a view; with connectors only theirs.
func NewView(v *offsetstore.View, connectors []string) *View {
	return &View{view: v, connectors: connectors}
}

// entries yields what is shown, and counts it.
func (v *View) entries() iter.Seq[entry] {
	return func(yield func(entry) bool) {
		v.shown = offsetstore.Summary{Records: v.view.Summary.Records, Malformed: v.view.Summary.Malformed}
		v.ambiguous, v.doubtful = 0, 0
		last := ""
		for e := range v.view.Entries(v.connectors...) {
			if v.shown.Connectors == 0 || e.Connector != last {
				last = e.Connector
				v.shown.Connectors++
			}
			if e.Ambiguous {
				v.ambiguous++
			}
			if (entry{e}).doubtful() {
				v.doubtful++
			}
			*[...]*int{
				offsetstore.Live: &v.shown.Live, offsetstore.Deleted: &v.shown.Deleted,
				offsetstore.Null: &v.shown.Null, offsetstore.Unreadable: &v.shown.Unreadable,
			}[e.State]++
			if !yield(entry{e}) {
				return
			}
		}
	}
}

// Schema implements [Result].
func (*View) Schema() string { return "koffsets.view/v1" }

// Head implements [Result].
func (v *View) Head(o *Object) { head(o, v.view) }

// Items implements [Result].
func (v *View) Items() iter.Seq[Item] {
	return each(v.entries(), func(e entry) Item { return e })
}

// Summary implements [Result]. It counts what is shown, but for records and
// malformed, which are of the whole topic.
func (v *View) Summary(o *Object) {
	o.Int("records", int64(v.shown.Records))
	o.Int("live", int64(v.shown.Live))
	o.Int("deleted", int64(v.shown.Deleted))
	o.Int("null", int64(v.shown.Null))
	o.Int("unreadable", int64(v.shown.Unreadable))
	o.Int("malformed", int64(v.shown.Malformed))
	o.Int("connectors", int64(v.shown.Connectors))
}

// Names implements [Result]: the connectors.
func (v *View) Names() iter.Seq[Safe] {
	return func(yield func(Safe) bool) {
		n := 0
		for e := range v.entries() {
			if v.shown.Connectors == n {
				continue
			}
			n = v.shown.Connectors
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
