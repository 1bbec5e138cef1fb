package offsetstore_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"koffsets/decode"
	"koffsets/offsetstore"
	"koffsets/offsetstore/dump"
	"koffsets/release"
)

var update = flag.Bool("update", false, "write testdata/findings/golden.txt anew")

const fixtures = "../testdata/findings"

// alsoFound are the findings that come with a fixture's own.
var alsoFound = map[offsetstore.ID][]offsetstore.ID{
	offsetstore.FalseReset:           {offsetstore.KeyAlias},
	offsetstore.RESTBlind:            {offsetstore.KeyNotCanonical},
	offsetstore.KeySplit:             {offsetstore.KeyMisplaced},
	offsetstore.TopicPartitionsGrown: {offsetstore.KeyMisplaced},
	offsetstore.TopicNotOffsets:      {offsetstore.KeyNotJSON, offsetstore.KeyNotList},
}

// settings are what a dump does not hold: facts of a live topic.
var settings = map[offsetstore.ID]*offsetstore.Settings{
	offsetstore.TopicNotCompacted:    {CleanupPolicy: "delete", ReplicationFactor: 3},
	offsetstore.TopicPolicyMixed:     {CleanupPolicy: "compact,delete", ReplicationFactor: 3},
	offsetstore.TopicUnderReplicated: {CleanupPolicy: "compact", ReplicationFactor: 3, UnderReplicated: []int32{3, 7}},
	offsetstore.TopicSingleReplica:   {CleanupPolicy: "compact", ReplicationFactor: 1},
}

// live is a source with the settings of a live topic.
type live struct {
	offsetstore.Source
	settings *offsetstore.Settings
}

func (l live) Read(ctx context.Context, sink offsetstore.Sink) (offsetstore.Description, error) {
	d, err := l.Source.Read(ctx, sink)
	d.Settings = l.settings
	return d, err
}

