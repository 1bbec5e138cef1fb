package dump

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"

	"koffsets/offsetstore"
)

func corpus(n int) []offsetstore.Record {
	records := make([]offsetstore.Record, n)
	for i := range records {
		records[i] = offsetstore.Record{
			Partition: int32(i % 25), Offset: int64(i / 25), Timestamp: 1700000000000 + int64(i),
			Key:   fmt.Appendf(nil, `["inventory-%03d",{"server":"dbserver%d","table":"public.orders_%d"}]`, i%200, i%50, i),
			Value: fmt.Appendf(nil, `{"ts_sec":%d,"file":"mysql-bin.%06d","pos":%d,"row":1,"server_id":223344,"event":2}`, 1700000000+i, i%1000, i*37),
		}
	}
	return records
}

func BenchmarkRead(b *testing.B) {
	in := write(b, offsetstore.Description{}, corpus(20_000)...)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		_, err := NewReader("b", bytes.NewReader(in), Options{}).Read(context.Background(), func(_ *offsetstore.Description, r []offsetstore.Record) error { n += len(r); return nil })
		if err != nil || n != 20_000 {
			b.Fatal(n, err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	records := corpus(20_000)
	b.SetBytes(int64(len(write(b, offsetstore.Description{}, records...))))
	b.ReportAllocs()
	for b.Loop() {
		w := NewWriter(io.Discard, offsetstore.ReadUncommitted)
		if err := w.Write(&offsetstore.Description{}, records); err != nil {
			b.Fatal(err)
		}
		if err := w.Close(offsetstore.Description{}); err != nil {
			b.Fatal(err)
		}
	}
}
