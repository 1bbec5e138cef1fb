package cmd

import (
	"github.com/spf13/cobra"

	"koffsets/report"
)

// destination is the group of flags that says where the answer goes.
type destination struct {
	file  string
	quiet bool
}

func (g *destination) register(c *cobra.Command) {
	c.Flags().StringVarP(&g.file, "out-file", "O", "", "write to this `FILE`, whole or not at all")
	c.Flags().BoolVarP(&g.quiet, "quiet", "q", false, "no progress and no notes")
}

// open begins the answer, so that a place that cannot be written shows before
// the work is done.
func (g *destination) open(a *app) (*sink, error) { return openSink(g.file, a.Out) }

// waiting shows progress until the function it gives is called.
func (g *destination) waiting(a *app) (hide func()) {
	_, live := a.Terminal(a.Err)
	return a.read.show(a.Err, a.Now, live && !g.quiet)
}

// note writes a remark to standard error, unless quiet is asked for or JSON,
// where standard error is for errors.
func (g *destination) note(a *app, format string, args ...any) {
	if !g.quiet && !a.wantsJSON() {
		note(a.Err, format, args...)
	}
}

// output is the group of flags that says how the answer is printed, and where.
type output struct {
	destination
	format    choice
	color     choice
	keyFormat choice
	verbose   bool
}

func (g *output) register(c *cobra.Command) {
	*g = defaultOutput()
	g.destination.register(c)
	addChoice(c, &g.format, "output", "o", "print as `FORMAT`: table, wide, json, jsonl, yaml, tsv, name")
	addChoice(c, &g.color, "color", "", "`WHEN` to use colour: auto, always, never")
	addChoice(c, &g.keyFormat, "key-format", "", "`FORM` of keys on screens: quoted, hex, base64, redacted")
	c.Flags().BoolVarP(&g.verbose, "verbose", "v", false, "list everything that is known")
}

func defaultOutput() output {
	return output{
		format:    choice{what: "format", words: report.Formats(), chosen: []string{report.Table.String()}},
		color:     choice{what: "choice of colour", words: []string{"auto", "always", "never"}, chosen: []string{"auto"}},
		keyFormat: choice{what: "key format", words: report.KeyFormats(), chosen: []string{report.Quoted.String()}},
	}
}

// write prints a result into a sink and makes it the answer.
func (g *output) write(a *app, s *sink, r report.Result) error {
	format, err := report.ParseFormat(g.format.String())
	if err != nil {
		return err
	}
	if err := report.Write(s, format, r, g.options(a, s)); err != nil {
		return err
	}
	return s.commit()
}

// print is open and write for a result that takes no work.
func (g *output) print(a *app, r report.Result) error {
	s, err := g.open(a)
	if err != nil {
		return err
	}
	defer s.abandon()
	return g.write(a, s, r)
}

func (g *output) options(a *app, s *sink) report.Options {
	keyFormat, _ := report.ParseKeyFormat(g.keyFormat.String()) // a right word, or Set had refused it
	o := report.Options{Verbose: g.verbose, KeyFormat: keyFormat, Color: g.colored(a, s)}
	if width, ok := a.terminal(s); ok {
		o.Width, o.Now = width, a.Now()
	}
	return o
}

// terminal is the width of the terminal that a sink leads to, if it does.
func (a *app) terminal(s *sink) (width int, ok bool) {
	if s.file != nil {
		return 0, false
	}
	return a.Terminal(a.Out)
}

// colored decides on colour: a flag outranks NO_COLOR and TERM.
func (g *output) colored(a *app, s *sink) bool {
	switch g.color.String() {
	case "always":
		return true
	case "never":
		return false
	}
	_, ok := a.terminal(s)
	noColor, _ := a.Env("NO_COLOR")
	term, _ := a.Env("TERM")
	return ok && noColor == "" && term != "dumb"
}
