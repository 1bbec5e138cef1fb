package report

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"koffsets/offsetstore"
	"koffsets/release"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares out with a file of testdata.
func golden(t *testing.T, name, out string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(out), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	a, b := strings.Split(out, "\n"), strings.Split(string(want), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Fatalf("%s differs in line %d (go test ./report -update writes it anew)\ngot  %s\nwant %s", name, i+1, a[i], b[i])
		}
	}
	if len(a) != len(b) {
		t.Errorf("%s has %d lines, want %d (go test ./report -update writes it anew)", name, len(a), len(b))
	}
}

const day = 24 * 60 * 60 * 1000

// epoch is the time of the first record of a fixture, in milliseconds.
const epoch = int64(1_795_000_000_000)

// record is a record of the fixtures; value "" is a tombstone.
func record(partition int32, offset int64, key, value string) offsetstore.Record {
	r := offsetstore.Record{Partition: partition, Offset: offset, Timestamp: epoch + offset*1000, Key: []byte(key)}
	if value != "" {
		r.Value = []byte(value)
	}
	return r
}

// viewOf folds records of a topic that was read whole.
func viewOf(t testing.TB, version string, records ...offsetstore.Record) *offsetstore.View {
	t.Helper()
	f := offsetstore.NewFold(offsetstore.Options{Release: release.MustParse(version)})
	f.Add(records)
	return f.View(offsetstore.Description{
		Kind: "topic", Name: "k1:9092", Topic: "connect-offsets", ClusterID: "k1wBq0OsQ7mQg", Partitions: 25,
		Ranges: []offsetstore.Range{{Partition: 3, Start: 0, End: 20, LastStable: 20}, {Partition: 19, Start: 5, End: 9, LastStable: 9}},
	})
}

// incident is a topic with much that is wrong.
func incident() []offsetstore.Record {
	return []offsetstore.Record{
		record(3, 3, `["s3-in",{"path":"a.csv"}]`, `{"line":100}`),
		record(3, 17, `orders-source|inventory`, `{"o":1}`),
		record(3, 18, "\x1b]52;c;QQ==\a\xff\u202e", `{"o":1}`),
		record(3, 19, `["jdbc"]`, `{"o":1}`),
		record(8, 1, `["mysql-cdc",{"server":"eu"}]`, `{"file":"bin.000001","pos":4}`),
		record(8, 2, `["mysql-cdc",{"server":"eu"}]`, ""),
		record(13, 12, `["mysql-cdc",{"server":"shop"}]`, `{"file":"bin.000007","pos":4711,"ts":1.50}`),
		record(20, 90, `["mysql-cdc", {"server":"shop"}]`, ""),
		record(19, 8, `["s3-in",{"path":"a.csv"}]`, `{"line":250}`),
		record(1, 1, `["mongo-users",{"b":1,"a":"größe \u202e"}]`, `{"token":"x"}`),
		record(2, 1, `["mongo-users",{"b":2,"a":"x"}]`, `[1]`),
		record(2, 2, `["mongo-users",{"b":3,"a":"x"}]`, `null`),
		record(2, 3, `["mongo-users",{"b":4,"a":"x"}]`, `{"token":{"a":1}}`),
		record(2, 4, `["mongo-users",{"b":5,"a":"x"}]`, `{"token":`),
	}
}

