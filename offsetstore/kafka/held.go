package kafka

// held keeps the entries of one topic partition back until the transaction of
// the first of them is decided, so that they leave in offset order, each with
// its final state.
//
// A transaction is decided by its producer's next marker. A read_committed
// fetch would say the same in other words (a list of aborted transactions), but
// it ends at the last stable offset; this way one pass serves both levels.
type held struct {
	entries []entry
	head    int           // entries before it have left
	gone    int           // entries that left before entries[0]
	bytes   int           // as they lie in the log
	latest  map[int64]int // the last undecided entry of each producer, counted from the partition's first
}

// heldLimit bounds what is kept for all topic partitions together. Hanging
// transactions do not count, see partition.accept, so that it takes a strange
// log to get here.
const heldLimit = 1 << 30

func (h *held) empty() bool { return h.head == len(h.entries) }

// push takes an entry of data in.
func (h *held) push(e entry) {
	if e.undecided {
		if h.latest == nil {
			h.latest = make(map[int64]int)
		}
		e.earlier = -1
		if i, ok := h.latest[e.producer]; ok {
			e.earlier = i
		}
		h.latest[e.producer] = h.gone + len(h.entries)
	}
	h.entries = append(h.entries, e)
	h.bytes += len(e.raw)
}

// decide applies a producer's marker to what it wrote before. A marker of an
// older epoch than the data's cannot speak for the data.
func (h *held) decide(producer int64, epoch int16, abort bool) {
	newest, ok := h.latest[producer]
	if !ok {
		return
	}
	link := &newest
	for *link >= 0 {
		e := &h.entries[*link-h.gone]
		if e.epoch > epoch {
			link = &e.earlier
			continue
		}
		e.undecided, e.aborted = false, abort
		*link = e.earlier
	}
	if newest < 0 {
		delete(h.latest, producer)
	} else {
		h.latest[producer] = newest
	}
}

// next is the first entry if its state is final, else nil.
func (h *held) next() *entry {
	if h.empty() || h.entries[h.head].undecided {
		return nil
	}
	return &h.entries[h.head]
}

// pop lets the first entry go.
func (h *held) pop() {
	h.bytes -= len(h.entries[h.head].raw)
	h.entries[h.head] = entry{} // lets go of the bytes
	h.head++
	if h.empty() || h.head > 1024 && h.head > len(h.entries)/2 {
		h.gone += h.head
		n := copy(h.entries, h.entries[h.head:])
		clear(h.entries[n:])
		h.entries, h.head = h.entries[:n], 0
	}
}

// settle ends the waiting: below decided every transaction is, and where the
// log has no marker any more it was committed (the cleaner drops the marker of
// a transaction only with its last record; aborted records never outlive
// theirs). From there on they are open.
func (h *held) settle(decided int64) (unmarked int) {
	for i := h.head; i < len(h.entries); i++ {
		e := &h.entries[i]
		if !e.undecided {
			continue
		}
		e.undecided = false
		if e.open = e.last >= decided; !e.open {
			unmarked++
		}
	}
	clear(h.latest)
	return unmarked
}
