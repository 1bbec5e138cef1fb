package kafka_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
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
	"github.com/twmb/franz-go/pkg/kversion"
)

// fill writes n records to a partition, so large that a fetch brings a few.
func (c *cluster) fill(partition int32, n int) {
	c.t.Helper()
	value := strings.Repeat("x", 300_000)
	var rs []*kgo.Record
	for i := range n {
		rs = append(rs, record(partition, fmt.Sprint("k", i), value))
	}
	c.write(rs...)
}

// midRead runs f once, when partition 0 is asked for behind offset 0.
func (c *cluster) midRead(f func()) {
	c.ControlKey(int16(kmsg.Fetch), func(req kmsg.Request) (kmsg.Response, error, bool) {
		for _, p := range req.(*kmsg.FetchRequest).Topics[0].Partitions {
			if p.Partition == 0 && p.FetchOffset > 0 {
				c.DropControl()
				f()
				return nil, nil, false
			}
		}
		c.KeepControl()
		return nil, nil, false
	})
}

func TestSomePartitionsUnauthorised(t *testing.T) {
	t.Parallel()
	for _, key := range []kmsg.Key{kmsg.Fetch, kmsg.ListOffsets} {
		t.Run(key.Name(), func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, 3)
			c.write(record(0, "a", "1"), record(1, "b", "1"), record(2, "c", "1"))
			c.Fault(kfake.Fault{
				Keys: []kmsg.Key{key}, Topic: topicName, Partitions: []int32{1}, Err: kerr.TopicAuthorizationFailed, Count: -1,
			})
			got, desc, err := read(t, c.config())
			if err != nil {
				t.Fatal(err)
			}
			at := map[kmsg.Key]string{kmsg.Fetch: "1@0", kmsg.ListOffsets: "1@-1"}[key]
			if diff := cmp.Diff([]string{at + " not allowed"}, gaps(desc)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff([]string{"0@0 a", "2@0 c"}, lines(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLeaderMovesWhileReading(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2, kfake.NumBrokers(3))
	c.fill(0, 10)
	c.fill(1, 10)
	for range 3 {
		c.midRead(func() {
			for p := range int32(2) {
				leader := c.LeaderFor(topicName, p)
				if err := c.MoveTopicPartition(topicName, p, (leader+1)%3); err != nil {
					t.Error(err)
				}
			}
		})
	}
	got, desc, err := read(t, c.config())
	if err != nil || !desc.Complete() || len(got) != 20 {
		t.Errorf("%d records, %v, %v", len(got), gaps(desc), err)
	}
}

func TestErrorsThatPass(t *testing.T) {
	t.Parallel()
	for _, fault := range []*kerr.Error{
		kerr.NotLeaderForPartition, kerr.LeaderNotAvailable, kerr.FencedLeaderEpoch, kerr.UnknownLeaderEpoch,
		kerr.UnknownTopicOrPartition, kerr.UnknownTopicID, kerr.KafkaStorageError, kerr.OffsetNotAvailable, kerr.UnknownServerError,
		kerr.CorruptMessage,
	} {
		t.Run(fault.Message, func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, 2)
			c.write(record(0, "a", "1"), record(1, "b", "1"))
			for _, key := range []kmsg.Key{kmsg.Fetch, kmsg.ListOffsets} {
				c.Fault(kfake.Fault{Keys: []kmsg.Key{key}, Topic: topicName, Partitions: []int32{1}, Err: fault, Count: 2})
			}
			got, desc, err := read(t, c.config())
			if err != nil || !desc.Complete() || len(got) != 2 {
				t.Errorf("%d records, %v, %v", len(got), gaps(desc), err)
			}
		})
	}
}

func TestConnectionsThatBreak(t *testing.T) {
	t.Parallel()
	for _, key := range []kmsg.Key{kmsg.Metadata, kmsg.Fetch, kmsg.ListOffsets, kmsg.DescribeConfigs} {
		t.Run(key.Name(), func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, 2)
			c.write(record(0, "a", "1"), record(1, "b", "1"))
			n := 0
			c.ControlKey(int16(key), func(kmsg.Request) (kmsg.Response, error, bool) {
				c.KeepControl()
				if n++; n == 2 {
					c.DropControl()
				}
				return nil, errors.New("hang up"), true
			})
			got, desc, err := read(t, c.config())
			if key == kmsg.Metadata {
				wantHint(t, err, "ends the connection at once")
				return
			}
			if err != nil || !desc.Complete() || len(got) != 2 {
				t.Errorf("%d records, %v, %v", len(got), gaps(desc), err)
			}
		})
	}
}

