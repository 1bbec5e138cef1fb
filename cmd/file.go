package cmd

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"sync/atomic"

	"koffsets/offsetstore"
	"koffsets/offsetstore/dump"
)

// openFile opens a path, or standard input for "-".
func (g *sources) openFile(ctx context.Context, a *app, path string) (offsetstore.Source, func(), error) {
	if path == "-" {
		source, err := a.openDump(standardInput, patient{ctx, a.In}, g.partitions, dumpHint)
		return source, func() {}, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, noFile(path, err)
	}
	done := func() { _ = f.Close() }
	info, err := f.Stat()
	in := io.Reader(patient{ctx, f})
	switch {
	case err != nil:
	case info.IsDir():
		err = failf("give "+sourceHelp, "%s is a directory", path)
	case info.Mode().IsRegular():
		a.read.total.Store(info.Size())
		in = f
	}
	var source offsetstore.Source
	if err == nil {
		source, err = a.openDump(path, in, g.partitions, dumpHint)
	}
	if err != nil {
		done()
		return nil, nil, err
	}
	return source, done, nil
}

const (
	standardInput = "standard input"
	dumpHint      = "a dump is made by koffsets export --as dump"
)

// openDump looks at how a file begins before it is taken for a dump; hint is
// for where it is none.
func (a *app) openDump(name string, in io.Reader, partitions int, hint string) (offsetstore.Source, error) {
	r := bufio.NewReaderSize(&measured{in, &a.read.done}, 64<<10)
	head, err := r.Peek(4 << 10)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, failf("", "cannot read %s: %w", name, err)
	}
	if err := recognise(name, head, hint); err != nil {
		return nil, err
	}
	return dump.NewReader(name, r, dump.Options{Partitions: partitions}), nil
}

// noFile says why a path could not be opened, which may be a keyword misspelt.
func noFile(path string, err error) error {
	hint := "give " + sourceHelp
	if near := nearest(path, []string{"live", "sandbox"}); near != "" && errors.Is(err, os.ErrNotExist) {
		hint = "did you mean " + near + "?"
	}
	return failf(hint, "cannot read %s: %w", path, rootCause(err))
}

// measured counts the bytes that come through.
type measured struct {
	io.Reader
	bytes *atomic.Int64
}

func (m *measured) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	m.bytes.Add(int64(n))
	return n, err
}

// patient is a reader whose waiting ends with its context, as for standard
// input that nobody writes to.
type patient struct {
	ctx context.Context
	r   io.Reader
}

func (p patient) Read(b []byte) (int, error) {
	type result struct {
		b   []byte
		err error
	}
	got := make(chan result, 1)
	go func() {
		own := make([]byte, len(b)) // b is the caller's again when the context ends
		n, err := p.r.Read(own)
		got <- result{own[:n], err}
	}()
	select {
	case <-p.ctx.Done():
		return 0, p.ctx.Err()
	case r := <-got:
		return copy(b, r.b), r.err
	}
}
