package report

import (
	"slices"
	"strings"
	"testing"

	"koffsets/offsetstore"
)

// hostileScan has a hostile text wherever a source or a topic can put one.
func hostileScan(text string) *Scan {
	v := &offsetstore.View{Description: offsetstore.Description{
		Kind: "dump", Name: text, Topic: text, ClusterID: text, Notes: []string{text},
		Incomplete: []offsetstore.Incomplete{{Partition: 1, Offset: 2, Reason: text}},
	}}
	v.Release.JudgedAs, v.Release.Why = text, text
	f := offsetstore.Finding{
		ID: offsetstore.KeyAlias, Key: []byte(text), HasKey: true, Connector: text, HasConnector: true,
		Detail: text, WorkerLog: text, Fix: text,
	}
	return NewScan(v, []offsetstore.Finding{f, f, {ID: offsetstore.KeyNull, HasKey: true, Detail: strings.Repeat(text+" ", 50)}})
}

func TestAHostileTopicDoesNoHarmOnAnyScreen(t *testing.T) {
	t.Parallel()
	for _, text := range hostile {
		for f := range Name + 1 {
			for _, k := range []KeyFormat{Quoted, Hex, Base64, Redacted} {
				for _, o := range []Options{{KeyFormat: k}, {KeyFormat: k, Width: 80}, {KeyFormat: k, Width: 80, Verbose: true}} {
					allowed := "\n"
					if f == TSV {
						allowed = "\n\t"
					}
					out := print(t, f, hostileScan(text), o)
					if bad := harmful(out, allowed); bad != "" {
						t.Errorf("%s of %q: %s in %q", f, text, bad, out)
					}
				}
			}
		}
	}
}

func TestScreensFitTheTerminal(t *testing.T) {
	t.Parallel()
	broken := viewOf(t, "3.6.0", incident()...)
	for _, width := range []int{80, 100, 200} {
		for name, r := range map[string]func() Result{
			"scan":    func() Result { return NewScan(broken, findings(t)) },
			"view":    func() Result { return NewView(broken, nil) },
			"decode":  func() Result { return decodeOf(true, "3.5.2", "3.6") },
			"hostile": func() Result { return hostileScan(strings.Repeat("漢字 and_a_long_word\u0301 ", 20)) },
		} {
			for _, verbose := range []bool{false, name != "view"} { // all of a view is as wide as it must be
				for line := range strings.Lines(print(t, Table, r(), Options{Width: width, Verbose: verbose})) {
					if n := columnsOf(Safe(strings.TrimSuffix(line, "\n"))); n > width {
						t.Errorf("%s at %d columns has %d: %s", name, width, n, line)
					}
				}
			}
		}
	}
}

func TestAPipeGetsEverything(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("漢字 and words ", 500)
	for _, f := range []Format{Table, Wide, TSV} {
		s := stub{n: 1, text: long}
		if out := print(t, f, s, Options{}); !strings.Contains(out, long) {
			t.Errorf("%s lost text", f)
		}
	}
}

func TestColourChangesNoText(t *testing.T) {
	t.Parallel()
	broken := viewOf(t, "3.6.0", incident()...)
	for name, r := range map[string]func() Result{
		"scan":   func() Result { return NewScan(broken, findings(t)) },
		"view":   func() Result { return NewView(broken, nil) },
		"decode": func() Result { return decodeOf(true, "3.5.2", "3.6.0") },
	} {
		for _, f := range []Format{Table, Wide} {
			plain, colored := print(t, f, r(), Options{Width: 80}), print(t, f, r(), Options{Width: 80, Color: true})
			bare := colored
			for _, code := range []string{"\x1b[0m", "\x1b[1m", "\x1b[31m", "\x1b[1;31m", "\x1b[32m", "\x1b[33m", "\x1b[90m"} {
				bare = strings.ReplaceAll(bare, code, "")
			}
			if bare != plain || bare == colored {
				t.Errorf("%s %s without its colours is\n%s\nwant\n%s", name, f, bare, plain)
			}
		}
	}
}

func TestManyRowsPassThroughInColumns(t *testing.T) {
	t.Parallel()
	rows := slices.Repeat([][]Span{plain("a", "b")}, sampled)
	rows = append(rows, plain("much longer", "b"), plain("a", "b"))
	out := &output{}
	s := screen{out: out}
	out.w = discard{}
	s.rows(&Rows{Columns: columns("first", "second"), Rows: slices.Values(rows)})
	lines := strings.Split(strings.TrimSpace(string(out.b)), "\n")
	n := len(lines)
	if !slices.Equal(lines[n-4:n-1], []string{"a      b", "much longer  b", "a      b"}) || !strings.HasPrefix(lines[n-1], "note: the first 2,000 rows ") {
		t.Errorf("%q", lines[n-4:])
	}
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }
