package cmd

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"koffsets/offsetstore"
	"koffsets/offsetstore/kafka"
	"koffsets/offsetstore/sandbox"
)

// sources is the group of flags that says how a SOURCE is read.
type sources struct {
	connection
	isolation  choice
	partitions int
	inOrder    bool // one topic partition after the other
}

const sourceHelp = "live, sandbox[:NAME], a dump file or -"

func (g *sources) register(c *cobra.Command, isolation offsetstore.Isolation) {
	g.connection.register(c)
	g.isolation = choice{
		what:   "isolation level",
		words:  []string{offsetstore.ReadCommitted.String(), offsetstore.ReadUncommitted.String()},
		chosen: []string{isolation.String()},
	}
	addChoice(c, &g.isolation, "isolation", "", "`LEVEL`: read_committed or read_uncommitted")
	c.Flags().IntVar(&g.partitions, "partitions", 0, "partition `COUNT` of a dump's topic, where the dump does not say or says wrong")
	complete(c, "partitions", "25")
	c.ValidArgsFunction = completeSource
}

func (g *sources) check() error {
	if g.partitions < 0 {
		return failf("connect-offsets has 25 by default", "--partitions %d is less than none", g.partitions)
	}
	return g.connection.check()
}

func (g *sources) level() offsetstore.Isolation {
	if g.isolation.String() == offsetstore.ReadUncommitted.String() {
		return offsetstore.ReadUncommitted
	}
	return offsetstore.ReadCommitted
}

// kind is what a SOURCE word stands for.
type kind uint8

const (
	live kind = iota
	embedded
	file
)

// parseSource takes a SOURCE word apart. name is the fixture or the path.
func parseSource(word string) (k kind, name string, err error) {
	scheme, _, isURL := strings.Cut(word, "://")
	fixture, isFixture := strings.CutPrefix(word, "sandbox:")
	switch {
	case word == "":
		return 0, "", failf("give "+sourceHelp, "the source is an empty word")
	case word == "live":
		return live, "", nil
	case strings.HasPrefix(word, "live@"):
		return 0, "", failf("give live; a path is written ./"+word, "the source %s: this koffsets reads a live topic up to now, not up to a time", word)
	case isURL && (scheme == "http" || scheme == "https"):
		return 0, "", failf("read its offsets topic instead: -b HOST:PORT", "the source %s: this koffsets does not read from a Connect worker's REST API", word)
	case word == "sandbox":
		return embedded, sandbox.DefaultFixture, nil
	case isFixture:
		if !knownFixture(fixture) {
			return 0, "", unknown("fixture", fixture, sandbox.Fixtures())
		}
		return embedded, fixture, nil
	default:
		return file, word, nil
	}
}

func knownFixture(name string) bool { return slices.Contains(sandbox.Fixtures(), name) }

// open gives the source that a word stands for, its records counted, and a
// function that lets go of it.
func (g *sources) open(ctx context.Context, a *app, word string) (offsetstore.Source, func(), error) {
	k, name, err := parseSource(word)
	if err != nil {
		return nil, nil, err
	}
	var source offsetstore.Source
	done := func() {}
	switch k {
	case live:
		source, err = g.openLive(a)
	case embedded:
		source, done, err = g.openSandbox(ctx, a, name)
	case file:
		source, done, err = g.openFile(ctx, a, name)
	}
	if err != nil {
		return nil, nil, err
	}
	return watched{source, a.read}, done, nil
}

func (g *sources) openLive(a *app) (offsetstore.Source, error) {
	brokers, err := g.brokers()
	if err != nil {
		return nil, err
	}
	return kafka.New(g.config(a, brokers)), nil
}

func (g *sources) config(a *app, brokers []string) kafka.Config {
	return kafka.Config{
		Bootstrap: brokers,
		Topic:     g.topic,
		Timeout:   g.timeout,
		ClientID:  "koffsets",
		InOrder:   g.inOrder,
		Progress: func(p kafka.Progress) {
			a.read.done.Store(p.Read)
			a.read.total.Store(p.Offsets)
		},
	}
}

// openSandbox starts a broker for as long as the source is read.
func (g *sources) openSandbox(ctx context.Context, a *app, fixture string) (offsetstore.Source, func(), error) {
	box, err := sandbox.Start(ctx, fixture, sandbox.Options{})
	if err != nil {
		return nil, nil, err
	}
	c := g.config(a, []string{box.Addr()})
	c.Kind, c.Name = "sandbox", fixture
	return kafka.New(c), box.Close, nil
}

// completeSource offers the words for a SOURCE; the shell adds files.
func completeSource(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	words := []string{"live", "sandbox"}
	for _, f := range sandbox.Fixtures() {
		words = append(words, "sandbox:"+f)
	}
	return words, cobra.ShellCompDirectiveDefault
}
