package cmd

import (
	"context"

	"koffsets/offsetstore"
	"koffsets/release"
)

// readView folds the source that a word stands for.
func readView(ctx context.Context, a *app, g *sources, r release.Release, d *destination, word string) (*offsetstore.View, error) {
	source, done, err := g.open(ctx, a, word)
	if err != nil {
		return nil, err
	}
	defer done()
	defer d.waiting(a)()
	return offsetstore.Read(ctx, source, offsetstore.Options{Release: r, Isolation: g.level()})
}

// incomplete is the failure of a source that was not read to its end; what was
// read has been answered by then.
func incomplete(d *offsetstore.Description) error {
	if d.Complete() {
		return nil
	}
	where := d.Topic
	if where == "" {
		where = d.Name
	}
	first := &d.Incomplete[0]
	more := ""
	if n := len(d.Incomplete) - 1; n > 0 {
		more = ", and " + count(int64(n), "more topic partition")
	}
	if first.Partition != offsetstore.Unknown {
		return failf("the answer holds what was read", "%s was not read to its end: topic partition %d: %s%s", where, first.Partition, first.Reason, more)
	}
	return failf("the answer holds what was read", "%s was not read to its end: %s%s", where, first.Reason, more)
}