func fixture(t *testing.T, id offsetstore.ID, asked string) *offsetstore.View {
	t.Helper()
	src, err := dump.Open(filepath.Join(fixtures, string(id)+".jsonl"), dump.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := offsetstore.Options{Release: release.MustParse(asked)}
	v, err := offsetstore.Read(t.Context(), live{src, settings[id]}, o)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestEveryFixtureIsBrokenInItsOwnWay(t *testing.T) {
	t.Parallel()
	for _, k := range offsetstore.Kinds() {
		var ids []offsetstore.ID
		for _, f := range fixture(t, k.ID, release.Default).Findings(offsetstore.FindingOptions{}) {
			ids = append(ids, f.ID)
		}
		slices.Sort(ids)
		want := append([]offsetstore.ID{k.ID}, alsoFound[k.ID]...)
		slices.Sort(want)
		if got := slices.Compact(ids); !slices.Equal(got, want) {
			t.Errorf("%s: found %v, want %v", k.ID, got, want)
		}
	}
}

func TestFindingsReadAsRecorded(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, k := range offsetstore.Kinds() {
		releases := []string{release.Default}
		if k.ID == offsetstore.KeyNotJSON || k.ID == offsetstore.KeyPartitionNull {
			releases = append(releases, "3.6.0", "3.9.1")
		}
		for _, asked := range releases {
			fmt.Fprintf(&b, "# %s, %s\n", k.ID, asked)
			for _, f := range fixture(t, k.ID, asked).Findings(offsetstore.FindingOptions{}) {
				fmt.Fprintf(&b, "%s %s %v %v %d %q %v %q\n  %s\n", f.Severity, f.ID, f.Place, f.Places, f.Timestamp, shorten(f.Key), f.HasKey, f.Connector, f.Detail)
				if f.SourcePartition != nil {
					fmt.Fprintf(&b, "  source partition: %s\n", shorten(f.SourcePartition.AppendJSON(nil)))
				}
				if f.WorkerLog != "" {
					fmt.Fprintf(&b, "  log: %s\n", f.WorkerLog)
				}
				fmt.Fprintf(&b, "  next: %s\n", f.Fix)
			}
		}
	}
	golden := filepath.Join(fixtures, "golden.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("findings changed; look at the difference after go test ./offsetstore -run Recorded -update:\n%s", b.String())
	}
}

func shorten(b []byte) string {
	if len(b) > 100 {
		return string(b[:100]) + "…"
	}
	return string(b)
}

func TestReleasesBefore35SayNothingOfMalformedKeys(t *testing.T) {
	t.Parallel()
	step := regexp.MustCompile(`^key-(null|not-json|not-list|wrong-size|name-not-string|partition-not-map|partition-null|too-deep)$`)
	for _, k := range offsetstore.Kinds() {
		v := fixture(t, k.ID, "3.3.0")
		found := false
		for _, f := range v.Findings(offsetstore.FindingOptions{}) {
			found = found || f.ID == k.ID
			if step.MatchString(string(f.ID)) {
				t.Errorf("%s: 3.3.0 judges no keys, yet %s was found", k.ID, f.ID)
			}
		}
		if found == step.MatchString(string(k.ID)) {
			t.Errorf("%s: found is %v for 3.3.0", k.ID, found)
		}
		if _, err := v.REST("file-in"); err == nil {
			t.Error("3.3.0 has no GET offsets")
		}
	}
}

func TestFindingsAreSelectedByConnectorAndID(t *testing.T) {
	t.Parallel()
	v := fixture(t, offsetstore.FalseReset, release.Default)
	for _, c := range []struct {
		o    offsetstore.FindingOptions
		want int
	}{
		{offsetstore.FindingOptions{}, 2},
		{offsetstore.FindingOptions{Connectors: []string{"mysql-cdc"}}, 2},
		{offsetstore.FindingOptions{Connectors: []string{"file-in"}}, 0},
		{offsetstore.FindingOptions{Ignore: []offsetstore.ID{offsetstore.KeyAlias}}, 1},
	} {
		if got := v.Findings(c.o); len(got) != c.want {
			t.Errorf("%+v gives %d findings, want %d", c.o, len(got), c.want)
		}
	}
	malformed := fixture(t, offsetstore.KeyNotJSON, release.Default)
	if got := malformed.Findings(offsetstore.FindingOptions{Connectors: []string{"file-in"}}); len(got) != 1 {
		t.Errorf("a malformed key concerns every connector; found %v", got)
	}
}

func TestEveryKindIsExplained(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/findings.md")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, k := range offsetstore.Kinds() {
		want = append(want, string(k.ID))
	}
	var got []string
	for _, entry := range strings.Split(string(page), "\n## ")[1:] {
		id, text, _ := strings.Cut(entry, "\n")
		got = append(got, id)
		for _, part := range []string{"**Means.**", "**A worker", "**Mend.**"} {
			if !strings.Contains(text, part) {
				t.Errorf("the entry of %s has no %s", id, part)
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("docs/findings.md explains %v, the kinds are %v", got, want)
	}
}

func TestKindsAreFoundByTheirID(t *testing.T) {
	t.Parallel()
	for _, k := range offsetstore.Kinds() {
		if got, ok := offsetstore.LookupKind(string(k.ID)); !ok || got != k || k.Title == "" {
			t.Errorf("%s: %+v, %v", k.ID, got, ok)
		}
	}
	if _, ok := offsetstore.LookupKind("key-odd"); ok {
		t.Error("key-odd is a kind")
	}
	for v := decode.KeyNull; v <= decode.KeyTooDeep; v++ {
		if _, ok := offsetstore.LookupKind(v.String()); !ok {
			t.Errorf("the verdict %s is no finding", v)
		}
	}
	for s := offsetstore.Info; s <= offsetstore.Fatal; s++ {
		if got, err := offsetstore.ParseSeverity(s.String()); err != nil || got != s {
			t.Errorf("%s: %v, %v", s, got, err)
		}
	}
	if _, err := offsetstore.ParseSeverity("bad"); err == nil || !strings.Contains(err.Error(), `"bad"`) {
		t.Errorf("bad: %v", err)
	}
}
