// Package report turns results into every output format, and is the only place
// that does: JSON, JSON lines, YAML and TSV for programs, screens for people.
// It owns the contracts of machine output (docs/formats.md) and escapes every
// byte that came from a topic, a broker or a file.
//
// It knows nothing of flags, and judges nothing: what it prints was found by
// the packages below. It reads no clock and no environment; Options carry what
// a screen depends on.
package report

import (
	"iter"
	"time"
)

// Result is what a verb found, ready for every format.
//
// As json it is one object: schema, the members of Head, items, summary. As
// jsonl it is its items, a line each, and a last line with schema, summary and
// the members of Head. What Items yields may be read once, and Summary and
// Document's Tail are asked for after that.
type Result interface {
	// Schema names the contract, such as "koffsets.scan/v1".
	Schema() string
	// Head writes the members that stand beside the items.
	Head(o *Object)
	// Items yields the items in their order.
	Items() iter.Seq[Item]
	// Summary writes the members of the summary.
	Summary(o *Object)
	// Document is the result for people, and the rows of tsv.
	Document(f Format, o Options) *Document
	// Names yields what -o name prints, a line each.
	Names() iter.Seq[Safe]
}

// each makes something of everything that a sequence yields.
func each[T, U any](seq iter.Seq[T], of func(T) U) iter.Seq[U] {
	return func(yield func(U) bool) {
		for v := range seq {
			if !yield(of(v)) {
				return
			}
		}
	}
}

// Item is one item of a result.
type Item interface {
	// Members writes every field of the item, null where one does not apply.
	Members(o *Object)
}

// Options is what a format depends on besides the result.
type Options struct {
	// Width is the terminal's columns. 0 stands for a pipe or a file: nothing
	// is cut or wrapped.
	Width int
	// Color allows the 16 ANSI colours.
	Color bool
	// Verbose lists every finding with all that is known of it.
	Verbose bool
	// KeyFormat is how keys are shown to people.
	KeyFormat KeyFormat
	// Now makes times relative, such as "2m ago"; the zero time leaves them
	// absolute, in UTC.
	Now time.Time
}
