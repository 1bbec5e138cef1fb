package kafka_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
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
