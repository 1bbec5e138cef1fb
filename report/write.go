package report

import (
	"io"

	"koffsets/offsetstore"
)

// flushAt is how many bytes are gathered before they are written.
const flushAt = 32 << 10

// Write prints a result. An error is always one of w.
func Write(w io.Writer, f Format, r Result, o Options) error {
	out := &output{w: w}
	switch f {
	case JSON:
		writeJSON(out, r, o)
	case JSONLines:
		writeJSONLines(out, r, o)
	case YAML:
		writeYAML(out, r, o)
	case TSV:
		writeTSV(out, r.Document(f, o))
	case Name:
		for n := range r.Names() {
			if !out.line(n) {
				break
			}
		}
	case Table, Wide:
		writeScreen(out, r.Document(f, o), o)
	}
	return out.flush()
}

// output gathers bytes for a writer and remembers its error.
type output struct {
	w   io.Writer
	b   []byte
	err error
}

// line writes a line, and reports whether it is worth going on.
func (o *output) line(s Safe) bool {
	o.b = append(append(o.b, s...), '\n')
	return o.more()
}

// more writes out what was gathered, if it is much, and reports whether it is
// worth going on.
func (o *output) more() bool {
	if len(o.b) >= flushAt {
		_ = o.flush()
	}
	return o.err == nil
}

func (o *output) flush() error {
	if o.err == nil && len(o.b) > 0 {
		_, o.err = o.w.Write(o.b)
	}
	o.b = o.b[:0]
	return o.err
}

// members lets f write members of an object into the output.
func (o *output) members(redact bool, f func(*Object)) {
	obj := Object{b: o.b, redact: redact}
	f(&obj)
	o.b = obj.b
}

func writeJSON(out *output, r Result, o Options) {
	redact := o.KeyFormat == Redacted
	out.b = append(out.b, '{')
	out.members(redact, func(m *Object) {
		m.Text("schema", r.Schema())
		r.Head(m)
		m.name("items")
	})
	out.b = append(out.b, '[')
	n := 0
	for item := range r.Items() {
		if n > 0 {
			out.b = append(out.b, ',')
		}
		n++
		out.b = append(out.b, "\n{"...)
		out.members(redact, item.Members)
		out.b = append(out.b, '}')
		if !out.more() {
			return
		}
	}
	if n > 0 {
		out.b = append(out.b, '\n')
	}
	out.b = append(out.b, ']')
	out.members(redact, func(m *Object) { m.Object("summary", func() { r.Summary(m) }) })
	out.b = append(out.b, "}\n"...)
}

func writeJSONLines(out *output, r Result, o Options) {
	redact := o.KeyFormat == Redacted
	for item := range r.Items() {
		out.b = append(out.b, '{')
		out.members(redact, item.Members)
		out.b = append(out.b, "}\n"...)
		if !out.more() {
			return
		}
	}
	out.b = append(out.b, '{')
	out.members(redact, func(m *Object) {
		m.Text("schema", r.Schema())
		m.Object("summary", func() { r.Summary(m) })
		r.Head(m)
	})
	out.b = append(out.b, "}\n"...)
}

// place writes the two members of a place.
func (o *Object) place(p offsetstore.Place) {
	o.Known("partition", int64(p.Partition))
	o.Known("offset", p.Offset)
}
