package dump

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// scanner reads one line of JSON in place: strings are unescaped into the
// line's own bytes, so nothing is allocated for them.
type scanner struct {
	b []byte
	i int
}

// syntaxError is a line that is no JSON, or not the JSON a dump has. cutOff:
// the line was fine as far as it goes.
type syntaxError struct {
	at     int // bytes before the place
	what   string
	cutOff bool
}

func (e *syntaxError) Error() string { return fmt.Sprintf("%s at byte %d", e.what, e.at) }

func (s *scanner) fail(what string) error {
	return &syntaxError{at: s.i, what: what, cutOff: s.i >= len(s.b)}
}

func (s *scanner) blanks() {
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case ' ', '\t', '\r', '\n':
			s.i++
		default:
			return
		}
	}
}

// take moves past c, if c is next after blanks.
func (s *scanner) take(c byte) bool {
	s.blanks()
	if s.i < len(s.b) && s.b[s.i] == c {
		s.i++
		return true
	}
	return false
}

// object walks the fields of an object. field must consume the value.
func (s *scanner) object(field func(name []byte) error) error {
	if !s.take('{') {
		return s.fail("no JSON object")
	}
	if s.take('}') {
		return nil
	}
	for {
		name, err := s.name()
		if err != nil {
			return err
		}
		if !s.take(':') {
			return s.fail("no colon after a field name")
		}
		if err := field(name); err != nil {
			return err
		}
		if s.take('}') {
			return nil
		}
		if !s.take(',') {
			return s.fail("neither a comma nor the end of the object")
		}
	}
}

// name reads a field name, which a dump never writes with escapes.
func (s *scanner) name() ([]byte, error) {
	if !s.take('"') {
		return nil, s.fail("no field name")
	}
	start := s.i
	for ; s.i < len(s.b); s.i++ {
		switch c := s.b[s.i]; {
		case c == '"':
			s.i++
			return s.b[start : s.i-1], nil
		case c == '\\' || c < ' ':
			return nil, s.fail("a field name with escapes or control characters")
		}
	}
	return nil, s.fail("a string without end")
}

// array walks the elements of an array. element must consume each.
func (s *scanner) array(element func() error) error {
	if !s.take('[') {
		return s.fail("no JSON array")
	}
	if s.take(']') {
		return nil
	}
	for {
		if err := element(); err != nil {
			return err
		}
		if s.take(']') {
			return nil
		}
		if !s.take(',') {
			return s.fail("neither a comma nor the end of the array")
		}
	}
}

// word moves past a bare word such as null, if it is next.
func (s *scanner) word(w string) bool {
	s.blanks()
	if len(s.b)-s.i < len(w) || string(s.b[s.i:s.i+len(w)]) != w {
		return false
	}
	s.i += len(w)
	return true
}

// number reads an integer of at most 64 bits.
func (s *scanner) number() (int64, error) {
	s.blanks()
	start := s.i
	if s.i < len(s.b) && s.b[s.i] == '-' {
		s.i++
	}
	digits := s.i
	for s.i < len(s.b) && s.b[s.i] >= '0' && s.b[s.i] <= '9' {
		s.i++
	}
	switch {
	case s.i == digits:
		return 0, s.fail("no whole number")
	case s.i-digits > 1 && s.b[digits] == '0':
		return 0, s.fail("a number with leading zeros")
	case s.i < len(s.b) && (s.b[s.i] == '.' || s.b[s.i]|0x20 == 'e'):
		return 0, s.fail("no whole number")
	}
	n, err := strconv.ParseInt(string(s.b[start:s.i]), 10, 64)
	if err != nil {
		return 0, s.fail("a number beyond 64 bits")
	}
	return n, nil
}

// text reads a string and gives its UTF-8 bytes, which are never nil.
func (s *scanner) text() ([]byte, error) {
	if !s.take('"') {
		return nil, s.fail("no JSON string")
	}
	b, start, plain := s.b, s.i, true
	for i := start; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			s.i = i + 1
			t := b[start:i:i]
			if !plain && !utf8.Valid(t) {
				return nil, s.badUTF8(start, i)
			}
			return t, nil
		case c == '\\':
			s.i = i
			return s.escaped(start)
		case c < ' ':
			s.i = i
			return nil, s.fail("a control character inside a string")
		case c >= utf8.RuneSelf:
			plain = false
		}
	}
	s.i = len(b)
	return nil, s.fail("a string without end")
}

