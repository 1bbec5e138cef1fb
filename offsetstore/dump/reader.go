package dump

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"koffsets/offsetstore"
)

// Options is what a caller knows of a dump beforehand.
type Options struct {
	// Partitions is the topic's partition count; 0 takes the header's.
	Partitions int
}

// Reader is a dump as a source of records.
type Reader struct {
	name    string
	open    func() (io.ReadCloser, error)
	options Options
}

var _ offsetstore.Source = (*Reader)(nil)

// Open gives the dump in a file. What can be seen without reading is checked
// now: that it is there, that it is no directory, that it is not empty.
// Each Read opens the file anew.
func Open(path string, o Options) (*Reader, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err // names the path
	case info.IsDir():
		return nil, fmt.Errorf("%s is a directory, not a dump", path)
	case info.Mode().IsRegular() && info.Size() == 0:
		return nil, fmt.Errorf("%s is empty", path)
	}
	return &Reader{name: path, options: o, open: func() (io.ReadCloser, error) { return os.Open(path) }}, nil
}

// NewReader gives the dump in r, which can be read once. name is for messages.
func NewReader(name string, r io.Reader, o Options) *Reader {
	return &Reader{name: name, options: o, open: func() (io.ReadCloser, error) { return io.NopCloser(r), nil }}
}

// Read implements [offsetstore.Source]. A file that does not begin as a dump is
// an error. From the first good line on, whatever ends the reading early is in
// the Description's Incomplete with its line: "file-truncated" for a file that
// was cut off, "read-incomplete" for one that cannot be read on. What came
// before that line was handed over.
func (r *Reader) Read(ctx context.Context, sink offsetstore.Sink) (offsetstore.Description, error) {
	d := offsetstore.Description{Kind: "dump", Name: r.name, Partitions: r.options.Partitions}
	f, err := r.open()
	if err != nil {
		return d, err
	}
	defer func() { _ = f.Close() }() // read only: nothing is lost
	p := pass{Description: d, lines: lines{r: f}, partitionsAsked: r.options.Partitions > 0, last: map[int32]int64{}}
	err = p.run(ctx, sink)
	var s *stop
	switch {
	case !errors.As(err, &s):
		return p.Description, err
	case !p.began && p.lines.failed():
		return p.Description, fmt.Errorf("%s: %w", r.name, s)
	case !p.began:
		return p.Description, fmt.Errorf("%s is no koffsets dump: %w", r.name, s)
	}
	p.Incomplete = append(p.Incomplete, offsetstore.Incomplete{
		Partition: offsetstore.Unknown, Offset: offsetstore.Unknown, Reason: s.Error(), Finding: s.finding,
	})
	return p.Description, nil
}

// stop is why a dump cannot be read on.
type stop struct {
	finding offsetstore.ID
	err     error
}

func (s *stop) Error() string { return s.err.Error() }
func (s *stop) Unwrap() error { return s.err }

const (
	truncated  offsetstore.ID = "file-truncated"
	unreadable offsetstore.ID = "read-incomplete"
)

// maxGroup is the most records handed over at once.
const maxGroup = 1024

// pass is one reading of a dump.
type pass struct {
	offsetstore.Description
	lines           lines
	group           group
	partitionsAsked bool
	began           bool // a line of a dump was seen
	sealed          bool // the header promises a summary
	ended           bool // the summary was seen
	records         int
	last            map[int32]int64 // topic partition → offset of its last record
}

// run reads to the end, or to the line that cannot be read.
func (p *pass) run(ctx context.Context, sink offsetstore.Sink) error {
	hand := func() error {
		if err := ctx.Err(); err != nil || len(p.group.records) == 0 {
			return err
		}
		defer p.group.reset()
		return sink(&p.Description, p.group.records)
	}
	p.lines.release = hand
	var err error
	for err == nil {
		var line []byte
		if line, err = p.lines.next(); err == nil {
			err = p.line(line)
		}
		if err == nil && len(p.group.records) >= maxGroup {
			err = hand()
		}
	}
	var s *stop
	if errors.Is(err, io.EOF) {
		err = p.end()
	}
	if err == nil || errors.As(err, &s) {
		if handErr := hand(); handErr != nil {
			return handErr
		}
	}
	return err
}

// line takes one line that is not blank.
func (p *pass) line(b []byte) error {
	if !p.began {
		b = firstLine(b)
		if what := foreign(b); what != "" {
			return &stop{unreadable, errors.New(what)}
		}
		if isHeader, err := p.header(b); isHeader {
			return err
		}
	}
	if p.ended {
		return p.stop(unreadable, errors.New("something behind the summary line, which ends a dump"))
	}
	err := p.group.add(b)
	switch {
	case errors.Is(err, errSummary):
		return p.summary(b)
	case err != nil:
		return p.broken(b, "", err)
	}
	return p.inOrder()
}

// broken is the stop for a line that failed with err: a last line without its
// end was cut off.
func (p *pass) broken(b []byte, what string, err error) error {
	var syntax *syntaxError
	tail := bytes.TrimRight(b, " \t\r")
	switch closed := bytes.HasSuffix(tail, []byte("}")); {
	case p.lines.atEnd && (!closed || errors.As(err, &syntax) && syntax.cutOff || what != "" && !json.Valid(b)):
		return p.stop(truncated, fmt.Errorf("the line is cut off after %d bytes", len(b)))
	case what != "":
		err = fmt.Errorf("the %s cannot be read: %w", what, err)
	}
	return p.stop(unreadable, err)
}

// inOrder checks the record just added against those before it.
func (p *pass) inOrder() error {
	rec := &p.group.records[len(p.group.records)-1]
	err := p.place(rec)
	if err != nil {
		p.group.records = p.group.records[:len(p.group.records)-1]
		return p.stop(unreadable, err)
	}
	p.began = true
	p.records++
	return nil
}

func (p *pass) place(rec *offsetstore.Record) error {
	if rec.Partition < 0 {
		return nil
	}
	if p.Partitions > 0 && int(rec.Partition) >= p.Partitions {
		return fmt.Errorf("topic partition %d of a topic with %d", rec.Partition, p.Partitions)
	}
	if rec.Offset < 0 {
		return nil
	}
	last, seen := p.last[rec.Partition]
	switch {
	case seen && rec.Offset == last:
		return fmt.Errorf("a second record at offset %d of topic partition %d", rec.Offset, rec.Partition)
	case seen && rec.Offset < last:
		return fmt.Errorf("offset %d of topic partition %d behind its offset %d: a dump holds each topic partition in the order of its offsets", rec.Offset, rec.Partition, last)
	}
	p.last[rec.Partition] = rec.Offset
	return nil
}

// end is what the end of the file says.
func (p *pass) end() error {
	switch {
	case !p.began:
		return &stop{unreadable, errors.New("the file is empty")}
	case p.sealed && !p.ended:
		return &stop{truncated, fmt.Errorf("the file ends behind line %d without its summary line: it was cut off", p.lines.number)}
	case !p.ended:
		p.Notes = append(p.Notes, "the file is no sealed dump: nothing proves it whole")
	}
	return nil
}

func (p *pass) stop(finding offsetstore.ID, err error) error {
	return &stop{finding, fmt.Errorf("line %d: %w", p.lines.number, err)}
}
