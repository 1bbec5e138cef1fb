package cmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"sync/atomic"
	"time"

	"koffsets/offsetstore"
)

// progress counts what a run has read, and shows it to a person who waits: on
// a terminal after half a second, anywhere else when SIGUSR1 asks.
type progress struct {
	records     atomic.Int64
	done, total atomic.Int64 // how far, in the source's own unit; total 0: not known
	// asked gets a signal where a line is asked for, over the whole run.
	asked chan os.Signal
}

// newProgress begins to listen for the signal that asks; stop ends it.
func newProgress() (p *progress, stop func()) {
	p = &progress{asked: make(chan os.Signal, 1)}
	notifyProgress(p.asked)
	return p, func() { signal.Stop(p.asked) }
}

func (p *progress) String() string { return count(p.records.Load(), "record") + " read" }

// line is the state after some time.
func (p *progress) line(elapsed time.Duration) string {
	done, total := p.done.Load(), p.total.Load()
	if total > 0 && done >= total {
		return p.String()
	}
	seconds := max(elapsed.Seconds(), 0.001)
	s := fmt.Sprintf("%s · %s/s", p, thousands(int64(float64(p.records.Load())/seconds)))
	if total <= 0 || done <= 0 {
		return s
	}
	left := time.Duration(float64(elapsed) * float64(total-done) / float64(done)).Round(time.Second)
	return fmt.Sprintf("%s · %d%% · %s left", s, 100*done/total, left)
}

// show begins to show progress on w until the function it gives is called.
func (p *progress) show(w io.Writer, now func() time.Time, live bool) (hide func()) {
	done, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		p.draw(w, now, live, done)
	}()
	return func() {
		close(done)
		<-gone
	}
}

// draw is what show does meanwhile.
func (p *progress) draw(w io.Writer, now func() time.Time, live bool, done <-chan struct{}) {
	const clear = "\r\x1b[K"
	drawn := ""
	start := now()
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-p.asked:
			_, _ = fmt.Fprintf(w, "%skoffsets: %s\n", drawn, p.line(now().Sub(start)))
		case <-tick.C:
			if elapsed := now().Sub(start); live && elapsed >= 500*time.Millisecond {
				drawn = clear
				_, _ = fmt.Fprint(w, drawn, p.line(elapsed))
			}
		case <-done:
			_, _ = io.WriteString(w, drawn)
			return
		}
	}
}

// watched is a source whose records are counted.
type watched struct {
	offsetstore.Source
	progress *progress
}

func (s watched) Read(ctx context.Context, sink offsetstore.Sink) (offsetstore.Description, error) {
	return s.Source.Read(ctx, func(d *offsetstore.Description, group []offsetstore.Record) error {
		s.progress.records.Add(int64(len(group)))
		return sink(d, group)
	})
}

// count is a number with its noun.
func count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return thousands(n) + " " + noun + "s"
}

// thousands writes a number with commas.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
