package kafka_test

import (
	"bytes"
	"context"
	"encoding/base64"
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
	"koffsets/release"

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
	want  []offsetstore.Record // all that was written
	id    string               // of the topic
	bytes atomic.Int64         // until a connection breaks; 0 none does
	spoil atomic.Bool          // the next batch on any line is damaged
	delay atomic.Int64

	straight func(ctx context.Context, network, addr string) (net.Conn, error) // dials a line that is good

	trimmed, compacted, grown bool

	moved  time.Time // when the reading last got on
	waited time.Duration
}

const chaosPartitions = 3

func newChaos(t *testing.T, seed uint64) *chaos {
	t.Cleanup(func() { time.Sleep(time.Minute) }) // slow lines outlive the client
	var virtual kfake.VirtualNetwork
	k := &chaos{
		t: t, rand: rand.New(rand.NewPCG(seed, 0)),
		cluster: newCluster(t, chaosPartitions, kfake.Ports(1, 2), kfake.ListenFn(virtual.Listen)),
	}
	k.id = topicID(k.cluster)
	k.straight = virtual.DialContext
	k.opts = []kgo.Opt{kgo.Dialer(k.straight)}
	k.fillAtRandom()
	if k.rand.IntN(4) == 0 {
		k.bytes.Store(int64(100 + k.rand.IntN(4000)))
	}
	k.opts = []kgo.Opt{kgo.Dialer(func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := virtual.DialContext(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		line := &badLine{Conn: conn, delay: &k.delay, spoil: &k.spoil, left: 1 << 30}
		if k.bytes.Load() > 0 {
			line.left = int(k.bytes.Add(500)) // more each time, so that it ends
		}
		return line, nil
	})}
	return k
}

// badLine is a connection that is slow at times, damages batches, and ends in
// the middle of an answer.
type badLine struct {
	net.Conn
	delay *atomic.Int64 // before the next read of any line
	spoil *atomic.Bool
	left  int // bytes
}

func (l *badLine) Read(p []byte) (int, error) {
	time.Sleep(time.Duration(l.delay.Swap(0)))
	if l.left <= 0 {
		l.Close()
		return 0, io.ErrUnexpectedEOF
	}
	n, err := l.Conn.Read(p[:min(len(p), l.left)])
	l.left -= n
	if i := bytes.Index(p[:n], []byte(`["c",`)); i >= 0 && l.spoil.Swap(false) {
		p[i]++
	}
	return n, err
}

// fillAtRandom writes records outside of transactions and in such that are
// committed, aborted or left open.
func (k *chaos) fillAtRandom() {
	plain := k.client(kgo.DisableIdempotentWrite())
	defer plain.Close()
	for i := range 4 + k.rand.IntN(12) {
		var rs []*kgo.Record
		for range 1 + k.rand.IntN(4) {
			task := k.rand.IntN(12)
			value := fmt.Sprintf(`{"at":"%s%d"}`, strings.Repeat("v", k.rand.IntN(200)), i)
			if k.rand.IntN(6) == 0 {
				value = ""
			}
			rs = append(rs, record(int32(task%chaosPartitions), fmt.Sprintf(`["c",{"task":%d}]`, task), value))
		}
		switch k.rand.IntN(6) {
		case 0:
			k.transaction(fmt.Sprint("c", i), &commit, rs...)
			k.expect(offsetstore.TxnNone, rs)
		case 1:
			k.transaction(fmt.Sprint("a", i), &abort, rs...)
			k.expect(offsetstore.TxnAborted, rs)
		case 2:
			if i%3 > 0 {
				continue
			}
			k.transaction(fmt.Sprint("o", i), nil, rs...)
			k.expect(offsetstore.TxnOpen, rs)
		default:
			if err := plain.ProduceSync(context.Background(), rs...).FirstErr(); err != nil {
				k.t.Fatal(err)
			}
			k.expect(offsetstore.TxnNone, rs)
		}
	}
}

func (k *chaos) expect(txn offsetstore.Txn, rs []*kgo.Record) {
	for _, r := range rs {
		k.want = append(k.want, offsetstore.Record{Partition: r.Partition, Offset: r.Offset, Key: r.Key, Value: r.Value, Txn: txn})
	}
}

