package report

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

const (
	sampled  = 2000 // rows that decide how wide columns are; later ones may stick out
	narrow   = 8    // a column is not cut below this
	gap      = "  "
	ellipsis = "…"
)

// writeRows prints a table in columns. It holds no more than the first rows,
// so any number of them can pass through.
func writeRows(out *output, p painter, t *Rows, width int) {
	widths := make([]int, len(t.Columns))
	header := make([]Span, len(t.Columns))
	for i, c := range t.Columns {
		header[i] = Span{Safe(strings.ToUpper(strings.ReplaceAll(string(c.Name), "_", " "))), Heading}
	}
	held := [][]Span{header}
	if t.Bare {
		held = [][]Span{}
	}
	release := func() {
		for _, row := range held {
			for i, cell := range row {
				widths[i] = max(widths[i], columnsOf(cell.Text))
			}
		}
		fit(widths, t.Columns, width)
		for _, row := range held {
			writeRow(out, p, row, widths, width > 0)
		}
		held = nil
	}
	for row := range t.Rows {
		if held == nil {
			writeRow(out, p, row, widths, width > 0)
		} else if held = append(held, row); len(held) > sampled {
			release()
		}
		if !out.more() {
			return
		}
	}
	if t.Bare || len(held) > 1 {
		release()
	}
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
		total += widths[i]
	}
	for ; total > width; total-- {
		widest := -1
		for i, w := range widths {
			if columns[i].Cut && w > narrow && (widest < 0 || w > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		widths[widest]--
	}
}

func writeRow(out *output, p painter, row []Span, widths []int, cuts bool) {
	blanks := 0
	for i, cell := range row {
		text := cell.Text
		if cuts {
			text = cut(text, widths[i])
		}
		out.b = append(out.b, strings.Repeat(" ", blanks)...)
		out.b = append(out.b, p.paint(Span{text, cell.Tone})...)
		blanks = max(widths[i]-columnsOf(text), 0) + len(gap)
	}
	out.b = append(out.b, '\n')
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
