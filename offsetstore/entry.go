package offsetstore

import "koffsets/decode"

// State is what became of a source partition.
type State uint8

const (
	// Live: there is a source offset.
	Live State = iota
	// Deleted: the last record is a tombstone.
	Deleted
	// Null: there is a value that reads as null, yet it is no tombstone.
	Null
	// Unreadable: there is a value that no worker can read.
	Unreadable
)

var stateNames = [...]string{"live", "deleted", "null", "unreadable"}

// String is the state's public name.
func (s State) String() string { return stateNames[s] }

// Copy is the last record of one exact key on one topic partition.
type Copy struct {
	Place
	Timestamp int64
	Key       []byte
	Value     []byte // nil for a tombstone
	Tombstone bool
	Spelling  decode.Spelling
	Misplaced bool // not on the key's home partition; false where that is unknown
	Offset    decode.Offset

	parsed *decode.Key
}

// Entry is a source partition and everything the topic holds about it. Two
// spellings that Java finds equal are one source partition.
//
// State, Place, Timestamp, Key, Value, Offset and Canonical are those of the
// record shown: of the last offset under a spelling that Connect writes, else
// under any spelling, else of the last tombstone. Across topic partitions the
// record with the later timestamp counts as the later one.
type Entry struct {
	Connector       string // WTF-8
	SourcePartition decode.Object
	State           State
	Place           Place
	Timestamp       int64
	Key             []byte
	Value           []byte
	Offset          decode.Offset
	Canonical       bool   // Key is the canonical spelling
	CanonicalKey    []byte // what Connect writes for the parsed key
	Nested          bool   // a list or map inside: no lookup, reset or listing works
	Listed          Listed
	Found           Found
	// Copies holds the last record of every spelling on every topic partition,
	// ordered by topic partition and offset.
	Copies []Copy
	// Split: one exact key lies on several topic partitions.
	Split bool
	// Ambiguous: Split, and the copies differ, so that what a task finds hangs
	// on the order in which a worker reads the topic partitions.
	Ambiguous bool

	// orderDecides: Listed.Shown hangs on the order of topic partitions.
	orderDecides bool

	wins      []bool // by copy: a lookup of its key finds it
	spellings []exactKey
	canonical *Copy // what a lookup of CanonicalKey finds
}

// Spellings counts the different keys of the source partition.
func (e *Entry) Spellings() int { return len(e.spellings) }

// exactKey is the copies of one key, and which of them a lookup finds.
type exactKey struct {
	copies []int
	winner int
}

// Listed is what GET /connectors/{connector}/offsets shows of a source
// partition.
type Listed struct {
	Shown bool
	// Offset is what the lookup of the canonical spelling finds; nil is null.
	Offset *decode.Object
	// Ambiguous: what is shown hangs on more than the last records. Offsets and
	// tombstones lie on several topic partitions, so that Shown hangs on the order
	// in which a worker reads them; or live spellings have fields of one hash
	// bucket in different orders, so that Offset is looked up under the one that
	// the worker read first.
	Ambiguous bool
}

// Found is what a task's lookup gets; nil is no offset.
type Found struct {
	// Canonical is found under the canonical spelling.
	Canonical *decode.Object
	// Own is found under the spelling the connector itself wrote last, as far
	// as the topic tells: a spelling no worker writes counts only where there
	// is no other.
	Own *decode.Object
}
