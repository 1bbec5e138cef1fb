package decode

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
)

// appendDouble appends a finite double as Double.toString of JDK 17 prints it.
// Up to JDK 18 that is not always the shortest text: 2e23 prints as
// 1.9999999999999998E23. The steps and their slips are those of the JDK's
// FloatingDecimal, since keys were written with them.
func appendDouble(dst []byte, f float64) []byte {
	if math.Signbit(f) {
		dst = append(dst, '-')
		f = -f
	}
	if f == 0 {
		return append(dst, "0.0"...)
	}
	digits, point := doubleDigits(f)
	switch {
	case point > 0 && point < 8:
		whole := min(len(digits), point)
		dst = append(dst, digits[:whole]...)
		for range point - whole {
			dst = append(dst, '0')
		}
		return appendFraction(append(dst, '.'), digits[whole:])
	case point <= 0 && point > -3:
		dst = append(dst, "0."...)
		for range -point {
			dst = append(dst, '0')
		}
		return append(dst, digits...)
	}
	dst = appendFraction(append(dst, digits[0], '.'), digits[1:])
	return strconv.AppendInt(append(dst, 'E'), int64(point-1), 10)
}

// appendFraction appends digits, at least one.
func appendFraction(dst, digits []byte) []byte {
	if len(digits) == 0 {
		return append(dst, '0')
	}
	return append(dst, digits...)
}

const significandBits = 53

// doubleDigits gives the decimal digits that Java prints of a positive double,
// and where the point lies: the double is about 0.digits times 10 to the point.
func doubleDigits(f float64) (digits []byte, point int) {
	raw := math.Float64bits(f)
	fraction, exponent := raw&(1<<52-1), int(raw>>52)
	significant := significandBits
	if exponent == 0 {
		shift := bits.LeadingZeros64(fraction) - 11
		fraction <<= shift
		exponent, significant = 1-shift, significandBits-shift
	} else {
		fraction |= 1 << 52
	}
	exponent -= 1023
	tail := bits.TrailingZeros64(fraction)
	if binary := max(0, significandBits-tail-exponent-1); binary == 0 && exponent <= 62 {
		return integerDigits(fraction, exponent, significant)
	}
	return newDevelopment(fraction, exponent, significant).run()
}

// integerDigits prints a double without fraction below 2^63. It leaves out
// digits that the double does not determine, rounding half up.
func integerDigits(fraction uint64, exponent, significant int) (digits []byte, point int) {
	n, dropped := fraction, 0
	if exponent >= 52 {
		n <<= exponent - 52
	} else {
		n >>= 52 - exponent
	}
	if exponent > significant {
		// floor(log10(2^p)) of the p bits that are not significant
		if p := exponent - significant - 1; p > 1 {
			dropped = int(float64(p) * math.Log10(2))
		}
		power := uint64(1)
		for range dropped {
			power *= 10
		}
		rest := n % power
		n /= power
		if dropped > 0 && rest >= power/2 {
			n++
		}
	}
	digits = strconv.AppendUint(nil, n, 10)
	point = len(digits) + dropped
	for len(digits) > 1 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	return digits, point
}

// development is the state of printing a double digit by digit: it is b/s
// times 10 to the decimal exponent, and m is half the distance to the next
// double on the scale of b. Each of the three is a product of powers of 2 and
// 5, and b of the significand as well.
type development struct {
	significand uint64
	bits        int // of the significand
	decimal     int
	b2, b5      int
	s2, s5      int
	m2, m5      int

	digits    []byte
	low, high bool // the digits so far are near enough from below, from above
	tie       int  // where both: twice the remainder against the step
}

func newDevelopment(fraction uint64, exponent, significant int) *development {
	tail := bits.TrailingZeros64(fraction)
	d := &development{significand: fraction >> tail, bits: significandBits - tail}
	tiny := max(0, d.bits-exponent-1)
	d.decimal = estimateExponent(fraction, exponent)
	d.b5 = max(0, -d.decimal)
	d.b2 = d.b5 + tiny + exponent
	d.s5 = max(0, d.decimal)
	d.s2 = d.s5 + tiny
	d.m5 = d.b5
	d.m2 = d.b2 - significant
	d.b2 -= d.bits - 1
	common := min(d.b2, d.s2)
	d.b2, d.s2, d.m2 = d.b2-common, d.s2-common, d.m2-common
	if d.bits == 1 {
		d.m2-- // below a power of two the doubles lie half as far apart
	}
	if d.m2 < 0 {
		d.b2, d.s2, d.m2 = d.b2-d.m2, d.s2-d.m2, 0
	}
	return d
}

