// Command koffsets reads, checks and mends Kafka Connect offsets topics.
package main

import (
	"context"
	"os"

	"koffsets/cmd"
)

func main() { os.Exit(cmd.Main(context.Background(), os.Args[1:], cmd.System())) }
