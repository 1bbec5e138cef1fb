package offsetstore

import (
	"koffsets/decode"
	"koffsets/release"
)

// shard is one topic partition.
//
// Both isolation levels come from two tables: main holds what every reader
// sees, over what only a read_uncommitted reader sees and no record for all has
// overtaken since.
type shard struct {
	partition int32
	main      *table
	over      *table // nil while empty
	odd       *table // keys that name no source partition; nil while empty
	oddities  []oddity
	// open is set from the first record of an open transaction on: what follows
	// lies behind the last stable offset.
	open      bool
	openPlace oddity
	behind    int   // records from there on
	arrivals  int64 // of records without an offset
	lost      int   // records that found no room
}

// oddity is a record whose key names no source partition.
type oddity struct {
	offset, timestamp int64
	unit              uint32 // of its key in odd; noKey for a null key
	uncommitted       bool   // only a read_uncommitted reader sees it
}

const noKey = 1<<32 - 1

func (s *shard) add(rules *release.Rules, hash uint32, r *Record) {
	offset := r.Offset
	if offset < 0 {
		s.arrivals++
		offset = -1 - s.arrivals
	}
	if r.Txn == TxnOpen && !s.open {
		s.open, s.openPlace = true, oddity{offset: offset, timestamp: r.Timestamp}
	}
	if s.open {
		s.behind++
	}
	uncommitted := s.open || r.Txn == TxnAborted
	if !uncommitted && s.over == nil && r.Key != nil {
		slot, it := s.main.reserve(hash, r.Key)
		if it != nil {
			s.keep(s.main.update(slot, it, offset, r.Timestamp, r.Value))
			return
		}
		if s.accepted(rules, hash, r.Key) {
			s.keep(s.main.insert(slot, hash, r.Key, offset, r.Timestamp, r.Value))
			return
		}
	}
	s.addRare(rules, hash, r, offset, uncommitted)
}

// addRare takes what the two isolation levels may see differently, and keys
// that name no source partition.
func (s *shard) addRare(rules *release.Rules, hash uint32, r *Record, offset int64, uncommitted bool) {
	known := r.Key != nil && (s.main.lookup(hash, r.Key) != nil || s.over.lookup(hash, r.Key) != nil)
	switch {
	case !known && (r.Key == nil || !s.accepted(rules, hash, r.Key)):
		s.addOdd(hash, r, offset, uncommitted)
	case uncommitted:
		if s.over == nil {
			s.over = newTable(s.main.seed)
		}
		s.keep(s.over.put(hash, r.Key, offset, r.Timestamp, r.Value))
	default:
		s.keep(s.main.put(hash, r.Key, offset, r.Timestamp, r.Value))
		if it := s.over.lookup(hash, r.Key); it != nil && !(offset >= 0 && offset < it.offset()) {
			s.over.drop(it)
		}
	}
}

// accepted reports whether a key names a source partition. Keys that are known
// not to are not scanned again.
func (s *shard) accepted(rules *release.Rules, hash uint32, key []byte) bool {
	if s.odd.lookup(hash, key) != nil {
		return false
	}
	c := decode.CheckKey(rules, key)
	return c.Verdict == decode.OK
}

func (s *shard) addOdd(hash uint32, r *Record, offset int64, uncommitted bool) {
	o := oddity{offset: offset, timestamp: r.Timestamp, unit: noKey, uncommitted: uncommitted}
	if r.Key != nil {
		if s.odd == nil {
			s.odd = newTable(s.main.seed)
		}
		if !s.keep(s.odd.put(hash, r.Key, -1, 0, nil)) {
			return
		}
		slot, _ := s.odd.find(hash, r.Key)
		o.unit = uint32(s.odd.words[slot]) - 1
	}
	s.oddities = append(s.oddities, o)
}

// keep counts what found no room.
func (s *shard) keep(ok bool) bool {
	if !ok {
		s.lost++
	}
	return ok
}
