package cmd

import (
	"os"
	"time"

	"golang.org/x/term"
)

// System is the world of a process: its streams, environment and clock.
func System() World {
	keepPipeErrors()
	return World{
		In:  os.Stdin,
		Out: os.Stdout,
		Err: os.Stderr,
		Env: os.LookupEnv,
		Now: time.Now,
		Terminal: func(stream any) (int, bool) {
			f, ok := stream.(*os.File)
			if !ok || !term.IsTerminal(int(f.Fd())) {
				return 0, false
			}
			width, _, err := term.GetSize(int(f.Fd()))
			if err != nil || width <= 0 {
				width = 80
			}
			return width, true
		},
	}
}
