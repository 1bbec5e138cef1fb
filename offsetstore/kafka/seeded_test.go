package kafka_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"koffsets/offsetstore"
	"koffsets/offsetstore/kafka"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// TestSeededFaults reads topics at random from clusters that fail at random.
// Each reading ends in time, and either says that it is complete and gives
// exactly what was written, or says of each topic partition what is missing,
// and gives what comes before.
func TestSeededFaults(t *testing.T) {
	t.Parallel()
	n := *kafka.Seeds
	if testing.Short() {
		n = 50
	}
	outcomes := make(chan bool, n)
	t.Run("seeds", func(t *testing.T) {
		for seed := range n {
			if *kafka.OnlySeed >= 0 && seed != *kafka.OnlySeed {
				continue
			}
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { outcomes <- newChaos(t, uint64(seed)).run() })
			})
		}
	})
	complete := 0
	for range len(outcomes) {
		if <-outcomes {
			complete++
		}
	}
	t.Logf("%d of %d readings were complete", complete, n)
	if *kafka.OnlySeed < 0 && (complete < n/4 || complete > n*9/10) {
		t.Errorf("%d of %d readings were complete: the faults are too hard or too soft", complete, n)
	}
}

// chaos is one run: a topic, what is known to be on it, and a cluster that
// fails.
type chaos struct {
	*cluster
	t     *testing.T
	rand  *rand.Rand
	want  map[int32][]string
	fixed bool         // nothing that was written is taken away
	bytes atomic.Int64 // until a connection breaks; 0 none does
	delay atomic.Int64
}

const chaosPartitions = 3

func newChaos(t *testing.T, seed uint64) *chaos {
	t.Cleanup(func() { time.Sleep(time.Minute) }) // slow lines outlive the client
	var virtual kfake.VirtualNetwork
	k := &chaos{
		t: t, rand: rand.New(rand.NewPCG(seed, 0)), want: make(map[int32][]string), fixed: true,
		cluster: newCluster(t, chaosPartitions, kfake.Ports(1, 2), kfake.ListenFn(virtual.Listen)),
	}
	k.opts = []kgo.Opt{kgo.Dialer(virtual.DialContext)}
	k.fillAtRandom()
	if k.rand.IntN(4) == 0 {
		k.bytes.Store(int64(100 + k.rand.IntN(4000)))
	}
	k.opts = []kgo.Opt{kgo.Dialer(func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := virtual.DialContext(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		line := &badLine{Conn: conn, delay: &k.delay, left: 1 << 30}
		if k.bytes.Load() > 0 {
			line.left = int(k.bytes.Add(500)) // more each time, so that it ends
		}
		return line, nil
	})}
	return k
}

// badLine is a connection that is slow at times and ends in the middle of an
// answer.
type badLine struct {
	net.Conn
	delay *atomic.Int64 // before the next read of any line
	left  int           // bytes
}

func (l *badLine) Read(p []byte) (int, error) {
	time.Sleep(time.Duration(l.delay.Swap(0)))
	if l.left <= 0 {
		l.Close()
		return 0, io.ErrUnexpectedEOF
	}
	n, err := l.Conn.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}

// fillAtRandom writes records outside of transactions and in such that are
// committed, aborted or left open.
func (k *chaos) fillAtRandom() {
	plain := k.client(kgo.DisableIdempotentWrite())
	defer plain.Close()
	for i := range 4 + k.rand.IntN(12) {
		var rs []*kgo.Record
		for j := range 1 + k.rand.IntN(4) {
			rs = append(rs, record(int32(k.rand.IntN(chaosPartitions)), fmt.Sprintf("k%d.%d", i, j), strings.Repeat("v", k.rand.IntN(200))))
		}
		switch k.rand.IntN(6) {
		case 0:
			k.transaction(fmt.Sprint("c", i), &commit, rs...)
			k.expect("", rs)
		case 1:
			k.transaction(fmt.Sprint("a", i), &abort, rs...)
			k.expect(" aborted", rs)
		case 2:
			if i%3 > 0 {
				continue
			}
			k.transaction(fmt.Sprint("o", i), nil, rs...)
			k.expect(" open", rs)
		default:
			if err := plain.ProduceSync(context.Background(), rs...).FirstErr(); err != nil {
				k.t.Fatal(err)
			}
			k.expect("", rs)
		}
	}
}

func (k *chaos) expect(txn string, rs []*kgo.Record) {
	for _, r := range rs {
		null := ""
		if r.Value == nil {
			null = " null"
		}
		k.want[r.Partition] = append(k.want[r.Partition], fmt.Sprintf("%d@%d %s%s%s", r.Partition, r.Offset, r.Key, null, txn))
	}
}

