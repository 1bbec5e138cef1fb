package report

import (
	"fmt"
	"strconv"

	"koffsets/decode"
)

// Document implements [Result].
func (d *Decode) Document(f Format, o Options) *Document {
	if f == TSV {
		return &Document{Table: d.tsv(o)}
	}
	t := &Rows{Bare: true, Columns: columns("", "release", "verdict", "detail")}
	if !d.options.ShowKeys {
		t.Columns = t.Columns[1:]
	}
	t.Columns[len(t.Columns)-1].Wrap = true
	t.Rows = func(yield func([]Span) bool) {
		for j := range d.judgements() {
			row := j.row(o)
			if !d.options.ShowKeys {
				row = row[1:]
			} else if j.first && !yield([]Span{{o.keyText(j.in.Key), Heading}}) {
				return
			}
			if !yield(row) {
				return
			}
		}
	}
	return &Document{Table: t, Tail: d.tail}
}

// tail says how releases were taken that are not known exactly.
func (d *Decode) tail() []Line {
	var lines []Line
	for _, r := range d.options.Releases {
		if !r.Exact {
			lines = append(lines, Line{{"note: " + quoting(r.Why), Dim}})
		}
		if !r.Rules.JudgesKeys {
			lines = append(lines, Line{{"note: " + untrusted(r.Asked) + " judges no keys while reading; keys are parsed as 3.5.2 does", Dim}})
		}
	}
	return lines
}

// row has an empty first cell, to stand below its key.
func (j *judgement) row(o Options) []Span {
	tone := Good
	switch {
	case j.fatal():
		tone = Worse
	case !j.judged():
		tone = Dim
	case !j.ok():
		tone = Bad
	}
	return []Span{{}, {untrusted(j.release.Asked), Plain}, {Safe(j.verdict()), tone}, {j.detail(o), Plain}}
}

// detail says in words what the verdict stands on.
func (j *judgement) detail(o Options) Safe {
	if !j.ok() {
		return j.refusal()
	}
	text := "connector " + name(j.key.Connector) + " · source partition " + o.mapText(&j.key.SourcePartition) + " · "
	if j.canonical() {
		text += "canonical"
	} else {
		text += "not canonical: " + o.keyText(j.key.Canonical)
	}
	if j.key.Nested {
		text += " · a list or map inside: offsets cannot be altered"
	}
	if home := j.home(); home >= 0 {
		text += " · home partition " + known(home, "") + " of " + Safe(strconv.Itoa(j.partitions))
	}
	if state := j.valueState(); state != "" {
		text += " · value " + Safe(state)
	}
	return text
}

func (j *judgement) refusal() Safe {
	k := &j.key
	class := Safe(k.Class.String())
	var text Safe
	switch k.Verdict {
	case decode.KeyNull:
		text = "no key"
	case decode.KeyNotJSON:
		text = quoting(fmt.Sprintf("%s at byte %d", k.Reason, k.ErrorAt))
	case decode.KeyNotList:
		text = class + ", where a list is expected"
	case decode.KeyWrongSize:
		text = "a list of " + count(k.Size, "element") + ", where 2 are expected"
	case decode.KeyNameNotString:
		text = "the first element is " + class + ", where a string is expected"
	case decode.KeyPartitionNotMap:
		text = "the second element is " + class + ", where a map is expected"
	case decode.KeyPartitionNull:
		text = "the source partition is null"
	case decode.KeyTooDeep:
		text = "so many levels that the worker's stack may overflow"
	}
	switch {
	case !j.judged():
		text = "as 3.5.2 reads it: " + text
	case j.fatal() && k.Verdict == decode.KeyNotJSON:
		text += " · fatal: the worker drops the rest of its poll batch"
	case j.fatal():
		text += " · fatal: the worker's thread ends"
	}
	return text
}

func (d *Decode) tsv(o Options) *Rows {
	t := &Rows{Columns: columns("release", "judged_as", "verdict", "fatal", "actual", "connector", "source_partition",
		"canonical_key", "canonical", "nested", "home_partition", "worker_log", "error_byte", "error_reason", "value_state")}
	t.Rows = each(d.judgements(), func(j judgement) []Span { return j.tsv(o) })
	return t
}

func (j *judgement) tsv(o Options) []Span {
	actual, connector, partition, canonical := none, none, Safe("null"), none
	if j.judged() && j.key.Verdict == decode.KeyWrongSize {
		actual = Safe(strconv.Itoa(j.key.Size))
	} else if class := j.key.Class.String(); j.judged() && class != "" {
		actual = Safe(class)
	}
	if j.ok() {
		connector, partition, canonical = name(j.key.Connector), o.mapText(&j.key.SourcePartition), o.keyCell(j.key.Canonical)
	}
	log, at, reason, state := none, none, none, none
	if l := j.workerLog(); l != "" && o.KeyFormat != Redacted {
		log = untrusted(l)
	}
	if j.judged() && j.key.Verdict == decode.KeyNotJSON {
		at, reason = Safe(strconv.Itoa(j.key.ErrorAt)), untrusted(j.key.Reason)
	}
	if s := j.valueState(); s != "" {
		state = Safe(s)
	}
	return plain(untrusted(j.release.Asked), untrusted(j.release.JudgedAs), Safe(j.verdict()), yesNo(j.fatal()), actual,
		connector, partition, canonical, yesNo(j.canonical()), yesNo(j.ok() && j.key.Nested), known(j.home(), none), log, at, reason, state)
}
