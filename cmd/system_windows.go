package cmd

import (
	"errors"
	"io"
	"os"
	"syscall"
)

func endingSignals() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }

func notifyProgress(chan<- os.Signal) {}

func keepPipeErrors() {}

func closedPipe(err error) bool {
	const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232)
	return errors.Is(err, brokenPipe) || errors.Is(err, noData) || errors.Is(err, io.ErrClosedPipe)
}
