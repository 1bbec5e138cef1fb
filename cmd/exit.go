package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"koffsets/offsetstore/kafka"
	"koffsets/report"
)

// The exit codes of every verb; docs/exit-codes.md says what each means where.
const (
	exitClean       = 0
	exitFound       = 1
	exitFailed      = 2
	exitInterrupted = 130
)

// errFound ends a verb that has given its answer, where that answer is one that
// scripts must notice.
var errFound = errors.New("there is something")

// errEnded ends a verb that runs until it is interrupted, and was: nothing is
// to be said of it.
var errEnded = fmt.Errorf("ended: %w", context.Canceled)

// failure is an error with advice on what to do about it.
type failure struct {
	err  error
	hint string
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// failf makes a failure from a hint and the format of its error.
func failf(hint, format string, args ...any) error {
	return &failure{fmt.Errorf(format, args...), hint}
}

// interruptedError ends a run that a signal stopped; read counts the
// records it had read.
type interruptedError struct{ read int64 }

func (e *interruptedError) Error() string {
	if e.read == 0 {
		return "interrupted"
	}
	return "interrupted: " + count(e.read, "record") + " read"
}
func (e *interruptedError) Unwrap() error { return context.Canceled }

// exitCode is the one place where an outcome becomes a number.
func exitCode(err error) int {
	switch {
	case err == nil, closedPipe(err):
		return exitClean
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.Is(err, errFound):
		return exitFound
	default:
		return exitFailed
	}
}

// printError says on standard error what went wrong: as text, or as one JSON
// object where the answer would have been JSON. A write that fails has nowhere
// to be reported.
func (a *app) printError(err error, code int) {
	if code == exitClean || code == exitFound || errors.Is(err, errEnded) {
		return
	}
	text, hint := report.Visible(err.Error()), report.Visible(hintOf(err))
	if a.wantsJSON() {
		var line bytes.Buffer
		e := json.NewEncoder(&line)
		e.SetEscapeHTML(false)
		_ = e.Encode(struct {
			Error string  `json:"error"`
			Hint  *string `json:"hint"`
			Exit  int     `json:"exit"`
		}{text, orNull(hint), code})
		_, _ = a.Err.Write(line.Bytes())
		return
	}
	_, _ = fmt.Fprintf(a.Err, "koffsets: error: %s\n", text)
	if hint != "" {
		_, _ = fmt.Fprintf(a.Err, "hint: %s\n", hint)
	}
}

// hintOf is what an error says to do about it, or "".
func hintOf(err error) string {
	var (
		own    *failure
		remote *kafka.Error
	)
	switch {
	case errors.As(err, &own):
		return own.hint
	case errors.As(err, &remote):
		return remote.Hint
	}
	return ""
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// note writes a remark for a person to standard error.
func note(w io.Writer, format string, args ...any) {
	_, _ = fmt.Fprintln(w, report.Visible(fmt.Sprintf(format, args...)))
}

// wantsJSON reports whether the answer was asked for as JSON. It looks at the
// words, since a command line that does not parse has no flags.
func (a *app) wantsJSON() bool {
	format, _ := a.Env("KOFFSETS_OUTPUT")
	for i, word := range a.args {
		if word == "--" {
			break
		}
		if value, ok := strings.CutPrefix(word, "--output="); ok {
			format = value
		} else if word == "--output" || word == "-o" {
			if i+1 < len(a.args) {
				format = a.args[i+1]
			}
		} else if value, ok := strings.CutPrefix(word, "-o"); ok {
			format = strings.TrimPrefix(value, "=")
		}
	}
	return format == "json" || format == "jsonl"
}
