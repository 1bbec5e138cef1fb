package decode

import (
	"encoding/binary"
	"math/bits"
)

// Limits on texts where Jackson has any: UTF-16 units of a string; of a name
// the bytes of its UTF-8, or the units where it came as UTF-16 or UTF-32.
const (
	maxString = 20_000_000
	maxName   = 50_000
)

// str scans a string, or the name of a field, from behind its opening quote to
// behind its closing one. It goes from one byte that matters to the next.
func (s *scanner) str(p int, name bool) int {
	b, from := s.text, p
	for {
		if p+8 <= len(b) {
			m := stops(binary.LittleEndian.Uint64(b[p : p+8]))
			if m == 0 {
				p += 8
				continue
			}
			p += bits.TrailingZeros64(m) / 8
		} else if p = lastPlain(b, p); p >= len(b) {
			return s.fail(len(b), unexpectedEnd)
		}
		if b[p] == '"' {
			if p-from > maxName && s.rules.Limits {
				return s.limit(from, p, name)
			}
			return p + 1
		}
		if p = s.special(p, name); p < 0 {
			return p
		}
	}
}

// lastPlain gives the first place from p on, in the last eight bytes, that str
// stops at, or the end.
func lastPlain(b []byte, p int) int {
	if last := len(b) - 8; last >= 0 { // all of the last eight bytes, less those before p
		x := binary.LittleEndian.Uint64(b[last:]) >> (8 * uint(p-last))
		return min(p+bits.TrailingZeros64(stops(x))/8, len(b))
	}
	for p < len(b) && b[p] >= ' ' && b[p] < 0x80 && b[p] != '"' && b[p] != '\\' {
		p++
	}
	return p
}

// stops marks the high bit of the bytes that are a quote, a backslash, a
// control character or no ASCII. Bytes above the first may be marked wrongly.
func stops(x uint64) uint64 {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	low := x ^ 0x02*ones // makes the quote 20, and keeps what is below 20 there
	slash := x ^ '\\'*ones
	return ((low - 0x21*ones) | (slash - ones) | x) & highs
}

// special scans what is no plain character of a string.
func (s *scanner) special(p int, name bool) int {
	switch c := s.text[p]; {
	case c == '\\':
		return s.escape(p, name)
	case c < ' ':
		return s.fail(p, rawControl)
	}
	return s.multibyte(p)
}

// escape scans the escape at p.
func (s *scanner) escape(p int, name bool) int {
	if p+1 >= len(s.text) {
		return s.fail(len(s.text), unexpectedEnd)
	}
	switch s.text[p+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return p + 2
	case 'u':
	default:
		return s.fail(p, badEscape)
	}
	unit, ok := s.hex4(p)
	if !ok {
		return -1
	}
	if !name || !s.rules.StrictSurrogates || s.wide != nil || unit>>11 != 0x1b {
		return p + 6
	}
	if unit < 0xdc00 && p+7 < len(s.text) && s.text[p+6] == '\\' && s.text[p+7] == 'u' {
		low, ok := s.hex4(p + 6)
		if !ok {
			return -1
		}
		if low>>10 == 0x37 {
			return p + 12
		}
	}
	return s.fail(p, loneSurrogate)
}

// hex4 reads the digits of the \u at p.
func (s *scanner) hex4(p int) (uint16, bool) {
	var unit uint16
	for i := p + 2; i < p+6; i++ {
		if i >= len(s.text) {
			s.fail(len(s.text), unexpectedEnd)
			return 0, false
		}
		d := hexDigit(s.text[i])
		if d > 15 {
			s.fail(p, badEscape)
			return 0, false
		}
		unit = unit<<4 | uint16(d)
	}
	return unit, true
}

// hexDigit is the value of a hexadecimal digit, or 255.
func hexDigit(c byte) byte {
	switch {
	case isDigit(c):
		return c - '0'
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 255
}

// multibyte scans one character above ASCII at p. Jackson only looks at the
// pattern of the bytes: overlong forms pass, so does what lies above U+10FFFF,
// and surrogates pass where the release is not strict.
func (s *scanner) multibyte(p int) int {
	_, size := lenient(s.text[p:])
	if size == 0 {
		return s.fail(p, badUTF8)
	}
	if s.text[p] == 0xed && s.text[p+1] >= 0xa0 && s.rules.StrictSurrogates && s.wide == nil {
		return s.fail(p, surrogateUTF8)
	}
	return p + size
}

// lenient decodes the bits of one UTF-8 sequence, as Jackson does; size 0 says
// that it has not the pattern of one.
func lenient(b []byte) (n uint32, size int) {
	switch c := b[0]; {
	case c < 0x80:
		return uint32(c), 1
	case c < 0xc0 || c > 0xf7:
		return 0, 0
	case c < 0xe0:
		n, size = uint32(c&0x1f), 2
	case c < 0xf0:
		n, size = uint32(c&0x0f), 3
	default:
		n, size = uint32(c&0x07), 4
	}
	if len(b) < size {
		return 0, 0
	}
	for _, c := range b[1:size] {
		if c&0xc0 != 0x80 {
			return 0, 0
		}
		n = n<<6 | uint32(c&0x3f)
	}
	return n, size
}

// limit gives the place behind a string or name that is long enough to be too
// long, or fails.
func (s *scanner) limit(from, to int, name bool) int {
	raw := s.text[from:to]
	switch {
	case !name:
		if len(raw) > maxString && textUnits(raw) > maxString {
			return s.fail(from, textTooLong)
		}
	case s.wide != nil && textUnits(raw) > maxName, s.wide == nil && s.nameBytes(raw) > maxName:
		return s.fail(from, nameTooLong)
	}
	return to + 1
}

// textUnits counts the UTF-16 units of a scanned string.
func textUnits(raw []byte) int {
	n := 0
	for p := 0; p < len(raw); n++ {
		switch {
		case raw[p] == '\\' && raw[p+1] == 'u':
			p += 6
		case raw[p] == '\\':
			p += 2
		case raw[p] >= 0x80:
			_, size := lenient(raw[p:])
			n += size / 4
			p += size
		default:
			p++
		}
	}
	return n
}

// nameBytes counts the bytes of a scanned name as Jackson keeps it, in UTF-8.
func (s *scanner) nameBytes(raw []byte) int {
	n := 0
	for p := 0; p < len(raw); {
		if raw[p] != '\\' {
			n, p = n+1, p+1
			continue
		}
		if raw[p+1] != 'u' {
			n, p = n+1, p+2
			continue
		}
		unit, _ := (&scanner{text: raw}).hex4(p)
		p += 6
		switch {
		case unit < 0x80:
			n++
		case unit < 0x800, unit>>11 == 0x1b && s.rules.NameBytesExact:
			n += 2 // a half of a pair's four
		default:
			n += 3
		}
	}
	return n
}
