package dump

import (
	"encoding/base64"
	"fmt"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"koffsets/offsetstore"
)

// flushAt is how many bytes the writer gathers.
const flushAt = 64 << 10

// Writer writes a sealed dump. It writes to nothing but w, in large pieces; w
// is the caller's to close. After an error every call gives that error.
type Writer struct {
	w       io.Writer
	level   offsetstore.Isolation
	begun   bool // the header is written
	buf     []byte
	records int
	err     error
}

// NewWriter begins a dump. level is how the records are taken: a read_committed
// dump holds no aborted or open records.
func NewWriter(w io.Writer, level offsetstore.Isolation) *Writer {
	return &Writer{w: w, level: level}
}

// header is written once, when the source has told what it is.
func (w *Writer) header(d *offsetstore.Description) {
	if w.begun {
		return
	}
	w.begun = true
	w.buf = append(w.buf, `{"schema":"`+Schema+`",`...)
	w.buf = appendTopic(w.buf, d)
	w.buf = append(w.buf, `,"isolation":"`...)
	w.buf = append(w.buf, w.level.String()...)
	w.buf = append(w.buf, `","sealed":true}`+"\n"...)
}

// Write adds records of a source, which must be in offset order within each
// topic partition. It is an [offsetstore.Sink].
func (w *Writer) Write(d *offsetstore.Description, records []offsetstore.Record) error {
	w.header(d)
	for i := range records {
		if w.err != nil {
			return w.err
		}
		start := len(w.buf)
		w.buf = appendRecord(w.buf, &records[i])
		if len(w.buf)-start > maxLine {
			w.buf = w.buf[:start]
			w.err = fmt.Errorf("the record at offset %d of topic partition %d needs a line over %d MiB", records[i].Offset, records[i].Partition, maxLine>>20)
			return w.err
		}
		w.buf = append(w.buf, '\n')
		w.records++
		if len(w.buf) >= flushAt {
			w.flush()
		}
	}
	return w.err
}

// Close seals the dump with the summary that follows from how the source
// ended, and flushes. Without it the dump reads as cut off.
func (w *Writer) Close(d offsetstore.Description) error {
	if w.err != nil {
		return w.err
	}
	w.header(&d)
	b := append(w.buf, `{"summary":{"records":`...)
	b = strconv.AppendInt(b, int64(w.records), 10)
	b = append(b, `,"complete":`...)
	b = strconv.AppendBool(b, d.Complete())
	b = append(b, `,"incomplete":[`...)
	for i, in := range d.Incomplete {
		b = comma(b, i)
		b = append(b, `{"partition":`...)
		b = appendKnown(b, int64(in.Partition))
		b = append(b, `,"offset":`...)
		b = appendKnown(b, in.Offset)
		b = append(b, `,"reason":`...)
		b = appendText(b, []byte(in.Reason))
		b = append(b, `,"finding":`...)
		b = appendText(b, []byte(in.Finding))
		b = append(b, '}')
	}
	b = append(b, `],`...)
	b = appendTopic(b, &d)
	b = append(b, `,"ranges":[`...)
	for i, r := range d.Ranges {
		b = comma(b, i)
		b = fmt.Appendf(b, `{"partition":%d,"start":%d,"end":%d,"last_stable":%d}`, r.Partition, r.Start, r.End, r.LastStable)
	}
	w.buf = append(b, `]}}`+"\n"...)
	w.flush()
	return w.err
}

func (w *Writer) flush() {
	_, w.err = w.w.Write(w.buf)
	w.buf = w.buf[:0]
}

func comma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

// appendTopic writes the fields that name the topic, null where unknown.
func appendTopic(b []byte, d *offsetstore.Description) []byte {
	b = append(b, `"topic":`...)
	b = appendName(b, d.Topic)
	b = append(b, `,"partitions":`...)
	if d.Partitions > 0 {
		b = strconv.AppendInt(b, int64(d.Partitions), 10)
	} else {
		b = append(b, "null"...)
	}
	b = append(b, `,"cluster_id":`...)
	b = appendName(b, d.ClusterID)
	b = append(b, `,"topic_id":`...)
	return appendName(b, d.TopicID)
}

func appendName(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return appendText(b, []byte(s))
}

// appendKnown writes a topic partition or offset, null where unknown.
func appendKnown(b []byte, n int64) []byte {
	if n < 0 {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, n, 10)
}

// appendRecord writes one record without a line end. Fields that say nothing
// are left out.
func appendRecord(b []byte, r *offsetstore.Record) []byte {
	b = append(b, `{"partition":`...)
	b = appendKnown(b, int64(r.Partition))
	b = append(b, `,"offset":`...)
	b = appendKnown(b, r.Offset)
	b = append(b, `,"timestamp":`...)
	b = strconv.AppendInt(b, r.Timestamp, 10)
	b = append(b, ',')
	b = appendBytes(b, "key", r.Key)
	b = append(b, ',')
	b = appendBytes(b, "value", r.Value)
	if len(r.Headers) > 0 {
		b = append(b, `,"headers":[`...)
		for i, h := range r.Headers {
			b = comma(b, i)
			b = append(b, '{')
			b = appendBytes(b, "key", []byte(h.Key))
			b = append(b, ',')
			b = appendBytes(b, "value", h.Value)
			b = append(b, '}')
		}
		b = append(b, ']')
	}
	if r.Txn != offsetstore.TxnNone {
		b = append(b, `,"txn":"`...)
		b = append(b, r.Txn.String()...)
		b = append(b, '"')
	}
	return append(b, '}')
}

// appendBytes writes bytes as the text they are, else as base64.
func appendBytes(b []byte, name string, v []byte) []byte {
	b = append(b, '"')
	b = append(b, name...)
	switch {
	case v == nil:
		return append(b, `":null`...)
	case !utf8.Valid(v):
		b = append(b, `_base64":"`...)
		return append(base64.StdEncoding.AppendEncode(b, v), '"')
	}
	return appendText(append(b, `":`...), v)
}

// appendText writes UTF-8 as a JSON string that harms no terminal: what cannot
// be seen is written \uXXXX.
func appendText(b, s []byte) []byte {
	b = append(b, '"')
	plain := 0 // start of the bytes not yet copied
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < 0x7f && c != '"' && c != '\\' {
			i++
			continue
		}
		r, n := rune(c), 1
		if c >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(s[i:])
			if strconv.IsPrint(r) && (r != utf8.RuneError || n > 1) {
				i += n
				continue
			}
		}
		b = appendEscape(append(b, s[plain:i]...), r)
		i += n
		plain = i
	}
	return append(append(b, s[plain:]...), '"')
}

func appendEscape(b []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(b, '\\', byte(r))
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	}
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return appendUnit(appendUnit(b, high), low)
	}
	return appendUnit(b, r)
}

// appendUnit writes one UTF-16 unit as \uXXXX.
func appendUnit(b []byte, u rune) []byte {
	const hex = "0123456789abcdef"
	return append(b, '\\', 'u', hex[u>>12&15], hex[u>>8&15], hex[u>>4&15], hex[u&15])
}
