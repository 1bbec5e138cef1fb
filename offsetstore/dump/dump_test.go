package dump

import (
	"bytes"
	"context"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"koffsets/offsetstore"
)

// read gives copies of what a dump holds.
func read(t testing.TB, r io.Reader, o Options) ([]offsetstore.Record, offsetstore.Description, error) {
	t.Helper()
	var all []offsetstore.Record
	d, err := NewReader("test.jsonl", r, o).Read(context.Background(), func(_ *offsetstore.Description, records []offsetstore.Record) error {
		for _, r := range records {
			r.Key, r.Value = bytes.Clone(r.Key), bytes.Clone(r.Value)
			r.Headers = slices.Clone(r.Headers)
			for i := range r.Headers {
				r.Headers[i].Value = bytes.Clone(r.Headers[i].Value)
			}
			all = append(all, r)
		}
		return nil
	})
	return all, d, err
}

func write(t testing.TB, d offsetstore.Description, records ...offsetstore.Record) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b, offsetstore.ReadUncommitted)
	if err := w.Write(&d, records); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(d); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var sample = []offsetstore.Record{
	{Partition: 0, Offset: 1, Timestamp: 1700000000000, Key: []byte(`["c",{"p":1}]`), Value: []byte(`{"o":1}`)},
	{Partition: 0, Offset: 2, Timestamp: -1, Key: []byte("\xff\x00"), Value: nil},
	{Partition: 3, Offset: 0, Timestamp: 0, Key: nil, Value: []byte{}, Txn: offsetstore.TxnAborted},
	{Partition: 3, Offset: 9, Timestamp: 5, Key: []byte{}, Value: []byte("\xc3"), Txn: offsetstore.TxnOpen, Headers: []offsetstore.Header{
		{Key: "a\"b", Value: nil}, {Key: "", Value: []byte{}}, {Key: "\xfe", Value: []byte("\xfd")},
	}},
	{Partition: offsetstore.Unknown, Offset: offsetstore.Unknown, Timestamp: offsetstore.Unknown, Key: []byte("\x1b]52;c;\u202eé😀\u0085\\\n\r\t\x7f"), Value: []byte("\u2028")},
}

var sampleDescription = offsetstore.Description{
	Topic: "connect-offsets", Partitions: 25, ClusterID: "k1", TopicID: "t1",
	Ranges:     []offsetstore.Range{{Partition: 0, Start: 1, End: 3, LastStable: 3}, {Partition: 3, Start: 0, End: 12, LastStable: 9}},
	Incomplete: []offsetstore.Incomplete{{Partition: 4, Offset: 7, Reason: "not authorised", Finding: "read-incomplete"}},
}

