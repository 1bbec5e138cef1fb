package report

import (
	"unicode/utf8"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

const (
	ellipsis = "…"
	narrow   = 8 // nothing is cut below this
)

// columnsOf is how many columns of a terminal a text takes, its colours aside.
// tablewriter must find the same.
func columnsOf[T ~string](s T) int {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return twwidth.WidthWithOptions(string(s), twwidth.Options{})
		}
	}
	return len(s)
}

// within is how many bytes of a text take at most so many columns.
func within(s Safe, width int) int {
	for i, r := range s {
		if width -= columnsOf(string(r)); width < 0 {
			return i
		}
	}
	return len(s)
}

// cut shortens a text to so many columns, with an ellipsis at its end.
func cut(s Safe, width int) Safe {
	if columnsOf(s) <= width {
		return s
	}
	return s[:within(s, width-1)] + ellipsis
}

// cutMiddle is cut for texts that differ at their ends, as keys do.
func cutMiddle(s Safe, width int) Safe {
	if columnsOf(s) <= width {
		return s
	}
	head, end := within(s, width/2), len(s)
	for room := width - 1 - columnsOf(s[:head]); ; {
		r, n := utf8.DecodeLastRuneInString(string(s[:end]))
		if room -= columnsOf(string(r)); room < 0 {
			return s[:head] + ellipsis + s[end:]
		}
		end -= n
	}
}

// shrink takes from the widest columns that may be cut until a row fits.
func shrink(widths []int, columns []Column, width int) {
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
