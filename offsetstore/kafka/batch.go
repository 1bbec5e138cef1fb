package kafka

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
)

// The layout of a log entry. The first 17 bytes lie alike in every message
// format; the rest is a record batch (format v2).
const (
	entryPrefix = 12 // base offset, length of what follows
	magicAt     = 16
	crcAt       = 17
	afterCRC    = 21
	headerSize  = 61
)

// The attribute bits of a record batch.
const (
	attrCodec         = 0x07
	attrLogAppendTime = 0x08
	attrTransactional = 0x10
	attrControl       = 0x20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// errCut is an entry that does not lie whole in the bytes at hand.
var errCut = errors.New("the batch is cut off")

// entry is one record batch as it lies in the log, or, in the message formats
// v0 and v1, one message with what it wraps. Its bytes are the fetch answer's.
type entry struct {
	raw           []byte
	base, last    int64 // offsets of the first and last record there ever was
	producer      int64
	epoch         int16 // of the producer
	attrs         uint16
	count         int32
	firstTime     int64
	maxTime       int64
	legacy        bool
	floor         int64 // records below were read before
	undecided     bool  // in a transaction without a marker so far
	aborted, open bool
	earlier       int // held entry of the same producer before this one, -1 none
}

// parseEntry reads the entry that in begins with, its checksum included.
// It returns errCut where in ends too early, with the size that is missing.
func parseEntry(in []byte) (e entry, size int, err error) {
	if len(in) <= magicAt {
		return e, crcAt, errCut
	}
	length := int32(binary.BigEndian.Uint32(in[8:]))
	if length < magicAt+1-entryPrefix || length > math.MaxInt32-entryPrefix {
		return e, 0, fmt.Errorf("a batch says it is %d bytes long", length)
	}
	size = int(length) + entryPrefix
	if size > len(in) {
		return e, size, errCut
	}
	e.raw = in[:size:size]
	e.base = int64(binary.BigEndian.Uint64(in))
	switch magic := in[magicAt]; magic {
	case 0, 1:
		// A wrapper's offset is that of the last message it wraps; its checksum
		// is tested when it is unwrapped.
		e.legacy, e.last = true, e.base
	case 2:
		err = e.parseHeader()
	default:
		err = fmt.Errorf("a batch has the unknown format %d", magic)
	}
	if err == nil && (e.base < 0 || e.last < e.base || e.last == math.MaxInt64) {
		err = fmt.Errorf("a batch says it holds the offsets %d to %d", e.base, e.last)
	}
	return e, size, err
}

func (e *entry) parseHeader() error {
	if len(e.raw) < headerSize {
		return fmt.Errorf("a batch of %d bytes is shorter than its header", len(e.raw))
	}
	want, is := binary.BigEndian.Uint32(e.raw[crcAt:]), crc32.Checksum(e.raw[afterCRC:], castagnoli)
	if want != is {
		return fmt.Errorf("a batch has the checksum %08x and should have %08x", is, want)
	}
	e.attrs = binary.BigEndian.Uint16(e.raw[21:])
	e.last = e.base + int64(int32(binary.BigEndian.Uint32(e.raw[23:])))
	e.firstTime = int64(binary.BigEndian.Uint64(e.raw[27:]))
	e.maxTime = int64(binary.BigEndian.Uint64(e.raw[35:]))
	e.producer = int64(binary.BigEndian.Uint64(e.raw[43:]))
	e.epoch = int16(binary.BigEndian.Uint16(e.raw[51:]))
	e.count = int32(binary.BigEndian.Uint32(e.raw[57:]))
	return nil
}

func (e *entry) control() bool       { return e.attrs&attrControl != 0 }
func (e *entry) transactional() bool { return e.attrs&attrTransactional != 0 }

// The types of control records that end a transaction.
const (
	markerAbort  = 0
	markerCommit = 1
)

// marker reads what a control batch says. Other control records than markers
// are no concern of a consumer.
func (e *entry) marker() (kind uint16, ok bool) {
	it := records{in: e.raw[headerSize:]}
	if e.attrs&attrCodec != 0 || !it.next() || len(it.key) < 4 {
		return 0, false
	}
	kind = binary.BigEndian.Uint16(it.key[2:])
	return kind, kind == markerAbort || kind == markerCommit
}