// findings are some of an incident, made by hand so that the words of other
// packages can change.
func findings(t testing.TB) []offsetstore.Finding {
	t.Helper()
	shop := objectOf(t, `{"server":"shop"}`)
	path := objectOf(t, `{"path":"a.csv"}`)
	all := []offsetstore.Finding{
		{
			ID: offsetstore.KeyNotJSON, Severity: offsetstore.Fatal, Place: offsetstore.Place{Partition: 3, Offset: 17}, Timestamp: epoch,
			Key: []byte("orders-source|inventory"), HasKey: true, WorkerLog: "Error polling: not JSON\n\tat x",
			Detail: "A 3.6.0 worker stops here and drops the rest of its poll batch: between 1 and 500 records.", Fix: "koffsets explain key-not-json",
		},
		{
			ID: offsetstore.KeyNotJSON, Severity: offsetstore.Fatal, Place: offsetstore.Place{Partition: 3, Offset: 18}, Timestamp: offsetstore.Unknown,
			Key: []byte("\x1b]52;c;QQ==\a\xff\u202e"), HasKey: true, Detail: `The first byte is "\u001b".`,
		},
		{
			ID: offsetstore.FalseReset, Severity: offsetstore.Error, Place: offsetstore.Place{Partition: 20, Offset: 90}, Timestamp: epoch,
			Key: []byte(`["mysql-cdc", {"server":"shop"}]`), HasKey: true, Connector: "mysql-cdc", HasConnector: true, SourcePartition: &shop,
			Detail: `A tombstone under another spelling: GET /offsets shows nothing, yet the task will resume at {"file":"bin.000007","pos":4711} (connect-offsets-13@12).`,
			Places: []offsetstore.Place{{Partition: 20, Offset: 90}, {Partition: 13, Offset: 12}},
		},
		{
			ID: offsetstore.KeySplit, Severity: offsetstore.Error, Place: offsetstore.Place{Partition: 3, Offset: 3}, Timestamp: epoch,
			Key: []byte(`["s3-in",{"path":"a.csv"}]`), HasKey: true, Connector: "s3-in", HasConnector: true, SourcePartition: &path,
			Detail: "Five topic partitions hold this key; which one a worker sees depends on timing.",
			Places: []offsetstore.Place{{Partition: 3, Offset: 3}, {Partition: 4, Offset: 3}, {Partition: 5, Offset: 3}, {Partition: 6, Offset: 3}, {Partition: 19, Offset: 8}},
		},
		{
			ID: offsetstore.KeyNull, Severity: offsetstore.Error, Place: offsetstore.Place{Partition: 7, Offset: 1}, Timestamp: epoch, HasKey: true,
			Detail: "No key.",
		},
	}
	for i := range int64(5) {
		all = append(all, offsetstore.Finding{
			ID: offsetstore.KeyNotCanonical, Severity: offsetstore.Warning, Place: offsetstore.Place{Partition: 2, Offset: i}, Timestamp: epoch,
			Key: fmt.Appendf(nil, `["mongo\n%d",{"b":2,"a":"größe"}]`, i), HasKey: true, Connector: fmt.Sprintf("mongo\n%d", i), HasConnector: true,
			Detail: "GET shows null for it.",
		})
	}
	return append(all, offsetstore.Finding{
		ID: offsetstore.TopicSingleReplica, Severity: offsetstore.Info, Place: offsetstore.Place{Partition: offsetstore.Unknown, Offset: offsetstore.Unknown},
		Timestamp: offsetstore.Unknown, Detail: "The topic has a single replica.",
	})
}

