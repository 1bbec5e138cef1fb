package kafka

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"koffsets/offsetstore"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// replicated is one topic partition as two brokers keep it, the leader's log
// and what it tells of it. What a reader must not take for the log of one
// moment happens to it between two requests: see happen.
type replicated struct {
	rand *rand.Rand

	batches    []written
	start, end int64
	high       int64 // high watermark
	leader     int32
	epochs     []epochStart // leader epochs in the log, ascending
	producers  [3]int16     // epochs of the producers 0, 1, 2

	told    []snapshot      // the log as it was whenever its end was told
	history map[string]bool // all records there ever were
}

type epochStart struct {
	epoch int32
	start int64
}

// written is a batch of a log; its records lie at its first and last offsets.
type written struct {
	made
	keys map[int64]string
}

func (w *written) last() int64 { return w.base + int64(w.delta) }

// snapshot is the log as a reader should give it.
type snapshot struct {
	end    int64
	stable int64
	lines  []string
}

func newReplicated(r *rand.Rand) *replicated {
	l := &replicated{rand: r, history: map[string]bool{}, leader: int32(r.IntN(2))}
	l.epochs = []epochStart{{int32(r.IntN(3)), 0}}
	for range r.IntN(20) {
		l.write()
		l.high = l.end
	}
	for range r.IntN(3) {
		l.compact()
	}
	return l
}

func (l *replicated) epoch() int32 { return l.epochs[len(l.epochs)-1].epoch }

// write appends a batch: plain, of a transaction, or a marker.
func (l *replicated) write() {
	p := int64(l.rand.IntN(len(l.producers)))
	b := written{made: made{base: l.end, producer: -1, count: 1}, keys: map[int64]string{}}
	switch l.rand.IntN(4) {
	case 0:
		b.producer, b.epoch, b.attrs = p, l.producers[p], attrTransactional
	case 1:
		b.producer, b.attrs = p, attrTransactional|attrControl
		if l.rand.IntN(2) == 0 { // each transaction has an epoch of its own from Kafka 4.0 on
			l.producers[p]++
		}
		b.epoch = l.producers[p]
		b.records = rec(0, string([]byte{0, 0, 0, byte(l.rand.IntN(2))}))
	}
	if b.attrs&attrControl == 0 {
		b.key(0)
		if b.delta = int32(l.rand.IntN(4)); b.delta > 0 {
			b.count = 2
			b.key(b.delta)
		}
	}
	l.end = b.last() + 1
	l.batches = append(l.batches, b)
	for at, key := range b.keys {
		l.history[fmt.Sprint(at, " ", key)] = true
	}
}

// key adds a record whose key no other log of the run has at its offset.
func (w *written) key(delta int32) {
	at := w.base + int64(delta)
	w.keys[at] = fmt.Sprintf("k%d.%d", at, len(w.records)+int(w.epoch))
	w.records = append(w.records, rec(int64(delta), w.keys[at])...)
}

// compact drops a batch without a transaction, or its records.
func (l *replicated) compact() {
	if len(l.batches) < 2 {
		return
	}
	i := l.rand.IntN(len(l.batches) - 1)
	b := &l.batches[i]
	if b.producer >= 0 {
		return
	}
	if l.rand.IntN(2) == 0 {
		b.records, b.count, b.keys = nil, 0, nil
		return
	}
	l.batches = slices.Delete(l.batches, i, i+1)
}

// happen lets one thing happen. Within a leader epoch the high watermark only
// rises.
func (l *replicated) happen() {
	switch n := l.rand.IntN(16); {
	case n < 7:
		l.write()
		if l.rand.IntN(4) > 0 {
			l.high = l.end
		}
	case n < 10:
		l.elect(l.end)
	case n < 12: // unclean: the new leader had not all of it
		l.elect(l.start + l.rand.Int64N(l.end-l.start+1))
		for range l.rand.IntN(4) {
			l.write()
		}
		if l.rand.IntN(2) == 0 { // and back, so that it looks as if nothing had happened
			l.elect(l.end)
			l.high = l.end
		}
	case n < 13:
		l.start += l.rand.Int64N(l.high - l.start + 1)
		l.batches = slices.DeleteFunc(l.batches, func(b written) bool { return b.last() < l.start })
	case n < 14: // a new leader finds out only later how far all replicas are
		l.elect(l.end)
		l.high = l.start + l.rand.Int64N(l.high-l.start+1)
	default:
		l.high = l.end
	}
}

