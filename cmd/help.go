package cmd

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

const rootHelp = `SOURCE is where the offsets come from:
  live (or nothing)   the topic at --bootstrap-server, --topic
  sandbox[:NAME]      an embedded broker with a fixture, for trying things out
  FILE or -           a koffsets dump (koffsets export --as dump)
A path that looks like one of these words is written ./live.

Every flag can be set by the environment: --bootstrap-server is
KOFFSETS_BOOTSTRAP_SERVER, and so on. A flag outranks its variable.

Exit codes: 0 clean or done, 1 there is something, 2 could not answer,
130 interrupted.
`

// writeHelp prints what a command is for, and for koffsets itself what its verbs
// are. It stands in for cobra's templates:
// one call of text/template keeps the linker from dropping unused methods.
func writeHelp(w io.Writer, c *cobra.Command, verbs []*cobra.Command) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s.\n\nusage: %s\n", c.Short, usageLine(c))
	if c.Long != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(c.Long))
	}
	if c.Example != "" {
		fmt.Fprintf(&b, "\nexamples:\n%s\n", strings.TrimRight(c.Example, "\n"))
	}
	if !c.HasParent() {
		b.WriteString("\nverbs:\n")
		for _, v := range verbs {
			fmt.Fprintf(&b, "  %-11s %s\n", v.Name(), v.Short)
		}
		fmt.Fprintf(&b, "\n%s\nkoffsets VERB --help tells more.\n", rootHelp)
	}
	c.Flags().SortFlags = false // in their groups
	if flags := c.LocalFlags(); !c.DisableFlagParsing && flags.HasAvailableFlags() {
		fmt.Fprintf(&b, "\nflags:\n%s", flags.FlagUsagesWrapped(80))
	}
	_, _ = w.Write(b.Bytes())
}

func usageLine(c *cobra.Command) string {
	if !c.HasParent() {
		return "koffsets VERB [SOURCE] [flags]"
	}
	return strings.TrimSuffix(c.UseLine(), " [flags]") + " [flags]"
}

func newHelpCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "help [VERB]",
		Short: "Tells what a verb does",
		Args:  cobra.MaximumNArgs(1),
		ValidArgsFunction: func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return verbNames(c.Root()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Root().Help()
			}
			verb, _, err := c.Root().Find(args)
			if err != nil || verb == c.Root() {
				return unknown("verb", args[0], verbNames(c.Root()))
			}
			return verb.Help()
		},
	}
}
