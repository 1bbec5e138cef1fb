package offsetstore

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"koffsets/decode"
	"koffsets/release"
)

// fieldCase is a case met in the field, with what Kafka 3.6.1's own code made
// of each record and of the whole.
type fieldCase struct {
	Case, Title string
	Records     []struct {
		Partition *int32
		Key       *string
		Value     *string
		Verdict   struct {
			Key, Actual, Value string
			Canonical          bool
			Home25             int
		}
	}
	// Get is "connector {source partition as Java prints it} -> value".
	Get []string
}

func fieldCases(t *testing.T) []fieldCase {
	t.Helper()
	b, err := os.ReadFile("../testdata/cases/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all []fieldCase
	for line := range strings.Lines(string(b)) {
		var c fieldCase
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return all
}

var caseVerdicts = map[string]decode.Verdict{
	"OK": decode.OK, "NULL_KEY": decode.KeyNull, "NOT_JSON": decode.KeyNotJSON, "NOT_LIST": decode.KeyNotList,
	"WRONG_SIZE": decode.KeyWrongSize, "NAME_NOT_STRING": decode.KeyNameNotString, "PARTITION_NOT_MAP": decode.KeyPartitionNotMap,
}

var caseValues = map[string]decode.ValueVerdict{
	"MAP": decode.ValueOK, "tombstone": decode.ValueTombstone, "JSON_NULL": decode.ValueNullLookalike,
	"NOT_MAP": decode.ValueNotMap, "NON_PRIMITIVE": decode.ValueFieldNotPrimitive, "NOT_JSON": decode.ValueNotJSON,
}

func optional(s *string) []byte {
	if s == nil {
		return nil
	}
	return []byte(*s)
}

func TestCasesMetInTheField(t *testing.T) {
	t.Parallel()
	for _, c := range fieldCases(t) {
		t.Run(c.Case, func(t *testing.T) {
			t.Parallel()
			o := Options{Release: release.MustParse("3.6.1")}
			f := NewFold(o)
			for i, r := range c.Records {
				rec := Record{Partition: Unknown, Offset: int64(i), Timestamp: int64(i), Key: optional(r.Key), Value: optional(r.Value)}
				if r.Partition != nil {
					rec.Partition = *r.Partition
				}
				f.Add([]Record{rec})
				k, v := decode.ParseKey(&o.Release.Rules, rec.Key), decode.CheckValue(&o.Release.Rules, rec.Value)
				want := caseVerdicts[r.Verdict.Key]
				if want == decode.KeyPartitionNotMap && r.Verdict.Actual == "null" {
					want = decode.KeyPartitionNull
				}
				if k.Verdict != want || k.Verdict == decode.OK && (k.Spelling == decode.Canonical) != r.Verdict.Canonical {
					t.Errorf("record %d: %s, %s; want %+v", i+1, k.Verdict, k.Spelling, r.Verdict)
				}
				if want, ok := caseValues[r.Verdict.Value]; ok && v.Verdict != want {
					t.Errorf("record %d: the value is %s, want %s", i+1, v.Verdict, want)
				}
				if home := r.Verdict.Home25; home >= 0 && decode.Home(rec.Key, 25) != home {
					t.Errorf("record %d: home %d, want %d", i+1, decode.Home(rec.Key, 25), home)
				}
			}
			var got []string
			for e := range f.View(Description{}).Entries() {
				if e.gone() {
					continue
				}
				value := "null (no record under the canonical key)"
				if e.canonical != nil {
					value = string(e.canonical.Value)
				}
				got = append(got, fmt.Sprintf("%s %s -> %s", e.Connector, javaMap(&o.Release.Rules, e.CanonicalKey), value))
			}
			for i := range c.Get {
				c.Get[i] = strings.TrimSuffix(c.Get[i], "\n")
				if strings.HasSuffix(c.Get[i], " ->") {
					c.Get[i] += " "
				}
			}
			slices.Sort(got)
			slices.Sort(c.Get)
			if !slices.Equal(got, c.Get) {
				t.Errorf("GET\n got %s\nwant %s", strings.Join(got, "\n     "), strings.Join(c.Get, "\n     "))
			}
		})
	}
}

// javaMap prints a source partition as Java's Map.toString does.
func javaMap(rules *release.Rules, canonical []byte) string {
	k := decode.ParseKey(rules, canonical)
	var b strings.Builder
	for i, f := range k.SourcePartition.Fields {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s=%s", f.Name, f.Value.Text)
	}
	return "{" + b.String() + "}"
}
