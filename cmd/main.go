// Package cmd is koffsets as a command: it turns flags into calls of the
// packages below it, hands their results to report, and says how a run ended.
// One file a verb, one struct a group of flags, one switch of exit codes. It
// holds no rule about Kafka or offsets. It alone reads the environment, the
// clock and the signals, and it alone writes to streams.
package cmd

import (
	"context"
	"errors"
	"io"
	"os/signal"
	"slices"
	"time"

	"github.com/spf13/cobra"
)

// World is what a run touches of the system around it.
type World struct {
	In       io.Reader
	Out, Err io.Writer
	// Env looks an environment variable up.
	Env func(name string) (string, bool)
	Now func() time.Time
	// Terminal reports whether a stream is a terminal, and its width in columns.
	Terminal func(stream any) (width int, ok bool)
}

// app is one run.
type app struct {
	World
	args []string
	// read counts the records read so far, for progress and for an interrupted run.
	read *progress
}

// Main runs koffsets with the arguments behind its name and returns the exit
// code. An interrupt or a terminating signal ends the run in good order, a
// second one at once.
func Main(ctx context.Context, args []string, w World) int {
	ctx, stop := signal.NotifyContext(ctx, endingSignals()...)
	defer stop()
	context.AfterFunc(ctx, stop)

	read, quit := newProgress()
	defer quit()
	a := &app{World: w, args: args, read: read}
	root := newRootCmd(a)
	root.SetArgs(args)
	root.SetIn(w.In)
	root.SetOut(w.Out)
	root.SetErr(w.Err)
	err := root.ExecuteContext(ctx)
	if ctx.Err() != nil && errors.Is(err, context.Canceled) && !errors.Is(err, errEnded) {
		err = &interruptedError{read: a.read.records.Load()}
	}
	code := exitCode(err)
	a.printError(err, code)
	return code
}

// newRootCmd is the command without a verb, with every verb below it.
func newRootCmd(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:           "koffsets",
		Short:         "Reads and checks Kafka Connect offsets topics",
		SilenceErrors: true,
		SilenceUsage:  true,
		// What stands before the verb is told apart in runRoot.
		DisableFlagParsing: true,
		Args:               cobra.ArbitraryArgs,
		RunE:               func(c *cobra.Command, args []string) error { return runRoot(a, c, args) },
		PersistentPreRunE:  func(c *cobra.Command, _ []string) error { return a.applyEnv(c) },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(newHelpCmd())
	verbs := []*cobra.Command{
		newScanCmd(a),
		newViewCmd(a),
		newDecodeCmd(a),
		newExportCmd(a),
		newExplainCmd(a),
		newSandboxCmd(a),
		newCompletionCmd(a),
		newVersionCmd(a),
	}
	root.AddCommand(slices.Clone(verbs)...) // cobra sorts its own
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { writeHelp(a.Out, c, verbs) })
	root.SetUsageFunc(func(c *cobra.Command) error { writeHelp(a.Err, c, verbs); return nil })
	root.SetFlagErrorFunc(flagError)
	return root
}

// runRoot answers a command line whose first word is no verb.
func runRoot(a *app, c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	switch word := args[0]; {
	case word == "-h", word == "--help":
		return c.Help()
	case word == "--version":
		return runVersion(a, &versionOptions{output: defaultOutput()})
	case len(word) > 1 && word[0] == '-':
		return failf("flags stand behind the verb: koffsets VERB [SOURCE] [flags]", "unknown flag %s before the verb", word)
	default:
		return unknown("verb", word, verbNames(c))
	}
}

// verbNames are the words that may follow koffsets.
func verbNames(root *cobra.Command) []string {
	var names []string
	for _, v := range root.Commands() {
		if !v.Hidden {
			names = append(names, v.Name())
		}
	}
	return names
}
