package offsetstore

import "context"

// Committed is a source as a read_committed consumer sees it: without aborted
// records, and each topic partition up to its first open transaction.
func Committed(s Source) Source { return committed{s} }

type committed struct{ Source }

func (s committed) Read(ctx context.Context, sink Sink) (Description, error) {
	ended := map[int32]bool{}
	var group []Record
	return s.Source.Read(ctx, func(d *Description, all []Record) error {
		group = group[:0]
		for _, r := range all {
			ended[r.Partition] = ended[r.Partition] || r.Txn == TxnOpen
			if !ended[r.Partition] && r.Txn == TxnNone {
				group = append(group, r)
			}
		}
		return sink(d, group)
	})
}
