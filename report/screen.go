package report

import (
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// painter colours text, or leaves it alone.
type painter struct{ styles map[Tone]lipgloss.Style }

func newPainter(color bool) painter {
	if !color {
		return painter{}
	}
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.ANSI)
	ink := func(c string) lipgloss.Style { return r.NewStyle().Foreground(lipgloss.Color(c)) }
	return painter{map[Tone]lipgloss.Style{
		Heading: r.NewStyle().Bold(true),
		Worse:   ink("1").Bold(true),
		Bad:     ink("1"),
		Warn:    ink("3"),
		Good:    ink("2"),
		Dim:     ink("8"),
	}}
}

func (p painter) paint(s Span) string {
	style, ok := p.styles[s.Tone]
	if !ok || s.Text == "" {
		return string(s.Text)
	}
	return style.Render(string(s.Text))
}

// writeScreen prints a document for people.
func writeScreen(out *output, d *Document, o Options) {
	s := screen{out: out, painter: newPainter(o.Color), width: o.Width}
	for _, l := range d.Facts {
		s.line(l, 0)
	}
	if len(d.Facts) > 0 && (d.Table != nil || len(d.Blocks) > 0) {
		out.line("")
	}
	s.blocks(d.Blocks)
	if d.Table != nil {
		s.rows(d.Table)
	}
	if d.Tail != nil {
		for _, l := range d.Tail() {
			s.line(l, 0)
		}
	}
	if d.Next != "" {
		s.line(Line{{"next: ", Heading}, {d.Next, Plain}}, 0)
	}
}

// screen lays lines, blocks and rows out. width 0 wraps nothing.
type screen struct {
	out     *output
	painter painter
	width   int
}

const indent = 8 // of what stands below the head of a block; a severity and its gap

func (s *screen) blocks(blocks []Block) {
	idWidth := 0
	for _, b := range blocks {
		idWidth = max(idWidth, len(b.ID))
	}
	for _, b := range blocks {
		head := Line{
			b.Severity,
			{pad(b.Severity.Text, indent), Plain},
			{b.ID, Plain},
		}
		if b.Where != "" || b.What != "" {
			head = append(head, Span{pad(b.ID, idWidth+len(gap)), Plain}, Span{b.Where, Plain})
		}
		taken := indent + idWidth + len(gap) + columnsOf(b.Where)
		beside := s.width == 0 || taken+len(gap)+columnsOf(b.What) <= s.width
		if b.What != "" && beside {
			if b.Where != "" {
				head = append(head, Span{gap, Plain})
			}
			head = append(head, Span{b.What, Plain})
		}
		s.line(head, indent)
		if b.What != "" && !beside {
			s.line(Line{{blanks(indent) + cutMiddle(b.What, max(s.width-indent, narrow)), Plain}}, indent)
		}
		for _, p := range b.Body {
			s.line(Line{{blanks(indent) + p, Plain}}, indent)
		}
	}
	if len(blocks) > 0 {
		s.out.line("")
	}
}

// line prints a line, on a terminal wrapped. What is wrapped is indented.
func (s *screen) line(l Line, indent int) {
	lines := []Line{l}
	if s.width > 0 {
		lines = wrap(l, s.width, 0, indent)
	}
	for i, l := range lines {
		if i > 0 {
			s.out.b = append(s.out.b, blanks(indent)...)
		}
		for _, span := range l {
			s.out.b = append(s.out.b, s.painter.paint(span)...)
		}
		s.out.b = append(s.out.b, '\n')
	}
}

// pad is the blanks that fill a text up to a width.
func pad[T ~string](s T, width int) Safe { return blanks(max(width-columnsOf(s), 0)) }

func blanks(n int) Safe { return Safe(strings.Repeat(" ", n)) }
