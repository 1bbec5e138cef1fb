package kafka_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"koffsets/offsetstore"
	"koffsets/offsetstore/kafka"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// BenchmarkRead reads a topic to its end, in turn with the plainest program
// that polls all of it, and reports both and their ratio. The broker runs in
// this process, so that its share is in both.
func BenchmarkRead(b *testing.B) {
	for _, bench := range []struct {
		name    string
		records int
		opts    []kgo.Opt
	}{
		{"none", 500_000, nil},
		{"lz4", 500_000, []kgo.Opt{kgo.ProducerBatchCompression(kgo.Lz4Compression())}},
		{"snappy", 500_000, []kgo.Opt{kgo.ProducerBatchCompression(kgo.SnappyCompression())}},
		{"zstd", 500_000, []kgo.Opt{kgo.ProducerBatchCompression(kgo.ZstdCompression())}},
		{"tiny batches", 200_000, []kgo.Opt{kgo.ProducerBatchMaxBytes(512), kgo.ProducerLinger(0)}},
		{"small topic", 1_000, nil},
	} {
		b.Run(bench.name, func(b *testing.B) {
			c := newCluster(b, 25, kfake.BrokerConfigs(map[string]string{"log.cleaner.backoff.ms": "2147483647"}))
			c.load(b, bench.records, bench.opts...)
			var ours, drain time.Duration
			b.ReportAllocs()
			for b.Loop() {
				began := time.Now()
				c.readAll(b, bench.records)
				ours += time.Since(began)
				b.StopTimer()
				began = time.Now()
				c.pollAll(b, bench.records)
				drain += time.Since(began)
				b.StartTimer()
			}
			n := float64(b.N * bench.records)
			b.ReportMetric(float64(ours)/n, "ns/record")
			b.ReportMetric(float64(drain)/n, "drain-ns/record")
			b.ReportMetric(float64(ours)/float64(drain), "x-drain")
		})
	}
}

func (c *cluster) load(b *testing.B, n int, opts ...kgo.Opt) {
	b.Helper()
	client := c.client(append([]kgo.Opt{kgo.MaxBufferedRecords(10_000)}, opts...)...)
	for i := range n {
		r := record(int32(i%25), fmt.Sprintf(`["jdbc-orders",{"protocol":"1","table":"shop.orders_%06d"}]`, i%(n/10+1)),
			fmt.Sprintf(`{"timestamp_nanos":0,"incrementing":%d,"timestamp":1796025600000}`, i))
		client.Produce(context.Background(), r, func(_ *kgo.Record, err error) {
			if err != nil {
				b.Error(err)
			}
		})
	}
	if err := client.Flush(context.Background()); err != nil {
		b.Fatal(err)
	}
	client.Close()
}

func (c *cluster) readAll(b *testing.B, want int) {
	n := 0
	desc, err := kafka.New(c.config()).Read(context.Background(), func(_ *offsetstore.Description, records []offsetstore.Record) error {
		n += len(records)
		return nil
	})
	if err != nil || !desc.Complete() || n != want {
		b.Fatalf("%d records of %d, %v, %v", n, want, gaps(desc), err)
	}
}

func (c *cluster) pollAll(b *testing.B, want int) {
	client, err := kgo.NewClient(kgo.SeedBrokers(c.addrs...), kgo.ConsumeTopics(topicName), kgo.FetchMaxWait(100*time.Millisecond))
	if err != nil {
		b.Fatal(err)
	}
	defer client.Close()
	for n := 0; n < want; {
		fetches := client.PollFetches(context.Background())
		if err := fetches.Err(); err != nil {
			b.Fatal(err)
		}
		n += fetches.NumRecords()
	}
}
