package offsetstore

import (
	"bytes"
	"cmp"
	"slices"

	"koffsets/decode"
)

// Findings lists what is wrong, worst first, then by topic partition, offset
// and id.
func (v *View) Findings(o FindingOptions) []Finding {
	l := &findings{view: v, options: o}
	l.oddities()
	for i := range v.suspects {
		l.entry(v.entry(v.suspects[i : i+1]))
	}
	for i := range v.index.groups {
		l.entry(v.entry(v.index.groups[i].refs))
	}
	l.blind()
	l.isolation()
	l.topic()
	l.reading()
	return worstFirst(l.all)
}

// worstFirst sorts pointers, as findings are large.
func worstFirst(all []Finding) []Finding {
	order := make([]*Finding, len(all))
	for i := range all {
		order[i] = &all[i]
	}
	slices.SortStableFunc(order, func(a, b *Finding) int {
		if c := cmp.Compare(b.Severity, a.Severity); c != 0 {
			return c
		}
		if c := cmp.Or(cmp.Compare(a.Place.Partition, b.Place.Partition), cmp.Compare(a.Place.Offset, b.Place.Offset)); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(a.ID, b.ID), bytes.Compare(a.Key, b.Key))
	})
	sorted := make([]Finding, len(all))
	for i, f := range order {
		sorted[i] = *f
	}
	return sorted
}

// findings collects what is selected.
type findings struct {
	view    *View
	options FindingOptions
	all     []Finding
}

// add takes a finding with the severity of its kind.
func (l *findings) add(f Finding) { l.grade(f, severityFor(l.view, f.ID)) }

func severityFor(v *View, id ID) Severity {
	k, ok := LookupKind(string(id))
	if !ok {
		return Error
	}
	return k.SeverityFor(&v.Release.Rules)
}

// grade takes a finding with a severity that hangs on more than its kind.
func (l *findings) grade(f Finding, s Severity) {
	names := l.options.Connectors
	if slices.Contains(l.options.Ignore, f.ID) || f.HasConnector && len(names) > 0 && !slices.Contains(names, f.Connector) {
		return
	}
	f.Severity = s
	f.Fix = "koffsets explain " + string(f.ID)
	l.all = append(l.all, f)
}

// about is a finding about one copy of an entry.
func about(id ID, e *Entry, c *Copy, detail string) Finding {
	return Finding{
		ID: id, Place: c.Place, Timestamp: c.Timestamp, Key: c.Key, HasKey: true,
		Connector: e.Connector, HasConnector: true, SourcePartition: &e.SourcePartition, Detail: detail,
	}
}

// oddities reports every record whose key names no source partition. Releases
// that judge no keys have nothing to say about them.
func (l *findings) oddities() {
	v := l.view
	if !v.Release.Rules.JudgesKeys {
		return
	}
	for _, s := range v.shards {
		for i := range s.oddities {
			o := &s.oddities[i]
			if !v.visible(o) {
				continue
			}
			key := s.oddKey(o)
			c := decode.CheckKey(&v.Release.Rules, key)
			l.add(Finding{
				ID: ID(c.Verdict.String()), Place: Place{s.partition, max(o.offset, Unknown)}, Timestamp: o.timestamp,
				Key: key, HasKey: true, Detail: v.oddDetail(&c), WorkerLog: decode.WorkerLog(&v.Release.Rules, &c),
			})
		}
	}
}
