package realkafka

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// Compact lets the broker compact everything written so far, waits until it
// has, and leaves in Written what survived. The topic is compacted from then
// on. The topic must not have been compacted before, so that all records of a
// topic partition lie in one segment.
//
// The cleaner leaves the active segment alone, so each topic partition gets one
// more record, of the given key and late enough to begin a new segment.
func (p *Topic) Compact(t testing.TB, within time.Duration, roller []byte) {
	t.Helper()
	p.Configure(t, map[string]string{
		"cleanup.policy":            "compact",
		"segment.ms":                "1000",
		"min.cleanable.dirty.ratio": "0.001",
		"min.compaction.lag.ms":     "0",
	})
	late := time.Now().Add(30 * time.Minute)
	var active []Written
	for partition := range p.Partitions {
		// The settings take a moment to arrive: what is written before goes to
		// the old segment.
		Until(t, writeWithin, "a new segment has begun", func(context.Context) (bool, error) {
			p.Write(t, kgo.NoCompression(), &kgo.Record{
				Partition: partition, Key: roller, Value: []byte(`{"rolled":true}`), Timestamp: late,
			})
			segments, err := filepath.Glob(filepath.Join(p.broker.dir, "data", fmt.Sprintf("%s-%d", p.Name, partition), "*.log"))
			return len(segments) > 1, err
		})
		last := len(p.Written) - 1
		active = append(active, p.Written[last])
		p.Written = p.Written[:last]
	}
	p.Written = append(p.survivors(), active...)
	p.awaitCompacted(t, within)
}

// survivors are the records that compaction keeps of those written: of each key
// in a topic partition the last record that was not aborted, tombstones too (a
// broker keeps them for a day). Records with a null key go. A segment that
// holds an open transaction, and with it the topic partition, stays as it is.
func (p *Topic) survivors() []Written {
	type place struct {
		partition int32
		key       string
	}
	last := make(map[place]int64)
	open := make(map[int32]bool)
	for _, w := range p.Written {
		open[w.Partition] = open[w.Partition] || w.Fate == "open"
		if w.Key != nil && w.Fate == "" {
			last[place{w.Partition, string(w.Key)}] = w.Offset
		}
	}
	var kept []Written
	for _, w := range p.Written {
		offset, ok := last[place{w.Partition, string(w.Key)}]
		latest := ok && w.Key != nil && w.Fate == "" && w.Offset == offset
		if latest || open[w.Partition] {
			kept = append(kept, w)
		}
	}
	return kept
}
