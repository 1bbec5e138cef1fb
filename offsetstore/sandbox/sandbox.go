// Package sandbox runs an in-process Kafka cluster that holds an offsets topic
// from a fixture, for trying things out, for examples and for tests. Real
// clients can talk to it. It owns the fixtures and knows how to load records so
// that they get the places they came from; it knows nothing of what they mean.
package sandbox

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"net"
	"path"
	"slices"
	"strconv"
	"strings"

	"koffsets/offsetstore"
	"koffsets/offsetstore/dump"

	"github.com/twmb/franz-go/pkg/kfake"
)

//go:generate go test -run TestFixtures -update .

//go:embed fixtures/*.jsonl
var fixtures embed.FS

// Topic is the name of the offsets topic in a sandbox.
const Topic = "connect-offsets"

// DefaultFixture is the fixture for who asks for none.
const DefaultFixture = "incident"

// Fixtures are the names of the fixtures, in order.
func Fixtures() []string {
	files, _ := fixtures.ReadDir("fixtures") // embedded: it is there
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".jsonl"))
	}
	slices.Sort(names)
	return names
}

// Fixture is the dump that a fixture is loaded from.
func Fixture(name string) ([]byte, error) {
	if !slices.Contains(Fixtures(), name) {
		return nil, fmt.Errorf("there is no fixture %q; there are %s", name, strings.Join(Fixtures(), ", "))
	}
	return fixtures.ReadFile(path.Join("fixtures", name+".jsonl"))
}

// Options says how a sandbox runs.
type Options struct {
	// Listen is the address of the first broker; "" is 127.0.0.1:0, any free
	// port. The other brokers take free ports of the same host.
	Listen string
}

// Sandbox is a running cluster.
type Sandbox struct {
	cluster *kfake.Cluster
	addr    string
}

// brokers is how many there are: as many as Connect wants replicas.
const brokers = 3

// Start runs a cluster with a fixture; "" is DefaultFixture. The caller closes
// it.
func Start(ctx context.Context, fixture string, o Options) (*Sandbox, error) {
	if fixture == "" {
		fixture = DefaultFixture
	}
	text, err := Fixture(fixture)
	if err != nil {
		return nil, err
	}
	return StartWith(ctx, dump.NewReader(fixture, bytes.NewReader(text), dump.Options{}), o)
}

// StartWith runs a cluster with the records of a source. The source must tell
// every record's place and the topic's partition count, and the offsets of a
// topic partition must follow each other without gaps but for one offset behind
// each transaction, where its marker goes.
func StartWith(ctx context.Context, src offsetstore.Source, o Options) (*Sandbox, error) {
	topic, err := collect(ctx, src)
	if err != nil {
		return nil, err
	}
	cluster, err := cluster(o)
	if err != nil {
		return nil, fmt.Errorf("cannot start the sandbox: %w", err)
	}
	s := &Sandbox{cluster: cluster, addr: cluster.ListenAddrs()[0]} // asking after Close would block
	if err := s.load(ctx, topic); err != nil {
		s.Close()
		return nil, fmt.Errorf("cannot load the sandbox: %w", err)
	}
	return s, nil
}

// Addr is the bootstrap address.
func (s *Sandbox) Addr() string { return s.addr }

// Close ends the cluster.
func (s *Sandbox) Close() { s.cluster.Close() }

func cluster(o Options) (*kfake.Cluster, error) {
	host, port := "127.0.0.1", 0
	if o.Listen != "" {
		h, p, err := net.SplitHostPort(o.Listen)
		if err == nil {
			port, err = strconv.Atoi(p)
		}
		if err != nil {
			return nil, fmt.Errorf("%q is no HOST:PORT: %w", o.Listen, err)
		}
		if h != "" {
			host = h
		}
	}
	return kfake.NewCluster(
		kfake.ClusterID("koffsets-sandbox"),
		kfake.NumBrokers(brokers),
		kfake.Ports(port, 0, 0),
		kfake.ListenFn(func(network, address string) (net.Listener, error) {
			_, port, err := net.SplitHostPort(address)
			if err != nil {
				return nil, err
			}
			return net.Listen(network, net.JoinHostPort(host, port))
		}),
		kfake.BrokerConfigs(map[string]string{
			// What is there stays as it is: nothing is compacted away, and an open
			// transaction stays open.
			"log.cleaner.backoff.ms":     strconv.Itoa(forever),
			"transaction.max.timeout.ms": strconv.Itoa(forever),
		}),
	)
}

// forever is a time in ms that Kafka can hold, some 24 days.
const forever = 1<<31 - 1

// contents is what a source holds, by topic partition.
type contents struct {
	partitions int
	records    map[int32][]offsetstore.Record
}

func collect(ctx context.Context, src offsetstore.Source) (contents, error) {
	c := contents{records: make(map[int32][]offsetstore.Record)}
	d, err := src.Read(ctx, func(_ *offsetstore.Description, records []offsetstore.Record) error {
		for _, r := range records {
			r.Key, r.Value = bytes.Clone(r.Key), bytes.Clone(r.Value)
			r.Headers = slices.Clone(r.Headers)
			c.records[r.Partition] = append(c.records[r.Partition], r)
		}
		return nil
	})
	if err == nil && !d.Complete() {
		err = errors.New(d.Incomplete[0].Reason)
	}
	if err != nil {
		return c, fmt.Errorf("cannot read %s: %w", d.Name, err)
	}
	c.partitions = d.Partitions
	for p := range c.records {
		if p < 0 || int(p) >= d.Partitions {
			return c, fmt.Errorf("%s has a record of topic partition %d, of %d", d.Name, p, d.Partitions)
		}
	}
	return c, nil
}
