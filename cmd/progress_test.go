package cmd

import (
	"bytes"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

func TestProgressLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                 string
		records, done, total int64
		elapsed              time.Duration
		want                 string
	}{
		{"nothing yet", 0, 0, 0, 0, "0 records read · 0/s"},
		{"one", 1, 0, 0, time.Second, "1 record read · 1/s"},
		{"no end known", 1_284_000, 500, 0, 2 * time.Second, "1,284,000 records read · 642,000/s"},
		{"a quarter of the way", 1000, 250, 1000, 10 * time.Second, "1,000 records read · 100/s · 25% · 30s left"},
		{"all of it", 1000, 1000, 1000, 10 * time.Second, "1,000 records read"},
	} {
		var p progress
		p.records.Store(c.records)
		p.done.Store(c.done)
		p.total.Store(c.total)
		if got := p.line(c.elapsed); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestProgressShowsAfterHalfASecond(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		live bool
		wait time.Duration
		ask  bool
		want string
	}{
		{"a short wait", true, 490 * time.Millisecond, false, ""},
		{"a longer one", true, 800 * time.Millisecond, false, "\r\x1b[K0 records read · 0/s\r\x1b[K0 records read · 0/s\r\x1b[K"},
		{"no terminal", false, time.Minute, false, ""},
		{"asked for", false, 100 * time.Millisecond, true, "koffsets: 0 records read · 0/s\n"},
		{"asked for in between", true, 600 * time.Millisecond, true, "\r\x1b[K0 records read · 0/s\r\x1b[Kkoffsets: 0 records read · 0/s\n\r\x1b[K"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := progress{asked: make(chan os.Signal)}
				var out bytes.Buffer
				done, gone := make(chan struct{}), make(chan struct{})
				go func() {
					defer close(gone)
					p.draw(&out, time.Now, c.live, done)
				}()
				time.Sleep(c.wait)
				if c.ask {
					p.asked <- os.Interrupt
				}
				close(done)
				<-gone
				if out.String() != c.want {
					t.Errorf("got %q, want %q", out.String(), c.want)
				}
			})
		})
	}
}

func TestThousands(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1000: "-1,000", 1234567: "1,234,567", -123: "-123"} {
		if got := thousands(n); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}