func TestLogTrimmedWhileReading(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2)
	c.fill(0, 10)
	c.write(record(1, "b", "1"))
	c.midRead(func() {
		if err := c.DeleteRecords(topicName, 0, 8); err != nil {
			t.Error(err)
		}
	})
	got, desc, err := read(t, c.config())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"0@3 the records at offsets 3 to 7 were deleted before they could be read"}
	if diff := cmp.Diff(want, gaps(desc)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"0@0 k0", "0@1 k1", "0@2 k2", "0@8 k8", "0@9 k9", "1@0 b"}, lines(got)); diff != "" {
		t.Error(diff)
	}
}

func TestLogTruncatedWhileReading(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1)
	c.fill(0, 10)
	c.midRead(func() {
		c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Fetch}, Topic: topicName, Err: kerr.OffsetOutOfRange, Count: -1})
		c.epochsEndAt(-1)
		c.ControlKey(int16(kmsg.ListOffsets), func(req kmsg.Request) (kmsg.Response, error, bool) {
			c.KeepControl()
			resp := req.ResponseKind().(*kmsg.ListOffsetsResponse)
			topic := kmsg.NewListOffsetsResponseTopic()
			p := kmsg.NewListOffsetsResponseTopicPartition()
			topic.Topic, p.Offset = topicName, 2
			if req.(*kmsg.ListOffsetsRequest).Topics[0].Partitions[0].Timestamp == -2 {
				p.Offset = 0
			}
			topic.Partitions = append(topic.Partitions, p)
			resp.Topics = append(resp.Topics, topic)
			return resp, nil, true
		})
	})
	got, desc, err := read(t, c.config())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"0@3 the log was cut back to offset 2 while it was read; it had gone to 10"}, gaps(desc)); diff != "" {
		t.Error(diff)
	}
	if len(got) != 3 {
		t.Errorf("%d records", len(got))
	}
}

func TestLogCutBackAndGrownAnewUnderANewLeader(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1, kfake.NumBrokers(2))
	c.fill(0, 10)
	c.midRead(func() {
		if err := c.MoveTopicPartition(topicName, 0, 1-c.LeaderFor(topicName, 0)); err != nil {
			t.Error(err)
		}
		c.epochsEndAt(1)
	})
	_, desc, err := read(t, c.config())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"0@3 the log was cut back to offset 1 while it was read; it had gone to 10"}, gaps(desc)); diff != "" {
		t.Error(diff)
	}
}

// epochsEndAt says so of every leader epoch; -1 is not known.
func (c *cluster) epochsEndAt(offset int64) {
	c.ControlKey(int16(kmsg.OffsetForLeaderEpoch), func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		resp := req.ResponseKind().(*kmsg.OffsetForLeaderEpochResponse)
		topic := kmsg.NewOffsetForLeaderEpochResponseTopic()
		p := kmsg.NewOffsetForLeaderEpochResponseTopicPartition()
		topic.Topic, p.EndOffset = topicName, offset
		topic.Partitions = append(topic.Partitions, p)
		resp.Topics = append(resp.Topics, topic)
		return resp, nil, true
	})
}

// A broker that is asked for the topic by name cannot tell that it is another.
func TestTopicRecreatedBehindAName(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1, kfake.MaxVersions(kversion.V3_0_0()))
	c.write(record(0, "a", "1"))
	var remade error
	once := sync.OnceFunc(func() { remade = errors.Join(c.DeleteTopic(topicName), c.CreateTopic(topicName, 1, nil)) })
	cfg := c.config()
	cfg.Progress = func(p kafka.Progress) {
		if p.Done == 1 {
			once()
		}
	}
	_, desc, err := read(t, cfg)
	if err := errors.Join(err, remade); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"-1@-1 the topic was deleted and made anew while it was read"}, gaps(desc)); diff != "" {
		t.Error(diff)
	}
}

