package report

import (
	"bytes"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

const (
	sampled = 2000 // rows that decide how wide columns are; tablewriter takes 20 to 40 µs for each
	widest  = 60   // a column that may not be cut is not padded beyond this
	hanging = 24   // columns that wrapped text gets at least
	gap     = "  " // between columns
)

// rows prints a table. It holds no more than the first rows, so any number of
// them can pass through.
func (s *screen) rows(t *Rows) {
	l := layout{screen: s, columns: t.Columns, widths: make([]int, len(t.Columns))}
	var held [][]Span
	n := 0
	for row := range t.Rows {
		if n++; n <= sampled {
			held = append(held, row)
			continue
		}
		l.begin(held, t.Bare)
		held = nil
		l.row(row, l.plain)
		if !s.out.more() {
			return
		}
	}
	l.begin(held, t.Bare)
	if n > sampled {
		s.line(Line{{"note: the first " + thousands(sampled) + " rows decided how wide the columns are; -o tsv suits this many better", Dim}}, 0)
	}
}

// layout is a table whose columns have their widths.
type layout struct {
	*screen
	columns []Column
	widths  []int
	last    int // column of the terminal where the last one starts
}

// begin prints the header and the first rows, which tell the widths.
func (l *layout) begin(rows [][]Span, bare bool) {
	if len(rows) == 0 {
		return
	}
	if !bare {
		rows = append([][]Span{header(l.columns)}, rows...)
	}
	l.measure(rows)
	table := newTable(l.out, l.widths)
	if err := table.Start(); err != nil {
		l.out.err = err
	}
	for _, row := range rows {
		l.row(row, func(cells []string) {
			if !l.fit(cells) {
				l.plain(cells)
			} else if err := table.Append(cells); err != nil {
				l.out.err = err
			}
		})
		if !l.out.more() {
			return
		}
	}
}

// newTable lays rows out in columns of these widths, and writes each when it
// comes. It would cut what is wider without a sign.
func newTable(out *output, widths []int) *tablewriter.Table {
	columns := tw.NewMapper[int, int]()
	for i, w := range widths {
		columns.Set(i, w+len(gap))
	}
	return tablewriter.NewTable(trimming{out},
		tablewriter.WithConfig(tablewriter.Config{Widths: tw.CellWidth{PerColumn: columns}}),
		tablewriter.WithStreaming(tw.StreamConfig{Enable: true}),
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders:  tw.BorderNone,
			Settings: tw.Settings{Lines: tw.LinesNone, Separators: tw.SeparatorsNone},
		})),
		tablewriter.WithPadding(tw.PaddingNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithTrimTab(tw.Off),
		tablewriter.WithTrimLine(tw.Off),
		tablewriter.WithEastAsian(tw.Off),
	)
}

// trimming takes the lines of a table without the blanks at their ends.
type trimming struct{ out *output }

func (t trimming) Write(line []byte) (int, error) {
	t.out.b = append(append(t.out.b, bytes.TrimRight(line, " \n")...), '\n')
	return len(line), nil
}

func header(columns []Column) []Span {
	row := make([]Span, len(columns))
	for i, c := range columns {
		row[i] = Span{Safe(strings.ToUpper(strings.ReplaceAll(string(c.Name), "_", " "))), Heading}
	}
	return row
}

// measure makes the columns as wide as their cells, or as the terminal lets.
func (l *layout) measure(rows [][]Span) {
	for _, row := range rows {
		for i := range row {
			if len(row) == len(l.columns) {
				l.widths[i] = max(l.widths[i], columnsOf(row[i].Text))
			}
		}
	}
	for i, c := range l.columns {
		if !c.Cut || l.width == 0 {
			l.widths[i] = min(l.widths[i], widest)
		}
	}
	shrink(l.widths, l.columns, l.width)
	for _, w := range l.widths[:len(l.widths)-1] {
		l.last += w + len(gap)
	}
}

// row gives the cells of a row to put, cut, wrapped and in colour. A row of
// fewer cells than columns is a heading, which is printed here.
func (l *layout) row(row []Span, put func(cells []string)) {
	if len(row) < len(l.columns) {
		for i := range row {
			if l.width > 0 {
				row[i].Text = cutMiddle(row[i].Text, l.width)
			}
		}
		l.line(row, 0)
		return
	}
	cells := make([]string, len(row))
	for i, cell := range row {
		switch c := l.columns[i]; {
		case l.width == 0:
		case c.Cut && c.Middle:
			cell.Text = cutMiddle(cell.Text, l.widths[i])
		case c.Cut:
			cell.Text = cut(cell.Text, l.widths[i])
		case c.Wrap:
			cells[i] = l.wrapped(cell)
			continue
		}
		cells[i] = l.painter.paint(cell)
	}
	put(cells)
}

// wrapped is the last cell of a row as lines.
func (l *layout) wrapped(cell Span) string {
	var lines []string
	for _, line := range wrap(Line{cell}, l.width, l.last, l.hang()) {
		text := ""
		for _, span := range line {
			text += l.painter.paint(span)
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n")
}

// hang is where the later lines of a wrapped cell start: below the first one,
// or where that leaves little room, to the left of it.
func (l *layout) hang() int { return min(l.last, max(l.width-hanging, 0)) }

// fit reports whether tablewriter can lay a row out.
func (l *layout) fit(cells []string) bool {
	for i, cell := range cells {
		for line := range strings.SplitSeq(cell, "\n") {
			if columnsOf(line) > l.widths[i] || len(line) < len(cell) && l.hang() < l.last {
				return false
			}
		}
	}
	return true
}

// plain prints a row that may stick out of its columns.
func (l *layout) plain(cells []string) {
	for i, cell := range cells {
		l.out.b = append(l.out.b, strings.ReplaceAll(cell, "\n", "\n"+string(blanks(l.hang())))...)
		if i < len(cells)-1 {
			l.out.b = append(append(l.out.b, pad(cell, l.widths[i])...), gap...)
		}
	}
	l.out.b = append(l.out.b, '\n')
}
