package offsetstore

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"koffsets/decode"
	"koffsets/release"
)

const benchPartitions = 25

// corpus makes records of n good keys in the shapes of usual connectors, each
// on its home partition, in runs of one topic partition as fetches bring them.
func corpus(n int) (records []Record, raw int) {
	rnd := rand.New(rand.NewPCG(1, 2))
	byPartition := make([][]Record, benchPartitions)
	for i := range n {
		var key, value string
		switch i % 7 {
		case 0:
			key = fmt.Sprintf(`["inventory-connector-%d",{"server":"dbserver%d"}]`, i%97, i)
			value = fmt.Sprintf(`{"transaction_id":null,"ts_sec":%d,"file":"mysql-bin.%06d","pos":%d,"row":1,"server_id":223344,"event":2}`, 1700000000+i, i%999, i*7)
		case 1:
			key = fmt.Sprintf(`["postgres-orders-%d",{"server":"shop_%d"}]`, i%31, i)
			value = fmt.Sprintf(`{"lsn_proc":%d,"messageType":"UPDATE","lsn":%d,"txId":%d,"ts_usec":%d}`, i*31, i*31, i, 1700000000000000+i)
		case 2:
			key = fmt.Sprintf(`["sqlserver-%d",{"server":"server%d","database":"testDB%d"}]`, i%11, i, i%5)
			value = fmt.Sprintf(`{"event_serial_no":1,"commit_lsn":"0000002b:00000557:%04x","change_lsn":"0000002b:00000557:0003"}`, i&0xffff)
		case 3:
			key = fmt.Sprintf(`["MirrorSourceConnector",{"cluster":"primary","partition":%d,"topic":"orders.shop.region-%d"}]`, i%64, i)
			value = fmt.Sprintf(`{"offset":%d}`, i*1000)
		case 4:
			key = fmt.Sprintf(`["jdbc_source_%d",{"protocol":"1","table":"warehouse.public.customers_%d"}]`, i%17, i)
			value = fmt.Sprintf(`{"timestamp_nanos":%d,"incrementing":%d,"timestamp":%d}`, i%1000, i, 1700000000000+i)
		case 5:
			key = fmt.Sprintf(`["file-source-%d",{"filename":"/data/in/2026/12/01/part-%07d.csv"}]`, i%5, i)
			value = fmt.Sprintf(`{"position":%d}`, i*13)
		default:
			key = fmt.Sprintf(`["mongo-%d",{"ns":"mongodb+srv://cluster0.example.net/sample_mflix.movies_%d"}]`, i%13, i)
			value = fmt.Sprintf(`{"_id":"{\"_data\": \"8267A9A1DB0000000D2B042C0100296E5A1004%08X\"}","copying":"false"}`, i)
		}
		p := decode.Home([]byte(key), benchPartitions)
		byPartition[p] = append(byPartition[p], Record{Partition: int32(p), Offset: int64(len(byPartition[p])), Timestamp: int64(1700000000000 + i), Key: []byte(key), Value: []byte(value)})
		raw += len(key) + len(value)
	}
	for _, some := range byPartition {
		rnd.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
		records = append(records, some...)
	}
	for i := range records {
		records[i].Offset = int64(i)
	}
	return records, raw
}

func benchFold() *Fold { return NewFold(Options{Release: release.MustParse(release.Default)}) }

const fetch = 512 // records handed over at a time

func addAll(f *Fold, records []Record) {
	for len(records) > 0 {
		n := min(fetch, len(records))
		f.Add(records[:n])
		records = records[n:]
	}
}

func BenchmarkAdd(b *testing.B) {
	for _, n := range []int{20_000, 200_000, 1_000_000} {
		records, raw := corpus(n)
		perRecord := func(b *testing.B) {
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/record")
		}
		b.Run(fmt.Sprintf("insert/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(raw))
			for b.Loop() {
				addAll(benchFold(), records)
			}
			perRecord(b)
		})
		b.Run(fmt.Sprintf("update/%d", n), func(b *testing.B) {
			f := benchFold()
			addAll(f, records)
			for i := range records {
				records[i].Offset = int64(n)
			}
			b.ReportAllocs()
			b.SetBytes(int64(raw))
			for b.Loop() {
				addAll(f, records)
			}
			perRecord(b)
		})
	}
}

// BenchmarkHeap reports what a live key costs against its raw bytes.
func BenchmarkHeap(b *testing.B) {
	for _, n := range []int{20_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			records, raw := corpus(n)
			for b.Loop() {
				before := heap()
				f := benchFold()
				addAll(f, records)
				b.ReportMetric(float64(heap()-before)/float64(raw), "heap/raw")
				v := f.View(Description{Partitions: benchPartitions})
				b.ReportMetric(float64(heap()-before)/float64(raw), "view/raw")
				b.ReportMetric(float64(raw)/float64(n), "raw-B/key")
				runtime.KeepAlive(v)
			}
		})
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkView is all that a scan does once the records are read.
func BenchmarkView(b *testing.B) {
	for _, n := range []int{20_000, 200_000} {
		records, _ := corpus(n)
		f := benchFold()
		addAll(f, records)
		d := Description{Topic: "connect-offsets", Partitions: benchPartitions}
		perKey := func(b *testing.B) {
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/key")
		}
		b.Run(fmt.Sprintf("findings/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if found := f.View(d).Findings(FindingOptions{}); len(found) > 0 {
					b.Fatal(found[0])
				}
			}
			perKey(b)
		})
		b.Run(fmt.Sprintf("entries/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for range f.View(d).Entries() {
				}
			}
			perKey(b)
		})
	}
}
