package kafka

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"koffsets/offsetstore"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

// reader is one reading of a topic. A single goroutine, that of read, owns it
// and calls the sink; requests run in goroutines of their own, which hand back
// a function to be run by the owner.
type reader struct {
	cfg    Config
	client *kgo.Client
	out    *output

	topic      topic
	partitions []*partition
	requests   map[int32]int // fetch requests out, by broker
	served     int
	limit      int32 // bytes a fetch request may ask for
	refreshing bool  // leaders are being asked for
	resting    []*partition
	byName     bool  // what was read was asked for by the topic's name, not by its id
	remade     error // why the topic may not be the same any more
	settings   string
	notes      []string
	inOrder    bool // one topic partition after the other
	asides     int  // requests out whose answers are no topic partition's

	events chan func() error
	stall  *time.Timer
	ctx    context.Context // ends with the reading; for requests and pauses
	cancel context.CancelFunc
	wait   sync.WaitGroup
}

func newReader(cfg Config, client *kgo.Client, sink func([]offsetstore.Record) error) *reader {
	return &reader{
		cfg: cfg, client: client, out: newOutput(unpacker(client), sink), inOrder: cfg.InOrder,
		requests: make(map[int32]int), limit: requestBytes, events: make(chan func() error),
		stall: time.NewTimer(cfg.Timeout), cancel: func() {},
	}
}

// stop ends what is still under way.
func (r *reader) stop() {
	r.cancel()
	r.stall.Stop()
	r.wait.Wait()
}

// read reads every topic partition to its end as of now, or gives it up.
func (r *reader) read(ctx context.Context, t topic) error {
	r.ctx, r.cancel = context.WithCancel(ctx)
	r.topic = t
	r.stall.Reset(r.cfg.Timeout)
	for _, p := range t.partitions {
		r.partitions = append(r.partitions, &partition{id: p.Partition, leader: -1})
	}
	if err := r.led(t, nil); err != nil {
		return err
	}
	r.askSettings()
	for !r.finished() {
		r.dispatch()
		var err error
		select {
		case apply := <-r.events:
			err = apply()
		case <-r.stall.C:
			err = r.timeOut()
		case <-ctx.Done():
			err = ctx.Err()
		}
		if err != nil {
			return r.abandon(err)
		}
		r.rest()
		r.progress()
	}
	return r.refusedAll()
}

func (r *reader) finished() bool {
	for _, p := range r.partitions {
		if p.phase != done {
			return false
		}
	}
	if r.byName && !r.refreshing {
		r.byName, r.remade = false, errUnsure
		r.refresh() // whether it was the same topic up to the end
	}
	return r.asides == 0 && !r.refreshing
}

// abandon gives up whatever is not done, because the caller wants no more.
func (r *reader) abandon(err error) error {
	var sink *sinkError
	if errors.As(err, &sink) {
		r.out.sink = func([]offsetstore.Record) error { return nil }
		err = sink.error
	}
	for _, p := range r.partitions {
		_ = r.finish(p, errors.New("the reading was interrupted")) // err is the one that counts
	}
	return err
}

// timeOut gives up whatever did not move for so long.
func (r *reader) timeOut() error {
	for _, p := range r.partitions {
		if p.phase == done {
			continue
		}
		why := fmt.Errorf("no answer for %s", r.cfg.Timeout)
		if p.fault != nil {
			why = fmt.Errorf("no progress for %s: %w", r.cfg.Timeout, p.fault)
		}
		if err := r.finish(p, why); err != nil {
			return err
		}
		if r.inOrder {
			break // the others were not asked for yet
		}
	}
	r.refreshing, r.byName = false, false
	if r.inOrder {
		r.inOrder = false
		r.stall.Reset(r.cfg.Timeout)
		return nil
	}
	if r.asides > 0 {
		r.asides = 0
		r.notes = append(r.notes, "the topic's settings are not known: no answer")
	}
	return nil
}

// finish ends a topic partition; why is nil where it got to its end.
func (r *reader) finish(p *partition, why error) error {
	if p.phase == done {
		return nil
	}
	if err := p.finish(why, r.out); err != nil {
		return err
	}
	return r.out.flush()
}

// moved notes that the reading is getting on.
func (r *reader) moved(p *partition) {
	p.tries, p.fault, p.alone, p.empty = 0, nil, false, 0
	r.stall.Reset(r.cfg.Timeout)
}

