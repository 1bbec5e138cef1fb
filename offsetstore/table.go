package offsetstore

import (
	"bytes"
	"hash/maphash"
	"math/bits"
)

// table keeps the last record of each exact key: an open-addressing hash table
// over an arena. A word is 32 bits of hash over the item's unit plus one; the
// slot comes from the top of the hash, so growing reads no item.
type table struct {
	seed  maphash.Seed
	words []uint64
	shift uint8 // 32 - log2(len(words))
	count int
	arena arena
	used  uint64 // units of all items
	waste uint64 // units of stale items, and room that items do not use
}

const (
	firstWords = 8
	// A table under this size is not worth compacting.
	compactUnits = 8192
)

func newTable(seed maphash.Seed) *table {
	t := &table{seed: seed}
	t.resize(firstWords)
	return t
}

// hashOf is seeded, so that no topic can be made to fill a table slowly; no
// answer hangs on it.
func hashOf(seed maphash.Seed, key []byte) uint32 { return uint32(maphash.Bytes(seed, key)) }

// find is the slot of a key, or of the free word where it belongs.
func (t *table) find(hash uint32, key []byte) (slot int, it item) {
	slot = int(hash >> t.shift)
	for {
		w := t.words[slot]
		if w == 0 {
			return slot, nil
		}
		if uint32(w>>32) == hash {
			it = t.item(w)
			if bytes.Equal(it.key(), key) {
				return slot, it
			}
		}
		slot = (slot + 1) & (len(t.words) - 1)
	}
}

func (t *table) item(word uint64) item { return t.arena.at(uint32(word) - 1) }

// lookup is the item of a key, or nil.
func (t *table) lookup(hash uint32, key []byte) item {
	if t == nil {
		return nil
	}
	_, it := t.find(hash, key)
	return it
}

// put makes a record the last one of its key, unless a later one is known. It
// reports false where the memory that can be addressed is used up.
func (t *table) put(hash uint32, key []byte, offset, timestamp int64, value []byte) bool {
	slot, it := t.reserve(hash, key)
	if it == nil {
		return t.insert(slot, hash, key, offset, timestamp, value)
	}
	return t.update(slot, it, offset, timestamp, value)
}

// reserve is find, where a new key may follow.
func (t *table) reserve(hash uint32, key []byte) (slot int, it item) {
	if 4*t.count >= 3*len(t.words) {
		t.grow()
	}
	return t.find(hash, key)
}

// update makes a record the last one of a known key. Offsets decide which
// record is the later one; where one is unknown it is the order of arrival.
func (t *table) update(slot int, it item, offset, timestamp int64, value []byte) bool {
	if offset >= 0 && offset < it.offset() {
		return true
	}
	if it.valueLen() == valueLen(value) && !it.stale() {
		it.set(offset, timestamp, value)
		return true
	}
	ok := t.replace(slot, it, offset, timestamp, value)
	if t.waste*2 > t.used && t.used > compactUnits {
		t.compact()
	}
	return ok
}

func (t *table) insert(slot int, hash uint32, key []byte, offset, timestamp int64, value []byte) bool {
	need := itemUnits(len(key), len(value))
	if len(key) > maxText || len(value) > maxText {
		return false
	}
	unit, ok := t.arena.alloc(need)
	if !ok {
		return false
	}
	it := item(t.arena.at(unit))
	it.init(need, key)
	it.set(offset, timestamp, value)
	t.words[slot] = uint64(hash)<<32 | (uint64(unit) + 1)
	t.count++
	t.used += need
	return true
}

// replace keeps the item where the new value fits into it.
func (t *table) replace(slot int, it item, offset, timestamp int64, value []byte) bool {
	room, need := it.units(), itemUnits(it.keyLen(), len(value))
	if need > room {
		if !t.insert(slot, uint32(t.words[slot]>>32), it.key(), offset, timestamp, value) {
			return false
		}
		t.count--
		t.drop(it)
		return true
	}
	t.waste += t.busy(it) - need
	it.set(offset, timestamp, value)
	it.setStale(false)
	return true
}

// drop makes an item stale: it counts no more.
func (t *table) drop(it item) {
	t.waste += t.busy(it)
	it.setStale(true)
}

// busy is the part of an item that is not counted as waste.
func (t *table) busy(it item) uint64 {
	if it.stale() {
		return 0
	}
	return itemUnits(it.keyLen(), it.valueLen())
}

// valueLen is -1 for a tombstone.
func valueLen(value []byte) int {
	if value == nil {
		return -1
	}
	return len(value)
}

func (t *table) grow() {
	old := t.words
	t.resize(max(firstWords, 2*len(old)))
	for _, w := range old {
		if w != 0 {
			t.words[t.free(uint32(w>>32))] = w
		}
	}
}

func (t *table) resize(words int) {
	t.words = make([]uint64, words)
	t.shift = 32 - uint8(bits.TrailingZeros(uint(words)))
}

// free is the slot for a key that the table does not hold.
func (t *table) free(hash uint32) int {
	slot := int(hash >> t.shift)
	for t.words[slot] != 0 {
		slot = (slot + 1) & (len(t.words) - 1)
	}
	return slot
}

// compact moves the items that count into a new arena. The chunks of the old
// one go while those of the new one are filled.
func (t *table) compact() {
	old := t.arena
	t.arena, t.count, t.used, t.waste = arena{}, 0, 0, 0
	clear(t.words)
	for i := range old.chunks {
		one := arena{chunks: old.chunks[i : i+1]}
		for _, it := range one.items {
			if !it.stale() {
				hash := hashOf(t.seed, it.key())
				t.insert(t.free(hash), hash, it.key(), it.offset(), it.timestamp(), it.value())
			}
		}
		old.chunks[i] = nil
	}
}

// each yields every item that counts, in the order they lie in.
func (t *table) each(yield func(unit uint32, it item) bool) {
	if t == nil {
		return
	}
	t.arena.items(func(unit uint32, it item) bool { return it.stale() || yield(unit, it) })
}
