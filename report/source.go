package report

import (
	"strconv"

	"koffsets/offsetstore"
	"koffsets/release"
)

// head writes the members that scan and view share: source and release.
func head(o *Object, v *offsetstore.View) {
	d := &v.Description
	o.Object("source", func() {
		o.Text("kind", d.Kind)
		o.Text("name", d.Name)
		o.TextOrNull("topic", d.Topic)
		if d.Partitions > 0 {
			o.Int("partitions", int64(d.Partitions))
		} else {
			o.Null("partitions")
		}
		o.Bool("complete", d.Complete())
		o.List("incomplete", len(d.Incomplete), func(i int) {
			o.Known("partition", int64(d.Incomplete[i].Partition))
			o.Text("reason", d.Incomplete[i].Reason)
		})
		o.Text("isolation", v.Isolation.String())
		ranges(o, "start", d, func(r offsetstore.Range) int64 { return r.Start })
		ranges(o, "end", d, func(r offsetstore.Range) int64 { return r.End })
	})
	o.release("release", v.Release)
}

// ranges writes one bound of what was read: topic partition → offset.
func ranges(o *Object, name string, d *offsetstore.Description, bound func(offsetstore.Range) int64) {
	if len(d.Ranges) == 0 {
		o.Null(name)
		return
	}
	o.Object(name, func() {
		for _, r := range d.Ranges {
			o.Int(strconv.Itoa(int(r.Partition)), bound(r))
		}
	})
}

func (o *Object) release(name string, r release.Release) {
	o.Object(name, func() {
		o.Text("asked", r.Asked)
		o.Text("judged_as", r.JudgedAs)
		o.Bool("exact", r.Exact)
	})
}

// origin says in one line where a view came from.
func origin(v *offsetstore.View, o Options) Line {
	d := &v.Description
	where := untrusted(d.Name)
	if d.Kind == "sandbox" {
		where = "sandbox:" + where
	}
	if d.Topic != "" {
		where = untrusted(d.Topic) + " on " + where
	}
	if d.ClusterID != "" {
		where += " (cluster " + shortID(d.ClusterID, o) + ")"
	}
	if d.Partitions > 0 {
		where += " · " + count(d.Partitions, "partition")
	}
	where += " · " + count(v.Summary.Records, "record") + " · "
	return append(Line{{where, Plain}}, completeness(d))
}

// shortID is enough of an id to know it again; on a terminal room is scarce.
func shortID(id string, o Options) Safe {
	s := untrusted(id)
	if o.Width == 0 || o.Verbose || len(s) <= 10 || needsEscape(id, true) {
		return s
	}
	return s[:4] + ellipsis + s[len(s)-2:]
}

func completeness(d *offsetstore.Description) Span {
	if d.Complete() {
		return Span{"complete", Good}
	}
	return Span{"INCOMPLETE", Worse}
}

// judged says which release's rules were applied, and what was asked for where
// that is not the same.
func judged(v *offsetstore.View) []Line {
	line := "judged as Kafka Connect " + untrusted(v.Release.JudgedAs)
	if !v.Release.Exact {
		line += ": " + quoting(v.Release.Why)
	}
	line += " · " + Safe(v.Isolation.String())
	lines := []Line{{{line, Dim}}}
	if !v.Release.Rules.JudgesKeys {
		lines = append(lines, Line{{"releases before 3.5 judge no keys while reading; keys are parsed as 3.5.2 does", Dim}})
	}
	return lines
}

// notes are what the source remarks on its reading, and why it is incomplete.
func notes(v *offsetstore.View, reasons bool) []Line {
	d := &v.Description
	var lines []Line
	for i := range d.Incomplete {
		if in := &d.Incomplete[i]; reasons {
			where := placeOf(d.Topic, offsetstore.Place{Partition: in.Partition, Offset: in.Offset})
			if where == "-" {
				where = untrusted(d.Name)
			}
			lines = append(lines, Line{{"incomplete: ", Worse}, {where + ": " + quoting(in.Reason), Plain}})
		}
	}
	for _, n := range d.Notes {
		lines = append(lines, Line{{"note: " + quoting(n), Dim}})
	}
	return lines
}
