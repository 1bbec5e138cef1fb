package decode

import (
	"unicode/utf16"
	"unicode/utf8"
)

// WTF-8 is UTF-8 in which a surrogate that is half of no pair stands as three
// bytes, so that it holds every Java string.

// appendUnit appends a UTF-16 unit to WTF-8 and joins it with the unit before
// where the two are a pair.
func appendUnit(dst []byte, unit uint16) []byte {
	if unit>>11 != 0x1b {
		return utf8.AppendRune(dst, rune(unit))
	}
	if n := len(dst); unit >= 0xdc00 && n >= 3 && dst[n-3] == 0xed && dst[n-2]>>4 == 0xa {
		high, _ := lenient(dst[n-3:])
		return utf8.AppendRune(dst[:n-3], utf16.DecodeRune(rune(high), rune(unit)))
	}
	return append(dst, 0xe0|byte(unit>>12), 0x80|byte(unit>>6&0x3f), 0x80|byte(unit&0x3f))
}

// appendRune appends a character or a surrogate to WTF-8.
func appendRune(dst []byte, r rune) []byte {
	if r > 0xffff {
		return utf8.AppendRune(dst, r)
	}
	return appendUnit(dst, uint16(r))
}

// units gives the one or two UTF-16 units of the character that begins b; low
// is 0 where it has one.
func units[T string | []byte](b T) (first, low uint16, size int) {
	if b[0] < 0x80 {
		return uint16(b[0]), 0, 1
	}
	n, size := lenient([]byte(b[:min(4, len(b))]))
	if n < 0x10000 {
		return uint16(n), 0, max(size, 1)
	}
	hi, lo := utf16.EncodeRune(rune(n))
	return uint16(hi), uint16(lo), size
}

// hashString is String.hashCode.
func hashString(s string) int32 {
	var h int32
	for p := 0; p < len(s); {
		first, low, size := units(s[p:])
		h = h*31 + int32(first)
		if low != 0 {
			h = h*31 + int32(low)
		}
		p += size
	}
	return h
}

// compareUnits is String.compareTo, less the size of the difference: it orders
// by UTF-16 units.
func compareUnits(a, b string) int {
	p := 0
	for p < len(a) && p < len(b) && a[p] == b[p] {
		p++
	}
	for p > 0 && (p < len(a) && a[p]>>6 == 2 || p < len(b) && b[p]>>6 == 2) {
		p--
	}
	if p == len(a) || p == len(b) {
		return len(a) - len(b)
	}
	a1, a2, _ := units(a[p:])
	b1, b2, _ := units(b[p:])
	if a1 != b1 {
		return int(a1) - int(b1)
	}
	return int(a2) - int(b2)
}