// elect makes the other broker the leader, whose log ends at end.
func (l *replicated) elect(end int64) {
	epoch := l.epoch() + 1
	l.leader = 1 - l.leader
	l.batches = slices.DeleteFunc(l.batches, func(b written) bool { return b.last() >= end })
	if n := len(l.batches); end < l.end {
		l.end = l.start
		if n > 0 {
			l.end = max(l.start, l.batches[n-1].last()+1)
		}
	}
	l.high = min(l.high, l.end)
	l.epochs = slices.DeleteFunc(l.epochs, func(e epochStart) bool { return e.start >= l.end })
	l.epochs = append(l.epochs, epochStart{epoch, l.end})
}

// fates are the transactions as the markers below end decide them: of each
// batch, by index, and where the first open one begins.
func (l *replicated) fates(end int64) (fates []offsetstore.Txn, open int64) {
	fates, open = make([]offsetstore.Txn, len(l.batches)), end
	undecided := map[int64][]int{}
	for i, b := range l.batches {
		switch {
		case b.base >= end || b.producer < 0:
		case b.attrs&attrControl == 0:
			fates[i] = offsetstore.TxnOpen
			undecided[b.producer] = append(undecided[b.producer], i)
		default:
			fate := offsetstore.TxnNone
			if b.records[len(b.records)-3] == markerAbort {
				fate = offsetstore.TxnAborted
			}
			for _, j := range undecided[b.producer] {
				fates[j] = fate
			}
			delete(undecided, b.producer)
		}
	}
	for _, is := range undecided {
		open = min(open, l.batches[is[0]].base)
	}
	return fates, max(open, min(l.start, end))
}

// tell notes the log as its end is told.
func (l *replicated) tell() {
	s := snapshot{end: l.high}
	var fates []offsetstore.Txn
	fates, s.stable = l.fates(l.high)
	for i, b := range l.batches {
		for _, at := range slices.Sorted(maps.Keys(b.keys)) {
			if at >= l.start && at < l.high {
				s.lines = append(s.lines, line(at, b.keys[at], fates[i]))
			}
		}
	}
	l.told = append(l.told, s)
}

func line(at int64, key string, txn offsetstore.Txn) string {
	return fmt.Sprintf("%d %s %s", at, key, txn)
}

// refuse is what the broker says that may not answer.
func (l *replicated) refuse(node, epoch int32) *kerr.Error {
	switch {
	case epoch >= 0 && epoch < l.epoch():
		return kerr.FencedLeaderEpoch
	case epoch > l.epoch():
		return kerr.UnknownLeaderEpoch
	case node != l.leader:
		return kerr.NotLeaderForPartition
	}
	return nil
}

// list answers a request for offsets.
func (l *replicated) list(isolation int8, of int64) (int64, *kerr.Error) {
	if of == earliest {
		return l.start, nil
	}
	if l.epochs[len(l.epochs)-1].start > l.high {
		return -1, kerr.OffsetNotAvailable
	}
	if isolation == 1 {
		_, stable := l.fates(l.high)
		return stable, nil
	}
	l.tell()
	return l.high, nil
}

// epochEnd answers how far a leader epoch goes.
func (l *replicated) epochEnd(epoch int32) int64 {
	i, _ := slices.BinarySearchFunc(l.epochs, epoch+1, func(e epochStart, want int32) int { return cmp.Compare(e.epoch, want) })
	switch {
	case epoch == l.epoch():
		return l.end
	case i == len(l.epochs):
		return -1
	}
	return l.epochs[i].start
}

// fetch answers a fetch.
func (l *replicated) fetch(at int64, most int32, p *kmsg.FetchResponseTopicPartition) *kerr.Error {
	p.HighWatermark, p.LogStartOffset = l.high, l.start
	_, p.LastStableOffset = l.fates(l.high)
	if at < l.start || at > l.end {
		return kerr.OffsetOutOfRange
	}
	for _, b := range l.batches {
		if b.last() < at || b.last() >= l.high {
			continue
		}
		bytes := b.bytes()
		if n := len(p.RecordBatches); n > 0 && n+len(bytes) > int(most) {
			break
		}
		p.RecordBatches = append(p.RecordBatches, bytes...)
	}
	return nil
}
