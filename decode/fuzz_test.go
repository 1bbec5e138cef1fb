package decode

import (
	"bytes"
	"encoding/json"
	"math"
	"runtime"
	"testing"
	"unicode/utf8"

	"koffsets/release"
)

// rulesOf picks a known release.
func rulesOf(n uint8) *release.Rules {
	known := release.Known()
	r := release.MustParse(known[int(n)%len(known)])
	return &r.Rules
}

// addSeeds adds the short vectors of a folder, for several releases.
func addSeeds(f *testing.F, inputs [][]byte) {
	for i, in := range inputs {
		if len(in) < 300 {
			f.Add(uint8(i), in)
		}
	}
}

func seeds(f *testing.F, folder string, kindOf func(string) string) (inputs [][]byte) {
	f.Helper()
	for _, file := range readVectors(f, folder, kindOf) {
		for _, row := range file.rows {
			inputs = append(inputs, row.input)
		}
	}
	return inputs
}

// allocated runs f and gives the bytes it allocated, roughly: a fuzzing
// process allocates beside it.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// memoryBound is what parsing an input may allocate in all: a value is worth
// two bytes of text at least, and slices grow by doubling.
func memoryBound(input []byte) uint64 { return 1<<20 + 512*uint64(len(input)) }

func FuzzKey(f *testing.F) {
	addSeeds(f, seeds(f, "keys", keyColumn))
	f.Fuzz(func(t *testing.T, n uint8, key []byte) {
		rules := rulesOf(n)
		var k *Key
		if bytes := allocated(func() { k = parseChecked(t, "key", rules, key) }); bytes > memoryBound(key) {
			t.Errorf("%d bytes allocated for %d", bytes, len(key))
		}
		WorkerLog(rules, &k.Check)
		if k.Verdict != OK {
			return
		}
		if text := k.SourcePartition.AppendJSON(nil); !json.Valid(text) {
			t.Errorf("no JSON: %s", text)
		}
		if k.Name != nil && !bytes.Contains(key, k.Name) || k.Partition != nil && k.Partition[0] != '{' {
			t.Errorf("name %q, partition %q", k.Name, k.Partition)
		}
		again := ParseKey(rules, k.Canonical)
		if !settled(rules, k.SourcePartition) {
			return
		}
		if again.Verdict != OK || !bytes.Equal(again.Canonical, k.Canonical) || again.Spelling != Canonical {
			t.Errorf("%s reads as %s %s (%s)", k.Canonical, again.Verdict, again.Canonical, again.Reason)
		}
		if !bytes.Equal(again.AppendIdentity(nil), k.AppendIdentity(nil)) || again.SourcePartition.HashCode() != k.SourcePartition.HashCode() {
			t.Errorf("%s is another source partition", k.Canonical)
		}
	})
}

// settled reports whether Connect reads back what it writes of a map. It does
// not for -0.0 and infinities, for lone surrogates in names from 4.2.1 on, for
// names near the limit, and a crowded table may come to another order.
func settled(rules *release.Rules, o Object) bool {
	if len(o.Fields) > crowded {
		return false
	}
	for i := range o.Fields {
		f := &o.Fields[i]
		if len(f.Name) > maxName/6 || !utf8.ValidString(f.Name) && rules.StrictSurrogates || !settledValue(rules, &f.Value) {
			return false
		}
	}
	return true
}

func settledValue(rules *release.Rules, v *Value) bool {
	switch v.Class {
	case JavaHashMap:
		return settled(rules, v.Map)
	case JavaArrayList:
		for i := range v.List {
			if !settledValue(rules, &v.List[i]) {
				return false
			}
		}
	case JavaDouble:
		return !math.IsInf(v.Double(), 0) && (v.Double() != 0 || !math.Signbit(v.Double()))
	}
	return true
}

func FuzzValue(f *testing.F) {
	addSeeds(f, seeds(f, "values", valueColumn))
	f.Fuzz(func(t *testing.T, n uint8, value []byte) {
		rules := rulesOf(n)
		var o *Offset
		if bytes := allocated(func() { o = parseValueChecked(t, "value", rules, value) }); bytes > memoryBound(value) {
			t.Errorf("%d bytes allocated for %d", bytes, len(value))
		}
		if o.Verdict != ValueOK || !settled(rules, o.Map) {
			return
		}
		text := o.Map.AppendCanonical(nil)
		again := ParseValue(rules, text)
		if again.Verdict != ValueOK || !bytes.Equal(again.Map.AppendCanonical(nil), text) {
			t.Errorf("%s reads as %s (%s)", text, again.Verdict, again.Reason)
		}
	})
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"", "a\"\\\n\x1b\x7f", "é漢😀", "\xed\xa0\x80", "\xff\xed\xa0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var back string
		if err := json.Unmarshal(AppendText(nil, s), &back); err != nil {
			t.Fatal(err)
		}
		if utf8.ValidString(s) && back != s {
			t.Errorf("%q came back as %q", s, back)
		}
	})
}
