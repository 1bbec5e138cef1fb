package cmd

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"koffsets/offsetstore"
	"koffsets/report"
)

type scanOptions struct {
	sources   sources
	releases  releases
	selection selection
	gate      gate
	output    output
	source    string
}

func newScanCmd(a *app) *cobra.Command {
	o := &scanOptions{}
	c := &cobra.Command{
		Use:   "scan [SOURCE]",
		Short: "Finds what is wrong in an offsets topic",
		Long: `Every key is judged as the chosen Kafka release judges it, and what a worker
makes of the topic is compared with what its REST API says. Findings come worst
first, each with its place. Exit 1 where one is an error or worse (--fail-on).`,
		Example: `  koffsets scan sandbox
  koffsets scan -b k1:9092
  koffsets scan -b k1:9092 -t connect-cluster-offsets --release 4.1.1 -o json
  koffsets scan offsets.jsonl --ignore key-not-canonical --fail-on warning`,
		Args: atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			o.source = sourceOf(args)
			if err := o.sources.check(); err != nil {
				return err
			}
			return runScan(c.Context(), a, o)
		},
	}
	o.sources.register(c, offsetstore.ReadCommitted)
	o.releases.register(c)
	o.selection.register(c)
	o.gate.register(c)
	o.output.register(c)
	return c
}

func runScan(ctx context.Context, a *app, o *scanOptions) error {
	out, err := o.output.open(a)
	if err != nil {
		return err
	}
	defer out.abandon()
	view, err := readView(ctx, a, &o.sources, o.releases.one(), &o.output.destination, o.source)
	if err != nil {
		return err
	}
	wanted, err := o.selected(a, view)
	if err != nil {
		return cmp.Or(incomplete(&view.Description), err)
	}
	findings := view.Findings(wanted)
	if err := o.output.write(a, out, report.NewScan(view, findings)); err != nil {
		return err
	}
	if err := incomplete(&view.Description); err != nil {
		return err
	}
	if o.gate.fails(findings) {
		return errFound
	}
	return nil
}

// selected says which findings are wanted.
func (o *scanOptions) selected(a *app, view *offsetstore.View) (offsetstore.FindingOptions, error) {
	names, err := o.selection.names(a, &o.output.destination, view.Connectors())
	wanted := offsetstore.FindingOptions{Connectors: names}
	for _, id := range o.gate.ignore.chosen {
		wanted.Ignore = append(wanted.Ignore, offsetstore.ID(id))
	}
	return wanted, err
}
