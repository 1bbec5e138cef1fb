package cmd

import (
	"bufio"
	"bytes"
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
	name, in, done := path, io.Reader(nil), func() {}
	if path == "-" {
		name, in = "standard input", patient{ctx, a.In}
	} else {
		f, err := os.Open(path)
		if err != nil {
			return nil, nil, noFile(path, err)
		}
		if info, err := f.Stat(); err == nil && info.IsDir() {
			_ = f.Close()
			return nil, nil, failf("give "+sourceHelp, "%s is a directory", path)
		} else if err == nil && info.Mode().IsRegular() {
			a.read.total.Store(info.Size())
		}
		in, done = f, func() { _ = f.Close() }
	}
	r := bufio.NewReaderSize(&measured{in, &a.read.done}, 64<<10)
	head, err := r.Peek(4 << 10)
	if err == nil || errors.Is(err, io.EOF) {
		err = recognise(name, head)
	}
	if err != nil {
		done()
		return nil, nil, err
	}
	return dump.NewReader(name, r, dump.Options{Partitions: g.partitions}), done, nil
}

// noFile says why a path could not be opened, which may be a keyword misspelt.
func noFile(path string, err error) error {
	hint := "give " + sourceHelp
	if near := nearest(path, []string{"live", "sandbox"}); near != "" && errors.Is(err, os.ErrNotExist) {
		hint = "did you mean " + near + "?"
	}
	return failf(hint, "cannot read %s: %w", path, rootCause(err))
}

// recognise refuses a file that does not begin as a dump does, by the name of
// what it seems to be.
func recognise(name string, head []byte) error {
	if dump.Sniff(head) {
		return nil
	}
	if len(bytes.TrimSpace(head)) == 0 {
		return failf("a dump is made by koffsets export --as dump", "%s is empty", name)
	}
	return failf("a dump is made by koffsets export --as dump", "%s is not a koffsets dump: it seems to be %s", name, seems(head))
}

// seems names what a file's first bytes look like.
func seems(head []byte) string {
	text := bytes.TrimSpace(head)
	has := func(fields ...string) bool {
		for _, f := range fields {
			if !bytes.Contains(text, []byte(`"`+f+`"`)) {
				return false
			}
		}
		return true
	}
	object := bytes.HasPrefix(text, []byte("{"))
	switch {
	case bytes.HasPrefix(head, []byte{0xAC, 0xED}):
		return "an offset file of a standalone worker, which this koffsets does not read"
	case bytes.HasPrefix(head, []byte{0x1F, 0x8B}), bytes.HasPrefix(head, []byte{0x28, 0xB5, 0x2F, 0xFD}):
		return "compressed: unpack it first"
	case len(head) > 16 && head[0] == 0 && head[16] <= 2:
		return "a log segment of a broker, which this koffsets does not read"
	case object && has("offsets"):
		return "a saved answer of Connect's REST API, which this koffsets does not read"
	case object && has("topic", "payload"):
		return "output of kcat -J, which this koffsets does not read"
	case object:
		return "JSON without a record's fields"
	case bytes.HasPrefix(text, []byte("[")):
		return "a list of keys: koffsets decode takes them"
	case bytes.IndexByte(head, 0) >= 0:
		return "binary"
	default:
		return "plain text"
	}
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
