package cmd

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"koffsets/offsetstore/sandbox"
)

type sandboxOptions struct {
	fixture string
	listen  string
	quiet   bool
}

func newSandboxCmd(a *app) *cobra.Command {
	o := &sandboxOptions{}
	c := &cobra.Command{
		Use:   "sandbox [NAME]",
		Short: "Runs an embedded broker with a fixture until Ctrl-C",
		Long: `The broker's address is printed on standard output. Its topic connect-offsets
has 25 partitions. Fixtures: incident (broken on purpose, the default), clean.`,
		Example:           "  koffsets sandbox clean --listen 127.0.0.1:9092",
		Args:              atMost(1),
		ValidArgsFunction: cobra.FixedCompletions(sandbox.Fixtures(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(c *cobra.Command, args []string) error {
			if o.fixture = first(args); o.fixture == "" {
				o.fixture = sandbox.DefaultFixture
			}
			return runSandbox(c.Context(), a, o)
		},
	}
	c.Flags().StringVar(&o.listen, "listen", "", "`HOST:PORT` to listen on (default a free port of 127.0.0.1)")
	c.Flags().BoolVarP(&o.quiet, "quiet", "q", false, "print the address alone")
	complete(c, "listen", "127.0.0.1:9092")
	return c
}

func runSandbox(ctx context.Context, a *app, o *sandboxOptions) error {
	if !knownFixture(o.fixture) {
		return unknown("fixture", o.fixture, sandbox.Fixtures())
	}
	box, err := sandbox.Start(ctx, o.fixture, sandbox.Options{Listen: o.listen})
	if ctx.Err() != nil {
		return errEnded
	}
	if err != nil {
		return failf("choose a free port with --listen HOST:PORT", "%w", err)
	}
	defer box.Close()
	if _, err := fmt.Fprintln(a.Out, box.Addr()); err != nil {
		return err
	}
	if !o.quiet {
		note(a.Err, "sandbox with the fixture %s until Ctrl-C; try: koffsets scan -b %s", o.fixture, box.Addr())
	}
	<-ctx.Done() // the way it is meant to end: nothing to say
	return errEnded
}
