package offsetstore

import (
	"context"
	"errors"
	"testing"

	"koffsets/release"
)

// script is a source that hands over records and ends as told.
type script struct {
	records []Record
	d       Description
	err     error
}

func (s script) Read(_ context.Context, sink Sink) (Description, error) {
	if len(s.records) > 0 {
		if err := sink(&s.d, s.records); err != nil {
			return s.d, err
		}
	}
	return s.d, s.err
}

func TestReadGivesAViewOrAnError(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	one := []Record{{Key: []byte(`["c",{}]`), Value: []byte(`{}`)}}
	for _, c := range []struct {
		name    string
		src     script
		records int // -1: no view
	}{
		{"everything", script{records: one}, 1},
		{"an empty topic", script{}, 0},
		{"part of it", script{records: one, err: broken}, -1},
		{"nothing at all", script{err: broken}, -1},
	} {
		v, err := Read(t.Context(), c.src, Options{Release: release.MustParse(release.Default)})
		if !errors.Is(err, c.src.err) {
			t.Errorf("%s: %v", c.name, err)
		}
		if (v == nil) != (c.records < 0) || v != nil && v.Summary.Records != c.records {
			t.Errorf("%s: %+v", c.name, v)
		}
	}
}

func TestAFoldKeepsNothingOfTheRecordsItWasGiven(t *testing.T) {
	t.Parallel()
	f := NewFold(Options{Release: release.MustParse(release.Default)})
	key, value, odd := []byte(`["c",{"p":1}]`), []byte(`{"o":1}`), []byte("odd")
	f.Add([]Record{{Key: key, Value: value}, {Key: odd, Value: value, Offset: 1}})
	clear(key)
	clear(value)
	clear(odd)
	v := f.View(Description{})
	for e := range v.Entries() {
		if string(e.Key) != `["c",{"p":1}]` || string(e.Value) != `{"o":1}` {
			t.Errorf("%q holds %q", e.Key, e.Value)
		}
	}
	for _, found := range v.Findings(FindingOptions{}) {
		if found.ID == KeyNotJSON && string(found.Key) != "odd" {
			t.Errorf("found %q", found.Key)
		}
	}
}

func TestATopicPartitionThatIsTooLargeIsIncomplete(t *testing.T) {
	t.Parallel()
	f := NewFold(Options{Release: release.MustParse(release.Default)})
	f.Add([]Record{{Partition: 3, Key: []byte(`["c",{"p":1}]`)}})
	f.shards[3].main.arena.next = maxUnits
	f.Add([]Record{{Partition: 3, Key: []byte(`["c",{"p":2}]`)}, {Partition: 4, Key: []byte(`["c",{"p":2}]`)}})
	d := f.View(Description{}).Description
	if len(d.Incomplete) != 1 || d.Incomplete[0].Partition != 3 || d.Incomplete[0].Finding != ReadIncomplete {
		t.Errorf("%+v", d.Incomplete)
	}
}
