package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"

	"koffsets/decode"
	"koffsets/testdata/bench/corpus"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// topic is a topic of the broker that the reading programs are measured at.
type topic struct {
	name          string
	records, keys int
	opts          []kgo.Opt // of its producer
}

var topics = byName([]topic{
	{"offsets-1k", 1_000, 1_000, nil},
	{"offsets-20k", 20_000, 2_000, nil},
	{"offsets-200k", 200_000, 20_000, nil},
	{"offsets-2m", 2_000_000, 200_000, nil},
	// As workers that commit little write them: one or two records a batch.
	{"offsets-2m-tiny", 2_000_000, 200_000, []kgo.Opt{kgo.ProducerBatchMaxBytes(512), kgo.ProducerLinger(0)}},
	{"offsets-2m-distinct", 2_000_000, 2_000_000, nil},
})

func byName(all []topic) map[string]topic {
	m := make(map[string]topic)
	for _, t := range all {
		m[t.name] = t
	}
	return m
}

// serve is the broker's process: it loads the topics, says where it listens,
// and ends with its standard input.
func serve(names []string) error {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1),
		kfake.BrokerConfigs(map[string]string{"log.cleaner.backoff.ms": "2147483647"})) // compacts nothing
	if err != nil {
		return err
	}
	defer cluster.Close()
	addr := cluster.ListenAddrs()[0]
	for _, name := range names {
		t, ok := topics[name]
		if !ok {
			return fmt.Errorf("no topic %s", name)
		}
		err := cluster.CreateTopic(name, corpus.Partitions, map[string]string{"cleanup.policy": "compact"})
		if err == nil {
			err = load(addr, t)
		}
		if err != nil {
			return err
		}
	}
	fmt.Println(addr)
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

func load(addr string, t topic) error {
	client, err := kgo.NewClient(append([]kgo.Opt{
		kgo.SeedBrokers(addr), kgo.DefaultProduceTopic(t.name), kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ProducerBatchCompression(kgo.NoCompression()), kgo.MaxBufferedRecords(50_000), kgo.DisableClientMetrics(),
	}, t.opts...)...)
	if err != nil {
		return err
	}
	defer client.Close()
	var failed atomic.Pointer[error]
	for key, value := range corpus.Records(t.records, t.keys) {
		r := &kgo.Record{Partition: int32(decode.Home(key, corpus.Partitions)), Key: key, Value: value}
		client.Produce(context.Background(), r, func(_ *kgo.Record, err error) {
			if err != nil {
				failed.Store(&err)
			}
		})
	}
	err = client.Flush(context.Background())
	if f := failed.Load(); f != nil {
		err = errors.Join(err, *f)
	}
	return err
}

// broker is the broker's process, seen from outside.
type broker struct {
	addr string
	stop func() error
}

func startBroker(names ...string) (*broker, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := exec.Command(self, append([]string{"serve"}, names...)...)
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	stop := func() error { return errors.Join(in.Close(), c.Wait()) }
	addr, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the broker did not start: %w", err), stop())
	}
	return &broker{strings.TrimSpace(addr), stop}, nil
}
