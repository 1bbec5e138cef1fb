package offsetstore

import (
	"encoding/binary"
	"math/bits"
)

// An item is one exact key with its last record:
//
//	offset 8 bytes | timestamp 8 bytes | uvarint units<<1+stale | uvarint key length | key |
//	uvarint 0 for a tombstone, else value length + 1 | value | room up to units*8
//
// The offset is negative where it is unknown: -2, -3, … in order of arrival.
const itemHead = 16

// item is an item's bytes, and more behind them.
type item []byte

func uvarint(b []byte) (v uint64, n int) {
	if b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	return binary.Uvarint(b)
}

func (it item) offset() int64    { return int64(binary.LittleEndian.Uint64(it)) }
func (it item) timestamp() int64 { return int64(binary.LittleEndian.Uint64(it[8:])) }

// units is the item's size; 0 is the end of a chunk.
func (it item) units() uint64 {
	v, _ := uvarint(it[itemHead:])
	return v >> 1
}

// stale items are those that no longer count.
func (it item) stale() bool { return it[itemHead]&1 != 0 }

func (it item) setStale(stale bool) {
	it[itemHead] &^= 1
	if stale {
		it[itemHead] |= 1
	}
}

// key is the item's key and where the value begins.
func (it item) key() (key []byte, end int) {
	_, n := uvarint(it[itemHead:])
	at := itemHead + n
	size, n := uvarint(it[at:])
	at += n
	end = at + int(size)
	return it[at:end:end], end
}

// value is the item's value, nil for a tombstone.
func (it item) value() []byte {
	_, at := it.key()
	return it.valueAt(at)
}

func (it item) valueAt(at int) []byte {
	size, n := uvarint(it[at:])
	if size == 0 {
		return nil
	}
	at += n
	end := at + int(size) - 1
	return it[at:end:end]
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

func uvarintLen(v uint64) int { return (bits.Len64(v|1) + 6) / 7 }

// itemUnits is the size an item of these lengths needs; value -1 is a tombstone.
func itemUnits(key, value int) uint64 {
	n := itemHead + uvarintLen(uint64(key)) + key + uvarintLen(uint64(value+1)) + max(value, 0)
	// The size is stored in the item it is the size of.
	units := uint64(n+1+unitBytes-1) / unitBytes
	for own := uvarintLen(units << 1); uint64(n+own) > units*unitBytes; {
		units++
		own = uvarintLen(units << 1)
	}
	return units
}

// init writes the parts of an item that last, its size and key, and says where
// the value begins.
func (it item) init(units uint64, key []byte) int {
	at := itemHead + binary.PutUvarint(it[itemHead:], units<<1)
	at += binary.PutUvarint(it[at:], uint64(len(key)))
	return at + copy(it[at:], key)
}

// set writes the parts that change.
func (it item) set(at int, offset, timestamp int64, value []byte) {
	binary.LittleEndian.PutUint64(it, uint64(offset))
	binary.LittleEndian.PutUint64(it[8:], uint64(timestamp))
	if value == nil {
		it[at] = 0
		return
	}
	at += binary.PutUvarint(it[at:], uint64(len(value))+1)
	copy(it[at:], value)
}

// items yields every item in the order they lie in, stale ones too.
func (a *arena) items(yield func(unit uint32, it item) bool) {
	var start uint64
	for chunk, b := range a.chunks {
		for at := 0; at+itemHead < len(b); {
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
