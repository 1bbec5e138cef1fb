package decode

import (
	"math"
	"strings"
	"unicode/utf8"

	"koffsets/release"
)

// reader makes values of text that a scanner has found good, so that it need
// not look for errors. It recurses: what is deeper than safeLevels is not read.
// Plain texts and numbers stay parts of the one string.
type reader struct {
	text string
	at   int
	rule release.Exponents
}

// readMap reads the scanned map.
func (s *scanner) readMap(m []byte) Object {
	r := reader{text: string(m), rule: s.rules.Exponents}
	return r.object()
}

// readText reads what stands between the quotes of a scanned string.
func (s *scanner) readText(raw []byte) string { return unescape(string(raw), false) }

// next gives the byte of the next token.
func (r *reader) next() byte {
	for r.text[r.at] <= ' ' {
		r.at++
	}
	return r.text[r.at]
}

func (r *reader) value() Value {
	switch c := r.next(); c {
	case '{':
		return Value{Class: JavaHashMap, Map: r.object()}
	case '[':
		return Value{Class: JavaArrayList, List: r.list()}
	case '"':
		return Value{Class: JavaString, Text: r.str(false)}
	case 't':
		r.at += len("true")
		return Value{Class: JavaBoolean, bits: 1}
	case 'f':
		r.at += len("false")
		return Value{Class: JavaBoolean}
	case 'n':
		r.at += len("null")
		return Value{Class: JavaNull}
	}
	return r.number()
}

func (r *reader) list() []Value {
	var list []Value
	for r.at++; r.next() != ']'; {
		list = append(list, r.value())
		if r.next() == ',' {
			r.at++
		}
	}
	r.at++
	return list
}

// fewFields is up to where looking through all fields for a name is cheap.
const fewFields = 8

func (r *reader) object() Object {
	var fields []Field
	var index map[string]int
	find := func(name string) int {
		if len(fields) > fewFields {
			if index == nil {
				index = make(map[string]int, 2*len(fields))
				for i := range fields {
					index[fields[i].Name] = i
				}
			}
			if i, ok := index[name]; ok {
				return i
			}
			return len(fields)
		}
		for i := range fields {
			if fields[i].Name == name {
				return i
			}
		}
		return len(fields)
	}
	for r.at++; r.next() != '}'; {
		name := r.str(true)
		r.next()
		r.at++ // the colon
		value := r.value()
		if i := find(name); i < len(fields) {
			fields[i].Value = value
		} else {
			fields = append(fields, Field{name, value})
			if index != nil {
				index[name] = i
			}
		}
		if r.next() == ',' {
			r.at++
		}
	}
	r.at++
	return Object{fields}
}

// str reads the string or name at the quote.
func (r *reader) str(name bool) string {
	from := r.at + 1
	end := from
	for r.text[end] != '"' {
		if r.text[end] == '\\' {
			end++
		}
		end++
	}
	r.at = end + 1
	return unescape(r.text[from:end], name)
}

func (r *reader) number() Value {
	from := r.at
	class := JavaLong
	for ; r.at < len(r.text); r.at++ {
		c := r.text[r.at]
		if c == '.' || c|0x20 == 'e' {
			class = JavaDouble
		} else if !isDigit(c) && c != '-' && c != '+' {
			break
		}
	}
	v := Value{Class: class, Text: dropZeros(r.text[from:r.at])}
	if class == JavaDouble {
		v.bits = math.Float64bits(parseDouble(r.rule, v.Text))
		return v
	}
	digits, negative := strings.CutPrefix(v.Text, "-")
	for _, c := range []byte(digits) {
		v.bits = v.bits*10 + uint64(c-'0') // keeps the low 64 bits, as Java does
	}
	if negative {
		v.bits = -v.bits
	}
	return v
}

// dropZeros drops the zeros that Jackson skips in front of other digits.
func dropZeros(number string) string {
	digits, negative := strings.CutPrefix(number, "-")
	short := digits
	for len(short) > 1 && short[0] == '0' && isDigit(short[1]) {
		short = short[1:]
	}
	switch {
	case len(short) == len(digits):
		return number
	case negative:
		return "-" + short
	}
	return short
}

// unescape makes WTF-8 of what stands between the quotes of a scanned string
// or name.
func unescape(raw string, name bool) string {
	if strings.IndexByte(raw, '\\') < 0 && utf8.ValidString(raw) {
		return raw
	}
	text := make([]byte, 0, len(raw))
	for p := 0; p < len(raw); {
		switch c := raw[p]; {
		case c == '\\' && raw[p+1] == 'u':
			var unit uint16
			for _, d := range []byte(raw[p+2 : p+6]) {
				unit = unit<<4 | uint16(hexDigit(d))
			}
			text = appendUnit(text, unit)
			p += 6
		case c == '\\':
			text = append(text, plainEscape(raw[p+1]))
			p += 2
		case c < 0x80:
			text = append(text, c)
			p++
		default:
			n, size := lenient([]byte(raw[p:min(p+4, len(raw))]))
			text = appendLenient(text, n, size, name)
			p += size
		}
	}
	return string(text)
}

func plainEscape(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// appendLenient appends what Jackson makes of the bits of a UTF-8 sequence. Of
// four bytes it always makes two units, in its own arithmetic: for what is no
// proper character beyond U+FFFF, names come out otherwise than values.
func appendLenient(dst []byte, n uint32, size int, name bool) []byte {
	if size < 4 {
		return appendUnit(dst, uint16(n))
	}
	if n >= 0x10000 && n <= 0x10ffff {
		return appendRune(dst, rune(n))
	}
	c := int32(n) - 0x10000
	high := 0xd800 | uint16(c>>10)
	if name {
		high = 0xd800 + uint16(c>>10)
	}
	low := 0xdc00 | uint16(c&0x3ff)
	return appendUnit(appendUnit(dst, high), low)
}
