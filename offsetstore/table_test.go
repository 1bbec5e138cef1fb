package offsetstore

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestArenaPlacesEveryUnitInsideItsChunk(t *testing.T) {
	t.Parallel()
	for _, unit := range []uint64{0, 15, 16, 47, 48, chunkUnits - firstUnits - 1, chunkUnits - firstUnits, 2*chunkUnits - firstUnits, 5*chunkUnits + 17, maxUnits} {
		chunk, at := locate(unit)
		start := uint64(0)
		for i := range chunk {
			start += unitsOf(i)
		}
		if got := start + uint64(at/unitBytes); got != unit || uint64(at/unitBytes) >= unitsOf(chunk) {
			t.Errorf("unit %d lies in chunk %d at byte %d, which is unit %d", unit, chunk, at, got)
		}
	}
}

func TestArenaRefusesWhatItCannotAddress(t *testing.T) {
	t.Parallel()
	a := arena{next: maxUnits - 10}
	if _, ok := a.alloc(11); ok {
		t.Error("units beyond the last address were given out")
	}
}

func TestArenaGivesLargeItemsAChunkOfTheirOwn(t *testing.T) {
	t.Parallel()
	var a arena
	var units []uint32
	sizes := []uint64{3, 70, 3, chunkUnits + 1, 5, 3 * chunkUnits, 1, chunkUnits, chunkUnits - 1, 2}
	for i, n := range sizes {
		unit, ok := a.alloc(n)
		if !ok {
			t.Fatalf("%d units refused", n)
		}
		units = append(units, unit)
		b := a.at(unit)[:n*unitBytes]
		for j := range b {
			if b[j] != 0 {
				t.Fatalf("item %d overlaps another", i)
			}
			b[j] = byte(i + 1)
		}
	}
	for i, unit := range units {
		if b := a.at(unit); b[0] != byte(i+1) || b[sizes[i]*unitBytes-1] != byte(i+1) {
			t.Errorf("item %d was written over", i)
		}
	}
}

// TestTableAgreesWithAMap drives a table and a Go map with the same records.
func TestTableAgreesWithAMap(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		type last struct {
			offset, timestamp int64
			value             []byte
		}
		table, model := newTable(maphash.MakeSeed()), map[string]last{}
		for range rapid.IntRange(1, 400).Draw(t, "records") {
			key := fmt.Sprintf("k%d", rapid.IntRange(0, 60).Draw(t, "key"))
			if rapid.IntRange(0, 30).Draw(t, "large") == 0 {
				key += string(make([]byte, rapid.SampledFrom([]int{100, 5000, 70_000}).Draw(t, "size")))
			}
			r := last{rapid.Int64Range(-9, 50).Draw(t, "offset"), rapid.Int64().Draw(t, "timestamp"), nil}
			if n := rapid.SampledFrom([]int{-1, 0, 1, 7, 60, 127, 128, 200, 20_000}).Draw(t, "value"); n >= 0 {
				r.value = bytes.Repeat([]byte{byte(n)}, n)
			}
			if !table.put(hashOf(table.seed, []byte(key)), []byte(key), r.offset, r.timestamp, r.value) {
				t.Fatal("no room")
			}
			if had, ok := model[key]; !ok || r.offset < 0 || r.offset >= had.offset {
				model[key] = r
			}
			if rapid.IntRange(0, 9).Draw(t, "compact") == 0 {
				table.compact()
			}
		}
		seen := map[string]bool{}
		for unit, it := range table.each {
			key, value := it.key(), it.value()
			want, ok := model[string(key)]
			if !ok || seen[string(key)] {
				t.Fatalf("key %.20q is there %v, twice %v", key, ok, seen[string(key)])
			}
			seen[string(key)] = true
			if it.offset() != want.offset || it.timestamp() != want.timestamp || !bytes.Equal(value, want.value) || (value == nil) != (want.value == nil) {
				t.Fatalf("%.20q holds %d %d %.20q, want %v", key, it.offset(), it.timestamp(), value, want)
			}
			if got := table.lookup(hashOf(table.seed, key), key); got == nil || &got[0] != &table.arena.at(unit)[0] {
				t.Fatalf("%.20q is not found at unit %d", key, unit)
			}
		}
		if len(seen) != len(model) || table.count != len(model) {
			t.Fatalf("%d keys, counted %d, want %d", len(seen), table.count, len(model))
		}
	})
}

func TestTableKeepsItsSizeWhenValuesAreRewritten(t *testing.T) {
	t.Parallel()
	table := newTable(maphash.MakeSeed())
	for i := range 200_000 {
		key := []byte(fmt.Sprintf(`["c",{"p":%d}]`, i%1000))
		table.put(hashOf(table.seed, key), key, int64(i), 0, make([]byte, 50+i%100))
	}
	if bytes := table.arena.next * unitBytes; bytes > 1<<20 {
		t.Errorf("1,000 keys of some 160 bytes take %d bytes", bytes)
	}
}

func TestTableCountsWaste(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		table := newTable(maphash.MakeSeed())
		for range rapid.IntRange(1, 100).Draw(t, "records") {
			key := []byte{byte(rapid.IntRange(0, 9).Draw(t, "key"))}
			value := make([]byte, rapid.IntRange(0, 300).Draw(t, "value"))
			table.put(hashOf(table.seed, key), key, -2, 0, value)
			if it := table.lookup(hashOf(table.seed, key), key); rapid.Bool().Draw(t, "drop") {
				table.drop(it)
			}
		}
		var used, waste uint64
		for _, it := range table.arena.items {
			used += it.units()
			waste += it.units() - table.busy(it)
		}
		if used != table.used || waste != table.waste {
			t.Fatalf("counted %d units, %d of waste; there are %d, %d", table.used, table.waste, used, waste)
		}
	})
}

func TestTableRefusesTextThatIsTooLong(t *testing.T) {
	t.Parallel()
	table := newTable(maphash.MakeSeed())
	long := make([]byte, maxText+1) // never touched, so that it takes no memory
	for _, value := range [][]byte{[]byte("v"), long, nil} {
		if ok := table.put(7, []byte("k"), Unknown, 0, value); ok != (len(value) <= maxText) {
			t.Errorf("a value of %d bytes: %v", len(value), ok)
		}
	}
	if table.insert(0, 0, long, 0, 0, nil) {
		t.Error("a key that is too long was taken")
	}
	if it := table.lookup(7, []byte("k")); table.count != 1 || it.value() != nil {
		t.Errorf("%d keys, %q", table.count, it.value())
	}
}

func TestItemsHoldAnyOffsetAndTimestamp(t *testing.T) {
	t.Parallel()
	table := newTable(maphash.MakeSeed())
	for _, n := range []int64{math.MinInt64, -1, 0, math.MaxInt64} {
		key := []byte(fmt.Sprint(n))
		table.put(hashOf(table.seed, key), key, n, n, nil)
		if it := table.lookup(hashOf(table.seed, key), key); it.offset() != n || it.timestamp() != n {
			t.Errorf("%d came back as %d, %d", n, it.offset(), it.timestamp())
		}
	}
}
