package kafka_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

func TestReadsEveryRecordWithItsPlace(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 3)
	c.write(record(0, "a", "1"), record(2, "b", "2"), record(0, "a", ""), record(2, "", "x"))
	got, desc, err := read(t, c.config())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"0@0 a", "0@1 a null", "2@0 b", "2@1 "}, lines(got)); diff != "" {
		t.Error(diff)
	}
	if !desc.Complete() || desc.Partitions != 3 || desc.ClusterID == "" || desc.TopicID == "" {
		t.Errorf("%+v", desc)
	}
	want := []string{"0: 0-2 stable 2", "1: 0-0 stable 0", "2: 0-2 stable 2"}
	if diff := cmp.Diff(want, ranges(desc)); diff != "" {
		t.Error(diff)
	}
	if s := desc.Settings; s == nil || s.CleanupPolicy != "compact" || s.ReplicationFactor != 1 || len(s.UnderReplicated) > 0 {
		t.Errorf("settings %+v", s)
	}
}

func TestTransactionsAreDecidedByTheirMarkers(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2)
	c.transaction("one", &commit, record(0, "a", "1"), record(1, "x", "1"))
	c.transaction("two", &abort, record(0, "b", "1"))
	c.write(record(0, "c", "1"))
	c.transaction("open", nil, record(0, "d", "1"))
	c.transaction("three", &abort, record(0, "e", "1"))
	c.transaction("four", &commit, record(0, "f", "1"))
	c.write(record(0, "g", "1"))
	got, desc, err := read(t, c.config())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"0@0 a", "0@2 b aborted", "0@4 c", "0@5 d open", "0@6 e aborted", "0@8 f", "0@10 g",
		"1@0 x",
	}
	if diff := cmp.Diff(want, lines(got)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"0: 0-11 stable 5", "1: 0-2 stable 2"}, ranges(desc)); diff != "" {
		t.Error(diff)
	}
	if !desc.Complete() {
		t.Errorf("incomplete: %+v", desc.Incomplete)
	}
}

// A transaction may end at any moment while the borders are asked for. One
// whose marker lies beyond the end was open when the end was taken.
func TestATransactionThatEndsWhileTheBordersAreAskedFor(t *testing.T) {
	t.Parallel()
	for n := range 5 {
		for name, end := range map[string]*kgo.TransactionEndTry{"committed": &commit, "aborted": &abort} {
			t.Run(fmt.Sprintf("%s before request %d", name, n+1), func(t *testing.T) {
				t.Parallel()
				c := newCluster(t, 1)
				c.write(record(0, "a", "1"))
				ending := c.begin("t", record(0, "b", "1"))
				c.write(record(0, "c", "1"))
				c.begin("hangs", record(0, "d", "1")) // keeps the last stable offset back
				asked, taken := 0, int64(0)
				c.ControlKey(int16(kmsg.ListOffsets), func(req kmsg.Request) (kmsg.Response, error, bool) {
					c.KeepControl()
					if asked == n {
						c.SleepControl(func() { ending(*end) })
					}
					asked++
					l := req.(*kmsg.ListOffsetsRequest)
					if l.IsolationLevel == 0 && l.Topics[0].Partitions[0].Timestamp == -1 {
						taken = c.PartitionInfo(topicName, 0).HighWatermark
					}
					return nil, nil, false
				})
				got, desc, err := read(t, c.config())
				if err != nil || !desc.Complete() || len(desc.Notes) > 0 {
					t.Fatal(err, gaps(desc), desc.Notes)
				}
				fate := map[string]string{"committed": "", "aborted": " aborted"}[name]
				if taken == 4 {
					fate = " open"
				}
				if diff := cmp.Diff([]string{"0@0 a", "0@1 b" + fate, "0@2 c", "0@3 d open"}, lines(got)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}
