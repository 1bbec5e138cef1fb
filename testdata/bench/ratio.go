package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"syscall"
	"time"
)

// sample is one measurement of a process, from before its start to after its
// end, or of a loop. A loop waits for nothing, so that its time is CPU time,
// which a busy machine disturbs less.
type sample struct {
	took time.Duration
	cpu  time.Duration // of a process
	rss  int64         // peak of a process, in bytes
}

// way is a program, or a loop, to be measured.
type way struct {
	name string
	run  func() (sample, error)
}

// figures are a way's samples over all rounds.
type figures struct {
	name          string
	took, least   time.Duration // median and minimum
	cpu, leastCPU time.Duration
	rss           int64 // the most
}

// compare runs the ways in turn, round for round, after one that does not count.
func (b *bench) compare(rounds int, ways ...way) ([]figures, error) {
	samples := make([][]sample, len(ways))
	for round := range rounds + 1 {
		for i, w := range ways {
			s, err := w.run()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", w.name, err)
			}
			if round > 0 {
				samples[i] = append(samples[i], s)
			}
		}
	}
	all := make([]figures, len(ways))
	for i, w := range ways {
		f := &all[i]
		f.name = w.name
		f.took, f.least = spread(samples[i], func(s sample) time.Duration { return s.took })
		f.cpu, f.leastCPU = spread(samples[i], func(s sample) time.Duration { return s.cpu })
		for _, s := range samples[i] {
			f.rss = max(f.rss, s.rss)
		}
	}
	return all, nil
}

func spread(samples []sample, of func(sample) time.Duration) (median, least time.Duration) {
	d := make([]time.Duration, len(samples))
	for i, s := range samples {
		d[i] = of(s)
	}
	slices.Sort(d)
	return d[len(d)/2], d[0]
}

// process measures a whole process. Exit 1 is an answer: koffsets found
// something.
func process(name string, args ...string) func() (sample, error) {
	return func() (sample, error) {
		c := exec.Command(name, args...)
		c.Stderr = os.Stderr
		began := time.Now()
		err := c.Run()
		s := sample{took: time.Since(began)}
		if c.ProcessState == nil || c.ProcessState.ExitCode() > 1 || c.ProcessState.ExitCode() < 0 {
			return s, err
		}
		s.cpu = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
		if usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
			s.rss = usage.Maxrss << 10
		}
		return s, nil
	}
}

// loop measures f for at least a tenth of a second; a sample is of one of the n
// things that f does.
func loop(n int, f func()) func() (sample, error) {
	return func() (sample, error) {
		runtime.GC()
		began, err := cpuTime()
		for times := 1; err == nil; times++ {
			f()
			var now time.Duration
			if now, err = cpuTime(); now-began > 100*time.Millisecond {
				return sample{took: (now - began) / time.Duration(times*n)}, err
			}
		}
		return sample{}, err
	}
}

// cpuTime is what this process has used.
func cpuTime() (time.Duration, error) {
	var usage syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), err
}

// bar prints how ours stands against a yardstick.
func bar(name string, limit float64, ours, yardstick figures) {
	ratio := float64(ours.took) / float64(yardstick.took)
	fmt.Printf("%-44s %5.3f×  (min %5.3f×)  bar %4.2f× %s\n", name, ratio, float64(ours.least)/float64(yardstick.least), limit, verdict(ratio <= limit))
}

func verdict(ok bool) string {
	if ok {
		return "ok"
	}
	return "OVER"
}

// absolute prints what the figures are made of.
func absolute(all ...figures) {
	for _, f := range all {
		fmt.Printf("    %-24s took %9s (min %9s)", f.name, short(f.took), short(f.least))
		if f.cpu > 0 {
			fmt.Printf("  cpu %8s (min %8s)  peak %4d MB", short(f.cpu), short(f.leastCPU), f.rss>>20)
		}
		fmt.Println()
	}
}

func short(d time.Duration) string {
	switch {
	case d < 10*time.Microsecond:
		return fmt.Sprint(d)
	case d < 10*time.Millisecond:
		return d.Round(10 * time.Microsecond).String()
	}
	return d.Round(time.Millisecond).String()
}
