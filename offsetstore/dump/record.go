package dump

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"koffsets/offsetstore"
)

// group is the records of one hand-over. Keys and values lie in the read
// buffer, or decoded in bytes; all of it is used again after reset.
type group struct {
	records []offsetstore.Record
	headers []offsetstore.Header
	bytes   []byte
}

func (g *group) reset() {
	g.records, g.headers, g.bytes = g.records[:0], g.headers[:0], g.bytes[:0]
}

// errSummary says that the line is no record but the summary.
var errSummary = errors.New("the summary")

// add parses one record line into the group.
func (g *group) add(line []byte) error {
	s := scanner{b: line}
	rec := offsetstore.Record{Partition: offsetstore.Unknown, Offset: offsetstore.Unknown, Timestamp: offsetstore.Unknown}
	var seen [len(recordFields)]bool
	err := s.object(func(name []byte) error {
		field := fieldIndex(name)
		switch {
		case field >= 0 && seen[field]:
			return fmt.Errorf("the field %q twice", name)
		case field >= 0:
			seen[field] = true
			return g.field(&s, recordFields[field], &rec)
		case string(name) == "summary" && seen == [len(recordFields)]bool{}:
			return errSummary
		case string(name) == "schema":
			return errors.New("a second header: give one dump at a time")
		}
		return unknownField(name)
	})
	if err != nil {
		return err
	}
	if s.blanks(); s.i < len(s.b) {
		return s.fail("something behind the end of the record")
	}
	for _, f := range [...]string{"key", "value"} {
		plain, coded := seen[fieldIndex([]byte(f))], seen[fieldIndex([]byte(f+"_base64"))]
		switch {
		case plain && coded:
			return fmt.Errorf("both %s and %s_base64", f, f)
		case !plain && !coded:
			return fmt.Errorf("neither %s nor %s_base64 (a null %s is written %q:null)", f, f, f, f)
		}
	}
	g.records = append(g.records, rec)
	return nil
}

func unknownField(name []byte) error {
	if len(name) > 60 {
		name = name[:60]
	}
	return fmt.Errorf("the unknown field %s", strconv.Quote(string(name)))
}

func (g *group) field(s *scanner, name string, rec *offsetstore.Record) (err error) {
	switch name {
	case "partition":
		var n int64
		n, err = s.place(name, math.MaxInt32)
		rec.Partition = int32(n)
	case "offset":
		rec.Offset, err = s.place(name, math.MaxInt64)
	case "timestamp":
		if !s.word("null") {
			rec.Timestamp, err = s.number()
		}
	case "key":
		rec.Key, err = s.nullable()
	case "value":
		rec.Value, err = s.nullable()
	case "key_base64":
		rec.Key, err = g.base64(s, name)
	case "value_base64":
		rec.Value, err = g.base64(s, name)
	case "headers":
		rec.Headers, err = g.recordHeaders(s)
	case "txn":
		rec.Txn, err = s.txn()
	}
	return err
}

// place reads a topic partition or an offset, null where unknown.
func (s *scanner) place(name string, largest int64) (int64, error) {
	if s.word("null") {
		return offsetstore.Unknown, nil
	}
	n, err := s.number()
	if err == nil && (n < 0 || n > largest) {
		err = fmt.Errorf("the %s %d, which is out of range (null where unknown)", name, n)
	}
	return n, err
}

// nullable reads a string or null.
func (s *scanner) nullable() ([]byte, error) {
	if s.word("null") {
		return nil, nil
	}
	return s.text()
}

func (s *scanner) txn() (offsetstore.Txn, error) {
	t, err := s.nullable()
	switch {
	case err != nil || t == nil:
		return offsetstore.TxnNone, err
	case string(t) == "aborted":
		return offsetstore.TxnAborted, nil
	case string(t) == "open":
		return offsetstore.TxnOpen, nil
	}
	return offsetstore.TxnNone, errors.New("txn is neither aborted nor open")
}

func (g *group) base64(s *scanner, name string) ([]byte, error) {
	t, err := s.text()
	if err != nil {
		return nil, err
	}
	start := len(g.bytes)
	g.bytes = slices.Grow(g.bytes, base64.StdEncoding.DecodedLen(len(t)))
	dst := g.bytes[start:cap(g.bytes)]
	n, err := base64.StdEncoding.Decode(dst, t)
	if err != nil || bytes.ContainsAny(t, "\r\n") {
		return nil, fmt.Errorf("%s is not padded standard base64", name)
	}
	g.bytes = g.bytes[:start+n]
	return dst[:n:n], nil
}

func (g *group) recordHeaders(s *scanner) ([]offsetstore.Header, error) {
	if s.word("null") {
		return nil, nil
	}
	start := len(g.headers)
	err := s.array(func() error {
		h, err := g.header(s)
		g.headers = append(g.headers, h)
		return err
	})
	if err != nil || len(g.headers) == start {
		return nil, err
	}
	return g.headers[start:len(g.headers):len(g.headers)], nil
}

// header reads one record header, whose fields are like those of a record.
func (g *group) header(s *scanner) (offsetstore.Header, error) {
	var rec offsetstore.Record
	keys, values := 0, 0
	err := s.object(func(name []byte) error {
		switch string(name) {
		case "key", "key_base64":
			keys++
			if s.word("null") {
				return errors.New("a header with a null key")
			}
		case "value", "value_base64":
			values++
		default:
			return unknownField(name)
		}
		return g.field(s, string(name), &rec)
	})
	if err == nil && (keys != 1 || values != 1) {
		err = errors.New("a header without exactly one key and one value")
	}
	return offsetstore.Header{Key: string(rec.Key), Value: rec.Value}, err
}
