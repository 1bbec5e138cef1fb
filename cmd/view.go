package cmd

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"koffsets/offsetstore"
	"koffsets/report"
)

type viewOptions struct {
	sources   sources
	releases  releases
	selection selection
	output    output
	as        choice
	strict    bool
	source    string
}

func newViewCmd(a *app) *cobra.Command {
	o := &viewOptions{as: choice{what: "form", words: []string{"rest"}}}
	c := &cobra.Command{
		Use:   "view [SOURCE]",
		Short: "Shows the source offsets of every connector",
		Long: `With --as rest it prints, byte for byte, what GET /connectors/NAME/offsets of the
chosen release answers for one connector.`,
		Example: `  koffsets view -b k1:9092
  koffsets view -b k1:9092 -c 'mysql-*' -o json
  diff <(curl -s w1:8083/connectors/mysql-cdc/offsets) \
       <(koffsets view -b k1:9092 -c mysql-cdc --as rest)`,
		Args: atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			o.source = sourceOf(args)
			if err := o.check(); err != nil {
				return err
			}
			return runView(c.Context(), a, o)
		},
	}
	o.sources.register(c, offsetstore.ReadCommitted)
	o.releases.register(c)
	o.selection.register(c)
	o.output.register(c)
	addChoice(c, &o.as, "as", "", "show one connector as `FORM` rest")
	c.Flags().BoolVar(&o.strict, "strict", false, "exit 1 where a record was skipped, as workers skip it")
	return c
}

func (o *viewOptions) check() error {
	if o.as.given && (o.output.format.given || o.output.keyFormat.given) {
		return failf("leave out --output and --key-format, or --as", "--as rest prints what a worker answers, in no other form")
	}
	return o.sources.check()
}

func runView(ctx context.Context, a *app, o *viewOptions) error {
	out, err := o.output.open(a)
	if err != nil {
		return err
	}
	defer out.abandon()
	view, err := readView(ctx, a, &o.sources, o.releases.one(), &o.output.destination, o.source)
	if err != nil {
		return err
	}
	if o.as.given {
		err = o.writeREST(a, out, view)
	} else {
		err = o.writeView(a, out, view)
	}
	if err != nil {
		return err
	}
	if err := incomplete(&view.Description); err != nil {
		return err
	}
	if o.strict && view.Summary.Malformed > 0 {
		return errFound
	}
	return nil
}

func (o *viewOptions) writeView(a *app, out *sink, view *offsetstore.View) error {
	names, err := o.selection.names(a, &o.output.destination, view.Connectors())
	if err != nil {
		return cmp.Or(incomplete(&view.Description), err)
	}
	return o.output.write(a, out, report.NewView(view, names))
}

// writeREST answers as Connect does for the one connector that is selected.
func (o *viewOptions) writeREST(a *app, out *sink, view *offsetstore.View) error {
	name, err := o.selection.one(view.Connectors())
	if err != nil {
		return err
	}
	o.warnREST(a, view, name)
	answer, err := view.REST(name)
	if err != nil {
		return failf("choose another --release", "%w", err)
	}
	if _, err := out.Write(answer); err != nil {
		return err
	}
	return out.commit()
}

// warnREST says on standard error what the answer itself cannot.
func (o *viewOptions) warnREST(a *app, view *offsetstore.View, name string) {
	d := &o.output.destination
	if !slices.Contains(view.Connectors(), name) {
		d.note(a, "no connector in the topic is named %s", quoted(name))
	}
	hang := 0
	for e := range view.Entries(name) {
		if e.Ambiguous || e.Listed.Ambiguous {
			hang++
		}
	}
	if hang > 0 {
		d.note(a, "%s of the answer depends on the order in which a worker reads the topic partitions", entries(hang))
	}
}

func entries(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return thousands(int64(n)) + " entries"
}

// one is the connector selected, where there must be just one. A name without
// wildcards is taken at its word: Connect may know it, the topic not yet.
func (g *selection) one(all []string) (string, error) {
	if len(g.connectors) == 1 {
		if name, ok := literal(g.connectors[0]); ok {
			return name, nil
		}
	}
	picked, _ := g.pick(all)
	switch {
	case len(picked) == 1:
		return picked[0], nil
	case len(picked) == 0:
		return "", failf("koffsets view shows all there are", "--as rest is about one connector, and none is selected")
	}
	return "", failf("choose one with -c: "+strings.Join(picked, ", "),
		"--as rest is about one connector, and %d are selected", len(picked))
}
