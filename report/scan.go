package report

import (
	"iter"
	"slices"

	"koffsets/offsetstore"
)

// Scan is what a scan found.
type Scan struct {
	view     *offsetstore.View
	findings []offsetstore.Finding
}

// NewScan reports the findings of a view, in their order: worst first.
func NewScan(v *offsetstore.View, findings []offsetstore.Finding) *Scan { return &Scan{v, findings} }

// Schema implements [Result].
func (*Scan) Schema() string { return "koffsets.scan/v1" }

// Head implements [Result].
func (s *Scan) Head(o *Object) { head(o, s.view) }

// Items implements [Result].
func (s *Scan) Items() iter.Seq[Item] {
	return each(s.all(), func(f finding) Item { return f })
}

func (s *Scan) all() iter.Seq[finding] {
	return func(yield func(finding) bool) {
		for i := range s.findings {
			if !yield(finding{&s.findings[i]}) {
				return
			}
		}
	}
}

// Summary implements [Result].
func (s *Scan) Summary(o *Object) {
	sum := &s.view.Summary
	o.Int("records", int64(sum.Records))
	o.Int("live", int64(sum.Live))
	o.Int("deleted", int64(sum.Deleted))
	o.Int("null", int64(sum.Null))
	o.Int("unreadable", int64(sum.Unreadable))
	o.Int("malformed", int64(sum.Malformed))
	o.Int("connectors", int64(sum.Connectors))
	ids, n := s.ids()
	o.Object("by_id", func() {
		for _, id := range ids {
			o.Int(string(id), n[id])
		}
	})
	bySeverity := s.bySeverity()
	o.Object("by_severity", func() {
		for i := len(bySeverity) - 1; i >= 0; i-- {
			o.Int(offsetstore.Severity(i).String(), int64(bySeverity[i]))
		}
	})
}

func (s *Scan) bySeverity() [offsetstore.Fatal + 1]int {
	var n [offsetstore.Fatal + 1]int
	for i := range s.findings {
		n[s.findings[i].Severity]++
	}
	return n
}

// ids are those found, each once and in order, with their counts.
func (s *Scan) ids() (ids []offsetstore.ID, n map[offsetstore.ID]int64) {
	n = map[offsetstore.ID]int64{}
	for i := range s.findings {
		id := s.findings[i].ID
		if n[id] == 0 {
			ids = append(ids, id)
		}
		n[id]++
	}
	return ids, n
}

// Names implements [Result]: the ids found, each once.
func (s *Scan) Names() iter.Seq[Safe] {
	ids, _ := s.ids()
	return each(slices.Values(ids), func(id offsetstore.ID) Safe { return untrusted(string(id)) })
}

// finding is an item of a scan.
type finding struct{ *offsetstore.Finding }

// Members implements [Item].
func (f finding) Members(o *Object) {
	o.Text("id", string(f.ID))
	o.Text("severity", f.Severity.String())
	o.place(f.Place)
	o.Known("timestamp", f.Timestamp)
	o.Key("key", f.Key)
	if f.HasConnector {
		o.Text("connector", f.Connector)
	} else {
		o.Null("connector")
	}
	o.Map("source_partition", f.SourcePartition)
	o.List("places", len(f.Places), func(i int) { o.place(f.Places[i]) })
	o.Text("detail", f.detail(o.redact))
	if o.redact {
		o.Null("worker_log")
		o.Null("fix")
		return
	}
	o.TextOrNull("worker_log", f.WorkerLog)
	o.TextOrNull("fix", f.Fix)
}

// detail is the finding in words, or where words may quote what is hidden, its
// kind.
func (f finding) detail(redact bool) string {
	if k, ok := offsetstore.LookupKind(string(f.ID)); redact && ok {
		return k.Title
	}
	return f.Detail
}