func (k *chaos) run() bool {
	const timeout = 10 * time.Second
	for range k.rand.IntN(4) {
		k.fault()
	}
	cfg := k.config().WithPartitionBytes(int32(100 + k.rand.IntN(3000)))
	cfg.Timeout = timeout
	began := time.Now()
	got, desc, err := read(k.t, cfg)
	if took := time.Since(began); took > 20*timeout {
		k.t.Errorf("took %s", took)
	}
	if err != nil {
		return false
	}
	k.check(got, desc)
	return desc.Complete()
}

// check compares what a reading says with what was written.
func (k *chaos) check(got []offsetstore.Record, desc offsetstore.Description) {
	stopped := map[int32]bool{}
	for _, i := range desc.Incomplete {
		if i.Reason == "" {
			k.t.Errorf("topic partition %d is incomplete without a reason", i.Partition)
		}
		stopped[i.Partition] = true
	}
	for p := range int32(chaosPartitions) {
		of := lines(slices.DeleteFunc(slices.Clone(got), func(r offsetstore.Record) bool { return r.Partition != p }))
		want := k.want[p]
		if stopped[p] || stopped[offsetstore.Unknown] {
			// Its end is missing, and so may be the fate of transactions.
			of, want = states(of), states(want)
			of = slices.DeleteFunc(of, func(s string) bool { return slices.Contains(want, s) })
			want = nil
		} else if !k.fixed {
			of, want = nil, nil // what is left is complete, whatever it is
		}
		if diff := cmp.Diff(want, of); diff != "" && len(want)+len(of) > 0 {
			k.t.Errorf("topic partition %d (%v):\n%s", p, gaps(desc), diff)
		}
	}
}

func states(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.TrimSuffix(strings.TrimSuffix(l, " open"), " aborted")
	}
	return out
}

// fault makes the cluster fail once, or a few times, or for good.
func (k *chaos) fault() {
	kinds := []kmsg.Key{kmsg.Fetch, kmsg.Fetch, kmsg.Fetch, kmsg.ListOffsets, kmsg.Metadata, kmsg.OffsetForLeaderEpoch}
	kind := kinds[k.rand.IntN(len(kinds))]
	times := []int{1, 1, 2, 3, 1000}[k.rand.IntN(5)]
	at := k.rand.IntN(12)
	act := k.action(kind)
	k.ControlKey(int16(kind), func(req kmsg.Request) (kmsg.Response, error, bool) {
		k.KeepControl()
		if at--; at >= 0 {
			return nil, nil, false
		}
		if times--; times <= 0 {
			k.DropControl()
		}
		return act(req)
	})
}

type answer = func(kmsg.Request) (kmsg.Response, error, bool)

func (k *chaos) action(kind kmsg.Key) answer {
	codes := []*kerr.Error{
		kerr.NotLeaderForPartition, kerr.UnknownTopicOrPartition, kerr.KafkaStorageError, kerr.UnknownServerError,
		kerr.OffsetOutOfRange, kerr.TopicAuthorizationFailed, kerr.CorruptMessage, kerr.UnknownTopicID, kerr.InvalidRequest,
	}
	partition := int32(k.rand.IntN(chaosPartitions))
	code := codes[k.rand.IntN(len(codes))]
	then := func(f func()) answer {
		return func(kmsg.Request) (kmsg.Response, error, bool) { f(); return nil, nil, false }
	}
	switch n := k.rand.IntN(20); {
	case n < 4:
		return func(kmsg.Request) (kmsg.Response, error, bool) { return nil, errors.New("hang up"), true }
	case n < 6:
		return func(kmsg.Request) (kmsg.Response, error, bool) { return nil, nil, true } // swallowed
	case n < 8:
		wait := time.Duration(k.rand.IntN(8)) * time.Second
		return then(func() { k.delay.Store(int64(wait)) })
	case n < 13:
		return then(func() {
			k.Fault(kfake.Fault{Keys: []kmsg.Key{kind}, Topic: topicName, Partitions: []int32{partition}, Err: code})
		})
	case n < 16:
		return then(func() { _ = k.MoveTopicPartition(topicName, partition, 1-max(k.LeaderFor(topicName, partition), 0)) })
	case n < 17:
		return func(req kmsg.Request) (kmsg.Response, error, bool) { return req.ResponseKind(), nil, true } // empty
	case n < 18:
		offset := int64(k.rand.IntN(8))
		k.fixed = false
		return then(func() { _ = k.DeleteRecords(topicName, partition, offset) })
	case n < 19:
		return then(func() { k.Compact(); k.fixed = false })
	}
	return then(func() {
		k.fixed = false
		_ = k.DeleteTopic(topicName)
		_ = k.CreateTopic(topicName, chaosPartitions, nil)
	})
}