func (k *chaos) run() bool {
	const timeout = 10 * time.Second
	for range k.rand.IntN(7) {
		k.fault()
	}
	cfg := k.config().WithPartitionBytes(int32(100 + k.rand.IntN(3000)))
	cfg.Timeout, cfg.InOrder = timeout, k.rand.IntN(4) == 0
	k.moved = time.Now()
	var before kafka.Progress
	cfg.Progress = func(p kafka.Progress) {
		if p.Offsets > before.Offsets || p.Read > before.Read || p.Done > before.Done {
			k.getsOn()
		}
		before = p
	}
	got, desc, err := read(k.t, cfg)
	k.getsOn()
	// Some more for what is looked at where nothing answers, and for leaving off.
	if k.waited > timeout+3*time.Second {
		k.t.Errorf("waited %s, which is more than %s", k.waited, timeout)
	}
	if err != nil {
		var e *kafka.Error
		if !errors.As(err, &e) || e.Msg == "" {
			k.t.Errorf("%v", err)
		}
		return false
	}
	k.check(got, desc)
	return desc.Complete()
}

func (k *chaos) getsOn() {
	k.waited = max(k.waited, time.Since(k.moved))
	k.moved = time.Now()
}

// check compares what a reading says with what was written.
func (k *chaos) check(got []offsetstore.Record, desc offsetstore.Description) {
	want := k.want
	if desc.TopicID != k.id {
		want = nil // made anew before it was read
	}
	start := map[int32]int64{}
	for _, r := range desc.Ranges {
		start[r.Partition] = r.Start
	}
	if k.trimmed {
		want = slices.DeleteFunc(slices.Clone(want), func(r offsetstore.Record) bool { return r.Offset < start[r.Partition] })
	}
	missing := map[int32]int64{}
	for _, i := range desc.Incomplete {
		if i.Reason == "" {
			k.t.Errorf("topic partition %d is incomplete without a reason", i.Partition)
		}
		missing[i.Partition] = i.Offset
	}
	for p := range int32(chaosPartitions) {
		if _, remade := missing[offsetstore.Unknown]; !remade {
			k.checkPartition(p, of(p, got), of(p, want), missing, desc)
		}
	}
	if desc.Complete() && !(k.trimmed && k.compacted) {
		k.checkViews(got, want, &desc)
	}
}

func of(p int32, records []offsetstore.Record) []offsetstore.Record {
	return slices.DeleteFunc(slices.Clone(records), func(r offsetstore.Record) bool { return r.Partition != p })
}

