package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"koffsets/decode"
	"koffsets/release"
)

// stub is a result with n items that hold a text and an object.
type stub struct {
	n    int
	text string
	m    decode.Object
}

func (stub) Schema() string      { return "koffsets.stub/v1" }
func (s stub) Head(o *Object)    { o.Object("head", func() { o.Text("text", s.text) }) }
func (s stub) Summary(o *Object) { o.Int("n", int64(s.n)) }
func (s stub) Items() iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for range s.n {
			if !yield(s) {
				return
			}
		}
	}
}

func (s stub) Members(o *Object) {
	o.Text("text", s.text)
	o.Key("key", []byte(s.text))
	o.Key("null_key", nil)
	o.Map("map", &s.m)
	o.Bool("yes", true)
	o.Known("unknown", -1)
	o.List("list", 2, func(i int) { o.Int("i", int64(i)) })
	o.List("none", 0, nil)
	o.Object("empty", func() {})
}

func (s stub) Names() iter.Seq[Safe] { return slices.Values([]Safe{untrusted(s.text)}) }

func (s stub) Document(Format, Options) *Document {
	return &Document{Table: &Rows{Columns: columns("text"), Rows: slices.Values(slices.Repeat([][]Span{plain(untrusted(s.text))}, s.n))}}
}

func print(t testing.TB, f Format, r Result, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, f, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func objectOf(t testing.TB, json string) decode.Object {
	t.Helper()
	rules := release.MustParse("3.9.1").Rules
	k := decode.ParseKey(&rules, []byte(`["c",`+json+`]`))
	if k.Verdict != decode.OK {
		t.Fatalf("%s: %s", json, k.Verdict)
	}
	return k.SourcePartition
}

func TestJSONIsOneObjectWithItsSchemaFirst(t *testing.T) {
	t.Parallel()
	s := stub{n: 2, text: "a", m: objectOf(t, `{"n":1.50,"big":123456789012345678901234567890}`)}
	item := `{"text":"a","key":{"text":"a"},"null_key":null,"map":{"n":1.50,"big":123456789012345678901234567890},"yes":true,"unknown":null,"list":[{"i":0},{"i":1}],"none":[],"empty":{}}`
	want := `{"schema":"koffsets.stub/v1","head":{"text":"a"},"items":[` + "\n" + item + ",\n" + item + "\n" + `],"summary":{"n":2}}` + "\n"
	if got := print(t, JSON, s, Options{}); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	want = item + "\n" + item + "\n" + `{"schema":"koffsets.stub/v1","summary":{"n":2},"head":{"text":"a"}}` + "\n"
	if got := print(t, JSONLines, s, Options{}); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	s.n = 0
	if got := print(t, JSON, s, Options{}); got != `{"schema":"koffsets.stub/v1","head":{"text":"a"},"items":[],"summary":{"n":0}}`+"\n" {
		t.Errorf("without items: %s", got)
	}
}

func TestYAMLSaysWhatJSONSays(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("k", 5000)
	maps := []string{
		`{}`, `{"a":1,"b":[1,2,{"c":null}],"d":{"e":{"f":{"g":{"h":{"i":[[],{}]}}}}}}`,
		`{"` + long + `":1,"nested":{"` + long + `":{"` + long + `":[]}}}`,
		`{"null":1,"yes":2,"n":3,"Ab":4,"":5,"a b":6,"7":7,"-":8,"\"":9,"\\":10,"ü":11,"\u202e":12,"\n":13}`,
		`{"yes":1,"off":2,"y":3,"1.5":4,"a: b":5,"- c":6,"7a":7,"x":1e5,"z":0.10,"true":true,"lone":"\\ud800\ud83d\ude00"}`,
		`{"deep":` + strings.Repeat(`{"a":[`, 450) + `1` + strings.Repeat(`]}`, 450) + `}`,
	}
	for _, n := range []int{0, 1, 3} {
		for _, m := range maps {
			for _, text := range hostile {
				s := stub{n: n, text: text, m: objectOf(t, m)}
				var fromJSON, fromYAML any
				if err := json.Unmarshal([]byte(print(t, JSON, s, Options{})), &fromJSON); err != nil {
					t.Fatal(err)
				}
				y := print(t, YAML, s, Options{})
				if err := yaml.Unmarshal([]byte(y), &fromYAML); err != nil {
					t.Fatalf("%q %.80s: %v\n%.2000s", text, m, err, y)
				}
				if strings.Contains(text, "\xed\xa0\x80") {
					continue // YAML has no lone surrogates
				}
				if j, y2 := fmt.Sprint(normal(fromJSON)), fmt.Sprint(normal(fromYAML)); j != y2 {
					t.Errorf("%q %.80s: got\n%.3000s\nwant\n%.3000s", text, m, y2, j)
				}
			}
		}
	}
}

func TestYAMLKeepsTheTextOfNumbersAndQuotesNamesThatAreNone(t *testing.T) {
	t.Parallel()
	s := stub{n: 1, m: objectOf(t, `{"z":0.10,"big":123456789012345678901234567890,"e":1E400,"neg":-0,"y":1,"true":2,"7":3}`)}
	out := print(t, YAML, s, Options{})
	for _, want := range []string{"z: 0.10\n", "big: 123456789012345678901234567890\n", "e: 1E400\n", "neg: -0\n", `"y": 1`, `"true": 2`, `"7": 3`} {
		if !strings.Contains(out, want) {
			t.Errorf("lacks %s: %s", want, out)
		}
	}
}

// normal makes what two parsers made of numbers and maps comparable.
func normal(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for k, e := range v {
			m[k] = normal(e)
		}
		return m
	case map[any]any:
		m := map[string]any{}
		for k, e := range v {
			m[fmt.Sprint(k)] = normal(e)
		}
		return m
	case []any:
		l := make([]any, len(v))
		for i := range v {
			l[i] = normal(v[i])
		}
		return l
	case int:
		return float64(v)
	}
	return v
}

