package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"

	"koffsets/decode"
	"koffsets/offsetstore"
	"koffsets/release"
	"koffsets/testdata/bench/corpus"
)

// decode holds the checks of keys and values against the standard library.
func (b *bench) decode() error {
	const n = 1 << 14
	var keys, values [][]byte
	for key, value := range corpus.Records(n, n) {
		keys = append(keys, key)
		if value != nil {
			values = append(values, value)
		}
	}
	keys, values = oneBehindTheOther(keys), oneBehindTheOther(values)
	rules := release.MustParse(release.Default).Rules
	checkKeys := func() {
		for _, k := range keys {
			decode.CheckKey(&rules, k)
		}
	}
	checkValues := func() {
		for _, v := range values {
			decode.CheckValue(&rules, v)
		}
	}
	all, err := b.compare(b.rounds,
		way{"CheckKey", loop(len(keys), checkKeys)},
		way{"json []RawMessage", loop(len(keys), func() {
			for _, k := range keys {
				rawMessages(k)
			}
		})},
		way{"CheckValue", loop(len(values), checkValues)},
		way{"json.Valid", loop(len(values), func() {
			for _, v := range values {
				json.Valid(v)
			}
		})})
	if err != nil {
		return err
	}
	bar("key check / encoding/json v1", 0.06, all[0], all[1])
	bar("value check / json.Valid", 0.30, all[2], all[3])
	allocs := allocations(func() { checkKeys(); checkValues() })
	fmt.Printf("%-44s %d in %d checks  bar 0 %s\n", "allocations of both checks", allocs, len(keys)+len(values), verdict(allocs == 0))
	absolute(all...)
	return nil
}

// oneBehindTheOther lays texts out in memory as a fetch answer does.
func oneBehindTheOther(texts [][]byte) [][]byte {
	all := bytes.Join(texts, nil)
	for i, text := range texts {
		texts[i], all = all[:len(text):len(text)], all[len(text):]
	}
	return texts
}

// rawMessages gets of a key what CheckKey does, near enough.
func rawMessages(key []byte) (name string, partition json.RawMessage, ok bool) {
	var raw []json.RawMessage
	if json.Unmarshal(key, &raw) != nil || len(raw) != 2 || json.Unmarshal(raw[0], &name) != nil {
		return "", nil, false
	}
	return name, raw[1], raw[1][0] == '{'
}

func allocations(f func()) uint64 {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}

// heap holds the memory of a million live keys against their bytes.
func (b *bench) heap() error {
	const keys = 1_000_000
	before := heapInUse()
	fold := offsetstore.NewFold(offsetstore.Options{Release: release.MustParse(release.Default)})
	raw := 0
	group := make([]offsetstore.Record, 0, 512)
	for id := range keys {
		key, value := []byte(corpus.Key(id)), []byte(corpus.Value(id, id))
		raw += len(key) + len(value)
		group = append(group, offsetstore.Record{
			Partition: int32(decode.Home(key, corpus.Partitions)), Offset: int64(id), Timestamp: 1_796_025_600_000, Key: key, Value: value,
		})
		if len(group) == cap(group) || id == keys-1 {
			fold.Add(group)
			group = group[:0]
		}
	}
	folded := heapInUse() - before
	view := fold.View(offsetstore.Description{Partitions: corpus.Partitions})
	viewed := heapInUse() - before
	if view.Summary.Live != keys {
		return fmt.Errorf("%d of %d keys are live", view.Summary.Live, keys)
	}
	ratio := func(n uint64) float64 { return float64(n) / float64(raw) }
	fmt.Printf("%-44s %5.3f×  bar 1.40× %s\n", "heap of 1M live keys, the view too / raw bytes", ratio(viewed), verdict(ratio(viewed) <= 1.4))
	fmt.Printf("    raw %d MB, %d B a key; folded %.3f×, with the view %.3f×\n", raw>>20, raw/keys, ratio(folded), ratio(viewed))
	runtime.KeepAlive(view)
	return nil
}

func heapInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
