package report

import (
	"strings"

	"koffsets/offsetstore"
)

// Document implements [Result].
func (s *Scan) Document(f Format, o Options) *Document {
	d := &Document{
		Facts: append([]Line{origin(s.view, o)}, judged(s.view)...),
		Tail:  s.tail,
		Next:  s.next(o),
	}
	d.Facts = append(d.Facts, notes(s.view, false)...)
	switch {
	case f == TSV:
		d.Table = s.tsv(o)
	case f == Wide:
		d.Table = s.wide(o)
	case len(s.findings) == 0:
		d.Facts = append(d.Facts, Line{{"no findings", Good}})
	case o.Verbose:
		for i := range s.findings {
			d.Blocks = append(d.Blocks, s.block(&s.findings[i], o))
		}
	default:
		d.Blocks = s.grouped(o)
	}
	return d
}

// next is the command that the worst finding asks for. A fix may quote what is
// hidden.
func (s *Scan) next(o Options) Safe {
	for i := range s.findings {
		if f := &s.findings[i]; f.Fix != "" && o.KeyFormat != Redacted {
			return quoting(f.Fix)
		}
	}
	if len(s.findings) > 0 {
		return "koffsets explain " + untrusted(string(s.findings[0].ID))
	}
	return ""
}

func (s *Scan) tail() []Line {
	sum := &s.view.Summary
	line := count(sum.Connectors, "connector") + point + states(sum, point) + point + thousands(sum.Malformed) + " malformed"
	return []Line{append(Line{{line, Plain}}, s.findingCounts()...)}
}

// states says how many source partitions there are of which state.
func states(sum *offsetstore.Summary, sep Safe) Safe {
	text := thousands(sum.Live) + " live" + sep + thousands(sum.Deleted) + " deleted"
	if sum.Null > 0 {
		text += sep + thousands(sum.Null) + " null"
	}
	if sum.Unreadable > 0 {
		text += sep + thousands(sum.Unreadable) + " unreadable"
	}
	return text
}

func (s *Scan) findingCounts() Line {
	line, sep := Line{}, Safe(" · ")
	bySeverity := s.bySeverity()
	for i := len(bySeverity) - 1; i >= 0; i-- {
		n := bySeverity[i]
		if n == 0 {
			continue
		}
		severity := ofSeverity(offsetstore.Severity(i))
		noun := count(n, severity.Text)
		if severity.Text == "fatal" || severity.Text == "info" {
			noun = thousands(n) + " " + severity.Text
		}
		line = append(line, Span{sep, Plain}, Span{noun, severity.Tone})
		sep = ", "
	}
	return line
}

// block shows one finding.
func (s *Scan) block(f *offsetstore.Finding, o Options) Block {
	b := Block{
		Severity: ofSeverity(f.Severity),
		ID:       untrusted(string(f.ID)),
		Where:    s.where(f),
		What:     s.subject(f, o),
	}
	if b.Where == "-" {
		b.Where = ""
	}
	redact := o.KeyFormat == Redacted
	if detail := (finding{f}).detail(redact); detail != "" {
		b.Body = append(b.Body, quoting(detail))
	}
	if !o.Verbose || redact {
		return b
	}
	if f.Timestamp != offsetstore.Unknown {
		b.Body = append(b.Body, "written: "+when(f.Timestamp, o.Now))
	}
	if f.WorkerLog != "" {
		b.Body = append(b.Body, "a worker logs: "+quoting(f.WorkerLog))
	}
	if f.Fix != "" {
		b.Body = append(b.Body, "fix: "+quoting(f.Fix))
	}
	return b
}

// shown is how many of several places or names a line lists.
const shown = 3

func (s *Scan) where(f *offsetstore.Finding) Safe {
	if len(f.Places) < 2 {
		return placeOf(s.view.Description.Topic, f.Place)
	}
	var all []Safe
	for _, p := range f.Places {
		all = append(all, placeOf(s.view.Description.Topic, p))
	}
	return list(all)
}

// list joins the first few of all.
func list(all []Safe) Safe {
	line := Safe("")
	for i, s := range all {
		if i == shown {
			return line + " and " + thousands(len(all)-shown) + " more"
		}
		if i > 0 {
			line += ", "
		}
		line += s
	}
	return line
}

