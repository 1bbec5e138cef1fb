package sandbox

import (
	"context"
	"fmt"
	"time"

	"koffsets/offsetstore"

	"github.com/twmb/franz-go/pkg/kgo"
)

// load makes the topic and writes the records.
func (s *Sandbox) load(ctx context.Context, c contents) error {
	settings := map[string]string{"cleanup.policy": "compact"}
	if err := s.cluster.CreateTopic(Topic, int32(c.partitions), settings); err != nil {
		return err
	}
	for p := range int32(c.partitions) {
		// One broker leads all, so that what a worker reads first is the same
		// each time.
		if err := s.cluster.MoveTopicPartition(Topic, p, 0); err != nil {
			return err
		}
	}
	plain, err := s.client(kgo.DisableIdempotentWrite())
	if err != nil {
		return err
	}
	defer plain.Close()
	for p := range int32(c.partitions) {
		for run, rest := split(c.records[p]); len(run.records) > 0; run, rest = split(rest) {
			if err := s.write(ctx, plain, run); err != nil {
				return fmt.Errorf("%s-%d@%d: %w", Topic, p, run.records[0].Offset, err)
			}
		}
	}
	return nil
}

func (s *Sandbox) client(opts ...kgo.Opt) (*kgo.Client, error) {
	return kgo.NewClient(append(opts,
		kgo.SeedBrokers(s.addr),
		kgo.DefaultProduceTopic(Topic),
		kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ProducerBatchCompression(kgo.NoCompression()), // as workers do
		kgo.ProducerLinger(0),
		kgo.DisableClientMetrics(),
	)...)
}

// run is what is written in one go: records outside any transaction, or those
// of one transaction.
type run struct {
	records []offsetstore.Record
	marker  bool // of a transaction that was ended
}

// split takes the first run. A transaction shows by its records' state, or, if
// it was committed, by the offset its marker took: then it is taken for one of
// a single record, as exactly-once workers write.
func split(records []offsetstore.Record) (run, []offsetstore.Record) {
	n := 0
	for n < len(records) && records[n].Txn == records[0].Txn && (n == 0 || records[n].Offset == records[n-1].Offset+1) {
		n++
	}
	if n == 0 {
		return run{}, nil
	}
	gap := n < len(records) && records[n].Offset > records[n-1].Offset+1
	switch committed := gap && records[0].Txn == offsetstore.TxnNone; {
	case committed && n > 1:
		n--
		return run{records: records[:n]}, records[n:]
	case committed:
		return run{records: records[:n], marker: true}, records[n:]
	}
	return run{records: records[:n], marker: records[0].Txn == offsetstore.TxnAborted}, records[n:]
}

func (s *Sandbox) write(ctx context.Context, plain *kgo.Client, r run) error {
	first := r.records[0]
	if !r.marker && first.Txn == offsetstore.TxnNone {
		return produce(ctx, plain, r.records)
	}
	client, err := s.client(
		kgo.TransactionalID(fmt.Sprintf("sandbox-%d-%d", first.Partition, first.Offset)),
		kgo.TransactionTimeout(forever*time.Millisecond),
	)
	if err != nil {
		return err
	}
	defer client.Close() // leaves an open transaction open
	if err := client.BeginTransaction(); err != nil {
		return err
	}
	if err := produce(ctx, client, r.records); err != nil || !r.marker {
		return err
	}
	return client.EndTransaction(ctx, kgo.TransactionEndTry(first.Txn == offsetstore.TxnNone))
}

// produce writes records and makes sure that they get their places.
func produce(ctx context.Context, client *kgo.Client, records []offsetstore.Record) error {
	out := make([]*kgo.Record, len(records))
	for i, r := range records {
		out[i] = &kgo.Record{Partition: r.Partition, Timestamp: time.UnixMilli(r.Timestamp), Key: r.Key, Value: r.Value}
		for _, h := range r.Headers {
			out[i].Headers = append(out[i].Headers, kgo.RecordHeader{Key: h.Key, Value: h.Value})
		}
	}
	if err := client.ProduceSync(ctx, out...).FirstErr(); err != nil {
		return err
	}
	for i, r := range records {
		if out[i].Offset != r.Offset {
			return fmt.Errorf("the record of offset %d got offset %d", r.Offset, out[i].Offset)
		}
	}
	return nil
}
