package offsetstore

import "encoding/binary"

// An item is one exact key with its last record:
//
//	offset 8 bytes | timestamp 8 | units<<1+stale 4 | key length 4 |
//	value length + 1, 0 for a tombstone 4 | key | value | room up to units*8
//
// The offset is negative where it is unknown: -2, -3, … in order of arrival.
const (
	unitsAt = 16
	keyAt   = 20
	valueAt = 24

	itemHead = 28

	// maxText is the length of the longest key or value that has room.
	maxText = 1<<30 - 1
)

// item is an item's bytes, and more behind them.
type item []byte

func (it item) offset() int64    { return int64(binary.LittleEndian.Uint64(it)) }
func (it item) timestamp() int64 { return int64(binary.LittleEndian.Uint64(it[8:])) }

// units is the item's size; 0 is the end of a chunk.
func (it item) units() uint64 { return uint64(binary.LittleEndian.Uint32(it[unitsAt:]) >> 1) }

// stale items are those that no longer count.
func (it item) stale() bool { return it[unitsAt]&1 != 0 }

func (it item) setStale(stale bool) {
	it[unitsAt] &^= 1
	if stale {
		it[unitsAt] |= 1
	}
}

func (it item) keyLen() int { return int(binary.LittleEndian.Uint32(it[keyAt:])) }

// valueLen is -1 for a tombstone.
func (it item) valueLen() int { return int(binary.LittleEndian.Uint32(it[valueAt:])) - 1 }

func (it item) key() []byte {
	end := itemHead + it.keyLen()
	return it[itemHead:end:end]
}

// value is the item's value, nil for a tombstone.
func (it item) value() []byte {
	at, n := itemHead+it.keyLen(), it.valueLen()
	if n < 0 {
		return nil
	}
	return it[at : at+n : at+n]
}

// touch loads each line of the cache that the item's first n bytes lie in, as
// far as they are there.
func (it item) touch(n int) (sum byte) {
	const line = 64
	n = min(n, len(it)) - 1
	for at := 0; at < n; at += line {
		sum += it[at]
	}
	return sum + it[n]
}

// itemUnits is the size an item of these lengths needs; value -1 is a tombstone.
func itemUnits(key, value int) uint64 {
	return uint64(itemHead+key+max(value, 0)+unitBytes-1) / unitBytes
}

// init writes the parts of an item that last, its size and key.
func (it item) init(units uint64, key []byte) {
	binary.LittleEndian.PutUint32(it[unitsAt:], uint32(units<<1))
	binary.LittleEndian.PutUint32(it[keyAt:], uint32(len(key)))
	copy(it[itemHead:], key)
}

// set writes the parts that change.
func (it item) set(offset, timestamp int64, value []byte) {
	binary.LittleEndian.PutUint64(it, uint64(offset))
	binary.LittleEndian.PutUint64(it[8:], uint64(timestamp))
	binary.LittleEndian.PutUint32(it[valueAt:], uint32(valueLen(value)+1))
	copy(it[itemHead+it.keyLen():], value)
}

// items yields every item in the order they lie in, stale ones too.
func (a *arena) items(yield func(unit uint32, it item) bool) {
	var start uint64
	for chunk, b := range a.chunks {
		for at := 0; at+itemHead <= len(b); {
			it := item(b[at:])
			n := it.units()
			if n == 0 {
				break
			}
			if !yield(uint32(start)+uint32(at/unitBytes), it) {
				return
			}
			at += int(n) * unitBytes
		}
		start += unitsOf(chunk)
	}
}
