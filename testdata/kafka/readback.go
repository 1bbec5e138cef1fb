package realkafka

import (
	"cmp"
	"context"
	"slices"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// ReadBack reads everything in the topic, committed or not, by the client's
// polling consumer, which koffsets does not use. It relies on every topic
// partition ending in a record or a marker.
func (p *Topic) ReadBack(ctx context.Context, t testing.TB) ([]*kgo.Record, error) {
	t.Helper()
	positions := make(map[int32]kgo.Offset)
	for partition := range p.Partitions {
		positions[partition] = kgo.NewOffset().AtStart()
	}
	client := p.broker.Client(t,
		kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{p.Name: positions}),
		kgo.FetchIsolationLevel(kgo.ReadUncommitted()),
		kgo.FetchMaxWait(100*time.Millisecond),
		kgo.KeepControlRecords())
	defer client.Close()
	ends, err := kadm.NewClient(client).ListEndOffsets(ctx, p.Name)
	if err != nil {
		return nil, err
	}
	missing := make(map[int32]int64) // topic partition to its last offset
	ends.Each(func(end kadm.ListedOffset) {
		if end.Offset > 0 {
			missing[end.Partition] = end.Offset - 1
		}
	})
	var records []*kgo.Record
	for len(missing) > 0 {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return nil, err
		}
		fetches.EachRecord(func(record *kgo.Record) {
			if record.Offset >= missing[record.Partition] {
				delete(missing, record.Partition)
			}
			if !record.Attrs.IsControl() {
				records = append(records, record)
			}
		})
	}
	slices.SortFunc(records, func(a, b *kgo.Record) int {
		return cmp.Or(cmp.Compare(a.Partition, b.Partition), cmp.Compare(a.Offset, b.Offset))
	})
	return records, nil
}

// awaitCompacted waits until what lies in the topic is what Written holds.
func (p *Topic) awaitCompacted(t testing.TB, within time.Duration) {
	t.Helper()
	type place struct {
		partition int32
		offset    int64
	}
	wanted := make(map[place]bool)
	for _, w := range p.Written {
		wanted[place{w.Partition, w.Offset}] = true
	}
	Until(t, within, "the topic "+p.Name+" is compacted", func(ctx context.Context) (bool, error) {
		records, err := p.ReadBack(ctx, t)
		if err != nil || len(records) != len(wanted) {
			return false, err
		}
		return !slices.ContainsFunc(records, func(r *kgo.Record) bool {
			return !wanted[place{r.Partition, r.Offset}]
		}), nil
	})
}

// Follow hands over the records of topics from their beginning on, as they are
// committed, until done says so. It fails the test when that takes too long.
func (b *Broker) Follow(t testing.TB, topics []string, within time.Duration, done func(*kgo.Record) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	client := b.Client(t, kgo.ConsumeTopics(topics...), kgo.FetchMaxWait(100*time.Millisecond),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.FetchIsolationLevel(kgo.ReadCommitted()))
	defer client.Close()
	for ended := false; !ended; {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			t.Fatalf("follow %v: %v", topics, err)
		}
		fetches.EachRecord(func(r *kgo.Record) { ended = ended || done(r) })
	}
}