func TestTopicRecreatedOrDeletedWhileReading(t *testing.T) {
	t.Parallel()
	for name, again := range map[string]bool{
		"the topic was deleted and made anew while it was read": true,
		"the topic was deleted while it was read":               false,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, 2)
			c.fill(0, 10)
			c.write(record(1, "b", "1"))
			c.midRead(func() {
				if err := c.DeleteTopic(topicName); err != nil {
					t.Error(err)
				}
				if again {
					if err := c.CreateTopic(topicName, 2, nil); err != nil {
						t.Error(err)
					}
				}
			})
			got, desc, err := read(t, c.config())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{"0@3 " + name}, gaps(desc)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff([]string{"0@0 k0", "0@1 k1", "0@2 k2", "1@0 b"}, lines(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCorruptBatch(t *testing.T) {
	t.Parallel()
	for name, times := range map[string]int{"once": 1, "for good": -1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, 2)
			c.write(record(0, "a", "1"), record(0, "b", "1"), record(0, "c", "1"), record(1, "x", "1"))
			c.spoil(t, []byte("b"), times)
			got, desc, err := read(t, c.config())
			if err != nil {
				t.Fatal(err)
			}
			if times > 0 {
				if !desc.Complete() || len(got) != 4 {
					t.Errorf("%v, %d records", gaps(desc), len(got))
				}
				return
			}
			if g := gaps(desc); len(g) != 1 || !strings.HasPrefix(g[0], "0@1 a batch has the checksum ") {
				t.Errorf("%v", g)
			}
			if diff := cmp.Diff([]string{"0@0 a", "1@0 x"}, lines(got)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff([]string{"0: 0-1 stable 1", "1: 0-1 stable 1"}, ranges(desc)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// spoil changes the first byte of a key in fetch answers, as often as told.
func (c *cluster) spoil(t *testing.T, key []byte, times int) {
	c.serve(t, func(_ int32, log []byte) []byte {
		if i := bytes.Index(log, append([]byte{byte(len(key) * 2)}, key...)); i >= 0 && times != 0 {
			times--
			log[i+1]++
		}
		return log
	})
}

// serve answers fetches with what change makes of the topic as it is now.
func (c *cluster) serve(t *testing.T, change func(partition int32, log []byte) []byte) {
	t.Helper()
	client := c.client()
	logs := map[int32]*kmsg.FetchResponseTopicPartition{}
	var topicID [16]byte
	for _, info := range c.PartitionInfos(topicName) {
		req := kmsg.NewPtrFetchRequest()
		topic, p := kmsg.NewFetchRequestTopic(), kmsg.NewFetchRequestTopicPartition()
		topic.Topic, topic.TopicID = topicName, c.TopicInfo(topicName).TopicID
		topicID = topic.TopicID
		p.Partition, p.PartitionMaxBytes = info.Partition, 1<<20
		topic.Partitions = append(topic.Partitions, p)
		req.MinBytes, req.Topics, req.SessionEpoch = 0, append(req.Topics, topic), -1
		resp, err := req.RequestWith(context.Background(), client.Broker(int(info.Leader)))
		if err != nil {
			t.Fatal(err)
		}
		logs[info.Partition] = &resp.Topics[0].Partitions[0]
	}
	c.ControlKey(int16(kmsg.Fetch), func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		resp := req.ResponseKind().(*kmsg.FetchResponse)
		topic := kmsg.NewFetchResponseTopic()
		topic.Topic, topic.TopicID = topicName, topicID
		for _, p := range req.(*kmsg.FetchRequest).Topics[0].Partitions {
			answer := *logs[p.Partition]
			answer.RecordBatches = change(p.Partition, from(answer.RecordBatches, p.FetchOffset))
			topic.Partitions = append(topic.Partitions, answer)
		}
		resp.Topics = append(resp.Topics, topic)
		return resp, nil, true
	})
}

// from copies the batches of a log that hold an offset or what follows it.
func from(log []byte, offset int64) []byte {
	for len(log) > 61 {
		size := 12 + int(binary.BigEndian.Uint32(log[8:]))
		if int64(binary.BigEndian.Uint64(log))+int64(binary.BigEndian.Uint32(log[23:])) >= offset {
			break
		}
		log = log[size:]
	}
	return bytes.Clone(log)
}

func TestBrokerGoneMidRead(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1)
	c.fill(0, 10)
	cfg := c.config()
	cfg.Timeout = time.Second
	gone := sync.OnceFunc(c.Close)
	cfg.Progress = func(p kafka.Progress) {
		if p.Read > 0 {
			gone()
		}
	}
	got, desc, err := read(t, cfg)
	if err != nil || desc.Complete() || len(got) != int(desc.Incomplete[0].Offset) {
		t.Errorf("%d records, %v, %v", len(got), gaps(desc), err)
	}
	if !strings.Contains(desc.Incomplete[0].Reason, "no progress for 1s") {
		t.Errorf("%v", gaps(desc))
	}
}

func TestInterruptedWhileReading(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1)
	c.fill(0, 10)
	ctx, cancel := context.WithCancel(context.Background())
	c.midRead(cancel)
	got, desc, err := readContext(ctx, t, c.config())
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff([]string{"0@3 the reading was interrupted"}, gaps(desc)); diff != "" || len(got) != 3 {
		t.Error(diff, len(got))
	}
}

func TestErrorOfTheSinkEndsTheReading(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2)
	c.fill(0, 10)
	full := errors.New("disk full")
	calls := 0
	desc, err := kafka.New(c.config()).Read(context.Background(), func(_ *offsetstore.Description, _ []offsetstore.Record) error { calls++; return full })
	if !errors.Is(err, full) || calls != 1 || desc.Complete() {
		t.Errorf("%v after %d calls, complete %v", err, calls, desc.Complete())
	}
}

// The clock of these tests stands still while anything happens: only a wait
// that nothing ends lets it move.
func TestTimeOutIsTheLongestWaitWithoutProgress(t *testing.T) {
	t.Parallel()
	const timeout = 30 * time.Second
	for name, test := range map[string]struct {
		fault func(*cluster)
		want  []string // "" complete
		least time.Duration
		most  time.Duration
	}{
		"leader unavailable": {
			fault: func(c *cluster) {
				for key, fault := range map[kmsg.Key]*kerr.Error{
					kmsg.Fetch: kerr.NotLeaderForPartition, kmsg.Metadata: kerr.LeaderNotAvailable,
				} {
					c.Fault(kfake.Fault{Keys: []kmsg.Key{key}, Topic: topicName, Partitions: []int32{1}, Err: fault, Count: -1})
				}
			},
			want: []string{
				"1@-1 no progress for 30s: LEADER_NOT_AVAILABLE: There is no leader for this topic-partition as we are in the middle of a leadership election",
			},
			least: timeout, most: timeout + time.Second,
		},
		"no answer": {
			fault: func(c *cluster) {
				c.ControlKey(int16(kmsg.Fetch), func(kmsg.Request) (kmsg.Response, error, bool) {
					c.KeepControl()
					return nil, nil, true // swallowed
				})
			},
			want:  []string{"0@0 no progress for 30s", "1@0 no progress for 30s"},
			least: timeout, most: timeout + time.Second,
		},
		"slow answers": {
			fault: func(c *cluster) {
				c.ControlKey(int16(kmsg.Fetch), func(kmsg.Request) (kmsg.Response, error, bool) {
					c.KeepControl()
					c.SleepControl(func() { time.Sleep(timeout / 4) })
					return nil, nil, false
				})
			},
			least: timeout / 4, most: 10 * timeout,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := newVirtualCluster(t, 2)
				c.fill(0, 10)
				c.write(record(1, "b", "1"))
				test.fault(c)
				cfg := c.config()
				cfg.Timeout = timeout
				began := time.Now()
				_, desc, err := read(t, cfg)
				took := time.Since(began)
				if err != nil {
					t.Fatal(err)
				}
				got := gaps(desc)
				if len(got) != len(test.want) {
					t.Errorf("got %q", got)
				}
				for i := range min(len(got), len(test.want)) {
					if !strings.HasPrefix(got[i], test.want[i]) {
						t.Errorf("got %q, want %q", got[i], test.want[i])
					}
				}
				if took < test.least || took > test.most {
					t.Errorf("took %s", took)
				}
			})
		})
	}
}

