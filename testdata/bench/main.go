// Command bench holds koffsets to its bars: what it costs against a yardstick,
// both measured in one run, in turn, so that a busy machine slows both. A bar is
// the ratio of the medians; the ratio of the minima stands beside it.
//
//	go run ./testdata/bench [-rounds N] [SECTION ...]
//	go run ./testdata/bench -cpuprofile FILE    (of reading 2M records)
//
// docs/performance.md tells what the figures mean.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
)

// section is a group of bars.
type section struct {
	name string
	run  func(*bench) error
}

// sections are measured in this order.
var sections = []section{
	{"decode", (*bench).decode},
	{"read", (*bench).read},
	{"grow", (*bench).grow},
	{"small", (*bench).small},
	{"start", (*bench).start},
	{"heap", (*bench).heap}, // last: a process counts its parent's peak memory as its own
}

// bench is one run.
type bench struct {
	rounds int
	dir    string // for what is built
}

func main() {
	// The processes that are measured are this program, too.
	if err := child(os.Args[1:]); !errors.Is(err, errNoChild) {
		exit(err)
	}
	b := &bench{}
	flag.IntVar(&b.rounds, "rounds", 7, "rounds of each comparison")
	profile := flag.String("cpuprofile", "", "write a CPU profile of reading 2M records to `FILE`, and no more")
	flag.Parse()
	if *profile != "" {
		exit(b.profile(*profile))
	}
	exit(b.all(flag.Args()))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

var errNoChild = errors.New("no child")

// child is what this program does as a process to be measured, or beside one.
func child(args []string) error {
	switch {
	case len(args) >= 1 && args[0] == "serve":
		return serve(args[1:])
	case len(args) == 5 && args[0] == "read":
		return read(args[1], args[2], args[3], args[4])
	}
	return errNoChild
}

func (b *bench) all(names []string) (err error) {
	for _, n := range names {
		if !slices.ContainsFunc(sections, func(s section) bool { return s.name == n }) {
			return fmt.Errorf("no section %s", n)
		}
	}
	if b.dir, err = os.MkdirTemp("", "bench"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()
	for _, s := range sections {
		if len(names) > 0 && !slices.Contains(names, s.name) {
			continue
		}
		fmt.Println("\n" + strings.ToUpper(s.name))
		if err := s.run(b); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}