// estimateExponent is the decimal exponent, or one more. The conversions keep
// the sums from being fused, which would change them.
func estimateExponent(fraction uint64, exponent int) int {
	f := math.Float64frombits(1023<<52 | fraction&(1<<52-1))
	a := float64((f-1.5)*0.289529654) + 0.176091259
	return int(math.Floor(a + float64(float64(exponent)*0.301029995663981)))
}

func (d *development) run() (digits []byte, point int) {
	size := d.bits + d.b2 + bitsOf5(d.b5)
	step := d.s2 + 1 + bitsOf5(d.s5+1)
	switch {
	case size < 32 && step < 32:
		developWords(d, pow5[int32](d.b5), pow5[int32](d.s5), pow5[int32](d.m5))
	case size < 64 && step < 64:
		developWords(d, pow5[int64](d.b5), pow5[int64](d.s5), pow5[int64](d.m5))
	default:
		d.developBig()
	}
	point = d.decimal + 1
	if d.high && (!d.low || d.tie > 0 || d.tie == 0 && d.digits[len(d.digits)-1]&1 != 0) {
		point += roundUp(d.digits)
	}
	return d.digits, point
}

// take keeps a digit. The first is left out where it is zero for want of a
// better estimate.
func (d *development) take(digit byte, first bool) {
	if first && digit == 0 && !d.high {
		d.decimal--
	} else {
		d.digits = append(d.digits, '0'+digit)
	}
	if first && (d.decimal < -3 || d.decimal >= 8) {
		d.low, d.high = false, false // to have a digit behind the point
	}
}

// developWords develops the digits in Java's int or long, overflow and all.
func developWords[T int32 | int64](d *development, b5, s5, m5 T) {
	b := T(d.significand) * b5 << d.b2
	s := s5 << d.s2
	m := m5 << d.m2
	tens := s * 10
	for first := true; first || !d.low && !d.high; first = false {
		digit := byte(b / s)
		b = 10 * (b % s)
		m *= 10
		d.low, d.high = b < m, b+m > tens
		if m <= 0 && !first {
			d.low, d.high = true, true // m has overflowed, so it is large
		}
		d.take(digit, first)
	}
	d.tie = cmpWords(b<<1, tens)
}

func cmpWords[T int32 | int64](a, b T) int {
	switch diff := a - b; {
	case diff < 0:
		return -1
	case diff > 0:
		return 1
	}
	return 0
}

// developBig does the same without bounds. Unlike developWords it takes the
// upper end of the interval for near enough.
func (d *development) developBig() {
	b := scaled(new(big.Int).SetUint64(d.significand), d.b5, d.b2)
	s := scaled(big.NewInt(1), d.s5, d.s2)
	m := scaled(big.NewInt(1), d.m5, d.m2)
	ten := big.NewInt(10)
	tens := new(big.Int).Mul(s, ten)
	digit, sum := new(big.Int), new(big.Int)
	for first := true; first || !d.low && !d.high; first = false {
		digit.QuoRem(b, s, b)
		b.Mul(b, ten)
		m.Mul(m, ten)
		d.low, d.high = b.Cmp(m) < 0, tens.Cmp(sum.Add(b, m)) <= 0
		d.take(byte(digit.Uint64()), first)
	}
	d.tie = b.Lsh(b, 1).Cmp(tens)
}

func scaled(n *big.Int, five, two int) *big.Int {
	n.Mul(n, new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(five)), nil))
	return n.Lsh(n, uint(two))
}

func pow5[T int32 | int64](n int) T {
	p := T(1)
	for range n {
		p *= 5
	}
	return p
}

// bitsOf5 is how many bits 5^n has, roughly where that is many.
func bitsOf5(n int) int {
	switch {
	case n == 0:
		return 0
	case n < 27:
		return bits.Len64(uint64(pow5[int64](n)))
	}
	return 3 * n
}

// roundUp adds one to the last digit; it gives 1 where the number became one
// digit longer, which moves the point.
func roundUp(digits []byte) int {
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i] != '9' {
			digits[i]++
			return 0
		}
		digits[i] = '0'
	}
	digits[0] = '1'
	return 1
}