// A line so slow that the first answers would take longer than one may wait.
func TestASlowLineIsAskedForLess(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newVirtualCluster(t, 8)
		for p := range int32(8) {
			c.fill(p, 5)
		}
		cfg := c.config()
		cfg.Options = []kgo.Opt{kgo.Dialer(func(ctx context.Context, network, addr string) (net.Conn, error) {
			conn, err := c.dial(ctx, network, addr)
			return slowLine{conn}, err
		})}
		cfg.Timeout = 30 * time.Second
		got, desc, err := read(t, cfg)
		if err != nil || !desc.Complete() || len(got) != 40 {
			t.Errorf("%d records, %v, %v", len(got), gaps(desc), err)
		}
	})
}

// slowLine lets 100 kB through a second.
type slowLine struct{ net.Conn }

func (l slowLine) Read(p []byte) (int, error) {
	n, err := l.Conn.Read(p[:min(len(p), 10_000)])
	time.Sleep(time.Duration(n) * 10 * time.Microsecond)
	return n, err
}

func TestProgressGoesUpToTheEnd(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2)
	c.fill(0, 10)
	c.write(record(1, "b", "1"))
	cfg := c.config()
	var seen []kafka.Progress
	cfg.Progress = func(p kafka.Progress) { seen = append(seen, p) }
	if _, _, err := read(t, cfg); err != nil {
		t.Fatal(err)
	}
	for i, p := range seen {
		if p.Read > p.Offsets || i > 0 && (p.Read < seen[i-1].Read || p.Records < seen[i-1].Records || p.Bytes < seen[i-1].Bytes) {
			t.Errorf("%+v", seen)
		}
	}
	last := seen[len(seen)-1]
	if last.Partitions != 2 || last.Done != 2 || last.Offsets != 11 || last.Read != 11 || last.Records != 11 || last.Bytes < 3_000_000 {
		t.Errorf("%+v", last)
	}
}
