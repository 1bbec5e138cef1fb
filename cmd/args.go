package cmd

import (
	"github.com/spf13/cobra"
)

// exactly wants n arguments, called what in help.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < n {
			return failf("usage: "+usageLine(c), "%s is missing", what)
		}
		return atMost(n)(c, args)
	}
}

// atMost wants no more than n arguments.
func atMost(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return failf("usage: "+usageLine(c), "unexpected argument %s", quoted(args[n]))
		}
		return nil
	}
}

// first is the first argument, or "".
func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// sourceOf is the SOURCE among the arguments; without one it is the live topic.
func sourceOf(args []string) string {
	if len(args) == 0 {
		return "live"
	}
	return args[0]
}
