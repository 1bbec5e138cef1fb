package kafka_test

import (
	"context"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"
)

// A log may end in many ways. Each is read to its end exactly, and without
// waiting: the clock of the test moves only if something waits.
func TestEveryEndOfALogIsSeenWithoutWaiting(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		log    func(*testing.T, *cluster)
		want   []string
		ranges string
	}{
		"empty": {
			log:    func(*testing.T, *cluster) {},
			ranges: "0: 0-0 stable 0",
		},
		"plain records": {
			log:    func(_ *testing.T, c *cluster) { c.write(record(0, "a", "1"), record(0, "b", "")) },
			want:   []string{"0@0 a", "0@1 b null"},
			ranges: "0: 0-2 stable 2",
		},
		"commit marker": {
			log:    func(_ *testing.T, c *cluster) { c.transaction("t", &commit, record(0, "a", "1")) },
			want:   []string{"0@0 a"},
			ranges: "0: 0-2 stable 2",
		},
		"abort marker": {
			log: func(_ *testing.T, c *cluster) {
				c.write(record(0, "a", "1"))
				c.transaction("t", &abort, record(0, "b", "1"), record(0, "c", "1"))
			},
			want:   []string{"0@0 a", "0@1 b aborted", "0@2 c aborted"},
			ranges: "0: 0-4 stable 4",
		},
		"open transaction": {
			log: func(_ *testing.T, c *cluster) {
				c.write(record(0, "a", "1"))
				c.transaction("t", nil, record(0, "b", "1"))
			},
			want:   []string{"0@0 a", "0@1 b open"},
			ranges: "0: 0-2 stable 1",
		},
		"gaps of compaction, then markers": {
			log: func(_ *testing.T, c *cluster) {
				c.write(record(0, "a", "1"), record(0, "b", "1"), record(0, "a", "2"), record(0, "c", "1"))
				c.transaction("t", &commit, record(0, "a", "3"))
				c.transaction("u", &abort, record(0, "c", "2"))
				c.Compact()
			},
			want:   []string{"0@1 b", "0@3 c", "0@4 a"},
			ranges: "0: 1-8 stable 8",
		},
		"trimmed in the middle": {
			log: func(t *testing.T, c *cluster) {
				c.write(record(0, "a", "1"), record(0, "b", "1"))
				if err := c.DeleteRecords(topicName, 0, 1); err != nil {
					t.Error(err)
				}
			},
			want:   []string{"0@1 b"},
			ranges: "0: 1-2 stable 2",
		},
		"trimmed to the end": {
			log: func(t *testing.T, c *cluster) {
				c.write(record(0, "a", "1"), record(0, "b", "1"))
				if err := c.DeleteRecords(topicName, 0, 2); err != nil {
					t.Error(err)
				}
			},
			ranges: "0: 2-2 stable 2",
		},
		"emptied last batch": {
			log: func(t *testing.T, c *cluster) {
				c.write(record(0, "a", "1"), record(0, "b", "1"))
				c.serve(t, func(_ int32, log []byte) []byte { return emptyLastBatch(log) })
			},
			want:   []string{"0@0 a"},
			ranges: "0: 0-2 stable 2",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := newVirtualCluster(t, 1)
				test.log(t, c)
				began := time.Now()
				got, desc, err := read(t, c.config())
				if err != nil || !desc.Complete() || len(desc.Notes) > 0 {
					t.Errorf("%v %v %v", err, gaps(desc), desc.Notes)
				}
				if diff := cmp.Diff(test.want, lines(got)); diff != "" {
					t.Error(diff)
				}
				if diff := cmp.Diff([]string{test.ranges}, ranges(desc)); diff != "" {
					t.Error(diff)
				}
				if waited := time.Since(began); waited > 0 {
					t.Errorf("waited %s", waited)
				}
			})
		})
	}
}

func TestOffsetsWithoutRecordsAtTheEndAreBelievedAndNoted(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2)
	c.write(record(0, "a", "1"), record(0, "b", "1"), record(1, "x", "1"))
	asked := 0
	c.serve(t, func(p int32, log []byte) []byte {
		if p == 0 && len(log) > 0 {
			asked++
			log = log[:12+int(binary.BigEndian.Uint32(log[8:]))]
			if binary.BigEndian.Uint64(log) > 0 {
				return nil
			}
		}
		return log
	})
	got, desc, err := read(t, c.config())
	if err != nil || !desc.Complete() || len(got) != 2 {
		t.Errorf("%v %v %d records", err, gaps(desc), len(got))
	}
	if diff := cmp.Diff([]string{"connect-offsets-0 ends in offsets without records"}, desc.Notes); diff != "" {
		t.Error(diff)
	}
	if asked < 3 {
		t.Errorf("believed after %d answers", asked)
	}
}

