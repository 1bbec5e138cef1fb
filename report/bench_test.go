package report

import (
	"fmt"
	"io"
	"testing"

	"koffsets/offsetstore"
)

func BenchmarkView(b *testing.B) {
	const n = 20_000
	records := make([]offsetstore.Record, n)
	for i := range records {
		records[i] = record(int32(i%25), int64(i), fmt.Sprintf(`["inventory-%03d",{"server":"dbserver%d","table":"public.orders_%d"}]`, i%200, i%50, i),
			fmt.Sprintf(`{"ts_sec":%d,"file":"mysql-bin.%06d","pos":%d,"row":1,"server_id":223344,"event":2}`, 1700000000+i, i%1000, i*37))
	}
	v := viewOf(b, "3.6.1", records...)
	b.Run("entries alone", func(b *testing.B) {
		for b.Loop() {
			for range v.Entries() {
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/item")
	})
	for _, f := range []Format{Table, JSONLines, JSON, YAML, TSV} {
		b.Run(f.String(), func(b *testing.B) {
			for b.Loop() {
				if err := Write(io.Discard, f, NewView(v, nil), Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/item")
		})
	}
}
