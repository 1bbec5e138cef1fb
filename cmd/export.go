package cmd

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"koffsets/offsetstore"
	"koffsets/offsetstore/dump"
)

type exportOptions struct {
	sources     sources
	destination destination
	as          choice
	source      string
}

func newExportCmd(a *app) *cobra.Command {
	o := &exportOptions{sources: sources{inOrder: true}, as: choice{what: "form", words: []string{"dump"}, chosen: []string{"dump"}}}
	c := &cobra.Command{
		Use:   "export [SOURCE]",
		Short: "Writes a lossless backup of an offsets topic",
		Long: `A dump has every record with its place, byte for byte, one line of JSON each.
The records of aborted and open transactions are in it, and marked, unless
--isolation read_committed leaves them out. It is a source of every other verb.`,
		Example: "  koffsets export -b k1:9092 --as dump -O offsets.jsonl",
		Args:    atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			o.source = sourceOf(args)
			if err := o.sources.check(); err != nil {
				return err
			}
			return runExport(c.Context(), a, o)
		},
	}
	o.sources.register(c, offsetstore.ReadUncommitted)
	o.destination.register(c)
	addChoice(c, &o.as, "as", "", "the `FORM` of the export: dump")
	return c
}

func runExport(ctx context.Context, a *app, o *exportOptions) error {
	out, err := o.destination.open(a)
	if err != nil {
		return err
	}
	defer out.abandon()
	source, release, err := o.sources.open(ctx, a, o.source)
	if err != nil {
		return err
	}
	defer release()
	if o.sources.level() == offsetstore.ReadCommitted {
		source = offsetstore.Committed(source)
	}
	hide := o.destination.waiting(a)
	d, err := writeDump(ctx, out, source, o.sources.level())
	hide()
	if err != nil {
		return err
	}
	if err := out.commit(); err != nil {
		return err
	}
	if out.file != nil {
		o.destination.note(a, "wrote %s of %s to %s", count(a.read.records.Load(), "record"), d.Topic, o.destination.file)
	}
	return incomplete(&d)
}

// writeDump copies a source into a dump, which is sealed however it ended.
func writeDump(ctx context.Context, w io.Writer, source offsetstore.Source, level offsetstore.Isolation) (offsetstore.Description, error) {
	out := dump.NewWriter(w, level)
	d, err := source.Read(ctx, out.Write)
	if err != nil {
		return d, err
	}
	return d, out.Close(d)
}
