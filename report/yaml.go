package report

import (
	"strconv"
	"strings"
	"unicode/utf16"
)

const (
	yamlBlockDepth = 6    // levels deeper than this are written in braces
	yamlSimpleKey  = 1000 // longer keys need the explicit form: parsers stop looking at 1,024
)

// writeYAML prints the object that writeJSON prints, as YAML.
func writeYAML(out *output, r Result, o Options) {
	redact := o.KeyFormat == Redacted
	members := func(indent int, lead string, f func(*Object)) {
		obj := Object{b: []byte{'{'}, redact: redact}
		f(&obj)
		y := yamlText{in: append(obj.b, '}'), out: out.b}
		y.members(indent, lead)
		out.b = y.out
	}
	members(0, "", func(m *Object) {
		m.Text("schema", r.Schema())
		r.Head(m)
	})
	out.b = append(out.b, "items:"...)
	none := true
	for item := range r.Items() {
		if none {
			out.b = append(out.b, '\n')
			none = false
		}
		members(2, "- ", item.Members)
		if !out.more() {
			return
		}
	}
	if none {
		out.b = append(out.b, " []\n"...)
	}
	members(0, "", func(m *Object) { m.Object("summary", func() { r.Summary(m) }) })
}

// yamlText rewrites JSON of our own making, which has no blanks, as YAML. Numbers
// keep their text. A lone surrogate, which YAML cannot hold, becomes the six
// characters of its escape.
type yamlText struct {
	in  []byte
	i   int
	out []byte
}

// members writes the members of the object at y.i, a line each. lead stands
// before the first one, within the indentation.
func (y *yamlText) members(indent int, lead string) {
	y.i++ // {
	for y.in[y.i] != '}' {
		if y.in[y.i] == ',' {
			y.i++
		}
		y.out = append(y.out, strings.Repeat(" ", indent-len(lead))...)
		y.out = append(y.out, lead...)
		lead = ""
		y.key("\n" + strings.Repeat(" ", indent))
		y.value(indent)
		y.out = append(y.out, '\n')
	}
	y.i++
}

// key writes a field name and its colon, behind gap where it is a long one.
func (y *yamlText) key(gap string) {
	end := y.i + 1
	plain := y.in[end] != '"'
	for ; y.in[end] != '"'; end++ {
		switch c := y.in[end]; {
		case c >= 'a' && c <= 'z' || c == '_' || c >= '0' && c <= '9' && end > y.i+1:
		case c == '\\':
			plain = false
			end++
		default:
			plain = false
		}
	}
	word := string(y.in[y.i+1 : end])
	switch {
	case plain && len(word) <= yamlSimpleKey && !yamlWord(word):
		y.out = append(y.out, word...)
		y.i = end + 1
	case len(word) <= yamlSimpleKey:
		y.text()
	default:
		y.out = append(y.out, "? "...)
		y.text()
		y.out = append(y.out, gap...)
	}
	y.out = append(y.out, ':')
	y.i++ // the colon
}

// yamlWord reports whether a word without quotes means something else to some
// YAML parser.
func yamlWord(w string) bool {
	switch w {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return true
	}
	return false
}

// value writes the value at y.i behind its key.
func (y *yamlText) value(indent int) {
	switch {
	case y.in[y.i] == '{' && y.in[y.i+1] != '}' && indent < 2*yamlBlockDepth:
		y.out = append(y.out, '\n')
		y.members(indent+2, "")
		y.out = y.out[:len(y.out)-1] // the caller ends the line
	case y.in[y.i] == '[' && y.in[y.i+1] == '{' && indent < 2*yamlBlockDepth:
		for y.in[y.i] != ']' {
			y.i++ // [ or ,
			y.out = append(y.out, '\n')
			y.members(indent+4, "- ")
			y.out = y.out[:len(y.out)-1]
		}
		y.i++
	default:
		y.out = append(y.out, ' ')
		y.flow()
	}
}

// flow writes a value within one line.
func (y *yamlText) flow() {
	switch c := y.in[y.i]; c {
	case '"':
		y.text()
	case '{', '[':
		y.out = append(y.out, c)
		y.i++
		for y.in[y.i] != c+2 { // the closing one
			if y.in[y.i] == ',' {
				y.out = append(y.out, ", "...)
				y.i++
			}
			if c == '{' {
				y.key(" ")
				y.out = append(y.out, ' ')
			}
			y.flow()
		}
		y.out = append(y.out, c+2)
		y.i++
	default:
		for ; y.i < len(y.in) && strings.IndexByte(",]}", y.in[y.i]) < 0; y.i++ {
			y.out = append(y.out, y.in[y.i])
		}
	}
}

// text writes a string. YAML's escapes are JSON's, but for surrogates.
func (y *yamlText) text() {
	y.out = append(y.out, '"')
	for y.i++; y.in[y.i] != '"'; y.i++ {
		y.out = append(y.out, y.in[y.i])
		if y.in[y.i] != '\\' {
			continue
		}
		y.i++
		r := y.unit(y.i)
		if !utf16.IsSurrogate(r) {
			y.out = append(y.out, y.in[y.i])
			continue
		}
		low := rune(-1)
		if y.in[y.i+5] == '\\' {
			low = y.unit(y.i + 6)
		}
		if full := utf16.DecodeRune(r, low); full != '\ufffd' {
			hex := strconv.FormatInt(int64(full), 16)
			y.out = append(y.out, 'U')
			y.out = append(y.out, "00000000"[len(hex):]...)
			y.out = append(y.out, hex...)
			y.i += 10
			continue
		}
		y.out = append(append(y.out, '\\'), y.in[y.i:y.i+5]...)
		y.i += 4
	}
	y.out = append(y.out, '"')
	y.i++
}

// unit is the UTF-16 unit that the escape with its letter at i stands for, or
// -1 where it is another escape.
func (y *yamlText) unit(i int) rune {
	if y.in[i] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(y.in[i+1:i+5]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}
