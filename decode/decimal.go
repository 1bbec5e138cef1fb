package decode

import (
	"math"
	"strconv"
	"strings"

	"koffsets/release"
)

// decimal is a number's text taken apart.
type decimal[T string | []byte] struct {
	negative bool
	whole    T // digits before the point, less zeros in front of others
	fraction T // digits behind it
	exponent int64
	// kept is the exponent as Jackson's parser of long texts has it, which takes
	// no digit behind the one that reaches 2^31-1.
	kept   int64
	length int // of the text, less the zeros dropped
}

func takeApart[T string | []byte](text T) decimal[T] {
	d := decimal[T]{length: len(text)}
	at := 0
	digits := func() T {
		from := at
		for at < len(text) && isDigit(text[at]) {
			at++
		}
		return text[from:at]
	}
	if text[0] == '-' {
		d.negative, at = true, 1
	}
	d.whole = digits()
	for len(d.whole) > 1 && d.whole[0] == '0' {
		d.whole = d.whole[1:]
		d.length--
	}
	if at < len(text) && text[at] == '.' {
		at++
		d.fraction = digits()
	}
	if at == len(text) {
		return d
	}
	at++
	minus := text[at] == '-'
	if minus || text[at] == '+' {
		at++
	}
	for ; at < len(text); at++ {
		if d.exponent < 1<<40 { // far enough out to tell
			d.exponent = d.exponent*10 + int64(text[at]-'0')
		}
		if d.kept < math.MaxInt32 {
			d.kept = d.exponent
		}
	}
	if minus {
		d.exponent, d.kept = -d.exponent, -d.kept
	}
	return d
}

// magnitude is the n for which the number is 0.d times 10 to the n, with d
// beginning with the first digit that is not zero; ok is false for a zero.
func (d *decimal[T]) magnitude() (n int64, ok bool) {
	for i := range len(d.whole) {
		if d.whole[i] != '0' {
			return d.exponent + int64(len(d.whole)-i), true
		}
	}
	for i := range len(d.fraction) {
		if d.fraction[i] != '0' {
			return d.exponent - int64(i), true
		}
	}
	return 0, false
}

// A number of this magnitude or more is no finite double, and one of less than
// its negative is zero as a double.
const beyondDouble = 400

// fitsBigDecimal reports whether java.math.BigDecimal, or what Jackson uses in
// its place, takes the number.
func (d *decimal[T]) fitsBigDecimal(rule release.Exponents) bool {
	// From 500 characters on Jackson has another parser, and since 2.18 that
	// one keeps no bound on the exponent itself.
	exponent := d.exponent
	if d.length >= 500 && rule == release.ExponentsDecimalAlways {
		exponent = d.kept
	} else if exponent != int64(int32(exponent)) {
		return false
	}
	scale := int64(len(d.fraction)) - exponent
	return scale >= -math.MaxInt32 && scale <= math.MaxInt32
}

// exponentAllowed reports whether a number with an exponent is taken.
func exponentAllowed(rule release.Exponents, text []byte) bool {
	d := takeApart(text)
	switch rule {
	case release.ExponentsDecimalUnlessInfinite:
		n, ok := d.magnitude()
		return ok && n > beyondDouble || d.fitsBigDecimal(rule)
	case release.ExponentsDecimalAlways:
		return d.fitsBigDecimal(rule)
	}
	return true
}

// parseDouble is the double Connect makes of a number's text. It goes by way
// of BigDecimal, which knows no negative zero, where the release does.
func parseDouble(rule release.Exponents, text string) float64 {
	d := takeApart(text)
	n, ok := d.magnitude()
	if !ok {
		keepsSign := rule == release.ExponentsAny || rule == release.ExponentsDoubleFallback && !d.fitsBigDecimal(rule)
		if d.negative && keepsSign {
			return math.Copysign(0, -1)
		}
		return 0
	}
	if d.exponent > 9999 || d.exponent < -9999 {
		// strconv keeps no larger exponents, however many digits make up for it.
		text = "0." + strings.TrimLeft(d.whole+d.fraction, "0")
		n = max(-beyondDouble, min(n, beyondDouble))
		text += "e" + strconv.FormatInt(n, 10)
		if d.negative {
			text = "-" + text
		}
	}
	f, _ := strconv.ParseFloat(text, 64) // out of range gives the infinity or zero that Java gives
	return f
}