func (k *chaos) checkPartition(p int32, got, want []offsetstore.Record, missing map[int32]int64, desc offsetstore.Description) {
	from, incomplete := missing[p]
	if !incomplete {
		if diff := cmp.Diff(lines(want), lines(got)); diff != "" && !k.compacted {
			k.t.Errorf("topic partition %d (%v):\n%s", p, gaps(desc), diff)
		}
		return
	}
	// Its end is missing, and so may be the fate of transactions.
	said, written := states(lines(got)), states(lines(want))
	for _, s := range said {
		if !slices.Contains(written, s) {
			k.t.Errorf("topic partition %d has %s, which was never written", p, s)
		}
	}
	for i, r := range want {
		if r.Offset < from && !slices.Contains(said, written[i]) && !k.compacted {
			k.t.Errorf("topic partition %d lacks %s (%v)", p, written[i], gaps(desc))
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

// checkViews compares what a complete reading shows with what should be shown,
// at both isolation levels.
func (k *chaos) checkViews(got, want []offsetstore.Record, desc *offsetstore.Description) {
	for _, level := range []offsetstore.Isolation{offsetstore.ReadCommitted, offsetstore.ReadUncommitted} {
		if level == offsetstore.ReadUncommitted && k.compacted {
			continue // the cleaner drops what was aborted
		}
		fold := offsetstore.NewFold(offsetstore.Options{Release: release.MustParse("3.9.1"), Isolation: level})
		fold.Add(got)
		shown := map[string]string{}
		for e := range fold.View(*desc).Entries() {
			if e.State == offsetstore.Live || !k.compacted { // the cleaner may drop a tombstone
				shown[string(e.Key)] = fmt.Sprintf("%s at %v", e.Value, e.Place)
			}
		}
		right := map[string]string{}
		open := map[int32]bool{}
		for _, r := range want {
			open[r.Partition] = open[r.Partition] || r.Txn == offsetstore.TxnOpen
			if level == offsetstore.ReadCommitted && (open[r.Partition] || r.Txn == offsetstore.TxnAborted) {
				continue
			}
			right[string(r.Key)] = fmt.Sprintf("%s at %v", r.Value, offsetstore.Place{Partition: r.Partition, Offset: r.Offset})
			if r.Value == nil && k.compacted {
				delete(right, string(r.Key))
			}
		}
		if diff := cmp.Diff(right, shown); diff != "" {
			k.t.Errorf("the view at %s:\n%s", level, diff)
		}
	}
}

func topicID(c *cluster) string {
	id := c.TopicInfo(topicName).TopicID
	return base64.RawURLEncoding.EncodeToString(id[:])
}

// fault makes the cluster fail once, or a few times, or for good.
func (k *chaos) fault() {
	kinds := []kmsg.Key{
		kmsg.Fetch, kmsg.Fetch, kmsg.Fetch, kmsg.Fetch, kmsg.ListOffsets, kmsg.ListOffsets, kmsg.Metadata,
		kmsg.OffsetForLeaderEpoch, kmsg.DescribeConfigs, kmsg.ApiVersions,
	}
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
		kerr.FencedLeaderEpoch, kerr.OffsetNotAvailable,
	}
	partition := int32(k.rand.IntN(chaosPartitions))
	code := codes[k.rand.IntN(len(codes))]
	wait := time.Duration(k.rand.IntN(8)) * time.Second
	then := func(f func()) answer {
		return func(kmsg.Request) (kmsg.Response, error, bool) { f(); return nil, nil, false }
	}
	switch n := k.rand.IntN(26); {
	case n < 4:
		return func(kmsg.Request) (kmsg.Response, error, bool) { return nil, errors.New("hang up"), true }
	case n < 6:
		return func(kmsg.Request) (kmsg.Response, error, bool) { return nil, nil, true } // swallowed
	case n < 8:
		return then(func() { k.delay.Store(int64(wait)) })
	case n < 13:
		return then(func() {
			k.Fault(kfake.Fault{Keys: []kmsg.Key{kind}, Topic: topicName, Partitions: []int32{partition}, Err: code})
		})
	case n < 16:
		return then(func() { _ = k.MoveTopicPartition(topicName, partition, 1-max(k.LeaderFor(topicName, partition), 0)) })
	case n < 18:
		return func(req kmsg.Request) (kmsg.Response, error, bool) { return throttled(req, wait), nil, true }
	case n < 20:
		return func(req kmsg.Request) (kmsg.Response, error, bool) { halve(req); return nil, nil, false }
	case n < 22:
		return then(func() { k.spoil.Store(true) })
	case n < 23:
		return then(func() {
			if !k.grown { // its own requests come by here
				k.grown = true
				k.SleepControl(k.grow)
			}
		})
	case n < 24:
		offset := int64(k.rand.IntN(8))
		return then(func() { k.trimmed = true; _ = k.DeleteRecords(topicName, partition, offset) })
	case n < 25:
		return then(k.compact)
	}
	return then(func() {
		_ = k.DeleteTopic(topicName)
		_ = k.CreateTopic(topicName, chaosPartitions, nil)
	})
}

// compact lets the cleaner run, which the fake cluster's lets pass by open
// transactions, as Kafka's never does.
func (k *chaos) compact() {
	if !slices.ContainsFunc(k.want, func(r offsetstore.Record) bool { return r.Txn == offsetstore.TxnOpen }) {
		k.compacted = true
		k.Compact()
	}
}

// throttled is an answer of a broker that wants to be left alone for a while:
// there is nothing in it.
func throttled(req kmsg.Request, wait time.Duration) kmsg.Response {
	resp := req.ResponseKind()
	switch r := resp.(type) {
	case *kmsg.FetchResponse:
		r.ThrottleMillis = int32(wait.Milliseconds())
	case *kmsg.ListOffsetsResponse:
		r.ThrottleMillis = int32(wait.Milliseconds())
	case *kmsg.MetadataResponse:
		r.ThrottleMillis = int32(wait.Milliseconds())
	}
	return resp
}

// halve leaves a topic partition out of a request, so that it lacks in the
// answer.
func halve(req kmsg.Request) {
	switch r := req.(type) {
	case *kmsg.FetchRequest:
		r.Topics[0].Partitions = r.Topics[0].Partitions[min(1, len(r.Topics[0].Partitions)):]
	case *kmsg.ListOffsetsRequest:
		r.Topics[0].Partitions = r.Topics[0].Partitions[min(1, len(r.Topics[0].Partitions)):]
	case *kmsg.OffsetForLeaderEpochRequest:
		r.Topics[0].Partitions = r.Topics[0].Partitions[min(1, len(r.Topics[0].Partitions)):]
	}
}

// grow gives the topic more partitions.
func (k *chaos) grow() {
	req := kmsg.NewPtrCreatePartitionsRequest()
	topic := kmsg.NewCreatePartitionsRequestTopic()
	topic.Topic, topic.Count = topicName, chaosPartitions+2
	req.Topics = append(req.Topics, topic)
	client, err := kgo.NewClient(kgo.SeedBrokers(k.addrs...), kgo.Dialer(k.straight), kgo.DisableClientMetrics())
	if err != nil {
		k.t.Error(err)
		return
	}
	defer client.Close()
	_, _ = req.RequestWith(context.Background(), client) // the topic may be gone
}