func TestScreensAndFiles(t *testing.T) {
	t.Parallel()
	broken := viewOf(t, "3.6.0", incident()...)
	clean := viewOf(t, "3.6.1", record(8, 1, `["c",{"p":1}]`, `{"o":1}`))
	cut := viewOf(t, "3.4", record(3, 1, `["c",{"p":1}]`, `{"o":1}`), record(3, 2, `x`, ``))
	cut.Description.Incomplete = []offsetstore.Incomplete{{Partition: 3, Offset: 3, Reason: "the leader is gone", Finding: "read-incomplete"}}
	cut.Description.Notes = []string{"the log began at offset 1"}
	cut.Description.Ranges, cut.Description.Topic, cut.Description.Partitions, cut.Description.ClusterID = nil, "", 0, ""
	terminal := Options{Width: 80, Now: time.UnixMilli(epoch + 3*day)}
	scan := NewScan(broken, findings(t))
	for name, c := range map[string]struct {
		result  Result
		format  Format
		options Options
	}{
		"scan.txt":           {scan, Table, Options{}},
		"scan-80.txt":        {scan, Table, terminal},
		"scan-40.txt":        {scan, Table, Options{Width: 40, Now: terminal.Now}},
		"scan-color.txt":     {scan, Table, Options{Width: 80, Color: true}},
		"scan-verbose.txt":   {scan, Table, Options{Verbose: true}},
		"scan-hex.txt":       {scan, Table, Options{KeyFormat: Hex}},
		"scan-redacted.txt":  {scan, Table, Options{KeyFormat: Redacted, Verbose: true}},
		"scan-wide.txt":      {scan, Wide, Options{}},
		"scan-clean.txt":     {NewScan(clean, nil), Table, terminal},
		"scan-cut.txt":       {NewScan(cut, findings(t)[:1]), Table, terminal},
		"scan.json":          {scan, JSON, Options{}},
		"scan-redacted.json": {scan, JSON, Options{KeyFormat: Redacted}},
		"scan-cut.jsonl":     {NewScan(cut, findings(t)[:1]), JSONLines, Options{}},
		"scan.yaml":          {scan, YAML, Options{}},
		"scan.tsv":           {scan, TSV, Options{}},
		"scan.name":          {scan, Name, Options{}},
		"view.txt":           {NewView(broken, nil), Table, Options{}},
		"view-80.txt":        {NewView(broken, nil), Table, terminal},
		"view-one.txt":       {NewView(broken, []string{"mysql-cdc"}), Table, terminal},
		"view-none.txt":      {NewView(broken, []string{"nobody"}), Table, terminal},
		"view-wide.txt":      {NewView(broken, nil), Wide, Options{}},
		"view-cut.txt":       {NewView(cut, nil), Table, terminal},
		"view-redacted.txt":  {NewView(broken, nil), Table, Options{KeyFormat: Redacted}},
		"view.json":          {NewView(broken, nil), JSON, Options{}},
		"view-one.jsonl":     {NewView(broken, []string{"s3-in"}), JSONLines, Options{}},
		"view-one.yaml":      {NewView(broken, []string{"s3-in"}), YAML, Options{}},
		"view.tsv":           {NewView(broken, nil), TSV, Options{}},
		"view.name":          {NewView(broken, nil), Name, Options{}},
		"decode.txt":         {decodeOf(true, "3.4.1", "3.5.2", "3.6"), Table, Options{}},
		"decode-80.txt":      {decodeOf(true, "3.5.2", "3.6.0"), Table, terminal},
		"decode-one.txt":     {decodeOf(false, "3.5.2", "3.6.1"), Table, Options{}},
		"decode.json":        {decodeOf(true, "3.6.0"), JSON, Options{}},
		"decode.jsonl":       {decodeOf(true, "3.4.1", "3.5.2", "3.6"), JSONLines, Options{}},
		"decode.yaml":        {decodeOf(true, "3.6.0"), YAML, Options{}},
		"decode.tsv":         {decodeOf(true, "3.6.0"), TSV, Options{}},
		"decode.name":        {decodeOf(true, "3.6.0"), Name, Options{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden(t, name, print(t, c.format, c.result, c.options))
		})
	}
}

func decodeOf(many bool, versions ...string) Result {
	in := []DecodeInput{{Key: []byte(`["c", {"p":01}]`)}}
	if many {
		in = append(in,
			DecodeInput{Key: []byte(`["c",{"p":1}]`), Value: []byte(`{"o":1}`), HasValue: true},
			DecodeInput{Key: []byte(`["c",{"p":{}}]`), HasValue: true},
			DecodeInput{Key: nil, Value: []byte(`x`), HasValue: true},
			DecodeInput{Key: []byte{}},
			DecodeInput{Key: []byte("\xff\n")},
			DecodeInput{Key: []byte(`{"a":1}`)},
			DecodeInput{Key: []byte(`["c"]`)},
			DecodeInput{Key: []byte(`[1,{}]`)},
			DecodeInput{Key: []byte(`["c",[]]`)},
			DecodeInput{Key: []byte(`["c",null]`)},
			DecodeInput{Key: []byte("[\"tab\\t\u202e\\ud800\",{\"b\":1.0,\"a\":1}]"), Value: []byte(` `), HasValue: true},
		)
	}
	o := DecodeOptions{Partitions: 25, ShowKeys: many}
	for _, v := range versions {
		o.Releases = append(o.Releases, release.MustParse(v))
	}
	return NewDecode(slices.Values(in), o)
}
