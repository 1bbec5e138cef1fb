package report

import "iter"

// Document is a result for people, the same for every text format: facts,
// blocks, tables and notes, worst first, and what to do next. All of its text
// is [Safe].
type Document struct {
	// Facts say where the data came from and whether it is complete.
	Facts []Line
	// Blocks are findings.
	Blocks []Block
	// Table is rows of one kind, or nil.
	Table *Rows
	// Tail is asked for once the rows were read: counts and notes.
	Tail func() []Line
	// Next is the command to run next, or "".
	Next Safe
}

// Line is one line, of spans.
type Line []Span

// Span is a piece of text and what it is.
type Span struct {
	Text Safe
	Tone Tone
}

// Tone says what a text is, which decides its colour.
type Tone uint8

// The tones.
const (
	Plain Tone = iota
	Heading
	Bad
	Worse
	Warn
	Good
	Dim
)

// Block is a finding, or several of one kind.
type Block struct {
	// Severity, ID and Where stand in columns; What follows where there is room.
	Severity  Span
	ID, Where Safe
	What      Safe
	// Body is paragraphs below.
	Body []Safe
}

// Rows is a table.
type Rows struct {
	// Bare leaves the header out on screens.
	Bare    bool
	Columns []Column
	Rows    iter.Seq[[]Span]
}

// Column is a column of a table.
type Column struct {
	// Name is the header of tsv; screens show it in capitals and with blanks.
	Name Safe
	// Cut allows a terminal that is too narrow to show less of it.
	Cut bool
	// Middle makes that less of its middle, not of its end.
	Middle bool
	// Wrap lets the last column go on below itself on a terminal.
	Wrap bool
}
