package kafka_test

import (
	"context"
	"fmt"
	"net"
	"slices"
	"testing"
	"time"

	"koffsets/offsetstore"
	"koffsets/offsetstore/kafka"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const topicName = "connect-offsets"

// cluster is a fake cluster with an offsets topic.
type cluster struct {
	*kfake.Cluster
	t     testing.TB
	addrs []string // read once: asking for them after Close blocks
	opts  []kgo.Opt
	dial  func(ctx context.Context, network, addr string) (net.Conn, error) // of a virtual cluster
}

func newCluster(t testing.TB, partitions int32, opts ...kfake.Opt) *cluster {
	t.Helper()
	opts = append([]kfake.Opt{kfake.NumBrokers(1)}, opts...)
	fake, err := kfake.NewCluster(opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(fake.Close)
	c := &cluster{Cluster: fake, t: t, addrs: fake.ListenAddrs()}
	if partitions > 0 {
		policy := "compact"
		if err := fake.CreateTopic(topicName, partitions, map[string]string{"cleanup.policy": policy}); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func (c *cluster) client(opts ...kgo.Opt) *kgo.Client {
	c.t.Helper()
	client, err := kgo.NewClient(append(append([]kgo.Opt{
		kgo.SeedBrokers(c.addrs...), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.DefaultProduceTopic(topicName),
		kgo.ProducerBatchCompression(kgo.NoCompression()), kgo.DisableClientMetrics(),
	}, c.opts...), opts...)...)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(client.Close)
	return client
}

// write puts records on the topic, each in a batch of its own.
func (c *cluster) write(records ...*kgo.Record) {
	c.t.Helper()
	client := c.client()
	defer client.Close()
	for _, r := range records {
		if err := client.ProduceSync(context.Background(), r).FirstErr(); err != nil {
			c.t.Fatal(err)
		}
	}
}

// transaction writes records in a transaction and ends it as told; a nil end
// leaves it open.
func (c *cluster) transaction(id string, end *kgo.TransactionEndTry, records ...*kgo.Record) {
	c.t.Helper()
	if finish := c.begin(id, records...); end != nil {
		finish(*end)
	}
}

// begin writes records in a transaction and returns how to end it.
func (c *cluster) begin(id string, records ...*kgo.Record) (end func(kgo.TransactionEndTry)) {
	c.t.Helper()
	client := c.client(kgo.TransactionalID(id))
	if err := client.BeginTransaction(); err != nil {
		c.t.Fatal(err)
	}
	if err := client.ProduceSync(context.Background(), records...).FirstErr(); err != nil {
		c.t.Fatal(err)
	}
	return func(how kgo.TransactionEndTry) {
		if err := client.EndTransaction(context.Background(), how); err != nil {
			c.t.Error(err)
		}
	}
}

var commit, abort = kgo.TryCommit, kgo.TryAbort

func record(partition int32, key, value string) *kgo.Record {
	r := &kgo.Record{Partition: partition, Key: []byte(key), Value: []byte(value), Timestamp: time.UnixMilli(1700000000000)}
	if value == "" {
		r.Value = nil
	}
	return r
}

// config reads the cluster's topic with a short patience.
func (c *cluster) config() kafka.Config {
	return kafka.Config{Bootstrap: c.addrs, Topic: topicName, Timeout: 5 * time.Second, Options: c.opts}
}

// read reads the topic and keeps what it is told.
func read(t testing.TB, cfg kafka.Config) ([]offsetstore.Record, offsetstore.Description, error) {
	t.Helper()
	return readContext(context.Background(), t, cfg)
}

func readContext(ctx context.Context, t testing.TB, cfg kafka.Config) ([]offsetstore.Record, offsetstore.Description, error) {
	t.Helper()
	var got []offsetstore.Record
	desc, err := kafka.New(cfg).Read(ctx, func(_ *offsetstore.Description, records []offsetstore.Record) error {
		for _, r := range records {
			r.Key, r.Value = slices.Clone(r.Key), slices.Clone(r.Value)
			got = append(got, r)
		}
		return nil
	})
	last := map[int32]int64{}
	for _, r := range got {
		if before, ok := last[r.Partition]; ok && r.Offset <= before {
			t.Errorf("offset %d of partition %d comes after %d", r.Offset, r.Partition, before)
		}
		last[r.Partition] = r.Offset
	}
	return got, desc, err
}

// lines are the records of a reading in short, by partition and offset.
func lines(records []offsetstore.Record) []string {
	slices.SortStableFunc(records, func(a, b offsetstore.Record) int { return int(a.Partition - b.Partition) })
	var out []string
	for _, r := range records {
		s := fmt.Sprintf("%d@%d %s", r.Partition, r.Offset, r.Key)
		if r.Value == nil {
			s += " null"
		}
		if r.Txn != offsetstore.TxnNone {
			s += " " + r.Txn.String()
		}
		out = append(out, s)
	}
	return out
}

// ranges are what a reading says it read, in short.
func ranges(d offsetstore.Description) []string {
	var out []string
	for _, r := range d.Ranges {
		out = append(out, fmt.Sprintf("%d: %d-%d stable %d", r.Partition, r.Start, r.End, r.LastStable))
	}
	return out
}

// gaps are the reasons why a reading is incomplete, in short.
func gaps(d offsetstore.Description) []string {
	var out []string
	for _, i := range d.Incomplete {
		out = append(out, fmt.Sprintf("%d@%d %s", i.Partition, i.Offset, i.Reason))
	}
	return out
}

// watch notes the kinds of all requests the cluster gets.
func (c *cluster) watch() func() map[kmsg.Key]int {
	seen := make(chan kmsg.Key, 1<<16)
	c.ControlKey(-1, func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		seen <- kmsg.Key(req.Key())
		return nil, nil, false
	})
	return func() map[kmsg.Key]int {
		kinds := map[kmsg.Key]int{}
		for len(seen) > 0 {
			kinds[<-seen]++
		}
		return kinds
	}
}
