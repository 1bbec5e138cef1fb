package cmd

import (
	"iter"
	"strings"

	"github.com/spf13/cobra"

	"koffsets/docs"
	"koffsets/offsetstore"
	"koffsets/report"
)

type explainOptions struct {
	output output
	id     string // "" for all
}

func newExplainCmd(a *app) *cobra.Command {
	o := &explainOptions{}
	c := &cobra.Command{
		Use:   "explain [ID]",
		Short: "Tells what a finding means, what a worker does, and how to mend it",
		Long:  "Without an ID it lists every kind of finding.",
		Args:  atMost(1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return kindNames(len(args) == 0), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			o.id = first(args)
			return runExplain(a, o)
		},
	}
	o.output.register(c)
	return c
}

func runExplain(a *app, o *explainOptions) error {
	if o.id == "" {
		return o.output.print(a, &explainResult{kinds: offsetstore.Kinds()})
	}
	kind, ok := offsetstore.LookupKind(o.id)
	if !ok {
		return unknown("finding", o.id, kindNames(true))
	}
	return o.output.print(a, &explainResult{kinds: []offsetstore.Kind{kind}, one: true})
}

// kindNames are the ids of all kinds of finding.
func kindNames(wanted bool) []string {
	var ids []string
	if wanted {
		for _, k := range offsetstore.Kinds() {
			ids = append(ids, string(k.ID))
		}
	}
	return ids
}

// entry is the part of docs/findings.md about a kind, without its heading.
func entry(id offsetstore.ID) string {
	_, text, found := strings.Cut(docs.Findings, "\n## "+string(id)+"\n")
	if !found {
		return ""
	}
	text, _, _ = strings.Cut(text, "\n## ")
	return strings.TrimSpace(text)
}

// explainResult is kinds of finding, or the one whose entry is wanted.
type explainResult struct {
	kinds []offsetstore.Kind
	one   bool
}

func (e *explainResult) Schema() string { return "koffsets.explain/v1" }

func (e *explainResult) Head(*report.Object) {}

// kindItem is a kind of finding with its entry.
type kindItem struct{ offsetstore.Kind }

// Members implements [report.Item].
func (k kindItem) Members(o *report.Object) {
	o.Text("id", string(k.ID))
	o.Text("severity", k.Severity.String())
	o.TextOrNull("severity_rule", k.Rule)
	o.Text("title", k.Title)
	o.Text("text", entry(k.ID))
}

func (e *explainResult) Items() iter.Seq[report.Item] {
	return func(yield func(report.Item) bool) {
		for _, k := range e.kinds {
			if !yield(kindItem{k}) {
				return
			}
		}
	}
}

func (e *explainResult) Summary(o *report.Object) { o.Int("findings", int64(len(e.kinds))) }

func (e *explainResult) Names() iter.Seq[report.Safe] {
	return func(yield func(report.Safe) bool) {
		for _, k := range e.kinds {
			if !yield(safe(string(k.ID))) {
				return
			}
		}
	}
}

func (e *explainResult) Document(f report.Format, _ report.Options) *report.Document {
	if e.one && (f == report.Table || f == report.Wide) {
		k := e.kinds[0]
		page := []report.Line{{{Text: safe(string(k.ID)), Tone: report.Heading}, {Text: safe(" (" + k.Severity.String() + ")")}}, {}}
		for line := range strings.SplitSeq(entry(k.ID), "\n") {
			page = append(page, embolden(line))
		}
		return &report.Document{Facts: page}
	}
	return &report.Document{Table: &report.Rows{
		Columns: []report.Column{{Name: "id"}, {Name: "severity"}, {Name: "title", Cut: true}},
		Rows: func(yield func([]report.Span) bool) {
			for _, k := range e.kinds {
				if !yield([]report.Span{{Text: safe(string(k.ID))}, {Text: safe(k.Severity.String())}, {Text: safe(k.Title)}}) {
					return
				}
			}
		},
	}}
}

// embolden makes a line of Markdown one of a screen.
func embolden(line string) report.Line {
	var spans report.Line
	for i, text := range strings.Split(report.Visible(line), "**") {
		tone := report.Plain
		if i%2 == 1 {
			tone = report.Heading
		}
		if text != "" {
			spans = append(spans, report.Span{Text: report.Safe(text), Tone: tone})
		}
	}
	return spans
}
