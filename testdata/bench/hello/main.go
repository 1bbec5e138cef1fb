// Command hello is the least that starts: what koffsets version is held against.
package main

import "fmt"

func main() { fmt.Println("hello") }
