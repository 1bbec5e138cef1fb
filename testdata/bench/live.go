package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// build builds a package of this module, as a release is built, and gives the
// program's path.
func (b *bench) build(name, pkg string) (string, error) {
	path := filepath.Join(b.dir, name)
	c := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path, pkg)
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	c.Stderr = os.Stderr
	return path, c.Run()
}

// reader is this program as a process that reads a topic.
func reader(how, addr, topic, profile string) (func() (sample, error), error) {
	self, err := os.Executable()
	return process(self, "read", how, addr, topic, profile), err
}

// onTopics runs f with koffsets built and a broker that has these topics.
func (b *bench) onTopics(f func(koffsets, addr string) error, names ...string) error {
	koffsets, err := b.build("koffsets", ".")
	if err != nil {
		return err
	}
	broker, err := startBroker(names...)
	if err != nil {
		return err
	}
	return errors.Join(f(koffsets, broker.addr), broker.stop())
}

// read holds scan, as a whole process, against the plainest program that polls
// the same records.
func (b *bench) read() error {
	return b.onTopics(func(koffsets, addr string) error {
		for _, name := range []string{"offsets-2m", "offsets-2m-tiny"} {
			all, err := b.readers(koffsets, addr, name)
			if err != nil {
				return err
			}
			bar("scan of "+name+" / PollFetches drain", 1.00, all[1], all[0])
			absolute(all...)
		}
		return nil
	}, "offsets-2m", "offsets-2m-tiny")
}

// readers compares the drain, scan, and what scan is made of.
func (b *bench) readers(koffsets, addr, name string) ([]figures, error) {
	ways := []way{{"drain", nil}, {"koffsets scan", process(koffsets, "scan", "-b", addr, "-t", name, "-o", "json")}, {"source", nil}, {"fold", nil}}
	for i, w := range ways {
		if w.run == nil {
			run, err := reader(w.name, addr, name, "")
			if err != nil {
				return nil, err
			}
			ways[i].run = run
		}
	}
	return b.compare(b.rounds, ways...)
}

// grow shows how the cost of a record goes with their number.
func (b *bench) grow() error {
	names := []string{"offsets-20k", "offsets-200k", "offsets-2m", "offsets-2m-distinct"}
	return b.onTopics(func(koffsets, addr string) error {
		for _, name := range names {
			t := topics[name]
			all, err := b.compare(b.rounds, way{name, process(koffsets, "scan", "-b", addr, "-t", name, "-o", "json")})
			if err != nil {
				return err
			}
			f := all[0]
			fmt.Printf("%-20s %9d records, %9d keys: wall %7s (min %7s), %6d ns of CPU a record, peak %4d MB\n",
				name, t.records, t.keys, short(f.took), short(f.least), f.cpu.Nanoseconds()/int64(t.records), f.rss>>20)
		}
		return nil
	}, names...)
}

// small holds the scan of a usual, small topic against kcat, which waits at the
// end to see that it is the end.
func (b *bench) small() error {
	kcat, err := exec.LookPath("kcat")
	if err != nil {
		fmt.Println("scan of 1,000 records / kcat -e: left out, there is no kcat here")
		return nil
	}
	const name = "offsets-1k"
	return b.onTopics(func(koffsets, addr string) error {
		all, err := b.compare(b.rounds,
			way{"koffsets scan", process(koffsets, "scan", "-b", addr, "-t", name)},
			way{"kcat -C -e", process(kcat, "-C", "-q", "-e", "-b", addr, "-t", name, "-o", "beginning", "-f", `%o\n`)})
		if err != nil {
			return err
		}
		bar("scan of 1,000 records / kcat -e", 0.15, all[0], all[1])
		absolute(all...)
		return nil
	}, name)
}

// start holds the start of koffsets version against programs that do nothing,
// and the size of the binary to its bound.
func (b *bench) start() error {
	var ways []way
	for _, p := range []struct {
		name, pkg string
		args      []string
	}{
		{"koffsets", ".", []string{"version"}},
		{"hello", "./testdata/bench/hello", nil},
		{"empty", "./testdata/bench/empty", nil},
	} {
		path, err := b.build(p.name, p.pkg)
		if err != nil {
			return err
		}
		ways = append(ways, way{p.name, process(path, p.args...)})
	}
	const often = 15
	all, err := b.compare(often*b.rounds, ways...)
	if err != nil {
		return err
	}
	bar("koffsets version / hello (one of both)", 2.5, all[0], all[1])
	bar("koffsets version / same libraries (is enough)", 1.4, all[0], all[2])
	absolute(all...)
	info, err := os.Stat(filepath.Join(b.dir, "koffsets"))
	if err != nil {
		return err
	}
	const mega = 1 << 20
	fmt.Printf("%-44s %.1f MB  bar 16 MB %s\n", "stripped binary", float64(info.Size())/mega, verdict(info.Size() <= 16*mega))
	return nil
}

// profile takes the CPU profile of folding 2M records.
func (b *bench) profile(file string) error {
	broker, err := startBroker("offsets-2m")
	if err != nil {
		return err
	}
	run, err := reader("fold", broker.addr, "offsets-2m", file)
	if err == nil {
		_, err = run()
	}
	return errors.Join(err, broker.stop())
}
