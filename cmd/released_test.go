package cmd_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"koffsets/decode"
	"koffsets/release"
	realkafka "koffsets/testdata/kafka"
)

// comparison asks the classes of every release the same questions as decode.
type comparison struct {
	program string // of the oracle
	parts   int    // byte strings an answer
	corpus  string // vectors that questions are made from
	share   int    // it gets one of so many questions
	make    func(*realkafka.Generator) []byte
	// difference says how decode disagrees with an answer, "" for not at all.
	difference func(rules *release.Rules, question []byte, answer [][]byte) string
}

// releases are those that are asked: every profile of release that judges keys.
var releases = []string{
	"3.5.1", "3.5.2", "3.6.0", "3.6.1", "3.6.2", "3.7.0", "3.9.1", "4.0.0", "4.1.1", "4.3.1", "4.4.0",
}

// setting is a number that make oracle sets.
func setting(t *testing.T, name string, otherwise int) int {
	t.Helper()
	n, err := strconv.Atoi(cmp.Or(os.Getenv(name), strconv.Itoa(otherwise)))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// questionsPerRelease is the share that every run takes: of keys over all
// releases 220,000, of values a quarter of that.
const questionsPerRelease = 20_000

func (c comparison) run(t *testing.T) {
	realkafka.Require(t)
	n, seed := setting(t, "KOFFSETS_ORACLE_N", questionsPerRelease)/c.share, setting(t, "KOFFSETS_ORACLE_SEED", 1)
	var corpus [][]byte
	for _, v := range realkafka.Vectors(t, c.corpus, "3.6.1") {
		if len(v.Key) > 0 && len(v.Key) < 3000 {
			corpus = append(corpus, v.Key)
		}
	}
	for i, name := range releases {
		t.Run(name, func(t *testing.T) {
			t.Logf("%d questions of seed %d, stream %d", n, seed, i)
			g := realkafka.NewGenerator(uint64(seed), uint64(i), corpus)
			questions := make([][]byte, n)
			for i := range questions {
				questions[i] = c.make(g)
			}
			rules := release.MustParse(name).Rules
			oracle := realkafka.StartOracle(t, name, c.program)
			var differing [][]byte
			err := oracle.Ask(questions, c.parts, func(i int, answer [][]byte) {
				if c.difference(&rules, questions[i], answer) != "" {
					differing = append(differing, questions[i])
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, question := range differing[:min(len(differing), 10)] {
				question, how := c.shrink(t, oracle, &rules, question)
				t.Errorf("%x %q\n%s", question, question, how)
			}
			if len(differing) > 0 {
				t.Errorf("%d of %d differ", len(differing), n)
			}
		})
	}
}

// shrink takes away whatever it can of a question as long as decode still
// disagrees with Kafka, and says how it does.
func (c comparison) shrink(t *testing.T, oracle *realkafka.Oracle, rules *release.Rules, question []byte) (smallest []byte, how string) {
	t.Helper()
	ask := func(question []byte) (how string) {
		err := oracle.Ask([][]byte{question}, c.parts, func(_ int, answer [][]byte) {
			how = c.difference(rules, question, answer)
		})
		if err != nil {
			t.Fatal(err)
		}
		return how
	}
	how = ask(question)
	for before := -1; before != len(question); {
		before = len(question)
		for size := before / 2; size > 0; size = min(size-1, max(size/2, 24)) {
			for at := 0; at+size <= len(question); {
				shorter := slices.Concat(question[:at], question[at+size:])
				if still := ask(shorter); still != "" {
					question, how = shorter, still
				} else {
					at += max(1, size/8)
				}
			}
		}
	}
	return question, how
}

// different words a difference.
func different(ours, theirs string) string {
	if ours == theirs {
		return ""
	}
	return "koffsets: " + ours + "\nKafka:    " + theirs
}

// paddedName reports whether decode refuses the text for a byte 0xFF, which
// Jackson overlooks in a field name when it has met the name without it before:
// its table of names pads with that byte. Its verdict hangs on what was read
// earlier, so that no single answer is right.
func paddedName(text []byte, at int) bool { return at < len(text) && text[at] == 0xff }

func TestRealClassesJudgeKeysAsDecodeDoes(t *testing.T) {
	comparison{
		program: "Keys", parts: 4, corpus: vectorFiles, share: 1, make: (*realkafka.Generator).Key,
		difference: func(rules *release.Rules, key []byte, answer [][]byte) string {
			k := decode.ParseKey(rules, key)
			if k.Verdict == decode.KeyNotJSON && paddedName(key, k.ErrorAt) {
				return ""
			}
			class, log, canonical, failure := string(answer[0]), string(answer[1]), string(answer[2]), string(answer[3])
			theirs := fmt.Sprintf("%s, logs %q, canonical %q", class, log, canonical)
			if strings.HasPrefix(class, "THROW") || class == "FATAL_DEPTH" {
				theirs = "fatal"
			}
			if failure != "" { // there is no canonical spelling to compare with
				k.Canonical = nil
			}
			return different(judgement(rules, &k), theirs)
		},
	}.run(t)
}

// The one place where decode is not held to Kafka's answer, for there is none.
func TestRealClassesOverlookAByteInANameTheyKnow(t *testing.T) {
	padded, clean := []byte("[\"c\",{\"\xffzq\":1}]"), []byte(`["c",{"zq":1}]`)
	oracle := realkafka.StartOracle(t, "4.4.0", "Keys")
	var classes []string
	err := oracle.Ask([][]byte{padded, clean, padded}, 4, func(_ int, answer [][]byte) {
		classes = append(classes, string(answer[0]))
	})
	if want := []string{"BAD_JSON", "OK", "OK"}; err != nil || !slices.Equal(classes, want) {
		t.Errorf("%v (%v), want %v", classes, err, want)
	}
	rules := release.MustParse("4.4.0").Rules
	if c := decode.CheckKey(&rules, padded); c.Verdict != decode.KeyNotJSON || !paddedName(padded, c.ErrorAt) {
		t.Errorf("decode: %+v", c)
	}
}

// judgement words decode's verdict as the oracle does. The log line says the
// step that refused the key, and the actual type or size.
func judgement(rules *release.Rules, k *decode.Key) string {
	if k.Fatal(rules) {
		return "fatal"
	}
	log := decode.WorkerLog(rules, &k.Check)
	class := "OK"
	switch {
	case k.Nested:
		class = "OK_INVALID_FORMAT"
	case k.Verdict == decode.KeyPartitionNull && log == "":
		class = "NULL_PARTITION"
	case k.Verdict != decode.OK:
		class = classNames[k.Verdict]
		if k.Verdict == decode.KeyWrongSize {
			class += fmt.Sprintf(":%d", k.Size)
		} else if k.Class != decode.NoClass {
			class += ":" + simpleName(k.Class)
		}
	}
	return fmt.Sprintf("%s, logs %q, canonical %q", class, log, k.Canonical)
}

var classNames = map[decode.Verdict]string{
	decode.KeyNull: "NULL_KEY", decode.KeyNotJSON: "BAD_JSON", decode.KeyNotList: "NOT_LIST", decode.KeyWrongSize: "WRONG_SIZE",
	decode.KeyNameNotString: "BAD_NAME", decode.KeyPartitionNotMap: "BAD_PARTITION", decode.KeyPartitionNull: "BAD_PARTITION",
}

func simpleName(c decode.Class) string {
	name := c.String()
	return name[strings.LastIndexByte(name, '.')+1:]
}

func TestRealClassesReadValuesAsDecodeDoes(t *testing.T) {
	comparison{
		program: "Values", parts: 5, corpus: "../testdata/values/*.tsv", share: 4, make: (*realkafka.Generator).Value,
		difference: func(rules *release.Rules, value []byte, answer [][]byte) string {
			o := decode.ParseValue(rules, value)
			if o.Verdict == decode.ValueNotJSON && paddedName(value, o.ErrorAt) {
				return ""
			}
			class, field, view, written := string(answer[0]), answer[1], answer[2], string(answer[3])
			theirs := fmt.Sprintf("%s %q %v %q", class, unquoted(field), viewedClasses(view), written)
			ours := fmt.Sprintf("%s %q %v %q", valueClass(&o), oneMark(o.Field), mapClasses(o.Map, nil), o.Map.AppendCanonical(nil))
			if o.Verdict != decode.ValueOK && o.Verdict != decode.ValueFieldNotPrimitive {
				ours = fmt.Sprintf("%s %q [] %q", valueClass(&o), "", "")
			}
			return different(ours, theirs)
		},
	}.run(t)
}

func valueClass(o *decode.Offset) string {
	switch o.Verdict {
	case decode.ValueOK:
		return "OK"
	case decode.ValueTombstone:
		return "NULL_TOMBSTONE"
	case decode.ValueNullLookalike:
		return "NULL_LOOKALIKE"
	case decode.ValueNotMap:
		return "NOT_MAP:" + simpleName(o.Class)
	case decode.ValueFieldNotPrimitive:
		return "FIELD_NOT_PRIMITIVE:" + map[decode.Class]string{decode.JavaArrayList: "ARRAY", decode.JavaHashMap: "MAP"}[o.Class]
	case decode.ValueStackOverflow:
		return "STACK_OVERFLOW"
	}
	return "NOT_JSON"
}

// unquoted is the text of a JSON string, "" for none.
func unquoted(text []byte) (s string) {
	if text != nil && json.Unmarshal(text, &s) != nil {
		return string(text)
	}
	return oneMark(s)
}

// oneMark has one U+FFFD for lone surrogates in a row, however they are kept.
func oneMark(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\ufffd", "\xff"), "\ufffd")
}

// viewedClasses are the classes of the leaves in an oracle's view of a map,
// sorted; mapClasses are those of decode's. Both re-encode alike, which pins all
// but the class of a leaf: "NaN" may be a String or a Double.
func viewedClasses(view []byte) []string {
	var classes []string
	// Token by token: names of lone surrogates would be one name in a map.
	d := json.NewDecoder(bytes.NewReader(view))
	var walk func()
	walk = func() {
		switch token, _ := d.Token(); token := token.(type) {
		case json.Delim:
			for d.More() {
				if token == '{' {
					d.Token() // the name
				}
				walk()
			}
			d.Token() // the end
		case string:
			class, _, _ := strings.Cut(token, ":")
			classes = append(classes, class)
		}
	}
	walk()
	slices.Sort(classes)
	return classes
}

func mapClasses(o decode.Object, classes []string) []string {
	for i := range o.Fields {
		classes = leafClasses(&o.Fields[i].Value, classes)
	}
	slices.Sort(classes)
	return classes
}

func leafClasses(v *decode.Value, classes []string) []string {
	switch v.Class {
	case decode.JavaHashMap:
		return mapClasses(v.Map, classes)
	case decode.JavaArrayList:
		for i := range v.List {
			classes = leafClasses(&v.List[i], classes)
		}
		return classes
	case decode.JavaNull:
		return classes
	}
	return append(classes, simpleName(v.Class))
}
