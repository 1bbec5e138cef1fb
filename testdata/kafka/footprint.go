package realkafka

import (
	"context"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
)

// Footprint is what readers can leave behind on a broker.
type Footprint struct {
	Groups []string
	// Topics are all topics, internal ones too (__consumer_offsets holds
	// commits), each with the end offsets of its topic partitions. Those of
	// __transaction_state are left out: the broker goes on writing there after
	// a producer's transaction has ended.
	Topics map[string]map[int32]int64
}

// Footprint asks the broker for it.
func (b *Broker) Footprint(t testing.TB) Footprint {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), writeWithin)
	defer cancel()
	client := b.Client(t)
	defer client.Close()
	admin := kadm.NewClient(client)
	groups, err := admin.ListGroups(ctx)
	if err != nil {
		t.Fatalf("list groups: %v", err)
	}
	topics, err := admin.ListTopicsWithInternal(ctx)
	if err != nil {
		t.Fatalf("list topics: %v", err)
	}
	found := Footprint{Groups: groups.Groups(), Topics: make(map[string]map[int32]int64)}
	ends, err := admin.ListEndOffsets(ctx, topics.Names()...)
	if err == nil {
		err = ends.Error()
	}
	if err != nil {
		t.Fatalf("list end offsets: %v", err)
	}
	for _, name := range topics.Names() {
		found.Topics[name] = make(map[int32]int64)
	}
	ends.Each(func(end kadm.ListedOffset) {
		if end.Topic != "__transaction_state" {
			found.Topics[end.Topic][end.Partition] = end.Offset
		}
	})
	return found
}