// newVirtualCluster is a cluster without sockets, for tests in a bubble.
func newVirtualCluster(t *testing.T, partitions int32) *cluster {
	t.Cleanup(func() { time.Sleep(time.Minute) }) // slow lines outlive the client
	var virtual kfake.VirtualNetwork
	c := newCluster(t, partitions, kfake.ListenFn(virtual.Listen))
	c.dial = virtual.DialContext
	c.opts = []kgo.Opt{kgo.Dialer(c.dial)}
	return c
}

// emptyLastBatch leaves of the last batch just its header, as the cleaner does
// where no record of the batch is worth keeping.
func emptyLastBatch(log []byte) []byte {
	last := 0
	for at := 0; at < len(log); at += 12 + int(binary.BigEndian.Uint32(log[at+8:])) {
		last = at
	}
	b := log[last : last+61]
	binary.BigEndian.PutUint32(b[8:], 61-12)
	binary.BigEndian.PutUint32(b[57:], 0)
	binary.BigEndian.PutUint32(b[17:], crc32.Checksum(b[21:], crc32.MakeTable(crc32.Castagnoli)))
	return log[:last+61]
}

func TestAllCodecsAndHeadersAndTimes(t *testing.T) {
	t.Parallel()
	for name, codec := range map[string]kgo.CompressionCodec{
		"none": kgo.NoCompression(), "gzip": kgo.GzipCompression(), "snappy": kgo.SnappyCompression(),
		"lz4": kgo.Lz4Compression(), "zstd": kgo.ZstdCompression(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, 1)
			client := c.client(kgo.ProducerBatchCompression(codec), kgo.ProducerLinger(50*time.Millisecond))
			var rs []*kgo.Record
			for i := range 200 {
				r := record(0, "the same key over and over", "value")
				r.Timestamp = time.UnixMilli(int64(1700000000000 + i))
				rs = append(rs, r)
			}
			rs[7].Key, rs[8].Key, rs[8].Value = nil, []byte{}, []byte{}
			rs[9].Headers = []kgo.RecordHeader{{Key: "h", Value: []byte("v")}, {Key: "", Value: nil}}
			if err := client.ProduceSync(context.Background(), rs...).FirstErr(); err != nil {
				t.Fatal(err)
			}
			got, desc, err := read(t, c.config())
			if err != nil || !desc.Complete() || len(got) != len(rs) {
				t.Fatalf("%d records, %v, %v", len(got), gaps(desc), err)
			}
			for i, r := range got {
				if r.Timestamp != int64(1700000000000+i) || r.Offset != int64(i) {
					t.Errorf("record %d has offset %d and time %d", i, r.Offset, r.Timestamp)
				}
			}
			if got[7].Key != nil || got[8].Key == nil || got[8].Value == nil {
				t.Error("null and no bytes are not told apart")
			}
			if h := got[9].Headers; len(h) != 2 || h[0].Key != "h" || string(h[0].Value) != "v" || h[1].Value != nil {
				t.Errorf("headers %v", h)
			}
		})
	}
}

func TestOldBrokers(t *testing.T) {
	t.Parallel()
	for name, versions := range map[string]*kversion.Versions{
		"1.0": kversion.V1_0_0(), "2.4": kversion.V2_4_0(), "3.0": kversion.V3_0_0(), "3.6": kversion.V3_6_0(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, 2, kfake.MaxVersions(versions))
			c.write(record(0, "a", "1"), record(1, "b", "1"))
			got, desc, err := read(t, c.config())
			if err != nil || !desc.Complete() {
				t.Errorf("%v %v", gaps(desc), err)
			}
			if diff := cmp.Diff([]string{"0@0 a", "1@0 b"}, lines(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadingLeavesNoTrace(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 3, kfake.AllowAutoTopicCreation(), kfake.NumBrokers(3))
	c.write(record(0, "a", "1"))
	c.transaction("t", &abort, record(1, "b", "1"))
	before := c.PartitionInfos(topicName)
	kinds := c.watch()
	if _, desc, err := read(t, c.config()); err != nil || !desc.Complete() {
		t.Fatal(err, gaps(desc))
	}
	cfg := c.config()
	cfg.Topic = "no-such-topic"
	if _, _, err := read(t, cfg); err == nil {
		t.Error("a topic that is not there was read")
	}
	allowed := []kmsg.Key{kmsg.ApiVersions, kmsg.Metadata, kmsg.ListOffsets, kmsg.Fetch, kmsg.DescribeConfigs}
	seen := kinds()
	for kind := range seen {
		if !slices.Contains(allowed, kind) {
			t.Errorf("a %s request was sent", kind.Name())
		}
	}
	for _, kind := range allowed {
		if seen[kind] == 0 {
			t.Errorf("no %s request was seen; is the watch awake?", kind.Name())
		}
	}
	if diff := cmp.Diff(before, c.PartitionInfos(topicName)); diff != "" {
		t.Error(diff)
	}
	if c.TopicInfo("no-such-topic") != nil {
		t.Error("a topic was created")
	}
	if g := c.GroupInfo("koffsets"); g != nil {
		t.Errorf("group %+v", g)
	}
}