func TestADumpGivesBackEveryRecordAndWhatItsSourceSaid(t *testing.T) {
	t.Parallel()
	got, d, err := read(t, bytes.NewReader(write(t, sampleDescription, sample...)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, sample) {
		t.Errorf("got  %+v\nwant %+v", got, sample)
	}
	want := sampleDescription
	want.Kind, want.Name = "dump", "test.jsonl"
	if !reflect.DeepEqual(d, want) {
		t.Errorf("got  %+v\nwant %+v", d, want)
	}
}

func TestADumpReadAndWrittenAgainIsTheSameBytes(t *testing.T) {
	t.Parallel()
	first := write(t, sampleDescription, sample...)
	records, d, err := read(t, iotest.OneByteReader(bytes.NewReader(first)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if second := write(t, d, records...); !bytes.Equal(first, second) {
		t.Errorf("first  %s\nsecond %s", first, second)
	}
}

func TestADumpHoldsNoByteThatATerminalActsOn(t *testing.T) {
	t.Parallel()
	d := sampleDescription
	d.Topic, d.ClusterID = "a\x1b[31m\u202e\xff", "\u009b\n"
	for _, r := range string(write(t, d, sample...)) {
		if r != '\n' && (r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202e' || r == '\u2028') {
			t.Errorf("the dump holds %q", r)
		}
	}
}

func TestADumpCutOffAnywhereSaysSo(t *testing.T) {
	t.Parallel()
	whole := write(t, offsetstore.Description{}, sample...)
	for n := 1; n < len(whole)-1; n++ { // the last line end alone may be missing
		records, d, err := read(t, bytes.NewReader(whole[:n]), Options{})
		headerSeen := n >= bytes.IndexByte(whole, '\n')
		lines := bytes.Count(whole[:n], []byte("\n"))
		switch {
		case !headerSeen:
			if err == nil || len(records) > 0 {
				t.Errorf("cut at %d: %d records, %v", n, len(records), err)
			}
		case err != nil:
			t.Errorf("cut at %d: %v", n, err)
		case len(d.Incomplete) != 1 || d.Incomplete[0].Finding != "file-truncated" || !strings.Contains(d.Incomplete[0].Reason, "line "):
			t.Errorf("cut at %d: %+v", n, d.Incomplete)
		case len(records) < lines-1 || len(records) > lines:
			t.Errorf("cut at %d: %d records of %d lines", n, len(records), lines)
		}
	}
}

func FuzzWriteAndReadGiveTheSameRecord(f *testing.F) {
	f.Add(int32(0), int64(1), int64(2), []byte("k"), []byte("v"), "h", []byte("hv"), uint8(9))
	f.Add(int32(-1), int64(-1), int64(-1), []byte("\xff"), []byte("\u2028\\\""), "\xff\n", []byte{}, uint8(255))
	f.Fuzz(func(t *testing.T, partition int32, offset, timestamp int64, key, value []byte, header string, headerValue []byte, flags uint8) {
		r := offsetstore.Record{
			Partition: max(partition, offsetstore.Unknown), Offset: max(offset, offsetstore.Unknown), Timestamp: timestamp,
			Key: key, Value: value, Txn: offsetstore.Txn(flags % 3),
		}
		if flags&4 != 0 {
			r.Key = nil
		}
		if flags&8 != 0 {
			r.Value = nil
		}
		if flags&16 != 0 {
			r.Headers = []offsetstore.Header{{Key: header, Value: headerValue}, {Key: "n"}}
		}
		got, d, err := read(t, bytes.NewReader(write(t, offsetstore.Description{}, r)), Options{})
		if err != nil || !d.Complete() || len(got) != 1 {
			t.Fatalf("%+v, %v, %d records", d, err, len(got))
		}
		if !sameRecord(got[0], r) {
			t.Errorf("got %+v, want %+v", got[0], r)
		}
	})
}

// sameRecord takes no bytes for no bytes, but not for null.
func sameRecord(a, b offsetstore.Record) bool {
	same := func(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }
	if len(a.Headers) != len(b.Headers) {
		return false
	}
	for i := range a.Headers {
		if a.Headers[i].Key != b.Headers[i].Key || !same(a.Headers[i].Value, b.Headers[i].Value) {
			return false
		}
	}
	return same(a.Key, b.Key) && same(a.Value, b.Value) &&
		a.Partition == b.Partition && a.Offset == b.Offset && a.Timestamp == b.Timestamp && a.Txn == b.Txn
}

// FuzzRead: whatever is read as complete can be written and read again.
func FuzzRead(f *testing.F) {
	f.Add(write(f, sampleDescription, sample...))
	f.Add([]byte(`{"key":"a","value":null}`))
	f.Add([]byte(`{"key_base64":"/w==","value":"\ud83d\ude00","headers":[{"key":"a","value":null}],"txn":null}` + "\r\n\r\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		Sniff(b)
		records, d, err := read(t, bytes.NewReader(b), Options{})
		if err != nil {
			return
		}
		again, e, err := read(t, bytes.NewReader(write(t, d, records...)), Options{})
		if err != nil || len(again) != len(records) || e.Complete() != d.Complete() {
			t.Fatalf("again: %d records, %+v, %v; first: %d, %+v", len(again), e, err, len(records), d)
		}
		for i := range again {
			if !sameRecord(again[i], records[i]) {
				t.Errorf("record %d: %+v and %+v", i, records[i], again[i])
			}
		}
	})
}
