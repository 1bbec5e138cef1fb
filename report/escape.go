package report

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"koffsets/decode"
)

// Safe is text that cannot harm a terminal: every rune of it is printable, and
// untrusted text in it is escaped. Text becomes Safe by being a constant, by
// Escape or Visible, or by joining what is Safe.
type Safe string

// Escape makes untrusted text or bytes printable so that different ones still
// look different: a rune is kept if [strconv.IsPrint] says so, a backslash is
// doubled, everything else becomes its Go escape.
func Escape(s string) string { return escape(s, true) }

// Visible is Escape for text that is escaped or quoted in part already: a
// backslash stays single.
func Visible(s string) string { return escape(s, false) }

func escape(s string, double bool) string {
	if !needsEscape(s, double) {
		return s
	}
	b := make([]byte, 0, len(s)+16)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			const hex = "0123456789abcdef"
			b = append(b, '\\', 'x', hex[s[i]>>4], hex[s[i]&15])
		case r == '\\' && double:
			b = append(b, `\\`...)
		case strconv.IsPrint(r):
			b = append(b, s[i:i+n]...)
		default:
			q := strconv.QuoteRuneToASCII(r)
			b = append(b, q[1:len(q)-1]...)
		}
		i += n
	}
	return string(b)
}

func needsEscape(s string, double bool) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '\\' && double {
			return true
		}
	}
	return false
}

// untrusted is text from outside.
func untrusted(s string) Safe { return Safe(Escape(s)) }

// quoting is text of ours that quotes from outside.
func quoting(s string) Safe { return Safe(Visible(s)) }

// name is a connector's name, which is WTF-8: a lone surrogate in it shows as
// its \u escape, while other bytes that are no UTF-8 cannot be.
func name(s string) Safe {
	if utf8.ValidString(s) {
		return untrusted(s)
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := decodeWTF8(s)
		if utf16.IsSurrogate(r) {
			b.WriteString(`\u` + strconv.FormatInt(int64(r), 16))
		} else {
			b.WriteString(Escape(s[:n]))
		}
		s = s[n:]
	}
	return Safe(b.String())
}

// decodeWTF8 is utf8.DecodeRuneInString that takes surrogates too.
func decodeWTF8(s string) (rune, int) {
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 && len(s) >= 3 && s[0] == 0xed && s[1] >= 0xa0 && s[1] < 0xc0 && s[2] >= 0x80 && s[2] < 0xc0 {
		return 0xd000 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f), 3
	}
	return r, n
}

// appendText writes WTF-8 as a JSON string without a rune that cannot be seen.
func appendText(b []byte, s string) []byte {
	start := len(b)
	return visibleQuoted(decode.AppendText(b, s), start)
}

// visibleQuoted goes over the JSON or YAML from b[start:] on, and writes what
// cannot be seen as \uXXXX. Such runes stand in double quotes alone.
func visibleQuoted(b []byte, start int) []byte {
	plain := true
	for _, c := range b[start:] {
		plain = plain && c < 0x7f
	}
	if plain {
		return b
	}
	old := string(b[start:])
	b = b[:start]
	for i := 0; i < len(old); {
		r, n := rune(old[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(old[i:])
		}
		switch {
		case r == utf8.RuneError && n == 1:
			b = append(b, `\ufffd`...)
		case r < 0x7f || strconv.IsPrint(r):
			b = append(b, old[i:i+n]...)
		default:
			high, low := utf16.EncodeRune(r)
			if high == utf8.RuneError {
				b = appendUnit(b, r)
			} else {
				b = appendUnit(appendUnit(b, high), low)
			}
		}
		i += n
	}
	return b
}

// appendUnit writes one UTF-16 unit as \uXXXX.
func appendUnit(b []byte, u rune) []byte {
	const hex = "0123456789abcdef"
	return append(b, '\\', 'u', hex[u>>12&15], hex[u>>8&15], hex[u>>4&15], hex[u&15])
}
