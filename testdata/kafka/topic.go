package realkafka

import (
	"context"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// writeWithin is how long one act of writing or asking may take.
const writeWithin = 30 * time.Second

// Written is a record that was written, with the place the broker gave it.
type Written struct {
	*kgo.Record
	// Fate is what became of its transaction: "" when it had none or was
	// committed, else "aborted" or "open".
	Fate string
}

// Topic is a topic of a broker together with everything that was ever written
// to it: the truth that tests compare with.
type Topic struct {
	Name       string
	Partitions int32
	Written    []Written // in the order of writing: by offset within a topic partition

	broker *Broker
}

// CreateTopic creates a topic of one replica with the given settings.
func (b *Broker) CreateTopic(t testing.TB, name string, partitions int32, settings map[string]string) *Topic {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), writeWithin)
	defer cancel()
	client := b.Client(t)
	defer client.Close()
	configs := make(map[string]*string)
	for key, value := range settings {
		configs[key] = &value
	}
	if _, err := kadm.NewClient(client).CreateTopic(ctx, partitions, 1, configs, name); err != nil {
		t.Fatalf("create topic %s: %v", name, err)
	}
	return &Topic{Name: name, Partitions: partitions, broker: b}
}

// Configure changes settings of the topic.
func (p *Topic) Configure(t testing.TB, settings map[string]string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), writeWithin)
	defer cancel()
	client := p.broker.Client(t)
	defer client.Close()
	var changes []kadm.AlterConfig
	for key, value := range settings {
		changes = append(changes, kadm.AlterConfig{Op: kadm.SetConfig, Name: key, Value: &value})
	}
	answers, err := kadm.NewClient(client).AlterTopicConfigs(ctx, changes, p.Name)
	if err == nil && len(answers) == 1 {
		err = answers[0].Err
	}
	if err != nil {
		t.Fatalf("configure topic %s: %v", p.Name, err)
	}
}

// DeleteBefore deletes the records of a topic partition before an offset. A
// broker refuses that where the policy is to compact alone.
func (p *Topic) DeleteBefore(t testing.TB, partition int32, offset int64) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), writeWithin)
	defer cancel()
	client := p.broker.Client(t)
	defer client.Close()
	offsets := kadm.Offsets{}
	offsets.Add(kadm.Offset{Topic: p.Name, Partition: partition, At: offset})
	answers, err := kadm.NewClient(client).DeleteRecords(ctx, offsets)
	if err == nil {
		err = answers.Error()
	}
	if err != nil {
		t.Fatalf("delete records of %s-%d before %d: %v", p.Name, partition, offset, err)
	}
}

// Home is the topic partition that a producer sends the key to.
func (p *Topic) Home(key []byte) int32 {
	record := &kgo.Record{Topic: p.Name, Key: key}
	return int32(kgo.StickyKeyPartitioner(nil).ForTopic(p.Name).Partition(record, int(p.Partitions)))
}

// Write writes the records to the topic partitions they name. Records of one
// call for one topic partition share a batch where they fit.
func (p *Topic) Write(t testing.TB, codec kgo.CompressionCodec, records ...*kgo.Record) {
	t.Helper()
	client := p.producer(t, codec)
	defer client.Close()
	p.produce(t, client, "", records)
}

// Commit writes the records in a transaction of its own and commits it.
func (p *Topic) Commit(t testing.TB, codec kgo.CompressionCodec, transaction string, records ...*kgo.Record) {
	t.Helper()
	p.transact(t, codec, transaction, kgo.TryCommit, "", records)
}

// Abort writes the records in a transaction of its own and aborts it.
func (p *Topic) Abort(t testing.TB, codec kgo.CompressionCodec, transaction string, records ...*kgo.Record) {
	t.Helper()
	p.transact(t, codec, transaction, kgo.TryAbort, "aborted", records)
}

// LeaveOpen writes the records in a transaction that stays open until the
// function is called, which aborts it; the broker aborts it after a quarter of an
// hour, long after the test.
func (p *Topic) LeaveOpen(t testing.TB, codec kgo.CompressionCodec, transaction string, records ...*kgo.Record) (abort func()) {
	t.Helper()
	client := p.transactional(t, codec, transaction)
	t.Cleanup(client.Close)
	p.produce(t, client, "open", records)
	return func() {
		t.Helper()
		end(t, client, transaction, kgo.TryAbort)
	}
}

func (p *Topic) transact(t testing.TB, codec kgo.CompressionCodec, transaction string, how kgo.TransactionEndTry, fate string, records []*kgo.Record) {
	t.Helper()
	client := p.transactional(t, codec, transaction)
	defer client.Close()
	p.produce(t, client, fate, records)
	end(t, client, transaction, how)
}

func end(t testing.TB, client *kgo.Client, transaction string, how kgo.TransactionEndTry) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), writeWithin)
	defer cancel()
	if err := client.EndTransaction(ctx, how); err != nil {
		t.Fatalf("end transaction %s: %v", transaction, err)
	}
}

// transactional returns a producer with a transaction begun.
func (p *Topic) transactional(t testing.TB, codec kgo.CompressionCodec, transaction string) *kgo.Client {
	t.Helper()
	client := p.producer(t, codec, kgo.TransactionalID(transaction), kgo.TransactionTimeout(15*time.Minute))
	if err := client.BeginTransaction(); err != nil {
		t.Fatalf("begin transaction %s: %v", transaction, err)
	}
	return client
}

func (p *Topic) producer(t testing.TB, codec kgo.CompressionCodec, options ...kgo.Opt) *kgo.Client {
	t.Helper()
	return p.broker.Client(t, append(options,
		kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ProducerBatchCompression(codec),
	)...)
}

func (p *Topic) produce(t testing.TB, client *kgo.Client, fate string, records []*kgo.Record) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), writeWithin)
	defer cancel()
	for _, record := range records {
		record.Topic = p.Name
	}
	results := client.ProduceSync(ctx, records...)
	if err := results.FirstErr(); err != nil {
		t.Fatalf("write to %s: %v", p.Name, err)
	}
	for _, record := range records {
		p.Written = append(p.Written, Written{record, fate})
	}
}
