package cmd

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/spf13/cobra"

	"koffsets/offsetstore"
	"koffsets/report"
)

type decodeOptions struct {
	releases   releases
	output     output
	hex        bool
	partitions int
	keys       []string
}

func newDecodeCmd(a *app) *cobra.Command {
	o := &decodeOptions{releases: releases{many: true}}
	c := &cobra.Command{
		Use:   "decode [KEY…]",
		Short: "Says what Kafka Connect makes of single keys",
		Long: `Keys come as arguments; with --hex as hex digits, without arguments one a line of
standard input, where NULL is a null key and an empty line one of no bytes; else
as the records of a dump on standard input. Exit 1 where some key is not ok.`,
		Example: `  koffsets decode '["c", {"p":01}]' --release 3.5.2 --release 3.6.1
  koffsets decode --hex -o jsonl < keys.hex`,
		RunE: func(c *cobra.Command, args []string) error {
			o.keys = args
			if err := o.check(a); err != nil {
				return err
			}
			return runDecode(c.Context(), a, o)
		},
	}
	o.releases.register(c)
	o.output.register(c)
	c.Flags().BoolVar(&o.hex, "hex", false, "keys are hex digits")
	c.Flags().IntVar(&o.partitions, "partitions", 25, "partition `COUNT` of the topic, for home partitions")
	complete(c, "partitions", "25")
	c.ValidArgsFunction = cobra.NoFileCompletions
	return c
}

func (o *decodeOptions) check(a *app) error {
	if o.partitions < 1 || o.partitions > 1<<31-1 {
		return failf("connect-offsets has 25 by default", "a topic cannot have --partitions %d", o.partitions)
	}
	if _, terminal := a.Terminal(a.In); terminal && len(o.keys) == 0 {
		return failf("koffsets decode '[\"connector\",{\"field\":1}]'", "no key is given, and standard input is a terminal")
	}
	return nil
}

func runDecode(ctx context.Context, a *app, o *decodeOptions) error {
	out, err := o.output.open(a)
	if err != nil {
		return err
	}
	defer out.abandon()
	defer a.read.show(a.Err, a.Now, false)() // the answer grows on the screen itself
	var ended error                          // how the input ended, known once it was read
	decoded := report.NewDecode(a.counted(o.input(ctx, a, &ended)), report.DecodeOptions{
		Releases:   o.releases.list,
		Partitions: o.partitions,
		ShowKeys:   len(o.keys) != 1,
	})
	err = o.output.write(a, out, decoded)
	switch {
	case err != nil:
		return err
	case ended != nil:
		return ended
	case !decoded.AllOK():
		return errFound
	}
	return nil
}

// input is the keys, from wherever they come.
func (o *decodeOptions) input(ctx context.Context, a *app, ended *error) iter.Seq[report.DecodeInput] {
	stdin := patient{ctx, a.In}
	switch {
	case o.hex && len(o.keys) > 0:
		return bare(hexArguments(o.keys), ended)
	case o.hex:
		return bare(hexLines(stdin), ended)
	case len(o.keys) > 0:
		return bare(arguments(o.keys), ended)
	}
	return func(yield func(report.DecodeInput) bool) {
		source, err := a.openDump(standardInput, stdin, 0, "give keys as arguments, or one a line in hex with --hex")
		if err != nil {
			*ended = err
			return
		}
		records(ctx, source, yield, ended)
	}
}

// bare is keys without values; an error ends them and goes to ended.
func bare(keys iter.Seq2[[]byte, error], ended *error) iter.Seq[report.DecodeInput] {
	return func(yield func(report.DecodeInput) bool) {
		for key, err := range keys {
			if err != nil {
				*ended = err
				return
			}
			if !yield(report.DecodeInput{Key: key}) {
				return
			}
		}
	}
}

func arguments(keys []string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for _, key := range keys {
			if !yield([]byte(key), nil) {
				return
			}
		}
	}
}

func hexArguments(keys []string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for i, text := range keys {
			key, err := parseHex([]byte(text))
			if err != nil {
				err = fmt.Errorf("key %d: %w", i+1, err)
			}
			if !yield(key, err) {
				return
			}
		}
	}
}

// records yields the records of a source.
func records(ctx context.Context, source offsetstore.Source, yield func(report.DecodeInput) bool, ended *error) {
	enough := errors.New("no more is wanted")
	d, err := source.Read(ctx, func(_ *offsetstore.Description, group []offsetstore.Record) error {
		for i := range group {
			if !yield(report.DecodeInput{Key: group[i].Key, Value: group[i].Value, HasValue: true}) {
				return enough
			}
		}
		return nil
	})
	switch {
	case errors.Is(err, enough):
	case err != nil:
		*ended = err
	default:
		*ended = incomplete(&d)
	}
}

// counted counts keys as records that were read.
func (a *app) counted(keys iter.Seq[report.DecodeInput]) iter.Seq[report.DecodeInput] {
	return func(yield func(report.DecodeInput) bool) {
		for key := range keys {
			a.read.records.Add(1)
			if !yield(key) {
				return
			}
		}
	}
}
