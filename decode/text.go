package decode

import "unicode/utf8"

const (
	lowerHex = "0123456789abcdef"
	upperHex = "0123456789ABCDEF"
)

// AppendText appends WTF-8 text as a JSON string; a lone surrogate becomes its
// \u escape, what is no WTF-8 at all the replacement character.
func AppendText(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for p := 0; p < len(s); {
		c := s[p]
		if c < 0x80 {
			dst = appendASCII(dst, c, lowerHex)
			p++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[p:])
		if r == utf8.RuneError && size == 1 {
			if first, _, n := units(s[p:]); n == 3 && first>>11 == 0x1b {
				dst = appendEscape(dst, first, lowerHex)
				p += n
				continue
			}
		}
		dst = utf8.AppendRune(dst, r)
		p += size
	}
	return append(dst, '"')
}

// appendJavaText appends WTF-8 text as Jackson's generator writes a string:
// every surrogate is escaped, so all that lies above U+FFFF is.
func appendJavaText(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for p := 0; p < len(s); {
		c := s[p]
		if c < 0x80 {
			dst = appendASCII(dst, c, upperHex)
			p++
			continue
		}
		first, low, size := units(s[p:])
		switch {
		case low != 0:
			dst = appendEscape(appendEscape(dst, first, upperHex), low, upperHex)
		case first>>11 == 0x1b:
			dst = appendEscape(dst, first, upperHex)
		default:
			dst = append(dst, s[p:p+size]...)
		}
		p += size
	}
	return append(dst, '"')
}

func appendASCII(dst []byte, c byte, hex string) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	if c < ' ' {
		return appendEscape(dst, uint16(c), hex)
	}
	return append(dst, c)
}

func appendEscape(dst []byte, unit uint16, hex string) []byte {
	return append(dst, '\\', 'u', hex[unit>>12], hex[unit>>8&15], hex[unit>>4&15], hex[unit&15])
}
