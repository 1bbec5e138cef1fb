package offsetstore

import (
	"fmt"
	"runtime"
	"testing"

	"koffsets/decode"
	"koffsets/release"
	"koffsets/testdata/bench/corpus"
)

// inserts are records of n good keys, each on its home partition.
func inserts(n int) (records []Record, raw int) {
	var topic benchTopic
	for id := range n {
		topic.add([]byte(corpus.Key(id)), []byte(corpus.Value(id, id)))
	}
	return topic.records(), topic.raw
}

// updates are n records over these keys in random order, odd ones among them.
func updates(n int) (records []Record, raw int) {
	var topic benchTopic
	for key, value := range corpus.Records(n, n) {
		topic.add(key, value)
	}
	return topic.records(), topic.raw
}

type benchTopic struct {
	partitions [corpus.Partitions][]Record
	raw        int
}

func (t *benchTopic) add(key, value []byte) {
	p := &t.partitions[decode.Home(key, corpus.Partitions)]
	*p = append(*p, Record{Partition: int32(decode.Home(key, corpus.Partitions)), Offset: int64(len(*p)), Timestamp: 1_796_025_600_000, Key: key, Value: value})
	t.raw += len(key) + len(value)
}

// records brings the records as fetch answers do: a run of each topic partition
// in turn, the bytes one behind the other.
func (t *benchTopic) records() []Record {
	const run = 5000
	var all []Record
	for at := 0; ; at += run {
		before := len(all)
		for _, p := range t.partitions {
			all = append(all, p[min(at, len(p)):min(at+run, len(p))]...)
		}
		if len(all) == before {
			break
		}
	}
	bytes := make([]byte, 0, t.raw)
	move := func(b []byte) []byte {
		if b == nil {
			return nil
		}
		from := len(bytes)
		bytes = append(bytes, b...)
		return bytes[from:len(bytes):len(bytes)]
	}
	for i := range all {
		all[i].Key, all[i].Value = move(all[i].Key), move(all[i].Value)
	}
	return all
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

// forget lets go of the records whose keys are odd, which all are kept.
func (f *Fold) forget() {
	for _, s := range f.shards {
		s.oddities = s.oddities[:0]
	}
}

func BenchmarkAdd(b *testing.B) {
	for _, n := range []int{20_000, 200_000, 1_000_000} {
		records, raw := inserts(n)
		again, rawAgain := updates(n)
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
			for i := range again {
				again[i].Offset += int64(n)
			}
			b.ReportAllocs()
			b.SetBytes(int64(rawAgain))
			for b.Loop() {
				f.forget()
				addAll(f, again)
			}
			perRecord(b)
		})
	}
}

// BenchmarkHeap reports what a live key costs against its raw bytes.
func BenchmarkHeap(b *testing.B) {
	for _, n := range []int{20_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			records, raw := inserts(n)
			for b.Loop() {
				before := heap()
				f := benchFold()
				addAll(f, records)
				b.ReportMetric(float64(heap()-before)/float64(raw), "heap/raw")
				v := f.View(Description{Partitions: corpus.Partitions})
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
		records, _ := inserts(n)
		f := benchFold()
		addAll(f, records)
		d := Description{Topic: "connect-offsets", Partitions: corpus.Partitions}
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
