package cmd

import (
	"slices"
	"strings"
	"testing"
)

func TestMatchTakesStarAndQuestionMarkAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"mysql-cdc", "mysql-cdc", true},
		{"mysql-cdc", "mysql-cdc2", false},
		{"mysql-*", "mysql-cdc", true},
		{"*", "", true},
		{"*", "a/b[c]", true},
		{"a*c*e", "abcde", true},
		{"a*c*e", "abcd", false},
		{"a?c", "a/c", true},
		{"a?c", "ac", false},
		{"?", "é", true},
		{"[ab]", "a", false},
		{"[ab]", "[ab]", true},
		{`a\*`, "a*", true},
		{`a\*`, "ab", false},
		{"", "", true},
		{"", "a", false},
		{"*a", "aaab", false},
		{"*ab", "aab", true},
	} {
		if got := match(c.pattern, c.name); got != c.want {
			t.Errorf("match(%q, %q) = %v", c.pattern, c.name, got)
		}
	}
}

func TestMatchIsQuickOnHostilePatterns(t *testing.T) {
	t.Parallel()
	if match(strings.Repeat("a*", 200)+"b", strings.Repeat("a", 20_000)) {
		t.Error("matched")
	}
}

func TestPickKeepsTheOrderAndNamesIdlePatterns(t *testing.T) {
	t.Parallel()
	all := []string{"jdbc-orders", "mongo-users", "mysql-cdc"}
	for _, c := range []struct {
		patterns, picked, idle []string
	}{
		{nil, all, nil},
		{[]string{"mysql-cdc", "jdbc-*"}, []string{"jdbc-orders", "mysql-cdc"}, nil},
		{[]string{"m*", "nope"}, []string{"mongo-users", "mysql-cdc"}, []string{"nope"}},
	} {
		g := selection{connectors: c.patterns}
		picked, idle := g.pick(all)
		if !slices.Equal(picked, c.picked) || !slices.Equal(idle, c.idle) {
			t.Errorf("%q: picked %q, idle %q", c.patterns, picked, idle)
		}
	}
}

func TestLiteralTellsNamesFromPatterns(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]string{"a": "a", `a\*b`: "a*b", `a\\`: `a\`} {
		if name, ok := literal(pattern); !ok || name != want {
			t.Errorf("literal(%q) = %q, %v", pattern, name, ok)
		}
	}
	for _, pattern := range []string{"*", "a?b", `\**`} {
		if _, ok := literal(pattern); ok {
			t.Errorf("%q is taken for a name", pattern)
		}
	}
}
