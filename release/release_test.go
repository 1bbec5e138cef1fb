package release

import (
	"strings"
	"testing"
)

func TestParseResolvesToTheNearestRules(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		asked, judgedAs string
		exact           bool
		why             string // must be part of Why
	}{
		{"3.6.1", "3.6.1", true, ""},
		{"v3.6.1", "3.6.1", true, ""},
		{"3.6", "3.6.2", false, "differing: 3.6.0, 3.6.1"},
		{"3.5", "3.5.2", false, "differing: 3.5.0, 3.5.1"},
		{"4.0", "4.0.0", false, "differing: 4.0.2"},
		{"4.1.0", "4.1.1", false, "ships Jackson 2.19.0"},
		{"4.3.2", "4.4.0", false, "ships Jackson 2.21.7"},
		{"3.8.0", "3.8.1", false, "2.16.2"},
		{"4.0.1", "4.0.0", false, "nearest"},
		{"3.4.1", "3.3.0", false, "nearest"},
		{"2.5.0", "2.6.2", false, "2.10.2"},
		{"0.9", "2.3.0", false, "0.9 taken as 2.3.0"},
		{"2.2.1", "2.3.0", false, "nearest"},
		{"4.4.1", "4.4.0", false, "nearest"},
		{"9.9.9", "4.4.0", false, "nearest"},
		{"7.6.0-ccs", "3.6.2", false, "Confluent Platform 7.6 is built on Apache Kafka 3.6"},
		{"7.5.3-ce", "3.5.2", false, "differing: 3.5.0, 3.5.1"},
		{"8.0.0-ccs", "4.0.0", false, "Apache Kafka 4.0"},
		{"3.6.1-amzn-0", "3.6.1", false, "a vendor build of 3.6.1"},
		{"3.6.1.redhat-00001", "3.6.1", false, "a vendor build"},
	} {
		r, err := Parse(c.asked)
		if err != nil {
			t.Errorf("%s: %v", c.asked, err)
			continue
		}
		if r.Asked != c.asked || r.JudgedAs != c.judgedAs || r.Exact != c.exact || !strings.Contains(r.Why, c.why) {
			t.Errorf("%s: got %+v", c.asked, r)
		}
		if r.Exact != (r.Why == "") {
			t.Errorf("%s: exact %v, why %q", c.asked, r.Exact, r.Why)
		}
	}
}

func TestParseRefusesWhatIsNoVersion(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "9.x", "3.6.x", "3", "three", "3.", "3..1", "3.6.", "-3.6", "3.6.1\x1b[31m", "3.6.1 ", "3.6.99999999999", "3.6.1-", "3.6.1-" + strings.Repeat("a", 65)} {
		if r, err := Parse(s); err == nil {
			t.Errorf("%q: got %+v", s, r)
		}
	}
}

func TestRulesPerRelease(t *testing.T) {
	t.Parallel()
	throws := map[string]bool{"3.5.0": true, "3.5.1": true, "3.6.0": true}
	silent := map[string]bool{"3.6.2": true}
	for _, name := range Known() {
		r := MustParse(name)
		if !r.Exact || r.JudgedAs != name {
			t.Errorf("%s is not exact: %+v", name, r)
		}
		if r.Rules.ThrowsOnBadKey != throws[name] {
			t.Errorf("%s: ThrowsOnBadKey %v", name, r.Rules.ThrowsOnBadKey)
		}
		if want := silent[name] || name >= "3.7.1"; r.Rules.SilentNullPartition != want {
			t.Errorf("%s: SilentNullPartition %v", name, !want)
		}
		if want := name >= "3.5.0"; r.Rules.JudgesKeys != want {
			t.Errorf("%s: JudgesKeys %v", name, !want)
		}
		if want := name < "3.7.0"; r.Rules.DeepKeysAreFatal() != want {
			t.Errorf("%s: DeepKeysAreFatal %v", name, !want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"3.6.1", "3.6", "7.6.0-ccs", "9.x", "v4.4.0", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := Parse(s)
		if err != nil {
			return
		}
		if byName(r.JudgedAs) == nil || r.Rules != MustParse(r.JudgedAs).Rules {
			t.Errorf("%q resolved to %+v", s, r)
		}
	})
}
