package kafka

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"koffsets/offsetstore"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// TestMovingLogs reads topic partitions whose logs move on while they are read:
// records are written, transactions end, leaders are elected that lack a part of
// the log, logs are trimmed, high watermarks go back and forth. A reading that
// says it is complete gives the log exactly as it was when its end was asked
// for; else it gives nothing that was never there.
func TestMovingLogs(t *testing.T) {
	t.Parallel()
	n := *Seeds
	if testing.Short() {
		n = 50
	}
	outcomes := make(chan bool, n)
	t.Run("seeds", func(t *testing.T) {
		for seed := range n {
			if *OnlySeed >= 0 && seed != *OnlySeed {
				continue
			}
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { outcomes <- newMoving(t, uint64(seed)).run() })
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
	if *OnlySeed < 0 && (complete < n/4 || complete > n*9/10) {
		t.Errorf("%d of %d readings were complete: the logs move too much or too little", complete, n)
	}
}

// moving is a cluster that answers from logs that move.
type moving struct {
	*kfake.Cluster
	t       *testing.T
	rand    *rand.Rand
	virtual kfake.VirtualNetwork
	logs    []*replicated
	left    int // how much is still to happen
	addrs   []string
	stale   *kmsg.MetadataResponse
}

func newMoving(t *testing.T, seed uint64) *moving {
	m := &moving{t: t, rand: rand.New(rand.NewPCG(seed, 1))}
	fake, err := kfake.NewCluster(kfake.Ports(1, 2), kfake.ListenFn(m.virtual.Listen))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(fake.Close)
	m.Cluster, m.addrs = fake, fake.ListenAddrs()
	for range 1 + m.rand.IntN(3) {
		m.logs = append(m.logs, newReplicated(m.rand))
	}
	m.left = m.rand.IntN(40)
	for key, f := range map[kmsg.Key]func(kmsg.Request, kmsg.Response){
		kmsg.Metadata: m.metadata, kmsg.ListOffsets: m.list, kmsg.Fetch: m.fetch, kmsg.OffsetForLeaderEpoch: m.epochs,
	} {
		m.ControlKey(int16(key), func(req kmsg.Request) (kmsg.Response, error, bool) {
			m.KeepControl()
			m.happen()
			resp := req.ResponseKind()
			f(req, resp)
			return resp, nil, true
		})
	}
	return m
}

func (m *moving) happen() {
	if m.left <= 0 {
		for _, l := range m.logs {
			l.high = l.end
		}
		return
	}
	for range m.rand.IntN(4) {
		m.left--
		m.logs[m.rand.IntN(len(m.logs))].happen()
	}
}

func (m *moving) run() bool {
	const timeout = 10 * time.Second
	cfg := New(Config{
		Bootstrap: m.addrs, Topic: "t", Timeout: timeout, InOrder: m.rand.IntN(4) == 0,
		Options: []kgo.Opt{kgo.Dialer(func(ctx context.Context, network, addr string) (net.Conn, error) {
			return m.virtual.DialContext(ctx, network, addr)
		})},
		partitionBytes: int32(60 + m.rand.IntN(400)),
	}).(*source)
	got := make([][]string, len(m.logs))
	began := time.Now()
	desc, err := cfg.Read(context.Background(), func(_ *offsetstore.Description, records []offsetstore.Record) error {
		for _, r := range records {
			got[r.Partition] = append(got[r.Partition], line(r.Offset, string(r.Key), r.Txn))
		}
		return nil
	})
	if took := time.Since(began); took > 4*timeout {
		m.t.Errorf("took %s", took)
	}
	if err != nil {
		m.t.Fatal(err)
	}
	missing := map[int32]string{}
	for _, i := range desc.Incomplete {
		missing[i.Partition] = i.Reason
	}
	for _, r := range desc.Ranges {
		m.check(r, got[r.Partition], missing[r.Partition])
	}
	if len(desc.Ranges)+len(missing) < len(m.logs) {
		m.t.Errorf("topic partitions are neither read nor missing: %+v", desc)
	}
	return desc.Complete()
}

// check compares what was read of a topic partition with its log.
func (m *moving) check(r offsetstore.Range, got []string, missing string) {
	l := m.logs[r.Partition]
	if missing != "" {
		for _, s := range got {
			var at int64
			var key string
			if _, err := fmt.Sscan(s, &at, &key); err != nil || !l.history[fmt.Sprint(at, " ", key)] {
				m.t.Errorf("%d: %q was never there (%v)", r.Partition, s, err)
			}
		}
		return
	}
	var diff string
	for _, s := range slices.Backward(l.told) {
		want := slices.DeleteFunc(slices.Clone(s.lines), func(s string) bool {
			var at int64
			_, err := fmt.Sscan(s, &at)
			return err != nil || at < r.Start
		})
		diff = cmp.Diff(want, got)
		if r.End == s.end && r.LastStable == max(s.stable, r.Start) && slices.Equal(want, got) {
			return
		}
	}
	m.t.Errorf("partition %d, %+v, is none of %d logs, the first one: %+v\n%s", r.Partition, r, len(l.told), l.told, diff)
}

func (m *moving) metadata(_ kmsg.Request, answer kmsg.Response) {
	resp := answer.(*kmsg.MetadataResponse)
	if m.stale != nil && m.rand.IntN(4) == 0 {
		*resp, m.stale = *m.stale, nil
		return
	}
	for node, addr := range m.addrs {
		host, port, _ := net.SplitHostPort(addr)
		b := kmsg.NewMetadataResponseBroker()
		b.NodeID, b.Host = int32(node), host
		n, _ := strconv.Atoi(port)
		b.Port = int32(n)
		resp.Brokers = append(resp.Brokers, b)
	}
	topic := kmsg.NewMetadataResponseTopic()
	topic.Topic, topic.TopicID = kmsg.StringPtr("t"), [16]byte{1}
	for id, l := range m.logs {
		p := kmsg.NewMetadataResponseTopicPartition()
		p.Partition, p.Leader, p.LeaderEpoch = int32(id), l.leader, l.epoch()
		topic.Partitions = append(topic.Partitions, p)
	}
	resp.Topics = append(resp.Topics, topic)
	m.stale = resp
}

func (m *moving) list(request kmsg.Request, answer kmsg.Response) {
	req, resp := request.(*kmsg.ListOffsetsRequest), answer.(*kmsg.ListOffsetsResponse)
	topic := kmsg.NewListOffsetsResponseTopic()
	topic.Topic = "t"
	for _, rp := range req.Topics[0].Partitions {
		l := m.logs[rp.Partition]
		p := kmsg.NewListOffsetsResponseTopicPartition()
		p.Partition = rp.Partition
		fault := l.refuse(m.CurrentNode(), rp.CurrentLeaderEpoch)
		if fault == nil {
			p.Offset, fault = l.list(req.IsolationLevel, rp.Timestamp)
		}
		p.ErrorCode = code(fault)
		topic.Partitions = append(topic.Partitions, p)
	}
	resp.Topics = append(resp.Topics, topic)
}

func (m *moving) fetch(request kmsg.Request, answer kmsg.Response) {
	req, resp := request.(*kmsg.FetchRequest), answer.(*kmsg.FetchResponse)
	topic := kmsg.NewFetchResponseTopic()
	topic.Topic, topic.TopicID = "t", [16]byte{1}
	for _, rp := range req.Topics[0].Partitions {
		l := m.logs[rp.Partition]
		p := kmsg.NewFetchResponseTopicPartition()
		p.Partition = rp.Partition
		fault := l.refuse(m.CurrentNode(), rp.CurrentLeaderEpoch)
		if fault == nil {
			fault = l.fetch(rp.FetchOffset, rp.PartitionMaxBytes, &p)
		}
		p.ErrorCode = code(fault)
		topic.Partitions = append(topic.Partitions, p)
	}
	resp.Topics = append(resp.Topics, topic)
}

func (m *moving) epochs(request kmsg.Request, answer kmsg.Response) {
	req, resp := request.(*kmsg.OffsetForLeaderEpochRequest), answer.(*kmsg.OffsetForLeaderEpochResponse)
	topic := kmsg.NewOffsetForLeaderEpochResponseTopic()
	topic.Topic = "t"
	for _, rp := range req.Topics[0].Partitions {
		l := m.logs[rp.Partition]
		p := kmsg.NewOffsetForLeaderEpochResponseTopicPartition()
		p.Partition = rp.Partition
		fault := l.refuse(m.CurrentNode(), rp.CurrentLeaderEpoch)
		if fault == nil {
			p.EndOffset = l.epochEnd(rp.LeaderEpoch)
		}
		p.ErrorCode = code(fault)
		topic.Partitions = append(topic.Partitions, p)
	}
	resp.Topics = append(resp.Topics, topic)
}

func code(e *kerr.Error) int16 {
	if e == nil {
		return 0
	}
	return e.Code
}
