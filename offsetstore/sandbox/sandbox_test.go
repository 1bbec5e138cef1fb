package sandbox_test

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"koffsets/offsetstore"
	"koffsets/offsetstore/dump"
	"koffsets/offsetstore/kafka"
	"koffsets/offsetstore/sandbox"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestASandboxHoldsItsFixtureInTheSamePlaces(t *testing.T) {
	t.Parallel()
	for _, name := range sandbox.Fixtures() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := sandbox.Fixture(name)
			if err != nil {
				t.Fatal(err)
			}
			want, fixture := read(t, dump.NewReader(name, bytes.NewReader(text), dump.Options{}))
			s, err := sandbox.Start(context.Background(), name, sandbox.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			got, live := read(t, kafka.New(kafka.Config{Bootstrap: []string{s.Addr()}, Topic: sandbox.Topic}))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(fixture.Ranges, live.Ranges); diff != "" {
				t.Error(diff)
			}
			if live.Partitions != 25 || live.ClusterID != "koffsets-sandbox" || !live.Complete() {
				t.Errorf("%+v", live)
			}
			if s := live.Settings; s.CleanupPolicy != "compact" || s.ReplicationFactor != 3 || len(s.UnderReplicated) > 0 {
				t.Errorf("%+v", s)
			}
		})
	}
}

func read(t *testing.T, src offsetstore.Source) ([]offsetstore.Record, offsetstore.Description) {
	t.Helper()
	var got []offsetstore.Record
	d, err := src.Read(context.Background(), func(_ *offsetstore.Description, records []offsetstore.Record) error {
		for _, r := range records {
			r.Key, r.Value = bytes.Clone(r.Key), bytes.Clone(r.Value)
			got = append(got, r)
		}
		return nil
	})
	if err != nil || !d.Complete() {
		t.Fatalf("%v %v", err, d.Incomplete)
	}
	slices.SortStableFunc(got, func(a, b offsetstore.Record) int { return int(a.Partition - b.Partition) })
	return got, d
}
