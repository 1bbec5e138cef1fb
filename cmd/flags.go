package cmd

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// choice is the value of a flag that takes one of a few words, or several of
// them where many is set.
type choice struct {
	words  []string // right ones
	what   string   // what such a word is, for errors
	many   bool
	chosen []string // the default until the flag is given
	given  bool
}

// Set takes a word, or where many may be chosen, several with commas between;
// pflag calls it.
func (c *choice) Set(text string) error {
	if !c.many {
		return c.choose(text)
	}
	for word := range strings.SplitSeq(text, ",") {
		if err := c.choose(word); err != nil {
			return err
		}
	}
	return nil
}

func (c *choice) choose(word string) error {
	if !slices.Contains(c.words, word) {
		return unknown(c.what, word, c.words)
	}
	if !c.many || !c.given {
		c.chosen = nil
	}
	c.given = true
	c.chosen = append(c.chosen, word)
	return nil
}

// String is the value as help shows it.
func (c *choice) String() string { return strings.Join(c.chosen, ",") }

// Type is the kind of value; pflag wants one.
func (c *choice) Type() string { return "choice" }

// addChoice registers the flag and completes its values.
func addChoice(c *cobra.Command, value *choice, name, short, usage string) {
	c.Flags().VarP(value, name, short, usage)
	complete(c, name, value.words...)
}

// complete offers words as the values of a flag.
func complete(c *cobra.Command, name string, words ...string) {
	// It fails only for a flag that was not registered, or twice.
	if err := c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}

// flagError words pflag's errors as every other one of koffsets.
func flagError(c *cobra.Command, err error) error {
	var (
		missing *pflag.NotExistError
		empty   *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
		own     *failure
	)
	seeHelp := c.CommandPath() + " --help lists the flags"
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &missing):
		if short := missing.GetSpecifiedShortnames(); short != "" {
			return failf(seeHelp, "unknown flag -%s", missing.GetSpecifiedName())
		}
		word := "--" + missing.GetSpecifiedName()
		if near := nearest(word, flagNames(c)); near != "" {
			seeHelp = "did you mean " + near + "?"
		}
		return failf(seeHelp, "unknown flag %s", word)
	case errors.As(err, &empty):
		return failf(seeHelp, "flag --%s needs a value", empty.GetFlag().Name)
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		return failf(seeHelp, "--%s takes %s, not %s", f.Name, kinds(f.Value.Type()), quoted(invalid.GetValue()))
	}
	return failf(seeHelp, "%w", err)
}

// kinds is what a flag of one of pflag's types takes.
func kinds(flagType string) string {
	switch flagType {
	case "int":
		return "a whole number"
	case "duration":
		return "a time such as 30s or 2m"
	case "bool":
		return "true or false"
	default:
		return "a " + flagType
	}
}

func flagNames(c *cobra.Command) []string {
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return names
}

// envName is the environment variable that sets a flag.
func envName(flag string) string {
	return "KOFFSETS_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// applyEnv sets every flag that was not given and has its variable set.
func (a *app) applyEnv(c *cobra.Command) error {
	var failed error
	c.Flags().VisitAll(func(f *pflag.Flag) {
		value, _ := a.Env(envName(f.Name))
		if failed != nil || f.Changed || f.Name == "help" || value == "" {
			return
		}
		if err := c.Flags().Set(f.Name, value); err != nil {
			var worded *failure
			errors.As(flagError(c, err), &worded)
			failed = failf(worded.hint, "%s: %w", envName(f.Name), worded.err)
		}
	})
	return failed
}
