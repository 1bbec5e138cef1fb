package kafka

import (
	"encoding/binary"
	"fmt"

	"koffsets/offsetstore"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// records walks the records of an uncompressed batch in place.
type records struct {
	in          []byte // what is left
	timeDelta   int64
	offsetDelta int64
	key, value  []byte
	headers     []byte // the headers, to be read by readHeaders
	bad         bool   // the walk ended at something that is no record
}

// next moves to the next record. At the end, or at bytes that are no record
// (bad), it returns false.
func (r *records) next() bool {
	if len(r.in) == 0 {
		return false
	}
	size, n := varint(r.in)
	if n <= 0 || size < 1 || size > int64(len(r.in)-n) {
		r.bad = true
		return false
	}
	b := r.in[n+1 : n+int(size)] // behind the attributes, which mean nothing
	r.in = r.in[n+int(size):]
	var n1, n2 int
	r.timeDelta, n1 = varint(b)
	if n1 <= 0 {
		r.bad = true
		return false
	}
	r.offsetDelta, n2 = varint(b[n1:])
	if n2 <= 0 {
		r.bad = true
		return false
	}
	var ok bool
	if r.key, b, ok = nullable(b[n1+n2:]); ok {
		r.value, r.headers, ok = nullable(b)
	}
	r.bad = !ok || len(r.headers) == 0
	return !r.bad
}

// nullable reads bytes behind their length; -1 is null.
func nullable(in []byte) (bytes, rest []byte, ok bool) {
	size, n := varint(in)
	switch {
	case n <= 0 || size < -1 || size > int64(len(in)-n):
		return nil, nil, false
	case size == -1:
		return nil, in[n:], true
	}
	end := n + int(size)
	return in[n:end:end], in[end:], true
}

// varint reads a zigzag varint, of one or two bytes most of the time.
func varint(in []byte) (int64, int) {
	if len(in) > 1 {
		u := uint64(in[0])
		if u < 0x80 {
			return int64(u>>1) ^ -int64(u&1), 1
		}
		if in[1] < 0x80 {
			u = u&0x7f | uint64(in[1])<<7
			return int64(u>>1) ^ -int64(u&1), 2
		}
	}
	return binary.Varint(in)
}

func readHeaders(in []byte) ([]offsetstore.Header, error) {
	count, n := varint(in)
	in = in[max(n, 0):]
	if n <= 0 || count < 0 || count > int64(len(in))/2 { // a header has two lengths at least
		return nil, fmt.Errorf("a record says it has %d headers", count)
	}
	headers := make([]offsetstore.Header, 0, count)
	for range count {
		key, rest, ok := nullable(in)
		if !ok || key == nil {
			return nil, fmt.Errorf("a header of a record is cut off")
		}
		value, rest, ok := nullable(rest)
		if !ok {
			return nil, fmt.Errorf("a header of a record is cut off")
		}
		in = rest
		headers = append(headers, offsetstore.Header{Key: string(key), Value: value})
	}
	if len(in) > 0 {
		return nil, fmt.Errorf("a record has %d bytes behind its headers", len(in))
	}
	return headers, nil
}

// decode hands over the entry's records at floor ≤ offset < end. The records
// are as the log has them: a wrong count or order is an error.
func (e *entry) decode(partition int32, end int64, out *output) error {
	txn := offsetstore.TxnNone
	switch {
	case e.aborted:
		txn = offsetstore.TxnAborted
	case e.open:
		txn = offsetstore.TxnOpen
	}
	if e.legacy {
		return e.decodeLegacy(partition, end, out)
	}
	in := e.raw[headerSize:]
	if codec := e.attrs & attrCodec; codec != 0 {
		var err error
		if in, err = out.unpack.Decompress(in, kgo.CompressionCodecType(codec)); err != nil {
			return badBatch(e.base, fmt.Errorf("a batch cannot be decompressed: %w", err))
		}
	}
	it := records{in: in}
	before := e.base - 1
	var seen int32
	for it.next() {
		seen++
		offset := e.base + it.offsetDelta
		if offset <= before || offset > e.last {
			return badBatch(before+1, fmt.Errorf("a batch has its offset %d out of order", offset))
		}
		before = offset
		if offset < e.floor || offset >= end {
			continue
		}
		r := out.next()
		r.Partition, r.Offset, r.Txn = partition, offset, txn
		r.Timestamp = e.firstTime + it.timeDelta
		if e.attrs&attrLogAppendTime != 0 {
			r.Timestamp = e.maxTime
		}
		r.Key, r.Value, r.Headers = it.key, it.value, nil
		if it.headers[0] != 0 || len(it.headers) > 1 {
			var err error
			if r.Headers, err = readHeaders(it.headers); err != nil {
				return badBatch(offset, err)
			}
		}
		if err := out.add(); err != nil {
			return err
		}
	}
	if it.bad || seen != e.count {
		return badBatch(before+1, fmt.Errorf("a batch says it holds %d records, %d can be read", e.count, seen))
	}
	return nil
}

// decodeLegacy leaves the message formats v0 and v1 to the client library.
func (e *entry) decodeLegacy(partition int32, end int64, out *output) error {
	opts := kgo.ProcessFetchPartitionOpts{Offset: e.floor, Partition: partition}
	fetched, next := kgo.ProcessFetchPartition(opts, &kmsg.FetchResponseTopicPartition{RecordBatches: e.raw}, out.unpack, nil)
	if fetched.Err != nil {
		return badBatch(e.floor, fetched.Err)
	}
	if next <= e.last && e.last >= e.floor {
		return badBatch(e.floor, fmt.Errorf("a message of format v%d cannot be read to its end", e.raw[magicAt]))
	}
	before := e.floor - 1
	for _, r := range fetched.Records {
		if r.Offset >= end {
			break
		}
		if r.Offset <= before || r.Offset > e.last {
			return badBatch(before+1, fmt.Errorf("a batch has its offset %d out of order", r.Offset))
		}
		before = r.Offset
		rec := out.next()
		*rec = offsetstore.Record{
			Partition: partition, Offset: r.Offset, Timestamp: offsetstore.Unknown, Key: r.Key, Value: r.Value,
		}
		if e.raw[magicAt] == 1 {
			rec.Timestamp = r.Timestamp.UnixMilli()
		}
		if err := out.add(); err != nil {
			return err
		}
	}
	return nil
}

// batchError is a batch that cannot be read from an offset on.
type batchError struct {
	at int64
	error
}

func badBatch(at int64, err error) error { return &batchError{at, err} }
func (e *batchError) Unwrap() error      { return e.error }