// subject is the key that a finding is about, or else the connector.
func (s *Scan) subject(f *offsetstore.Finding, o Options) Safe {
	switch {
	case f.HasKey:
		return o.keyText(f.Key)
	case f.HasConnector && f.SourcePartition != nil:
		return name(f.Connector) + " " + o.mapText(f.SourcePartition)
	case f.HasConnector:
		return name(f.Connector)
	}
	return ""
}

// grouped shows each kind of finding once, the worst first.
func (s *Scan) grouped(o Options) []Block {
	type kind struct {
		id       offsetstore.ID
		severity offsetstore.Severity
	}
	var order []kind
	groups := map[kind][]*offsetstore.Finding{}
	for i := range s.findings {
		f := &s.findings[i]
		k := kind{f.ID, f.Severity}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], f)
	}
	var blocks []Block
	for _, k := range order {
		if group := groups[k]; len(group) > 1 {
			blocks = append(blocks, s.group(group, o))
		} else {
			blocks = append(blocks, s.block(group[0], o))
		}
	}
	return blocks
}

// group shows several findings of one kind by their count and the first.
func (s *Scan) group(all []*offsetstore.Finding, o Options) Block {
	first := all[0]
	b := Block{Severity: ofSeverity(first.Severity), ID: untrusted(string(first.ID))}
	noun := Safe("key")
	var connectors []Safe
	seen := map[string]bool{}
	for _, f := range all {
		if !f.HasKey {
			noun = "case"
		}
		if f.HasConnector && !seen[f.Connector] {
			seen[f.Connector] = true
			connectors = append(connectors, name(f.Connector))
		}
	}
	b.Where = count(len(all), noun)
	if len(connectors) > 0 {
		b.Where += " of " + count(len(connectors), "connector")
		b.What = "(" + list(connectors) + ")"
	}
	one := s.block(first, o)
	if what := strings.TrimSpace(string(one.Where + " " + one.What)); what != "" {
		b.Body = append(b.Body, "first: "+Safe(what))
	}
	b.Body = append(b.Body, one.Body...)
	b.Body = append(b.Body, "-v lists them all")
	return b
}

func (s *Scan) wide(o Options) *Rows {
	t := &Rows{Columns: columns("severity", "id", "place", "connector", "key", "detail")}
	t.Rows = each(s.all(), func(f finding) []Span {
		connector, key := Safe("-"), Safe("-")
		if f.HasConnector {
			connector = name(f.Connector)
		}
		if f.HasKey {
			key = o.keyText(f.Key)
		}
		return append([]Span{ofSeverity(f.Severity)}, plain(untrusted(string(f.ID)), s.where(f.Finding), connector, key,
			quoting(f.detail(o.KeyFormat == Redacted)))...)
	})
	return t
}

func (s *Scan) tsv(o Options) *Rows {
	t := &Rows{Columns: columns("severity", "id", "partition", "offset", "timestamp", "key", "connector", "source_partition", "detail", "worker_log", "fix")}
	orNone := func(has bool, s Safe) Safe {
		if has {
			return s
		}
		return none
	}
	redact := o.KeyFormat == Redacted
	t.Rows = each(s.all(), func(f finding) []Span {
		return plain(
			Safe(f.Severity.String()), untrusted(string(f.ID)),
			known(int64(f.Place.Partition), none), known(f.Place.Offset, none), known(f.Timestamp, none),
			o.keyCell(f.Key),
			orNone(f.HasConnector, name(f.Connector)),
			o.mapText(f.SourcePartition),
			untrusted(f.detail(redact)),
			orNone(f.WorkerLog != "" && !redact, untrusted(f.WorkerLog)),
			orNone(f.Fix != "" && !redact, untrusted(f.Fix)),
		)
	})
	return t
}

// plain makes cells without a tone.
func plain(cells ...Safe) []Span {
	row := make([]Span, len(cells))
	for i, c := range cells {
		row[i].Text = c
	}
	return row
}

func columns(names ...Safe) []Column {
	c := make([]Column, len(names))
	for i, n := range names {
		c[i].Name = n
	}
	return c
}
