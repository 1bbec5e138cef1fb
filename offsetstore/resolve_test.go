package offsetstore

import (
	"slices"
	"strings"
	"testing"

	"koffsets/release"
)

// told is a topic in words: "partition key value", a tombstone without value.
// Records come a second apart; a leading "aborted " or "open " is their
// transaction.
func told(t *testing.T, level Isolation, asked string, lines ...string) *View {
	t.Helper()
	f := NewFold(Options{Release: release.MustParse(asked), Isolation: level})
	for i, line := range lines {
		r := Record{Offset: int64(i), Timestamp: int64(1000 * i)}
		for name, txn := range map[string]Txn{"aborted ": TxnAborted, "open ": TxnOpen} {
			if rest, ok := strings.CutPrefix(line, name); ok {
				line, r.Txn = rest, txn
			}
		}
		cells := strings.SplitN(line, "\t", 3)
		r.Partition = int32(cells[0][0] - '0')
		r.Key = []byte(cells[1])
		if len(cells) == 3 {
			r.Value = []byte(cells[2])
		}
		f.Add([]Record{r})
	}
	return f.View(Description{Topic: "t"})
}

func ids(v *View) []string {
	var all []string
	for _, f := range v.Findings(FindingOptions{}) {
		all = append(all, f.Severity.String()+" "+string(f.ID))
	}
	return all
}

func TestWhatGETShowsAndTasksFind(t *testing.T) {
	t.Parallel()
	const (
		canonical = "0\t" + `["c",{"a":1,"b":2}]`
		blank     = "1\t" + `["c", {"a":1,"b":2}]`
		ownOrder  = "1\t" + `["c",{"b":2,"a":1}]`
		live      = "\t" + `{"o":1}`
		newer     = "\t" + `{"o":2}`
		shows1    = `{"partition":{"a":1,"b":2},"offset":{"o":1}}`
		showsNull = `{"partition":{"a":1,"b":2},"offset":null}`
	)
	for _, c := range []struct {
		name           string
		topic          []string
		get            string
		canonical, own string
		state          State
		findings       []string
	}{
		{"canonical and live", []string{canonical + live}, shows1, `{"o":1}`, `{"o":1}`, Live, nil},
		{"deleted", []string{canonical + live, canonical}, ``, `null`, `null`, Deleted, nil},
		{"only another spelling", []string{blank + live}, showsNull, `null`, `{"o":1}`, Live, []string{"warning key-not-canonical"}},
		{"false reset", []string{canonical + live, blank}, ``, `{"o":1}`, `{"o":1}`, Live, []string{"error key-alias", "error false-reset"}},
		{"another spelling, then the canonical tombstone", []string{blank + live, canonical}, ``, `null`, `null`, Live, []string{"error key-alias", "warning key-not-canonical"}},
		{"canonical tombstone, then another spelling", []string{canonical, blank + live}, showsNull, `null`, `null`, Live, []string{"warning key-alias", "warning key-not-canonical"}},
		{"an edit under another spelling", []string{canonical + live, blank + newer}, shows1, `{"o":1}`, `{"o":1}`, Live, []string{"error key-alias"}},
		{"a dead alias", []string{blank + newer, blank, canonical + live}, shows1, `{"o":1}`, `{"o":1}`, Live, []string{"warning key-alias"}},
		{"own order", []string{ownOrder + live}, showsNull, `null`, `{"o":1}`, Live, []string{"warning rest-blind", "warning key-not-canonical"}},
		{"own order, reset by REST", []string{ownOrder + live, canonical}, ``, `null`, `{"o":1}`, Live, []string{"error key-alias", "error false-reset", "warning rest-blind", "warning key-not-canonical"}},
		{"a value that cannot be read", []string{canonical + "\t5"}, ``, `null`, `null`, Unreadable, []string{"error value-not-map"}},
		{"a value that reads as null", []string{canonical + "\t"}, showsNull, `null`, `null`, Null, []string{"warning value-null-lookalike"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v := told(t, ReadCommitted, "3.6.1", c.topic...)
			got, err := v.REST("c")
			if want := `{"offsets":[` + c.get + `]}`; err != nil || string(got) != want {
				t.Errorf("GET %s, %v; want %s", got, err, want)
			}
			for e := range v.Entries() {
				if text(e.Found.Canonical) != c.canonical || text(e.Found.Own) != c.own || e.State != c.state {
					t.Errorf("found %s, own %s, %s", text(e.Found.Canonical), text(e.Found.Own), e.State)
				}
			}
			got2 := ids(v)
			slices.Sort(got2)
			slices.Sort(c.findings)
			if !slices.Equal(got2, c.findings) {
				t.Errorf("findings %q, want %q", got2, c.findings)
			}
		})
	}
}

