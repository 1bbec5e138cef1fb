package decode

import (
	"crypto/sha256"
	"fmt"
	"math"
	"strconv"
	"testing"
)

func TestDoublesPrintAsJDK17DoesIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		f    float64
		want string
	}{
		{0, "0.0"},
		{math.Copysign(0, -1), "-0.0"},
		{-1.5, "-1.5"},
		{1e23, "9.999999999999999E22"},
		{2e23, "1.9999999999999998E23"},
		{8.41e21, "8.409999999999999E21"},
		{5e-324, "4.9E-324"},
		{2.2250738585072014e-308, "2.2250738585072014E-308"},
		{math.MaxFloat64, "1.7976931348623157E308"},
		{0.002, "0.002"},
		{0.001, "0.001"},
		{9.999999999999999e-4, "9.999999999999998E-4"},
		{9999999.999999998, "9999999.999999998"},
		{1e7, "1.0E7"},
		{123456789.125, "1.23456789125E8"},
		{9007199254740993, "9.007199254740992E15"},
		{2.98023223876953125e-8, "2.9802322387695312E-8"},
		{1 << 63, "9.223372036854776E18"},
		{1 << 64, "1.8446744073709552E19"},
		{36028797018963968, "3.6028797018963968E16"},
		{2.2e-322, "2.2E-322"},
		{1e22, "1.0E22"},
		{9.5367431640625e-7, "9.5367431640625E-7"},
	} {
		if got := string(appendDouble(nil, c.f)); got != c.want {
			t.Errorf("%g: %s, want %s", c.f, got, c.want)
		}
	}
}

// TestManyDoublesPrintAsJDK17DoesIt compares the digest of 189,771 lines with
// that of the lines a JVM (17.0.15) printed for the same doubles.
func TestManyDoublesPrintAsJDK17DoesIt(t *testing.T) {
	t.Parallel()
	const want = "ba35169104e7ad8f148a60c9958e4fb290dfdd3811b08efb13fe64d6a68b6f3b"
	digest, lines := sha256.New(), 0
	x := uint64(1)
	for i := range 200_000 {
		x = x*6364136223846793005 + 1442695040888963407
		var f float64
		switch i % 4 {
		case 0:
			f = math.Float64frombits(x)
		case 1:
			f = float64(x>>40) / 1000
		case 2:
			f = float64(int64(x) >> (i % 61))
		case 3:
			f, _ = strconv.ParseFloat(fmt.Sprintf("%de%d", x>>55, x>>20&511), 64)
			if x>>19&1 == 1 {
				f = 1 / f
			}
		}
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue
		}
		lines++
		digest.Write(append(appendDouble(nil, f), '\n'))
	}
	if got := fmt.Sprintf("%x", digest.Sum(nil)); lines != 189_771 || got != want {
		t.Errorf("%d lines, digest %s", lines, got)
	}
}

func FuzzDouble(f *testing.F) {
	for _, d := range []float64{0, 1, 2e23, 5e-324, math.MaxFloat64, 9.999999999999999e-4} {
		f.Add(math.Float64bits(d))
	}
	f.Fuzz(func(t *testing.T, bits uint64) {
		d := math.Float64frombits(bits)
		if math.IsNaN(d) || math.IsInf(d, 0) {
			return
		}
		text := string(appendDouble(nil, d))
		if back, err := strconv.ParseFloat(text, 64); err != nil || back != d {
			t.Errorf("%x: %s reads as %g, %v", bits, text, back, err)
		}
	})
}
