package dump

import (
	"os"
	"strings"
	"testing"

	"koffsets/offsetstore"
)

// TestThePageOfFormatsShowsARealDump keeps the example of docs/formats.md equal
// to what is written.
func TestThePageOfFormatsShowsARealDump(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	out := write(t, offsetstore.Description{
		Topic: "connect-offsets", Partitions: 25, ClusterID: "k1wBq0OsQ7mQg", TopicID: "AAAAAAAAAAAAAAAAAAAAAQ",
		Ranges: []offsetstore.Range{{Partition: 3, Start: 0, End: 20, LastStable: 19}, {Partition: 13, Start: 5, End: 13, LastStable: 13}},
	},
		offsetstore.Record{Partition: 13, Offset: 12, Timestamp: 1795000012000, Key: []byte(`["mysql-cdc",{"server":"shop"}]`), Value: []byte(`{"file":"bin.000007","pos":4711}`)},
		offsetstore.Record{Partition: 3, Offset: 17, Timestamp: 1795000017000, Key: []byte("orders\xff"), Headers: []offsetstore.Header{{Key: "by", Value: []byte("kcat")}}},
		offsetstore.Record{Partition: 3, Offset: 19, Timestamp: 1795000019000, Key: []byte(`["c",{"p":1}]`), Value: []byte{}, Txn: offsetstore.TxnOpen},
	)
	if !strings.Contains(string(page), "```\n"+string(out)+"```\n") {
		t.Errorf("docs/formats.md lacks this dump:\n%s", out)
	}
}
