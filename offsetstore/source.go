package offsetstore

import "context"

// Sink takes records in, in groups of any size. d is what the source knows of
// itself by then: the topic, its partition count and the ids are there from the
// first call on. Records, their bytes and d belong to the source again when the
// sink returns.
type Sink func(d *Description, records []Record) error

// Source yields the records of one offsets topic, wherever they lie.
type Source interface {
	// Read hands every record to sink, in offset order within each topic
	// partition. All records are handed over, aborted and open ones too, each
	// marked: the fold applies the isolation level.
	//
	// A read that began always returns a Description, which says whether it is
	// complete. The error is for what could not be read at all, for an error of
	// sink, and for a context that ended (then the Description is what was read).
	Read(ctx context.Context, sink Sink) (Description, error)
}

// Isolation is a consumer's isolation level.
type Isolation uint8

// The isolation levels. Workers without exactly-once read uncommitted.
const (
	ReadCommitted Isolation = iota
	ReadUncommitted
)

// String is the value of Kafka's isolation.level.
func (i Isolation) String() string {
	return [...]string{"read_committed", "read_uncommitted"}[i]
}

// Description is what a source says of itself once it was read.
type Description struct {
	Kind       string // "topic", "dump", "sandbox"
	Name       string // bootstrap address, path, fixture
	Topic      string // "" where unknown
	ClusterID  string // "" where unknown
	TopicID    string // "" where unknown
	Partitions int    // partition count of the topic, 0 where unknown
	// Ranges are the offsets read, ascending by partition; empty where unknown.
	Ranges []Range
	// Incomplete says for each topic partition why it was not read to its end.
	// Empty means complete.
	Incomplete []Incomplete
	// Notes are facts for a person about how the reading went.
	Notes []string
	// Settings are the topic's settings, nil where the source has none.
	Settings *Settings
}

// Complete reports whether everything was read.
func (d *Description) Complete() bool { return len(d.Incomplete) == 0 }

// Range is the part of a topic partition that was read: Start ≤ offset < End.
// LastStable is the last stable offset: where read_committed readers end. It is
// End where no transaction is open, else the offset of the first TxnOpen record;
// the fold goes by the records' marks.
type Range struct {
	Partition              int32
	Start, End, LastStable int64
}

// Incomplete is a topic partition (or the whole source: Unknown) that was not
// read to its end. Finding is "read-incomplete", "file-truncated" or
// "segment-corrupt".
type Incomplete struct {
	Partition int32
	Offset    int64 // the first offset not read, or Unknown
	Reason    string
	Finding   ID
}

// Settings are facts of a live topic that decide whether it can hold offsets.
type Settings struct {
	CleanupPolicy     string // as the broker says it: "compact"; "" where not told
	ReplicationFactor int    // smallest over the partitions
	UnderReplicated   []int32
}
