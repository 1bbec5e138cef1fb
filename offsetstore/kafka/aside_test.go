package kafka

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"koffsets/offsetstore"
)

// TestAsideIsTheSinkItself: through an aside a sink gets what it would get
// without, though the groups it came in are written over at once, up to its
// first error; and that error is always told.
func TestAsideIsTheSinkItself(t *testing.T) {
	t.Parallel()
	full := errors.New("disk full")
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(1, 5), 0, 20).Draw(t, "groups")
		fails := rapid.IntRange(-1, 20).Draw(t, "call that fails")
		var got []int64
		calls := 0
		a := newAside(func(records []offsetstore.Record) error {
			for _, r := range records {
				got = append(got, r.Offset)
			}
			if calls++; calls-1 == fails {
				return full
			}
			return nil
		})
		var want []int64
		var told error
		group := make([]offsetstore.Record, 0, 5)
		next := int64(0)
		for i, size := range sizes {
			group = group[:0]
			for range size {
				group = append(group, offsetstore.Record{Offset: next})
				if fails < 0 || i <= fails {
					want = append(want, next)
				}
				next++
			}
			if told = a.take(group); told != nil {
				break
			}
			clear(group)
		}
		err := a.close()
		failed := fails >= 0 && fails < len(sizes)
		if !slices.Equal(got, want) || failed != errors.Is(err, full) || told != nil && !failed {
			t.Fatalf("the sink got %v, want %v; the errors are %v, %v", got, want, told, err)
		}
	})
}
