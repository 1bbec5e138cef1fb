package cmd

import "testing"

func TestNearestSuggestsWhatWasMeant(t *testing.T) {
	t.Parallel()
	verbs := []string{"scan", "view", "export", "decode", "explain", "sandbox", "completion", "version"}
	for _, c := range []struct {
		word  string
		right []string
		want  string
	}{
		{"scna", verbs, "scan"},
		{"Scan", verbs, "scan"},
		{"veiw", verbs, "view"},
		{"dcode", verbs, "decode"},
		{"versoin", verbs, "version"},
		{"sand", verbs, "sandbox"},
		{"frobnicate", verbs, ""},
		{"", verbs, ""},
		{"key-not-jsn", []string{"key-null", "key-not-json", "key-not-list"}, "key-not-json"},
		{"3.6.x", []string{"3.5.2", "3.6.0", "3.6.1"}, "3.6.0"},
		{"html", []string{"table", "yaml"}, ""},
	} {
		if got := nearest(c.word, c.right); got != c.want {
			t.Errorf("nearest(%q) = %q, want %q", c.word, got, c.want)
		}
	}
}

func TestDistanceCountsSwapsAsOne(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"abc", "", 3},
		{"scan", "scan", 0},
		{"scna", "scan", 1},
		{"scn", "scan", 1},
		{"scann", "scan", 1},
		{"skan", "scan", 1},
		{"kitten", "sitting", 3},
	} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
