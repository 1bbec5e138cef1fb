// Command koffsets reads, checks and mends Kafka Connect offsets topics.
package main

import "os"

func main() { os.Exit(0) }