func TestHostileTextDoesNoHarmInAnyFormat(t *testing.T) {
	t.Parallel()
	for _, text := range hostile {
		s := stub{n: 3, text: text, m: decode.Object{Fields: []decode.Field{{Name: text, Value: decode.Value{Class: decode.JavaString, Text: text}}}}}
		for f := range Name + 1 {
			for _, o := range []Options{{}, {Width: 20}} {
				out := print(t, f, s, o)
				allowed := "\n"
				if f == TSV {
					allowed = "\n\t"
				}
				if bad := harmful(out, allowed); bad != "" {
					t.Errorf("%s of %q: %s in %q", f, text, bad, out)
				}
				if lines := strings.Count(out, "\n"); f == TSV && lines != 4 || f == Name && lines != 1 || f == JSONLines && lines != 4 {
					t.Errorf("%s of %q has %d lines", f, text, lines)
				}
			}
		}
	}
}

func TestJSONGivesKeysBackByteForByte(t *testing.T) {
	t.Parallel()
	for _, text := range hostile {
		var got struct {
			Items []struct {
				Key struct {
					Text   *string
					Base64 []byte
				}
			}
		}
		if err := json.Unmarshal([]byte(print(t, JSON, stub{n: 1, text: text}, Options{})), &got); err != nil {
			t.Fatal(err)
		}
		key := got.Items[0].Key
		if back := key.Base64; key.Text != nil {
			back = []byte(*key.Text)
			if string(back) != text {
				t.Errorf("%q came back as %q", text, back)
			}
		} else if string(back) != text {
			t.Errorf("%q came back as %q", text, back)
		}
	}
}

func TestALoneSurrogateKeepsItsEscape(t *testing.T) {
	t.Parallel()
	s := stub{n: 1, text: "a\xed\xa0\x80b", m: objectOf(t, `{"\udfff":"\ud800"}`)}
	for f, want := range map[Format][]string{
		JSON: {`"text":"a\ud800b"`, `{"\udfff":"\ud800"}`},
		YAML: {`text: "a\\ud800b"`, `"\\udfff": "\\ud800"`},
	} {
		out := print(t, f, s, Options{})
		for _, w := range want {
			if !strings.Contains(out, w) {
				t.Errorf("%s lacks %s: %s", f, w, out)
			}
		}
	}
}

func TestRedactedHidesKeysAndMaps(t *testing.T) {
	t.Parallel()
	s := stub{n: 1, text: "public", m: objectOf(t, `{"secret":"secret"}`)}
	for _, f := range []Format{JSON, JSONLines, YAML} {
		out := print(t, f, s, Options{KeyFormat: Redacted})
		if strings.Contains(out, "secret") || strings.Count(out, "redacted") != 2 {
			t.Errorf("%s: %s", f, out)
		}
	}
}

func TestErrorsOfTheWriterEndTheWriting(t *testing.T) {
	t.Parallel()
	closed := errors.New("closed")
	for f := range Name + 1 {
		w := &closing{err: closed}
		if err := Write(w, f, stub{n: 1_000_000, text: strings.Repeat("x", 1000)}, Options{}); !errors.Is(err, closed) || w.calls > 1 {
			t.Errorf("%s: %v after %d writes", f, err, w.calls)
		}
	}
}

type closing struct {
	err   error
	calls int
}

func (c *closing) Write([]byte) (int, error) { c.calls++; return 0, c.err }

func TestFormatsAreParsedByTheirNames(t *testing.T) {
	t.Parallel()
	for _, n := range Formats() {
		if f, err := ParseFormat(n); err != nil || f.String() != n {
			t.Errorf("%s: %v, %v", n, f, err)
		}
	}
	for _, n := range KeyFormats() {
		if f, err := ParseKeyFormat(n); err != nil || f.String() != n {
			t.Errorf("%s: %v, %v", n, f, err)
		}
	}
	if _, err := ParseFormat("xml"); err == nil {
		t.Error("xml is a format")
	}
	if _, err := ParseKeyFormat(""); err == nil {
		t.Error("nothing is a key format")
	}
	if len(Formats()) != int(Name)+1 || !reflect.DeepEqual(Formats()[0], "table") {
		t.Error(Formats())
	}
}
