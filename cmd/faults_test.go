package cmd

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"koffsets/decode"
)

// What goes wrong for good while a topic is read ends every verb that reads it
// with 2 and the reason, at both isolation levels; what passes does not show.
// Package kafka has the faults in number.
func TestFaultsOfAClusterAndTheExitCode(t *testing.T) {
	t.Parallel()
	const wait = "no progress for 1.5s"
	for name, c := range map[string]struct {
		fault  func(*kfake.Cluster)
		code   int
		reason string
	}{
		"none": {func(*kfake.Cluster) {}, 0, ""},
		"a leader that moves": {func(c *kfake.Cluster) {
			c.ControlKey(int16(kmsg.Fetch), func(kmsg.Request) (kmsg.Response, error, bool) {
				c.DropControl()
				return nil, nil, c.MoveTopicPartition("connect-offsets", 1, 1-c.LeaderFor("connect-offsets", 1)) != nil
			})
		}, 0, ""},
		"no leader":         {fails(kmsg.Fetch, kerr.LeaderNotAvailable, -1), 2, wait + ": LEADER_NOT_AVAILABLE"},
		"no leader, once":   {fails(kmsg.Fetch, kerr.LeaderNotAvailable, 1), 0, ""},
		"a right taken":     {fails(kmsg.Fetch, kerr.TopicAuthorizationFailed, -1), 2, "not allowed"},
		"a damaged disk":    {fails(kmsg.Fetch, kerr.KafkaStorageError, -1), 2, wait + ": KAFKA_STORAGE_ERROR"},
		"no offsets listed": {fails(kmsg.ListOffsets, kerr.OffsetNotAvailable, -1), 2, wait + ": OFFSET_NOT_AVAILABLE"},
		"fetches hung up on": {func(c *kfake.Cluster) {
			c.ControlKey(int16(kmsg.Fetch), func(kmsg.Request) (kmsg.Response, error, bool) {
				c.KeepControl()
				return nil, errors.New("hang up"), true
			})
		}, 2, wait},
		"fetches without an answer": {func(c *kfake.Cluster) {
			c.ControlKey(int16(kmsg.Fetch), func(kmsg.Request) (kmsg.Response, error, bool) {
				c.KeepControl()
				return nil, nil, true
			})
		}, 2, wait},
		"a log trimmed while it is read": {func(c *kfake.Cluster) {
			c.ControlKey(int16(kmsg.Fetch), func(r kmsg.Request) (kmsg.Response, error, bool) {
				for _, p := range r.(*kmsg.FetchRequest).Topics[0].Partitions {
					if p.Partition == 1 { // its borders are known
						return nil, nil, c.DeleteRecords("connect-offsets", 1, 2) != nil
					}
				}
				return nil, nil, false
			})
		}, 2, "the records at offsets 0 to 1 were deleted before they could be read"},
		"a topic made anew": {func(c *kfake.Cluster) {
			c.ControlKey(int16(kmsg.Fetch), func(kmsg.Request) (kmsg.Response, error, bool) {
				failed := c.DeleteTopic("connect-offsets")
				return nil, nil, failed != nil || c.CreateTopic("connect-offsets", 2, nil) != nil
			})
		}, 2, "made anew while it was read"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			verbs, timeout := []string{"scan -o json", "view -o json", "export"}, "30s"
			if strings.HasPrefix(c.reason, wait) {
				verbs, timeout = verbs[:1], "1.5s"
			}
			for _, verb := range verbs {
				for _, level := range []string{"read_committed", "read_uncommitted"} {
					cluster, address := faultyCluster(t)
					c.fault(cluster)
					r := run(t, append(strings.Fields(verb), "-b", address, "--isolation", level, "--timeout", timeout)...)
					if r.code != c.code {
						t.Errorf("%s at %s: exit %d, want %d\n%s%s", verb, level, r.code, c.code, r.errs, r.out)
					}
					if !strings.Contains(r.errs, c.reason) || !strings.Contains(r.out, fmt.Sprintf(`"complete":%v`, c.code == 0)) {
						t.Errorf("%s at %s: %s%s\nwant %q", verb, level, r.errs, r.out, c.reason)
					}
				}
			}
		})
	}
}

func fails(key kmsg.Key, err *kerr.Error, times int) func(*kfake.Cluster) {
	return func(c *kfake.Cluster) {
		c.Fault(kfake.Fault{Keys: []kmsg.Key{key}, Topic: "connect-offsets", Partitions: []int32{1}, Err: err, Count: times})
	}
}

// faultyCluster is a cluster of two brokers with some records on two topic
// partitions.
func faultyCluster(t *testing.T) (c *kfake.Cluster, address string) {
	t.Helper()
	c, err := kfake.NewCluster(kfake.NumBrokers(2))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	addresses := c.ListenAddrs()
	if err := c.CreateTopic("connect-offsets", 2, map[string]string{"cleanup.policy": "compact"}); err != nil {
		t.Fatal(err)
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(addresses...), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for i := range 6 {
		r := &kgo.Record{
			Topic: "connect-offsets", Key: fmt.Appendf(nil, `["c",{"p":%d}]`, i), Value: []byte(`{"o":1}`),
		}
		r.Partition = int32(decode.Home(r.Key, 2))
		if err := client.ProduceSync(context.Background(), r).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	return c, strings.Join(addresses, ",")
}