func TestNestedSourcePartitionsAreNeitherListedNorFound(t *testing.T) {
	t.Parallel()
	v := told(t, ReadCommitted, "3.6.1", "0\t"+`["c",{"f":{"a":1}}]`+"\t"+`{"o":1}`, "0\t"+`["c",{"f":"x"}]`+"\t"+`{"o":2}`, "0\t"+`["c",{"f":[1]}]`)
	if got, _ := v.REST("c"); string(got) != `{"offsets":[{"partition":{"f":"x"},"offset":{"o":2}}]}` {
		t.Errorf("GET %s", got)
	}
	if got := ids(v); !slices.Equal(got, []string{"error key-partition-not-primitive"}) {
		t.Errorf("findings %q", got)
	}
	if s := v.Summary; s.Live != 2 || s.Deleted != 1 || s.Malformed != 0 {
		t.Errorf("%+v", s)
	}
}

func TestSplitKeys(t *testing.T) {
	t.Parallel()
	const key = "\t" + `["c",{"p":1}]`
	for _, c := range []struct {
		name      string
		topic     []string
		ambiguous bool
		state     State
		severity  string
	}{
		{"the later one is shown", []string{"1" + key + "\t" + `{"o":2}`, "0" + key + "\t" + `{"o":1}`}, true, Live, "error"},
		{"the same twice", []string{"1" + key + "\t" + `{"o":1}`, "0" + key + "\t" + `{"o":1}`}, false, Live, "error"},
		{"deleted on one", []string{"0" + key + "\t" + `{"o":1}`, "1" + key}, true, Deleted, "error"},
		{"deleted on both", []string{"0" + key, "1" + key}, false, Deleted, "warning"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v := told(t, ReadCommitted, "3.6.1", c.topic...)
			for e := range v.Entries() {
				if !e.Split || e.Ambiguous != c.ambiguous || e.State != c.state || c.state == Live && text(e.Found.Canonical) != `{"o":1}` {
					t.Errorf("%+v", e)
				}
			}
			if got := ids(v); !slices.Equal(got, []string{c.severity + " key-split"}) {
				t.Errorf("findings %q", got)
			}
		})
	}
}

func TestIsolationLevels(t *testing.T) {
	t.Parallel()
	topic := []string{
		"0\t" + `["c",{"p":"a"}]` + "\t" + `{"o":1}`,
		"aborted 0\t" + `["c",{"p":"a"}]` + "\t" + `{"o":2}`,
		"aborted 0\tno key\t{}",
		"aborted 1\t" + `["c",{"p":"c"}]` + "\t" + `{"o":5}`,
		"1\t" + `["c",{"p":"c"}]` + "\t" + `{"o":6}`, // overtakes the aborted one
		"open 0\t" + `["c",{"p":"b"}]` + "\t" + `{"o":9}`,
		"0\t" + `["c",{"p":"a"}]`, // behind the last stable offset
	}
	for level, want := range map[Isolation]string{
		ReadCommitted:   `{"offsets":[{"partition":{"p":"a"},"offset":{"o":1}},{"partition":{"p":"c"},"offset":{"o":6}}]}`,
		ReadUncommitted: `{"offsets":[{"partition":{"p":"b"},"offset":{"o":9}},{"partition":{"p":"c"},"offset":{"o":6}}]}`,
	} {
		v := told(t, level, "3.6.1", topic...)
		if got, _ := v.REST("c"); string(got) != want {
			t.Errorf("%s: %s", level, got)
		}
		malformed := map[Isolation]int{ReadCommitted: 0, ReadUncommitted: 1}[level]
		if s := v.Summary; s.Records != len(topic) || s.Malformed != malformed {
			t.Errorf("%s: %+v", level, s)
		}
		var open, differs []Place
		for _, f := range v.Findings(FindingOptions{}) {
			switch f.ID {
			case TransactionOpen:
				open = append(open, f.Place)
			case IsolationDiffers:
				differs = append(differs, f.Place)
			}
		}
		slices.SortFunc(differs, func(a, b Place) int { return int(a.Offset - b.Offset) })
		if !slices.Equal(open, []Place{{0, 5}}) || !slices.Equal(differs, []Place{{0, 5}, {0, 6}}) {
			t.Errorf("%s: open at %v, different at %v", level, open, differs)
		}
	}
}