// failed takes a topic partition back after a failure that may pass: after a
// pause its leader is asked for anew, and whether what was read still stands.
func (r *reader) failed(p *partition, err error) {
	p.fault, p.leader, p.busy, p.phase = err, -1, true, listing
	p.tries++
	r.resting = append(r.resting, p)
}

// rest starts the pause of what has just failed, one for all.
func (r *reader) rest() {
	if len(r.resting) == 0 {
		return
	}
	resting, tries := r.resting, 1
	r.resting = nil
	for _, p := range resting {
		tries = max(tries, p.tries)
	}
	time.AfterFunc(backoff(tries), func() {
		r.post(func() error {
			for _, p := range resting {
				p.busy = false
			}
			return nil
		})
	})
}

// answered tells whether an error code of an answer is none, and else what
// becomes of the partition.
func (r *reader) answered(p *partition, code int16) (ok bool, err error) {
	fault := kerr.ErrorForCode(code)
	switch {
	case fault == nil:
		return true, nil
	case kerr.IsRetriable(fault), errors.Is(fault, kerr.UnknownServerError), errors.Is(fault, kerr.InconsistentTopicID):
		r.failed(p, fault)
		return false, nil
	case errors.Is(fault, kerr.TopicAuthorizationFailed):
		return false, r.finish(p, &NotAllowedError{r.cfg.Topic})
	}
	return false, r.finish(p, fault)
}

// refusedAll is the error of a topic of which nothing may be read.
func (r *reader) refusedAll() error {
	for _, p := range r.partitions {
		var refused *NotAllowedError
		if !errors.As(p.why, &refused) {
			return nil
		}
	}
	return &Error{
		Msg:  "cannot read the topic " + printable(r.cfg.Topic) + " at " + r.cfg.Name,
		Hint: notAllowedHint, Err: &NotAllowedError{r.cfg.Topic},
	}
}

// do runs a request; what it returns is run by the owner.
func (r *reader) do(request func(context.Context) func() error) {
	r.wait.Go(func() { r.post(request(r.ctx)) })
}

func (r *reader) post(f func() error) {
	select {
	case r.events <- f:
	case <-r.ctx.Done():
	}
}

// backoff grows with the failures in a row from 20 ms to 1 s.
func backoff(tries int) time.Duration {
	return min(20*time.Millisecond<<min(tries-1, 10), time.Second)
}

// pause waits before another try. It is false when the context ended.
func pause(ctx context.Context, tries int) bool {
	t := time.NewTimer(backoff(tries))
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func (r *reader) progress() {
	if r.cfg.Progress == nil {
		return
	}
	p := Progress{Partitions: len(r.partitions), Records: r.out.records, Bytes: r.out.bytes}
	for _, part := range r.partitions {
		if part.phase == done {
			p.Done++
		}
		p.Offsets += part.end - part.start
		p.Read += min(part.next, part.end) - part.start
	}
	r.cfg.Progress(p)
}

// describe says what was read and what was not.
func (r *reader) describe(d *offsetstore.Description) {
	d.Notes = append(d.Notes, r.notes...)
	if d.Settings != nil {
		d.Settings.CleanupPolicy = r.settings
	}
	if r.remade != nil {
		d.Incomplete = append(d.Incomplete, offsetstore.Incomplete{
			Partition: offsetstore.Unknown, Offset: offsetstore.Unknown, Reason: r.remade.Error(), Finding: "read-incomplete",
		})
	}
	for _, p := range r.partitions {
		end := p.end
		if p.why != nil {
			missing := int64(offsetstore.Unknown)
			if p.listed {
				missing, end = p.missing, min(p.next, p.end)
			}
			d.Incomplete = append(d.Incomplete, offsetstore.Incomplete{
				Partition: p.id, Offset: missing, Reason: printable(strings.TrimSuffix(p.why.Error(), ".")), Finding: "read-incomplete",
			})
		}
		if p.listed {
			d.Ranges = append(d.Ranges, offsetstore.Range{
				Partition: p.id, Start: p.start, End: end, LastStable: max(p.start, min(p.open, end)),
			})
		}
		d.Notes = append(d.Notes, p.notes(r.cfg.Topic)...)
	}
}

func (p *partition) notes(topic string) (notes []string) {
	if p.gap {
		notes = append(notes, fmt.Sprintf("%s-%d ends in offsets without records", printable(topic), p.id))
	}
	if p.unmarked > 0 {
		notes = append(notes, fmt.Sprintf(
			"%s-%d: %d batches of transactions that are over have no marker any more; taken as committed",
			printable(topic), p.id, p.unmarked))
	}
	return notes
}
