package decode

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf16"
)

func TestErrorsNamePlaceAndReason(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("7", 1001)
	for _, c := range []struct {
		release, key string
		at           int
		reason       string
	}{
		{"3.6.1", `i-am-not-json`, 0, unexpectedChar},
		{"3.6.1", "\x00\x00\x00\x00\x01[\"c\",{}]", 0, controlChar},
		{"3.6.1", `["c",{"p":"v"`, 13, unexpectedEnd},
		{"3.6.1", `["c",{"p":"v"]`, 13, strayBracket},
		{"3.6.1", `["c",{"p":1},]`, 13, strayBracket},
		{"3.6.1", `["c",{p:1}]`, 6, unexpectedChar},
		{"3.6.1", `["c",{"p" 1}]`, 10, unexpectedChar},
		{"3.6.1", "[\"c\",{\"p\":1\x0c}]", 11, controlChar},
		{"3.6.1", "[\"c\",\u00a0{}]", 5, notASCII},
		{"3.6.1", `["c",{"p":tru}]`, 10, unknownWord},
		{"3.6.1", `["c",{"p":tru`, 13, unexpectedEnd},
		{"3.6.1", `nulla`, 4, wordGoesOn},
		{"3.6.1", `1]`, 1, numberGoesOn},
		{"3.5.2", `["c",{"p":-007}]`, 11, leadingZero},
		{"3.6.1", `["c",{"p":5.}]`, 12, wantsDigit},
		{"3.6.1", `["c",{"p":+5}]`, 10, unexpectedChar},
		{"3.7.0", `["c",{"p":` + long + `}]`, 10, numberTooLong},
		{"4.1.1", `["c",{"p":1e2147483648}]`, 10, exponentTooLarge},
		{"3.6.1", `["c\x41",{}]`, 3, badEscape},
		{"3.6.1", `["c\u00g0",{}]`, 3, badEscape},
		{"3.6.1", "[\"c\n\",{}]", 3, rawControl},
		{"3.6.1", "[\"caf\xe9\",{}]", 5, badUTF8},
		{"3.6.1", "[\"\xe2\x82\",{}]", 2, badUTF8},
		// A worker that has seen the name b takes this for it: names are looked up
		// four bytes at a time, filled up with ff. The verdict does not ask that.
		{"3.6.1", "[\"c\",{\"\xffb\":1}]", 7, badUTF8},
		{"4.3.1", "[\"\xed\xa0\x80\",{}]", 2, surrogateUTF8},
		{"4.3.1", `["c",{"a\ud800":1}]`, 8, loneSurrogate},
		{"3.7.0", strings.Repeat("[", 1001), 1000, tooDeep},
		{"3.7.0", `["c",{"` + strings.Repeat("n", 50001) + `":1}]`, 7, nameTooLong},
		{"3.6.1", "\xef\xbb\xbf[\"c\"", 7, unexpectedEnd},
		{"3.6.1", "\xff\xfe[\x00x\x00", 4, unexpectedChar},
		{"3.6.1", "\x00[\x00x", 2, unexpectedChar},
		{"3.6.1", "\x00[\x00\"\xd8\x3d\xde\x00\x00\x01", 8, rawControl},
		{"3.6.1", "[\x00\x00\x00\"\x00\x00\x00\xe9\x00\x00\x00", 12, unexpectedEnd},
		{"3.6.1", "[\x00\x00\x00]\x00\x00\x00\x00\x00\x11\x00", 8, beyondUnicode},
		{"3.6.1", "\x00\x00\x00 \x00", 4, unexpectedEnd},
		{"3.6.1", "\x00\x00\xff\xfexxxx", 0, oddByteOrder},
	} {
		got := CheckKey(rulesNamed(c.release), []byte(c.key))
		if got.Verdict != KeyNotJSON || got.ErrorAt != c.at || got.Reason != c.reason {
			t.Errorf("%.40q on %s: %s at %d: %s; want %d: %s", c.key, c.release, got.Verdict, got.ErrorAt, got.Reason, c.at, c.reason)
		}
		v := CheckValue(rulesNamed(c.release), []byte(c.key))
		if v.Verdict != ValueNotJSON || v.ErrorAt != c.at || v.Reason != c.reason {
			t.Errorf("%.40q as a value: %s at %d: %s", c.key, v.Verdict, v.ErrorAt, v.Reason)
		}
	}
}

func TestPartsOfGoodKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key, name, partition string
		nested, wraps        bool
	}{
		{`["c",{"p":"v"}]`, `c`, `{"p":"v"}`, false, false},
		{" [ \"a\\u0062\" , { \"p\" : 1 } ] x", `a\u0062`, `{ "p" : 1 }`, false, false},
		{`["c",{"p":[1]}]`, `c`, `{"p":[1]}`, true, false},
		{`["c",{"p":{},"q":[]}]`, `c`, `{"p":{},"q":[]}`, true, false},
		{`["c",{"p":[1],"p":2}]`, `c`, `{"p":[1],"p":2}`, false, false},
		{`["c",{"p":[1],"\u0070":2}]`, `c`, `{"p":[1],"\u0070":2}`, false, false},
		{`["c",{"é":[1],"p":2}]`, `c`, `{"é":[1],"p":2}`, true, false},
		{`["c",{"p":9223372036854775808}]`, `c`, `{"p":9223372036854775808}`, false, true},
		{`["c",{"p":-9223372036854775808}]`, `c`, `{"p":-9223372036854775808}`, false, false},
		{`["c",{"p":9223372036854775808,"p":1}]`, `c`, `{"p":9223372036854775808,"p":1}`, false, false},
		{`["c",{"p":[{"q":9223372036854775808}]}]`, `c`, `{"p":[{"q":9223372036854775808}]}`, true, true},
		{`["c",{"p":[{"q":9223372036854775808,"q":0}]}]`, `c`, `{"p":[{"q":9223372036854775808,"q":0}]}`, true, false},
		{`["c",{"p":000000000000000000000000000001}]`, `c`, `{"p":000000000000000000000000000001}`, false, false},
	} {
		got := CheckKey(rulesNamed("3.6.1"), []byte(c.key))
		if got.Verdict != OK || string(got.Name) != c.name || string(got.Partition) != c.partition || got.Nested != c.nested || got.Wraps != c.wraps {
			t.Errorf("%s: %+v, name %s, partition %s", c.key, got, got.Name, got.Partition)
		}
		for mark, encoded := range map[string][]byte{"mark": append([]byte("\xef\xbb\xbf"), c.key...), "UTF-16": utf16Of(c.key)} {
			again := CheckKey(rulesNamed("3.6.1"), encoded)
			if again.Verdict != OK || again.Name != nil || again.Partition != nil || again.Nested != c.nested || again.Wraps != c.wraps {
				t.Errorf("%s with %s: %+v", c.key, mark, again)
			}
		}
	}
}

// utf16Of encodes in UTF-16, big-endian.
func utf16Of(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u>>8), byte(u))
	}
	return b
}

func TestReleasesBefore35AreAnsweredForAs352(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"", " ", `["c",{"p":01}]`, `["c",{"p":-0.0}]`, `["c",{"p":0e2147483648}]`, `["c",null]`} {
		want := ParseKey(rulesNamed("3.5.2"), []byte(key))
		for _, name := range []string{"2.3.0", "2.4.0", "3.3.0"} {
			got := ParseKey(rulesNamed(name), []byte(key))
			if got.Verdict != want.Verdict || !bytes.Equal(got.Canonical, want.Canonical) {
				t.Errorf("%s on %s: %s %s, want %s %s", key, name, got.Verdict, got.Canonical, want.Verdict, want.Canonical)
			}
		}
	}
}
