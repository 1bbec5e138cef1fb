package offsetstore

import (
	"iter"

	"koffsets/release"
)

// Summary counts what a view was made of.
type Summary struct {
	// Records is all records read, whatever became of them.
	Records int
	// Live, Deleted, Null and Unreadable count source partitions by state.
	Live, Deleted, Null, Unreadable int
	// Malformed counts the records whose key names no source partition, but for
	// those that name a connector and a null source partition: connectors
	// without partitions write them, and every release skips them.
	Malformed int
	// NullPartitions counts those.
	NullPartitions int
	// Connectors counts the connectors with a source partition, deleted or not.
	Connectors int
}

// View is what an offsets topic holds, as one release reads it at one
// isolation level. It shares the memory of the Fold it came from.
type View struct {
	Description Description
	Release     release.Release
	Isolation   Isolation
	Summary     Summary
}

// Entries yields every source partition, ordered by connector and canonical
// spelling; with names only those connectors'.
func (v *View) Entries(connectors ...string) iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {}
}

// Connectors lists the connectors, in order.
func (v *View) Connectors() []string { return nil }

// Findings lists what is wrong, worst first, then by topic partition, offset
// and id.
func (v *View) Findings(o FindingOptions) []Finding { return nil }

// REST is, byte for byte, what a worker of the release that has lost nothing
// answers to GET /connectors/{connector}/offsets. A connector that the topic
// does not know has no offsets. Releases before 3.5 have no such request: an
// error.
func (v *View) REST(connector string) ([]byte, error) { return nil, nil }
