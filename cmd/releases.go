package cmd

import (
	"strings"

	"github.com/spf13/cobra"

	"koffsets/release"
)

// releases is the group of the one flag --release, and its value.
type releases struct {
	list  []release.Release
	many  bool // several may be given
	given bool
}

func (g *releases) register(c *cobra.Command) {
	g.list = []release.Release{release.MustParse(release.Default)}
	usage := "judge as this Kafka `VERSION` does"
	if g.many {
		usage += " (repeatable)"
	}
	c.Flags().Var(g, "release", usage)
	complete(c, "release", release.Known()...)
}

// one is the release where only one may be given.
func (g *releases) one() release.Release { return g.list[0] }

// Set takes a version; pflag calls it.
func (g *releases) Set(word string) error {
	r, err := release.Parse(word)
	if err != nil {
		known := release.Known()
		hint := "the newest release known is " + known[len(known)-1]
		if near := nearest(word, known); near != "" {
			hint = "did you mean " + near + "?"
		}
		return failf(hint, "unknown release: %w", err)
	}
	if !g.many || !g.given {
		g.list = nil
	}
	g.given = true
	g.list = append(g.list, r)
	return nil
}

// String is the value as help shows it.
func (g *releases) String() string {
	var asked []string
	for _, r := range g.list {
		asked = append(asked, r.Asked)
	}
	return strings.Join(asked, ",")
}

// Type is the kind of value; pflag wants one.
func (g *releases) Type() string { return "version" }
