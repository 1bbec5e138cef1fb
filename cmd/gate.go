package cmd

import (
	"github.com/spf13/cobra"

	"koffsets/offsetstore"
)

// gate is the group of flags that says which findings count.
type gate struct {
	failOn choice
	ignore choice
}

func (g *gate) register(c *cobra.Command) {
	g.failOn = choice{what: "severity", words: []string{"fatal", "error", "warning", "info", "never"}, chosen: []string{"error"}}
	g.ignore = choice{what: "finding", many: true}
	for _, k := range offsetstore.Kinds() {
		g.ignore.words = append(g.ignore.words, string(k.ID))
	}
	addChoice(c, &g.failOn, "fail-on", "", "`SEVERITY` from which exit is 1: fatal, error, warning, info, never")
	addChoice(c, &g.ignore, "ignore", "", "leave out findings with this `ID` (repeatable, or with commas)")
}

// fails reports whether one of the findings is severe enough for exit 1.
func (g *gate) fails(findings []offsetstore.Finding) bool {
	from, err := offsetstore.ParseSeverity(g.failOn.String())
	if err != nil { // never
		return false
	}
	for _, f := range findings {
		if f.Severity >= from {
			return true
		}
	}
	return false
}