// escaped goes on with a string from its first escape, moving text down.
func (s *scanner) escaped(start int) ([]byte, error) {
	b, to := s.b, s.i
	for s.i < len(b) {
		c := b[s.i]
		switch {
		case c == '"':
			s.i++
			t := b[start:to:to]
			if !utf8.Valid(t) {
				return nil, s.badUTF8(start, to)
			}
			return t, nil
		case c == '\\':
			r, err := s.escape()
			if err != nil {
				return nil, err
			}
			to = len(utf8.AppendRune(b[:to], r))
			continue
		case c < ' ':
			return nil, s.fail("a control character inside a string")
		}
		b[to] = c
		to++
		s.i++
	}
	return nil, s.fail("a string without end")
}

// escape reads one backslash escape.
func (s *scanner) escape() (rune, error) {
	if s.i+1 >= len(s.b) {
		s.i = len(s.b)
		return 0, s.fail("a string without end")
	}
	c := s.b[s.i+1]
	if c == 'u' {
		return s.unicode()
	}
	const escapes, mean = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	k := strings.IndexByte(escapes, c)
	if k < 0 {
		return 0, s.fail("an unknown escape")
	}
	s.i += 2
	return rune(mean[k]), nil
}

// unicode reads \uXXXX, or two of them for one rune.
func (s *scanner) unicode() (rune, error) {
	r, err := s.hex4()
	if err != nil || !utf16.IsSurrogate(r) {
		return r, err
	}
	first := s.i - 6
	if s.i+1 < len(s.b) && s.b[s.i] == '\\' && s.b[s.i+1] == 'u' {
		low, err := s.hex4()
		if err != nil {
			return 0, err
		}
		if full := utf16.DecodeRune(r, low); full != utf8.RuneError {
			return full, nil
		}
	} else if s.i+1 >= len(s.b) {
		s.i = len(s.b)
		return 0, s.fail("a string without end")
	}
	s.i = first
	return 0, s.fail(fmt.Sprintf(`the lone surrogate \u%04x, which is no text: give the bytes in key_base64 or value_base64;`, r))
}

func (s *scanner) hex4() (rune, error) {
	if len(s.b)-s.i < 6 {
		for _, c := range s.b[s.i+2:] {
			if unhex(c) < 0 {
				return 0, s.fail(`an incomplete \u escape`)
			}
		}
		s.i = len(s.b)
		return 0, s.fail("a string without end")
	}
	r := rune(0)
	for _, c := range s.b[s.i+2 : s.i+6] {
		d := unhex(c)
		if d < 0 {
			return 0, s.fail(`an incomplete \u escape`)
		}
		r = r<<4 | d
	}
	s.i += 6
	return r, nil
}

func unhex(c byte) rune {
	switch {
	case c >= '0' && c <= '9':
		return rune(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10
	}
	return -1
}

// badUTF8 blames the first byte of b[start:end] that is no UTF-8. The place is
// that of the string where escapes before it moved the text.
func (s *scanner) badUTF8(start, end int) error {
	at := start
	for at < end {
		r, n := utf8.DecodeRune(s.b[at:end])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	return &syntaxError{at: at, what: fmt.Sprintf("the byte 0x%02x, which is no UTF-8: give the bytes in key_base64 or value_base64;", s.b[at])}
}

// skip moves past any value without a close look, and changes nothing.
func (s *scanner) skip() error {
	for depth := 0; ; {
		s.blanks()
		if s.i >= len(s.b) {
			return s.fail("no end")
		}
		switch s.b[s.i] {
		case '{', '[':
			depth++
			s.i++
		case '}', ']':
			depth--
			s.i++
		case '"':
			s.skipText()
		default:
			n := bytes.IndexAny(s.b[s.i+1:], " ,:{}[]\"\t\r\n")
			if n < 0 {
				n = len(s.b) - s.i - 1
			}
			s.i += n + 1
		}
		if depth <= 0 {
			return nil
		}
	}
}

func (s *scanner) skipText() {
	for s.i++; s.i < len(s.b) && s.b[s.i] != '"'; s.i++ {
		if s.b[s.i] == '\\' {
			s.i++
		}
	}
	s.i = min(s.i+1, len(s.b))
}
