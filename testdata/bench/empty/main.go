// Command empty imports the libraries that koffsets does and does nothing: what
// of its start is theirs.
package main

import (
	_ "encoding/json"
	"fmt"

	_ "github.com/charmbracelet/lipgloss"
	_ "github.com/olekukonko/tablewriter"
	_ "github.com/olekukonko/tablewriter/renderer"
	_ "github.com/olekukonko/tablewriter/tw"
	_ "github.com/spf13/cobra"
	_ "github.com/twmb/franz-go/pkg/kfake"
	_ "github.com/twmb/franz-go/pkg/kgo"
	_ "go.yaml.in/yaml/v3"
	_ "golang.org/x/term"
)

func main() { fmt.Println("hello") }
