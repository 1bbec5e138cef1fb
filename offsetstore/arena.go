package offsetstore

import "math/bits"

// Memory is handed out in units of 8 bytes and addressed by a unit's number in
// 32 bits, so that a topic partition can hold 32 GiB.
const (
	unitBytes  = 8
	firstUnits = 16      // the first chunk is 128 bytes,
	chunkUnits = 1 << 14 // each further one twice as large up to 128 KiB
	doublings  = 10      // log2(chunkUnits / firstUnits)
	maxUnits   = 1<<32 - 1
)

// arena is memory that is only ever appended to. It holds no pointers but
// those to its chunks, so the garbage collector has nothing to scan in it.
type arena struct {
	chunks [][]byte
	next   uint64 // first free unit
}

// locate is the chunk and the byte in it that a unit begins.
func locate(unit uint64) (chunk, at int) {
	n := unit + firstUnits
	if n < chunkUnits {
		i := bits.Len64(n) - bits.Len(firstUnits)
		return i, int(n-firstUnits<<i) * unitBytes
	}
	return doublings - 1 + int(n/chunkUnits), int(n%chunkUnits) * unitBytes
}

// unitsOf is the size of a chunk.
func unitsOf(chunk int) uint64 {
	if chunk < doublings {
		return firstUnits << chunk
	}
	return chunkUnits
}

// at is the memory from a unit to the end of its chunk.
func (a *arena) at(unit uint32) []byte {
	chunk, at := locate(uint64(unit))
	return a.chunks[chunk][at:]
}

// alloc gives n zeroed units. It reports false where the addresses are used up.
func (a *arena) alloc(n uint64) (unit uint32, ok bool) {
	chunk, at := locate(a.next)
	if at > 0 && n > unitsOf(chunk)-uint64(at/unitBytes) {
		a.next += unitsOf(chunk) - uint64(at/unitBytes)
		chunk, at = chunk+1, 0
	}
	if at == 0 {
		for chunk < doublings && n > unitsOf(chunk) {
			a.next += unitsOf(chunk)
			chunk++
		}
	}
	if a.next+n > maxUnits {
		return 0, false
	}
	if at == 0 {
		for len(a.chunks) < chunk {
			a.chunks = append(a.chunks, nil)
		}
		a.chunks = append(a.chunks, make([]byte, max(n, unitsOf(chunk))*unitBytes))
	}
	unit = uint32(a.next)
	if n > chunkUnits {
		// What is larger than a chunk takes the addresses of several.
		n = (n + chunkUnits - 1) / chunkUnits * chunkUnits
	}
	a.next += n
	return unit, true
}
