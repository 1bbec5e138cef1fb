package cmd

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// selection is the group of flags that picks connectors.
type selection struct{ connectors []string }

func (g *selection) register(c *cobra.Command) {
	c.Flags().StringArrayVarP(&g.connectors, "connector", "c", nil, "only this connector, by `NAME` or pattern: a*, a? (repeatable)")
	complete(c, "connector")
}

// pick gives the connectors selected, in the order of all, and the patterns
// that select none. Without a pattern everything is selected.
func (g *selection) pick(all []string) (picked, idle []string) {
	if len(g.connectors) == 0 {
		return all, nil
	}
	for _, name := range all {
		if slices.ContainsFunc(g.connectors, func(p string) bool { return match(p, name) }) {
			picked = append(picked, name)
		}
	}
	for _, p := range g.connectors {
		if !slices.ContainsFunc(all, func(name string) bool { return match(p, name) }) {
			idle = append(idle, p)
		}
	}
	return picked, idle
}

// literal is the connector that a pattern names, if it names just one.
func literal(pattern string) (string, bool) {
	name := strings.NewReplacer(`\*`, "*", `\?`, "?", `\\`, `\`).Replace(pattern)
	return name, !strings.ContainsAny(strings.NewReplacer(`\*`, "", `\?`, "", `\\`, "").Replace(pattern), "*?")
}

// match reports whether name fits a pattern, in which * stands for any text, ?
// for one character, and a backslash takes their meaning away. Connector names
// may hold slashes and brackets, which are nothing special here.
func match(pattern, name string) bool {
	p, n := []rune(pattern), []rune(name)
	star, from := -1, 0 // the last * seen, and where the text it stands for ends
	i, j := 0, 0
	for j < len(n) {
		switch {
		case i < len(p) && p[i] == '*':
			star, from = i, j
			i++
			continue
		case i < len(p) && p[i] == '?':
			i, j = i+1, j+1
			continue
		case i+1 < len(p) && p[i] == '\\' && p[i+1] == n[j]:
			i, j = i+2, j+1
			continue
		case i < len(p) && p[i] != '\\' && p[i] == n[j]:
			i, j = i+1, j+1
			continue
		case star < 0:
			return false
		}
		from++
		i, j = star+1, from
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}

// names are the connectors a view is asked for, which asked for none gives all.
// A pattern that selects none is worth a note, and a failure where all are such:
// an empty answer would look like a clean one.
func (g *selection) names(a *app, d *destination, all []string) ([]string, error) {
	if len(g.connectors) == 0 {
		return nil, nil
	}
	picked, idle := g.pick(all)
	if len(picked) == 0 {
		hint := "koffsets view -o name lists the connectors"
		if near := nearest(idle[0], all); near != "" {
			hint = "did you mean " + near + "?"
		}
		return nil, failf(hint, "no connector in the topic is named %s", quoted(strings.Join(idle, ", ")))
	}
	for _, pattern := range idle {
		d.note(a, "no connector in the topic is named %s", quoted(pattern))
	}
	return picked, nil
}
