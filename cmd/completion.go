package cmd

import (
	"github.com/spf13/cobra"
)

func newCompletionCmd(a *app) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Prints a completion script for bash, zsh, fish or powershell",
		Example: `  source <(koffsets completion bash)
  koffsets completion zsh > "${fpath[1]}/_koffsets"
  koffsets completion fish > ~/.config/fish/completions/koffsets.fish`,
		ValidArgs: shells,
		Args:      exactly(1, "SHELL"),
		RunE: func(c *cobra.Command, args []string) error {
			return runCompletion(a, c.Root(), args[0], shells)
		},
	}
}

func runCompletion(a *app, root *cobra.Command, shell string, shells []string) error {
	switch shell {
	case "bash":
		return root.GenBashCompletionV2(a.Out, true)
	case "zsh":
		return root.GenZshCompletion(a.Out)
	case "fish":
		return root.GenFishCompletion(a.Out, true)
	case "powershell":
		return root.GenPowerShellCompletionWithDesc(a.Out)
	default:
		return unknown("shell", shell, shells)
	}
}
