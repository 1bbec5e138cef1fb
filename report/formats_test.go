package report

import (
	"os"
	"slices"
	"strings"
	"testing"

	"koffsets/offsetstore"
	"koffsets/release"
)

// TestThePageOfFormatsShowsRealOutput keeps the examples of docs/formats.md
// equal to what is printed.
func TestThePageOfFormatsShowsRealOutput(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	v := viewOf(t, "3.6.1",
		record(13, 12, `["mysql-cdc",{"server":"shop"}]`, `{"file":"bin.000007","pos":4711}`),
		record(3, 17, "orders\xff", `{}`),
	)
	v.Description.Ranges = []offsetstore.Range{{Partition: 3, End: 18, LastStable: 18}, {Partition: 13, End: 13, LastStable: 13}}
	scan := NewScan(v, []offsetstore.Finding{{
		ID: offsetstore.KeyNotJSON, Severity: offsetstore.Error, Place: offsetstore.Place{Partition: 3, Offset: 17}, Timestamp: epoch,
		Key: []byte("orders\xff"), HasKey: true, Detail: "Byte 0: unexpected character. Workers skip the record.",
		WorkerLog: "Ignoring offset partition key with unknown serialization. Expected json.", Fix: "koffsets explain key-not-json",
	}})
	decoded := NewDecode(slices.Values([]DecodeInput{{Key: []byte(`["c", {"p":01}]`)}}), DecodeOptions{
		Partitions: 25, Releases: []release.Release{release.MustParse("3.5.2"), release.MustParse("3.6.1")},
	})
	for _, c := range []struct {
		f Format
		r Result
	}{
		{JSON, scan},
		{JSONLines, NewView(v, nil)},
		{JSONLines, decoded},
		{TSV, NewView(v, nil)},
	} {
		if out := print(t, c.f, c.r, Options{}); !strings.Contains(string(page), "```\n"+out+"```\n") {
			t.Errorf("docs/formats.md lacks this %s of %s:\n%s", c.f, c.r.Schema(), out)
		}
	}
}
