package report

import "strings"

// point parts the phrases of a line, which are kept whole where they can be.
const point = " · "

// wrap breaks a line that begins at some column into lines of at most width
// columns, the later ones to be indented: between phrases, else between words,
// else anywhere.
func wrap(l Line, width, column, indent int) []Line {
	w := wrapper{width: max(width, indent+narrow), column: column, indent: indent}
	for _, span := range l {
		for phrase := range strings.SplitAfterSeq(string(span.Text), point) {
			if bare := columnsOf(trimmed(Safe(phrase))); w.fits(bare) || w.indent+bare <= w.width {
				w.add(Safe(phrase), span.Tone)
				continue
			}
			for word := range strings.SplitAfterSeq(phrase, " ") {
				w.add(Safe(word), span.Tone)
			}
		}
	}
	w.newLine()
	return w.lines
}

type wrapper struct {
	width, column, indent int
	line                  Line
	lines                 []Line
}

func (w *wrapper) fits(columns int) bool { return w.column+columns <= w.width }

// add puts a phrase or a word behind what is there, on a new line if need be.
func (w *wrapper) add(s Safe, tone Tone) {
	bare := trimmed(s)
	if w.column > w.indent && bare != "" && !w.fits(columnsOf(bare)) {
		w.newLine()
	}
	for !w.fits(columnsOf(bare)) { // longer than a line
		n := within(bare, w.width-w.column)
		if n == 0 {
			break
		}
		w.span(s[:n], tone)
		w.newLine()
		bare, s = bare[n:], s[n:]
	}
	w.span(s, tone)
}

func (w *wrapper) span(s Safe, tone Tone) {
	w.column += columnsOf(s)
	if n := len(w.line); n > 0 && w.line[n-1].Tone == tone {
		w.line[n-1].Text += s
		return
	}
	w.line = append(w.line, Span{s, tone})
}

// newLine ends a line without the point or blanks at its end.
func (w *wrapper) newLine() {
	for n := len(w.line); n > 0; n-- {
		t := trimmed(w.line[n-1].Text)
		w.line[n-1].Text = t
		if t != "" {
			break
		}
		w.line = w.line[:n-1]
	}
	w.lines = append(w.lines, w.line)
	w.line, w.column = nil, w.indent
}

// trimmed is a text without a point or blanks at its end.
func trimmed(s Safe) Safe {
	return Safe(strings.TrimRight(strings.TrimSuffix(string(s), point), " "))
}
