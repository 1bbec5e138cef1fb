// Package offsetstore holds what an offsets topic contains, wherever it was
// read from: the records, the view they fold into, and the findings worth a
// person's attention. Its subpackages are the sources. It knows nothing of
// output formats, and writes to no stream.
package offsetstore

// Unknown stands for a topic partition, an offset or a timestamp that the
// source does not tell.
const Unknown = -1

// Header is a record header. Connect ignores headers on its offsets topic.
type Header struct {
	Key   string
	Value []byte // nil is a null value
}

// Txn is the state of the transaction a record was written in.
type Txn uint8

const (
	// TxnNone is a record outside any transaction, or of a committed one.
	TxnNone Txn = iota
	// TxnAborted is a record that only a read_uncommitted reader sees.
	TxnAborted
	// TxnOpen is a record whose transaction had no marker when it was read.
	TxnOpen
)

// String is "", "aborted" or "open".
func (t Txn) String() string { return [...]string{"", "aborted", "open"}[t] }

// Record is one record of an offsets topic. Key and Value nil are null, which
// is not the same as no bytes.
type Record struct {
	Partition int32 // topic partition, or Unknown
	Offset    int64 // or Unknown
	Timestamp int64 // epoch ms, or Unknown
	Key       []byte
	Value     []byte
	Headers   []Header
	Txn       Txn
}

// Place is where a record lies.
type Place struct {
	Partition int32 // or Unknown
	Offset    int64 // or Unknown
}