func TestALastStableOffsetBeforeTheEndIsAnOpenTransaction(t *testing.T) {
	t.Parallel()
	f := NewFold(Options{Release: release.MustParse("3.6.1")})
	v := f.View(Description{Ranges: []Range{{Partition: 0, End: 4, LastStable: 4}, {Partition: 3, End: 9, LastStable: 7}}})
	found := v.Findings(FindingOptions{})
	if len(found) != 1 || found[0].ID != TransactionOpen || found[0].Place != (Place{3, 7}) {
		t.Errorf("%+v", found)
	}
}

func TestKeysThatReadAlikeOnlyAfterWritingStayApart(t *testing.T) {
	t.Parallel()
	v := told(t, ReadCommitted, "3.6.1", "0\t"+`["c",{"p":1e400}]`+"\t"+`{"o":1}`, "0\t"+`["c",{"p":"Infinity"}]`+"\t"+`{"o":2}`)
	n := 0
	for e := range v.Entries() {
		n++
		if text(e.Found.Canonical) != `{"o":2}` {
			t.Errorf("%s finds %s", e.Key, text(e.Found.Canonical))
		}
	}
	if n != 2 {
		t.Errorf("%d source partitions, want 2", n)
	}
}

func TestHostileTextIsEscapedInDetails(t *testing.T) {
	t.Parallel()
	v := told(t, ReadCommitted, "3.6.1",
		"0\t"+"[\"c\u202e\\u001b[31m\", {\"p\":\"\u009b\"}]\t{\"o\":\"\u202e\xc0\x80\"}",
		"0\t"+"[\"c\u202e\\u001b[31m\",{\"p\":\"\u009b\"}]")
	for _, f := range v.Findings(FindingOptions{}) {
		for _, r := range f.Detail {
			if r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x202e || r == 0xfffd {
				t.Errorf("%s: %q", f.ID, f.Detail)
			}
		}
	}
}

// Aa and BB share a bucket of Java's hash maps, so that two maps with them can
// be equal and yet be written differently.
func TestListingHangsOnMoreThanTheLastRecords(t *testing.T) {
	t.Parallel()
	const first, second, other = `["c",{"Aa":1,"BB":2}]`, `["c",{"BB":2,"Aa":1}]`, `["c", {"Aa":1,"BB":2}]`
	for _, c := range []struct {
		name  string
		topic []string
		want  bool
	}{
		{"one spelling", []string{"0\t" + first + "\t{}"}, false},
		{"two of one order of fields", []string{"0\t" + first + "\t{}", "1\t" + other + "\t{}"}, false},
		{"two orders on one topic partition", []string{"0\t" + first + "\t{}", "0\t" + second + "\t{}"}, true},
		{"two orders on two topic partitions", []string{"0\t" + first + "\t{}", "1\t" + second + "\t{}"}, true},
		{"the other order deleted", []string{"0\t" + second + "\t{}", "0\t" + second, "0\t" + first + "\t{}"}, false},
		{"a tombstone on another topic partition", []string{"0\t" + first + "\t{}", "1\t" + other}, true},
	} {
		v := told(t, ReadUncommitted, "3.6.1", c.topic...)
		for e := range v.Entries() {
			if e.Listed.Ambiguous != c.want {
				t.Errorf("%s: ambiguous is %v, want %v", c.name, e.Listed.Ambiguous, c.want)
			}
		}
		said := slices.ContainsFunc(v.Findings(FindingOptions{}), func(f Finding) bool { return strings.Contains(f.Detail, "hangs on the") })
		if said != c.want {
			t.Errorf("%s: findings say so: %v, want %v", c.name, said, c.want)
		}
	}
}
