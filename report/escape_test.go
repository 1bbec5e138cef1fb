package report

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEscapeKeepsWhatIsPrintableAndDistinguishesTheRest(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                      "",
		`["c",{"p":1}]`:         `["c",{"p":1}]`,
		"größe 漢字 😀":            "größe 漢字 😀",
		`a\nb`:                  `a\\nb`,
		"a\nb\r\t\x00\x1b":      `a\nb\r\t\x00\x1b`,
		"\x1b]52;c;QQ==\a":      `\x1b]52;c;QQ==\a`,
		"\u009b31m\u202e\u2066": `\u009b31m\u202e\u2066`,
		"\u00a0\u200d\ufeff":    `\u00a0\u200d\ufeff`,
		"\xff\xc3(\xe2\x82":     `\xff\xc3(\xe2\x82`,
		"\ufffd":                "\ufffd",
		"\xed\xa0\x80":          `\xed\xa0\x80`,
		"\U000e0001":            `\U000e0001`,
		"\x7f":                  `\x7f`,
	} {
		if got := Escape(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
	if got := Visible("a\\\n"); got != `a\\n` {
		t.Errorf("Visible doubles backslashes: %s", got)
	}
	if got := name("a\xed\xa0\x80\x1b\xed\xb0\x80\\"); got != `a\ud800\x1b\udc00\\` {
		t.Errorf("a name in WTF-8: %s", got)
	}
}

func FuzzEscape(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e := Escape(s)
		if bad := harmful(e, ""); bad != "" {
			t.Errorf("%q became %q with %s", s, e, bad)
		}
		if e == s && strings.Contains(s, `\`) {
			t.Errorf("%q kept its backslash", s)
		}
		if n := string(name(s)); harmful(n, "") != "" {
			t.Errorf("%q became the name %q", s, n)
		}
		j := appendText(nil, s)
		var back string
		if err := json.Unmarshal(j, &back); err != nil || harmful(string(j), "") != "" {
			t.Errorf("%q became the JSON %q: %v", s, j, err)
		}
		if utf8.ValidString(s) && back != s {
			t.Errorf("%q came back from JSON as %q", s, back)
		}
	})
}

// hostile are texts that do harm where they are printed as they are.
var hostile = []string{
	"\x1b[31mred\x1b[0m", "\x1b]52;c;QQ==\a", "two\nlines", "over\rwritten", "tab\tstop", "nul\x00", "bell\a\b\x7f",
	"rtl \u202eevil\u2069", "c1 \u009b31m \u0085", "zero\u200dwidth\ufeff", "bad \xff\xfe\xc3( utf8", "half \xed\xa0\x80 pair",
	`back\slash \n`, `"quoted" 'too'`, "line\u2028sep", "\U000e0041tag", "", " ", "null", "a: b # c", "- [x, {y", "---", "é漢😀",
	"=cmd|' /C calc'!A0", "<script>alert(1)</script>", "|pipe|`tick`", "漢字漢字漢字漢字",
}

// harmful names the first byte or rune that a terminal or a parser may act on.
func harmful(s, allowed string) string {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\ufffd") {
			return "a byte that is no UTF-8"
		}
		if strings.ContainsRune(allowed, r) {
			continue
		}
		if r < ' ' || r >= 0x7f && r < 0xa0 || strings.ContainsRune("\u200b\u200d\u202a\u202e\u2028\u2029\u2066\u2069\ufeff\U000e0041", r) {
			return "the rune " + Escape(string(r))
		}
	}
	return ""
}
