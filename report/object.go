package report

import (
	"encoding/base64"
	"strconv"
	"unicode/utf8"

	"koffsets/decode"
	"koffsets/offsetstore"
)

// Object writes the members of one JSON object, in the order of the calls.
// Names are the program's own and are written as they are.
type Object struct {
	b      []byte
	redact bool
}

// name begins a member.
func (o *Object) name(n string) {
	if o.b[len(o.b)-1] != '{' {
		o.b = append(o.b, ',')
	}
	o.b = append(o.b, '"')
	o.b = append(o.b, n...)
	o.b = append(o.b, '"', ':')
}

// Null writes a member that does not apply.
func (o *Object) Null(n string) {
	o.name(n)
	o.b = append(o.b, "null"...)
}

// Bool writes true or false.
func (o *Object) Bool(n string, v bool) {
	o.name(n)
	o.b = strconv.AppendBool(o.b, v)
}

// Int writes a number.
func (o *Object) Int(n string, v int64) {
	o.name(n)
	o.b = strconv.AppendInt(o.b, v, 10)
}

// Known writes a topic partition, offset or timestamp, null where unknown.
func (o *Object) Known(n string, v int64) {
	if v == offsetstore.Unknown {
		o.Null(n)
		return
	}
	o.Int(n, v)
}

// Text writes text, which may be WTF-8.
func (o *Object) Text(n, s string) {
	o.name(n)
	o.b = appendText(o.b, s)
}

// TextOrNull writes text, null for none.
func (o *Object) TextOrNull(n, s string) {
	if s == "" {
		o.Null(n)
		return
	}
	o.Text(n, s)
}

// Key writes the bytes of a key: {"text":…}, {"base64":…}, or null.
func (o *Object) Key(n string, key []byte) {
	o.name(n)
	switch {
	case key == nil:
		o.b = append(o.b, "null"...)
	case o.redact:
		o.b = append(o.b, redacted...)
	case utf8.Valid(key):
		o.b = append(o.b, `{"text":`...)
		o.b = append(appendText(o.b, string(key)), '}')
	default:
		o.b = append(o.b, `{"base64":"`...)
		o.b = append(base64.StdEncoding.AppendEncode(o.b, key), `"}`...)
	}
}

// redacted stands for what --key-format redacted hides.
const redacted = `{"redacted":true}`

// Map writes a source partition or source offset with its numbers as recorded;
// nil is null.
func (o *Object) Map(n string, m *decode.Object) {
	o.name(n)
	switch {
	case m == nil:
		o.b = append(o.b, "null"...)
	case o.redact:
		o.b = append(o.b, redacted...)
	default:
		start := len(o.b)
		o.b = visibleQuoted(m.AppendJSON(o.b), start)
	}
}

// Object writes a member that is an object.
func (o *Object) Object(n string, members func()) {
	o.name(n)
	o.braces(members)
}

func (o *Object) braces(members func()) {
	o.b = append(o.b, '{')
	members()
	o.b = append(o.b, '}')
}

// List writes a member that is a list of objects; element i writes its members.
func (o *Object) List(n string, length int, element func(i int)) {
	o.name(n)
	o.b = append(o.b, '[')
	for i := range length {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		o.braces(func() { element(i) })
	}
	o.b = append(o.b, ']')
}
