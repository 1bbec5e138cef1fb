package decode

import (
	"encoding/binary"
	"math/bits"
)

// maxDigits is Jackson's limit on the digits of a number.
const maxDigits = 1000

func isDigit(c byte) bool { return c-'0' <= 9 }

// digits gives the place behind the digits at p.
func digits(text []byte, p int) int {
	for ; p+8 <= len(text); p += 8 {
		x := binary.LittleEndian.Uint64(text[p : p+8])
		if m := ((x + 0x4646464646464646) | (x - 0x3030303030303030)) & 0x8080808080808080; m != 0 {
			return p + bits.TrailingZeros64(m)/8
		}
	}
	for p < len(text) && isDigit(text[p]) {
		p++
	}
	return p
}

// integer gives the place behind the digits at p, where they are all of the
// number and it is short, else p.
func integer(text []byte, p int) int {
	q := digits(text, p)
	if q-p > 18 || q < len(text) && (text[q] == '.' || text[q]|0x20 == 'e') {
		return p
	}
	return q
}

// number scans the number at p.
func (s *scanner) number(p int) (int, Class) {
	text, from := s.text, p
	if text[p] == '-' {
		p++
	}
	significant := p
	if p < len(text) && text[p] == '0' {
		for p+1 < len(text) && isDigit(text[p+1]) {
			if !s.rules.LeadingZeros {
				return s.fail(p, leadingZero), JavaLong
			}
			if text[p] != '0' {
				break
			}
			p++
		}
		significant = p
	}
	if p = digits(text, p); p == significant {
		return s.noDigit(p), JavaLong
	}
	whole, fraction, exponent := p-significant, 0, 0
	if p == len(text) || text[p] != '.' && text[p]|0x20 != 'e' {
		if whole < 19 {
			return p, JavaLong
		}
		if overflows(text[significant:p], text[from] == '-') {
			s.met |= metWrap
		}
		if whole > maxDigits && s.rules.Limits {
			return s.fail(from, numberTooLong), JavaLong
		}
		return p, JavaLong
	}
	if text[p] == '.' {
		point := p
		if p = digits(text, p+1); p == point+1 {
			return s.noDigit(p), JavaDouble
		}
		fraction = p - point - 1
	}
	if p < len(text) && text[p]|0x20 == 'e' {
		p++
		if p < len(text) && (text[p] == '+' || text[p] == '-') {
			p++
		}
		begin := p
		if p = digits(text, p); p == begin {
			return s.noDigit(p), JavaDouble
		}
		exponent = p - begin
	}
	if over := whole + fraction + exponent - maxDigits; over > 0 && s.rules.Limits {
		if over > 1 || !s.forgivesDigit(from, p, fraction, exponent) {
			return s.fail(from, numberTooLong), JavaDouble
		}
	}
	if exponent > 8 && !exponentAllowed(s.rules.Exponents, text[from:p]) {
		return s.fail(from, exponentTooLarge), JavaDouble
	}
	return p, JavaDouble
}

func (s *scanner) noDigit(p int) int {
	if p >= len(s.text) {
		return s.fail(len(s.text), unexpectedEnd)
	}
	return s.fail(p, wantsDigit)
}

// overflows reports whether an integer of these digits, without leading
// zeros, needs more than 64 bits.
func overflows(digits []byte, negative bool) bool {
	limit := "9223372036854775807"
	if negative {
		limit = "9223372036854775808"
	}
	return len(digits) > len(limit) || string(digits) > limit
}

// forgivesDigit reports whether a number of one digit too many passes. The
// reader of UTF-16 and UTF-32 counts an absent fraction or exponent as -1 where
// it takes the slow way: at a leading zero, and where a buffer ends.
func (s *scanner) forgivesDigit(from, to, fraction, exponent int) bool {
	if s.wide == nil || (fraction == 0) == (exponent == 0) {
		return false
	}
	first := from
	if s.text[first] == '-' {
		first++
	}
	return s.text[first] == '0' || to == len(s.text) || s.wide.buffer(s.text, from) != s.wide.buffer(s.text, to)
}
