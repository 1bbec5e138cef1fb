package report

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

const (
	sampled  = 2000 // rows that decide how wide columns are; later ones may stick out
	narrow   = 8    // a column is not cut below this
	widest   = 60   // a column that may not be cut is not padded beyond this
	hanging  = 24   // columns that wrapped text gets at least
	gap      = "  "
	ellipsis = "…"
)

// rows prints a table in columns. It holds no more than the first rows, so any
// number of them can pass through.
func (s *screen) rows(t *Rows) {
	l := layout{screen: s, columns: t.Columns, widths: make([]int, len(t.Columns))}
	held := [][]Span{}
	if !t.Bare {
		held = append(held, header(t.Columns))
	}
	release := func() {
		l.measure(held)
		for _, row := range held {
			l.row(row)
		}
		held = nil
	}
	for row := range t.Rows {
		if held == nil {
			l.row(row)
		} else if held = append(held, row); len(held) > sampled {
			release()
		}
		if !s.out.more() {
			return
		}
	}
	if t.Bare || len(held) > 1 {
		release()
	}
}

func header(columns []Column) []Span {
	row := make([]Span, len(columns))
	for i, c := range columns {
		row[i] = Span{Safe(strings.ToUpper(strings.ReplaceAll(string(c.Name), "_", " "))), Heading}
	}
	return row
}

// layout is a table whose columns have their widths.
type layout struct {
	*screen
	columns []Column
	widths  []int
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
	fit(l.widths, l.columns, l.width)
}

// row prints a row. One of fewer cells than columns is a heading of its own.
func (l *layout) row(row []Span) {
	column, blanks := 0, 0
	for i, cell := range row {
		text := cell.Text
		switch {
		case l.width == 0:
		case len(row) < len(l.columns):
			text = cut(text, l.width)
		case l.columns[i].Cut:
			text = cut(text, l.widths[i])
		}
		column += blanks
		l.out.b = append(l.out.b, strings.Repeat(" ", blanks)...)
		if l.columns[i].Wrap && column > 0 && len(row) == len(l.columns) {
			l.put(Line{{text, cell.Tone}}, column, min(column, max(l.width-hanging, 0)))
		} else {
			l.out.b = append(l.out.b, l.painter.paint(Span{text, cell.Tone})...)
		}
		wide := columnsOf(text)
		column += wide
		blanks = max(l.widths[i]-wide, 0) + len(gap)
	}
	l.out.b = append(l.out.b, '\n')
}

// fit takes from the widest columns that may be cut until the row fits.
func fit(widths []int, columns []Column, width int) {
	if width <= 0 {
		return
	}
	total := len(gap) * (len(widths) - 1)
	for i, w := range widths {
		if columns[i].Cut {
			widths[i] = min(w, width)
		}
		if !columns[i].Wrap {
			total += widths[i]
		}
	}
	for ; total > width; total-- {
		most := -1
		for i, w := range widths {
			if columns[i].Cut && w > narrow && (most < 0 || w > widths[most]) {
				most = i
			}
		}
		if most < 0 {
			return
		}
		widths[most]--
	}
}

// columnsOf is how many columns of a terminal a text takes.
func columnsOf(s Safe) int {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return ansi.StringWidth(string(s))
		}
	}
	return len(s)
}

// cut shortens a text to so many columns, with an ellipsis at its end.
func cut(s Safe, width int) Safe {
	if columnsOf(s) <= width {
		return s
	}
	return Safe(ansi.Truncate(string(s), width, ellipsis))
}
