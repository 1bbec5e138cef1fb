package kafka

import (
	"errors"
	"fmt"

	"koffsets/offsetstore"

	"github.com/twmb/franz-go/pkg/kgo"
)

// phase is how far a topic partition has come.
type phase uint8

const (
	listing phase = iota // its offsets are asked for
	reading
	done // complete, or given up with a reason
)

// partition is one topic partition while it is read: start ≤ next ≤ end.
type partition struct {
	id     int32
	leader int32 // -1: to be found out
	epoch  int32 // of the leader, so that it answers as that only; -1 unknown
	phase  phase
	busy   bool // a request is out, or a pause is on

	listed     bool // start, end, decided and stable are known
	start, end int64
	decided    int64 // below it, every transaction has its marker below end or none at all
	stable     int64 // a transaction that begins here has no marker below end
	endEpoch   int32 // leader epoch in which end was taken, -1 unknown
	next       int64 // the first offset not fetched yet
	held       held
	hangs      bool  // a transaction begins at stable
	hanging    int64 // its producer
	open       int64 // where the first open transaction handed over begins, end where none is

	alone  bool  // ask for it by itself: its last answer was empty
	empty  int   // empty answers in a row when asked for by itself
	need   int32 // bytes of a batch that did not fit
	served int   // when it was last asked for, to ask for the others first
	tries  int   // failures in a row
	fault  error // the last one

	why      error // why it is incomplete, nil where it is not
	missing  int64 // the first offset not handed over, where incomplete
	unmarked int   // batches whose transaction is over but has no marker
	gap      bool  // its last offsets have no records
}

// take walks the bytes of a fetch answer and hands over what is final. It
// returns how many bytes an entry that was cut off has in all. Of an entry that
// cannot be read the error is a *corrupt; next then stands before it.
func (p *partition) take(in []byte, out *output) (cut int, err error) {
	for before := int64(-1); len(in) > 0 && p.next < p.end; {
		e, size, err := parseEntry(in)
		if errors.Is(err, errCut) {
			return size, nil
		}
		if err != nil {
			return 0, &corrupt{at: p.next, again: true, err: err}
		}
		if e.base <= before { // no checksum covers where a batch says it lies
			err = fmt.Errorf("a batch at offset %d follows offset %d", e.base, before)
			return 0, &corrupt{at: p.next, again: true, err: err}
		}
		in, before = in[size:], e.last
		if e.last < p.next {
			continue
		}
		e.floor = p.next
		p.next = e.last + 1
		if err := p.accept(&e, out); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

func (p *partition) accept(e *entry, out *output) error {
	switch {
	case e.base >= p.end: // what lies between is gone
		return nil
	case e.control():
		if kind, ok := e.marker(); ok {
			return p.decide(e, kind == markerAbort, out)
		}
		return nil
	case e.count == 0 && !e.legacy: // emptied by the cleaner
		return nil
	case p.held.empty() && !e.transactional():
		return p.hand(e, out)
	}
	// What begins at the last stable offset was open when the end offset was
	// taken, so that nothing need wait for its marker.
	if e.transactional() && e.base == p.stable && p.stable < p.end {
		p.hangs, p.hanging = true, e.producer
	}
	e.open = e.transactional() && p.hangs && e.producer == p.hanging
	if e.open && p.held.empty() {
		return p.hand(e, out)
	}
	e.undecided = e.transactional() && !e.open
	p.held.push(*e)
	if out.held += len(e.raw); out.held > heldLimit {
		return &corrupt{at: p.next, err: fmt.Errorf("transactions without an end hold back more than %d MiB", heldLimit>>20)}
	}
	return nil
}

func (p *partition) decide(e *entry, abort bool, out *output) error {
	if p.hangs && e.producer == p.hanging {
		return &corrupt{at: e.base, err: errors.New("a transaction ends that the last stable offset says is open")}
	}
	p.held.decide(e.producer, e.epoch, abort)
	return p.release(out)
}

// release hands over the held entries up to the first undecided one.
func (p *partition) release(out *output) error {
	for e := p.held.next(); e != nil; e = p.held.next() {
		if err := p.hand(e, out); err != nil {
			return err
		}
		out.held -= len(e.raw)
		p.held.pop()
	}
	return nil
}

// hand decodes an entry for the sink. What is wrong behind a right checksum
// was written so; asking again would give the same.
func (p *partition) hand(e *entry, out *output) error {
	if e.open {
		p.open = min(p.open, e.base)
	}
	err := e.decode(p.id, p.end, out)
	var bad *batchError
	if errors.As(err, &bad) {
		p.drop(out)
		return &corrupt{at: max(bad.at, e.floor), err: bad.error}
	}
	return err
}

// finish ends the partition: complete if it got to its end and nothing was
// lost, else with a reason.
func (p *partition) finish(why error, out *output) error {
	p.phase = done
	decided := p.decided
	if why != nil {
		p.stop(why)
		decided = 0 // the marker may lie in what was not read
	}
	p.unmarked = p.held.settle(decided)
	err := p.release(out)
	var bad *corrupt
	if errors.As(err, &bad) {
		p.stop(bad)
		err = nil
	}
	p.drop(out)
	return err
}

// drop lets go of what is held back.
func (p *partition) drop(out *output) {
	out.held -= p.held.bytes
	p.held = held{}
}

// stop notes why records are missing. The first reason counts.
func (p *partition) stop(why error) {
	var bad *corrupt
	if errors.As(why, &bad) {
		p.next = bad.at
	}
	if p.why == nil {
		p.why, p.missing = why, p.next
	}
}

// corrupt is an entry that cannot be read.
type corrupt struct {
	at    int64 // the first offset not read
	again bool  // another answer may be whole
	err   error
}

func (c *corrupt) Error() string { return c.err.Error() }
func (c *corrupt) Unwrap() error { return c.err }

// output gathers records for the sink.
type output struct {
	sink    func([]offsetstore.Record) error
	unpack  kgo.Decompressor
	batch   []offsetstore.Record
	records int64
	bytes   int64
	held    int // bytes that topic partitions hold back
}

const outputBatch = 512

func newOutput(unpack kgo.Decompressor, sink func([]offsetstore.Record) error) *output {
	return &output{sink: sink, unpack: unpack, batch: make([]offsetstore.Record, 0, outputBatch)}
}

// next is the place for one more record; add makes it count.
func (o *output) next() *offsetstore.Record { return &o.batch[:len(o.batch)+1][len(o.batch)] }

func (o *output) add() error {
	o.batch = o.batch[:len(o.batch)+1]
	if len(o.batch) < outputBatch {
		return nil
	}
	return o.flush()
}

func (o *output) flush() error {
	if len(o.batch) == 0 {
		return nil
	}
	err := o.sink(o.batch)
	o.records += int64(len(o.batch))
	o.batch = o.batch[:0]
	if err != nil {
		return &sinkError{err}
	}
	return nil
}

// sinkError is an error of the caller's sink; it ends the reading.
type sinkError struct{ error }

func (e *sinkError) Unwrap() error { return e.error }
