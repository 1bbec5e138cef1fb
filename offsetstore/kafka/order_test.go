package kafka_test

import (
	"slices"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"koffsets/offsetstore"
)

func TestInOrderOneTopicPartitionFollowsTheOther(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 5, kfake.NumBrokers(3))
	for p := range int32(5) {
		c.fill(4-p, 7) // more than one answer holds
	}
	cfg := c.config()
	cfg.InOrder = true
	got, desc, err := read(t, cfg)
	if err != nil || !desc.Complete() || len(got) != 35 {
		t.Fatalf("%d records, %v, %v", len(got), gaps(desc), err)
	}
	if !slices.IsSortedFunc(got, func(a, b offsetstore.Record) int { return int(a.Partition - b.Partition) }) {
		t.Error("the topic partitions are mixed")
	}
}

func TestInOrderReadsPastATopicPartitionThatDoesNotGetOn(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 3)
	c.write(record(0, "a", "1"), record(1, "b", "1"), record(2, "c", "1"))
	c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Fetch}, Topic: topicName, Partitions: []int32{0}, Err: kerr.NotLeaderForPartition, Count: -1})
	cfg := c.config()
	cfg.InOrder, cfg.Timeout = true, 500*time.Millisecond
	got, desc, err := read(t, cfg)
	if err != nil || len(got) != 2 || len(desc.Incomplete) != 1 || desc.Incomplete[0].Partition != 0 {
		t.Fatalf("%d records, %v, %v", len(got), gaps(desc), err)
	}
}
