package decode

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"koffsets/release"
)

// checkPlain holds Plain to its promise: canonical, and the canonical
// spelling of the source partition in whatever order its fields came.
func checkPlain(t *testing.T, rules *release.Rules, key []byte) {
	t.Helper()
	name, ok := Plain(key)
	if !ok {
		return
	}
	k := ParseKey(rules, key)
	if k.Verdict != OK {
		return
	}
	if k.Spelling != Canonical || k.Connector != string(name) || k.Wraps || k.Nested {
		t.Errorf("%q was taken for plain, with the connector %q: %s, %+v", key, name, k.Spelling, k.Check)
	}
	reversed := slices.Clone(k.SourcePartition.Fields)
	slices.Reverse(reversed)
	if got := (Object{Fields: reversed}).AppendCanonical(nil); !bytes.HasSuffix(key, append(got, ']')) {
		t.Errorf("%q was taken for plain, but %s is canonical as well", key, got)
	}
}

// recordedKeys are the keys recorded with Kafka's own classes, but for those of
// twenty million characters.
func recordedKeys(t testing.TB) (keys [][]byte) {
	for _, f := range readVectors(t, "keys", keyColumn) {
		for _, row := range f.rows {
			if len(row.input) < 1<<20 {
				keys = append(keys, row.input)
			}
		}
	}
	return keys
}

func TestPlainKeysAreCanonical(t *testing.T) {
	t.Parallel()
	keys := recordedKeys(t)
	for _, number := range []string{"0", "-0", "-1", "01", "-01", "-", "999999999999999999", "9999999999999999999", "1.0", "1e5", "1 "} {
		keys = append(keys, []byte(`["c",{"p":`+number+`}]`))
	}
	// Names in ascending buckets, until the table grows behind the twelfth.
	partition := `["c",{`
	for b, n := 0, 0; b < 16; n++ {
		if field := fmt.Sprintf("n%d", n); bucketOf([]byte(field)) == b {
			partition += fmt.Sprintf(`"%s":%d,`, field, n)
			keys = append(keys, []byte(strings.TrimSuffix(partition, ",")+`}]`))
			b++
		}
	}
	plain := 0
	seen := map[release.Rules]bool{}
	for _, name := range release.Known() {
		rules := release.MustParse(name).Rules
		if seen[rules] {
			continue
		}
		seen[rules] = true
		for _, key := range keys {
			checkPlain(t, &rules, key)
			if _, ok := Plain(key); ok {
				plain++
			}
		}
	}
	if plain < 1000 {
		t.Errorf("only %d keys are plain", plain)
	}
}

func TestTheUsualShapesArePlain(t *testing.T) {
	t.Parallel()
	for _, key := range []string{
		`["c",{}]`, `["inventory-connector",{"server":"dbserver1"}]`, `["f",{"filename":"/tmp/ü/a.txt"}]`,
		`["MirrorSourceConnector",{"cluster":"a","partition":0,"topic":"t"}]`, `["j",{"protocol":"1","table":"db.t"}]`,
		`["m",{"p":null}]`, `["m",{"p":true}]`, `["m",{"p":false}]`, `["m",{"p":-12}]`, `["😀",{}]`[:2] + `x",{}]`,
	} {
		if _, ok := Plain([]byte(key)); !ok {
			t.Errorf("%s is not taken for plain", key)
		}
	}
}

func FuzzPlainKey(f *testing.F) {
	for _, key := range recordedKeys(f) {
		f.Add(key)
	}
	rules := release.MustParse(release.Default).Rules
	f.Fuzz(func(t *testing.T, key []byte) { checkPlain(t, &rules, key) })
}
