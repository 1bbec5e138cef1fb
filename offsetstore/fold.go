package offsetstore

import (
	"context"
	"hash/maphash"

	"koffsets/release"
)

// Options says how records are read.
type Options struct {
	Release   release.Release
	Isolation Isolation
}

// Fold takes in the records of a topic and keeps the last one of each key on
// each topic partition, for readers of both isolation levels.
type Fold struct {
	options Options
	seed    maphash.Seed
	shards  map[int32]*shard
	last    *shard // of the record before
	records int
	warmed  byte // keeps the compiler from dropping the loads of warm
}

// NewFold makes an empty fold.
func NewFold(o Options) *Fold {
	return &Fold{options: o, seed: maphash.MakeSeed(), shards: make(map[int32]*shard)}
}

// Read folds a whole source. With an error there is no view; without one its
// Description says whether it is complete.
func Read(ctx context.Context, src Source, o Options) (*View, error) {
	f := NewFold(o)
	d, err := src.Read(ctx, func(_ *Description, records []Record) error {
		f.Add(records)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return f.View(d), nil
}

// window is how many records are looked up at a time.
const window = 32

// Add takes in records. It keeps nothing of theirs: what it needs is copied.
func (f *Fold) Add(records []Record) {
	f.records += len(records)
	var (
		shards [window]*shard
		hashes [window]uint32
	)
	for len(records) > 0 {
		n := min(len(records), window)
		f.warm(records[:n], &shards, &hashes)
		for i := range records[:n] {
			shards[i].add(&f.options.Release.Rules, hashes[i], &records[i])
		}
		records = records[n:]
	}
}

// warm touches the memory that the records' keys will be looked up in. A miss
// of the cache costs more than everything else here; of many loads that do not
// wait for each other, the processor takes the misses together. So each loop
// does little but load.
func (f *Fold) warm(records []Record, shards *[window]*shard, hashes *[window]uint32) {
	for i := range records {
		r := &records[i]
		if f.last == nil || f.last.partition != r.Partition {
			f.last = f.shard(r.Partition)
		}
		shards[i], hashes[i] = f.last, hashOf(f.seed, r.Key)
	}
	var words [window]uint64
	for i := range records {
		t := shards[i].main
		words[i] = t.words[hashes[i]>>t.shift]
	}
	var sum byte
	for i := range records {
		if w := words[i]; w != 0 && uint32(w>>32) == hashes[i] {
			r := &records[i]
			sum += shards[i].main.item(w).touch(itemHead + len(r.Key) + len(r.Value))
		}
	}
	f.warmed += sum
}

func (f *Fold) shard(partition int32) *shard {
	s := f.shards[partition]
	if s == nil {
		s = &shard{partition: partition, main: newTable(f.seed)}
		f.shards[partition] = s
	}
	return s
}
