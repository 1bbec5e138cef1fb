//go:build unix

package cmd

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func endingSignals() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }

// progressSignal asks for a line of progress.
func notifyProgress(c chan<- os.Signal) { signal.Notify(c, syscall.SIGUSR1) }

// keepPipeErrors makes a write to a closed pipe an error instead of the end.
func keepPipeErrors() { signal.Ignore(syscall.SIGPIPE) }

func closedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}
