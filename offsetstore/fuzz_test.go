package offsetstore

import (
	"bytes"
	"encoding/binary"
	"testing"

	"koffsets/release"
)

// FuzzFold folds any bytes and asks everything of the view: nothing panics, the
// counts add up, and the answers are the same the second time.
func FuzzFold(f *testing.F) {
	for i, text := range []string{
		`["c",{"p":"v"}]`, `["c",{"topic":"t","partition":0,"cluster":"a"}]`, `["c",{"p":1.50,"q":[]}]`, `["c",null]`,
		`[1,{}]`, `{}`, ``, "\x00", "\xff\xfe[\x00]\x00", `["\ud800",{"\ud83d\ude00":18446744073709551617}]`, `["c",{"a":1,"a":2}] x`,
	} {
		key := []byte(text)
		f.Add(int16(i), int64(i), key, []byte(`{"o":1}`), bytes.ReplaceAll(key, []byte(`:`), []byte(`: `)), []byte("null"), int32(25))
	}
	f.Fuzz(func(t *testing.T, shape int16, n int64, key, value, key2, value2 []byte, partitions int32) {
		var records []Record
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], uint64(n)*0x9e3779b97f4a7c15)
		for i, b := range word {
			r := Record{Partition: int32(b>>6) - 1, Offset: int64(i) - int64(b>>4&3), Timestamp: n, Txn: Txn(b >> 2 & 3 % 3)}
			r.Key, r.Value = key, value
			if b&1 != 0 {
				r.Key = key2
			}
			if b&2 != 0 {
				r.Value = value2
			}
			if b == 7 {
				r.Value = nil
			}
			records = append(records, r)
		}
		known := release.Known()
		o := Options{Release: release.MustParse(known[int(uint16(shape))%len(known)]), Isolation: Isolation(n & 1)}
		d := Description{Topic: string(key2), Partitions: int(max(partitions, 0))}
		answer := func() []byte {
			fold := NewFold(o)
			fold.Add(records)
			v := fold.View(d)
			var all []byte
			entries := 0
			for e := range v.Entries() {
				entries++
				all = e.SourcePartition.AppendJSON(append(all, e.Key...))
			}
			if s := v.Summary; s.Live+s.Deleted+s.Null+s.Unreadable != entries || s.Records != len(records) {
				t.Fatalf("%d source partitions, counted %+v", entries, s)
			}
			for _, c := range v.Connectors() {
				listing, _ := v.REST(c)
				all = append(all, listing...)
			}
			for _, found := range v.Findings(FindingOptions{}) {
				if _, ok := LookupKind(string(found.ID)); !ok || found.Detail == "" {
					t.Fatalf("%+v", found)
				}
				all = append(all, found.Detail...)
			}
			return all
		}
		if first, second := answer(), answer(); !bytes.Equal(first, second) {
			t.Fatalf("%q, then %q", first, second)
		}
	})
}
