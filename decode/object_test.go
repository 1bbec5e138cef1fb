package decode

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestSpellings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key  string
		want Spelling
	}{
		{`["c",{"cluster":"a","partition":0,"topic":"t"}]`, Canonical},
		{`["c",{"topic":"t","partition":0,"cluster":"a"}]`, OwnOrder},
		{`["c",{"p":{"b":1,"a":2}}]`, OwnOrder},
		{`["c",{"p":-0.0}]`, OwnOrder},
		{`["c",{"b":-0.0,"a":1}]`, OwnOrder},
		{`["c",{"p":-0.00}]`, Other},
		{`["c", {"p":1}]`, Other},
		{`["c",{"b":1,"a":1.50}]`, Other},
		{`["caf\u00e9",{}]`, Other},
		{`["\uD83D\uDE00",{}]`, Canonical},
		{`["😀",{}]`, Other},
		{`["c",{"a":1,"a":1}]`, Other},
		{`["c",{}]x`, Other},
		{"\xef\xbb\xbf" + `["c",{}]`, Other},
	} {
		k := ParseKey(rulesNamed("3.9.1"), []byte(c.key))
		if k.Verdict != OK || k.Spelling != c.want {
			t.Errorf("%s: %s %s, want %s; canonical is %s", c.key, k.Verdict, k.Spelling, c.want, k.Canonical)
		}
	}
}

func TestIdentityIsThatOfJavasMaps(t *testing.T) {
	t.Parallel()
	same := [][]string{
		{`["c",{"a":1,"b":2}]`, `["c",{"b":2,"a":1}]`, ` [ "\u0063" , {"b":2,"a":01} ] `, `["c",{"a":18446744073709551617,"b":2}]`, `["c",{"a":5,"b":2,"a":1}]`},
		{`["c",{"a":1.0,"b":2}]`, `["c",{"a":1.00,"b":2}]`, `["c",{"a":1e0,"b":2}]`},
		{`["c",{"a":0.0}]`, `["c",{"a":-0.0}]`},
		{`["c",{"a":-1e-400}]`},
		{`["c",{"a":0}]`, `["c",{"a":-0}]`},
		{`["c",{"a":"1"}]`},
		{`["c",{"a":null}]`},
		{`["c",{}]`},
		{`["",{"c":null}]`},
		{`["c",{"a":[1,2]}]`},
		{`["c",{"a":[2,1]}]`},
		{`["c",{"a":{"x":1,"y":[]}}]`, `["c",{"a":{"y":[],"x":1}}]`},
		{`["😀",{}]`, `["\ud83d\ude00",{}]`, "[\"\xed\xa0\xbd\xed\xb8\x80\",{}]", "[\"\\ud83d\xed\xb8\x80\",{}]"},
		{`["\ude00\ud83d",{}]`},
	}
	seen := map[string]string{}
	for _, keys := range same {
		var first []byte
		for i, key := range keys {
			k := ParseKey(rulesNamed("3.9.1"), []byte(key))
			if k.Verdict != OK {
				t.Fatalf("%s: %s", key, k.Verdict)
			}
			id := k.AppendIdentity(nil)
			if i == 0 {
				first = id
			}
			if !bytes.Equal(id, first) {
				t.Errorf("%s is not %s", key, keys[0])
			}
		}
		if other, ok := seen[string(first)]; ok {
			t.Errorf("%s is %s", keys[0], other)
		}
		seen[string(first)] = keys[0]
	}
}

func TestJSONForMachinesKeepsTheRecord(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ value, want string }{
		{`{ "z" : 1.50 , "a" : 18446744073709551616 }`, `{"z":1.50,"a":18446744073709551616}`},
		{`{"n":-0070.10e+05,"m":00}`, `{"n":-70.10e+05,"m":0}`},
		{`{"a":1,"b":2,"a":{"x":[true,false,null]}}`, `{"a":{"x":[true,false,null]},"b":2}`},
		{`{"\u00e9\ud800":"\/\u001b\u007f😀\udc00"}`, `{"é\ud800":"/\u001b` + "\x7f" + `😀\udc00"}`},
		{`{}`, `{}`},
	} {
		o := ParseValue(rulesNamed("3.9.1"), []byte(c.value))
		if got := o.Map.AppendJSON(nil); string(got) != c.want || !json.Valid(got) {
			t.Errorf("%s: %s, want %s", c.value, got, c.want)
		}
	}
}

func TestTextOfAnyBytesIsAJSONString(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"plain", `"plain"`},
		{"\"\\\b\f\n\r\t\x00\x1f", `"\"\\\b\f\n\r\t\u0000\u001f"`},
		{"\xed\xa0\xbd", `"\ud83d"`},
		{"a\xffb\xc3", "\"a\ufffdb\ufffd\""},
		{"\xed\xa0", "\"\ufffd\ufffd\""},
	} {
		if got := AppendText(nil, c.text); string(got) != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}
