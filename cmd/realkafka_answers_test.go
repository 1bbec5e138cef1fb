package cmd_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	realkafka "koffsets/testdata/kafka"
)

// place is where a record lies.
type place struct {
	Partition int32
	Offset    int64
}

// byPlace sorts what lies at places.
func byPlace[T any](all []T, at func(T) place) []T {
	slices.SortFunc(all, func(a, b T) int {
		return cmp.Or(cmp.Compare(at(a).Partition, at(b).Partition), cmp.Compare(at(a).Offset, at(b).Offset))
	})
	return all
}

// shown tells null from empty, and one byte from another.
func shown(b []byte) string {
	if b == nil {
		return "null"
	}
	return fmt.Sprintf("%q", b)
}

// lines decodes JSON lines into values of one type.
func lines[T any](t *testing.T, out []byte) []T {
	t.Helper()
	var all []T
	for line := range bytes.Lines(out) {
		var one T
		if err := json.Unmarshal(line, &one); err != nil {
			t.Fatalf("%v: %.200s", err, line)
		}
		all = append(all, one)
	}
	return all
}

// textOrBase64 is a byte string in a dump: one of the two, or a null text.
func textOrBase64(text *string, base64 []byte) string {
	switch {
	case base64 != nil:
		return shown(base64)
	case text == nil:
		return "null"
	}
	return shown([]byte(*text))
}

// dumped is a record as a dump holds it, in a shape that can be compared.
type dumped struct {
	place
	Timestamp  int64
	Key, Value string
	Headers    []string
	Txn        string
}

// compareDump exports the topic and holds each record against what was written.
func compareDump(t *testing.T, k koffsets, visible []realkafka.Written) {
	out, code := k.run(t, "export", "--as", "dump")
	if code != 0 {
		t.Fatalf("exit %d, want 0", code)
	}
	var got []dumped
	all := lines[struct {
		Partition   *int32
		Offset      int64
		Timestamp   int64
		Key         *string
		KeyBase64   []byte `json:"key_base64"`
		Value       *string
		ValueBase64 []byte `json:"value_base64"`
		Headers     []struct {
			Key         string
			Value       *string
			ValueBase64 []byte `json:"value_base64"`
		}
		Txn     string
		Schema  string
		Sealed  bool
		Summary *struct {
			Records  int
			Complete bool
		}
	}](t, out)
	if first := all[0]; first.Schema != "koffsets.dump/v1" || !first.Sealed {
		t.Errorf("the first line is no header of a sealed dump: %+v", first)
	}
	if last := all[len(all)-1]; last.Summary == nil || !last.Summary.Complete || last.Summary.Records != len(visible) {
		t.Errorf("the last line does not say complete with %d records: %+v", len(visible), last.Summary)
	}
	for _, r := range all {
		if r.Partition == nil {
			continue
		}
		d := dumped{
			place: place{*r.Partition, r.Offset}, Timestamp: r.Timestamp, Txn: r.Txn,
			Key: textOrBase64(r.Key, r.KeyBase64), Value: textOrBase64(r.Value, r.ValueBase64),
		}
		for _, h := range r.Headers {
			d.Headers = append(d.Headers, shown([]byte(h.Key))+"="+textOrBase64(h.Value, h.ValueBase64))
		}
		got = append(got, d)
	}
	var want []dumped
	for _, w := range visible {
		d := dumped{
			place: place{w.Partition, w.Offset}, Timestamp: w.Timestamp.UnixMilli(), Txn: w.Fate,
			Key: shown(w.Key), Value: shown(w.Value),
		}
		for _, h := range w.Headers {
			d.Headers = append(d.Headers, shown([]byte(h.Key))+"="+shown(h.Value))
		}
		want = append(want, d)
	}
	at := func(d dumped) place { return d.place }
	if diff := gocmp.Diff(byPlace(want, at), byPlace(got, at), gocmp.AllowUnexported(dumped{})); diff != "" {
		t.Errorf("the dump is not what was written (-written +dump):\n%.4000s", diff)
	}
}

// verdictIDs are the findings that say what a worker makes of one key.
var verdictIDs = map[string]string{
	"OK": "", "OK_INVALID_FORMAT": "",
	"NULL_KEY": "key-null", "BAD_JSON": "key-not-json", "THROW": "key-not-json",
	"NOT_LIST": "key-not-list", "WRONG_SIZE": "key-wrong-size", "BAD_NAME": "key-name-not-string",
	"BAD_PARTITION": "key-partition-not-map", "NULL_PARTITION": "key-partition-null",
	"FATAL_DEPTH": "key-too-deep",
}

func isVerdict(id string) bool {
	for _, verdict := range verdictIDs {
		if id == verdict {
			return true
		}
	}
	return false
}

// verdictOf is the finding that a recorded class asks for, "" for none.
func verdictOf(t *testing.T, class string) string {
	t.Helper()
	if class == "BAD_PARTITION:null" {
		return "key-partition-null"
	}
	name, _, _ := strings.Cut(class, ":")
	id, ok := verdictIDs[name]
	if !ok {
		t.Fatalf("unknown class %q", class)
	}
	return id
}

// recorded are the classes of the recorded keys on one release, by key.
type recorded map[string]string

func recordedClasses(t *testing.T, release string) recorded {
	t.Helper()
	classes := recorded{}
	for _, v := range recordedVectors(t, release) {
		classes[shown(v.Key)] = v.Class
	}
	return classes
}

// of is the class of a key; those that are not recorded are good ones.
func (r recorded) of(key []byte) string { return cmp.Or(r[shown(key)], "OK") }

// judged is a record with the finding about its key.
type judged struct {
	place
	ID, Key string
}

// compareScan scans the topic and holds the finding about each key against what
// Kafka's own classes made of it. The count of records is of all, visible or not.
func compareScan(t *testing.T, k koffsets, records int, visible []realkafka.Written, release string, classes recorded) {
	var want, got []judged
	for _, w := range visible {
		if id := verdictOf(t, classes.of(w.Key)); id != "" {
			want = append(want, judged{place{w.Partition, w.Offset}, id, shown(w.Key)})
		}
	}
	out, code := k.run(t, "scan", "--release", release, "-o", "json", "--fail-on", "info")
	var answer struct {
		Source struct {
			Complete   bool
			Isolation  string
			Incomplete []any
		}
		Items []struct {
			ID        string
			Partition *int32
			Offset    *int64
			Key       *jsonBytes
		}
		Summary struct{ Records int }
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		t.Fatalf("%v: %.300s", err, out)
	}
	if found := min(len(answer.Items), 1); code != found {
		t.Errorf("exit %d with %d findings, want %d", code, len(answer.Items), found)
	}
	if !answer.Source.Complete || answer.Summary.Records != records {
		t.Errorf("complete: %v, records: %d, want true and %d", answer.Source.Complete, answer.Summary.Records, records)
	}
	for _, item := range answer.Items {
		if isVerdict(item.ID) {
			got = append(got, judged{place{*item.Partition, *item.Offset}, item.ID, item.Key.shown()})
		}
	}
	at := func(j judged) place { return j.place }
	if diff := gocmp.Diff(byPlace(want, at), byPlace(got, at), gocmp.AllowUnexported(judged{})); diff != "" {
		t.Errorf("the findings are not what Kafka's classes say (-Kafka +scan):\n%.4000s", diff)
	}
}

// jsonBytes are a key's bytes in an answer.
type jsonBytes struct {
	Text   *string
	Base64 []byte
}

func (b *jsonBytes) shown() string {
	if b == nil {
		return "null"
	}
	return textOrBase64(b.Text, b.Base64)
}

// held is the last record of a key on a topic partition.
type held struct {
	place
	Timestamp int64
	Key       string
	Tombstone bool
}

// compareView views the topic and holds every copy of every source partition
// against the last records written.
func compareView(t *testing.T, k koffsets, visible []realkafka.Written, release string, classes recorded) {
	type spot struct {
		partition int32
		key       string
	}
	last := map[spot]held{}
	for _, w := range visible {
		if strings.HasPrefix(classes.of(w.Key), "OK") {
			last[spot{w.Partition, string(w.Key)}] = held{
				place{w.Partition, w.Offset}, w.Timestamp.UnixMilli(), shown(w.Key), w.Value == nil,
			}
		}
	}
	var want, got []held
	for _, h := range last {
		want = append(want, h)
	}
	out, code := k.run(t, "view", "--release", release, "-o", "json")
	if code != 0 {
		t.Errorf("exit %d, want 0", code)
	}
	var answer struct {
		Source struct{ Complete bool }
		Items  []struct {
			Connector       string
			SourcePartition json.RawMessage `json:"source_partition"`
			SourceOffset    json.RawMessage `json:"source_offset"`
			State           string
			Copies          []struct {
				Partition int32
				Offset    int64
				Timestamp int64
				Key       *jsonBytes
				Tombstone bool
			}
		}
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		t.Fatalf("%v: %.300s", err, out)
	}
	if !answer.Source.Complete {
		t.Error("the view is not complete")
	}
	tasks := taskOffsets(visible)
	for _, item := range answer.Items {
		key := fmt.Sprintf("[%q,%s]", item.Connector, item.SourcePartition)
		if task, ok := tasks[key]; ok {
			if item.State != task.state || string(item.SourceOffset) != task.offset {
				t.Errorf("%s is %s with %s, want %s with %s", key, item.State, item.SourceOffset, task.state, task.offset)
			}
			delete(tasks, key)
		}
		for _, c := range item.Copies {
			got = append(got, held{place{c.Partition, c.Offset}, c.Timestamp, c.Key.shown(), c.Tombstone})
		}
	}
	for key := range tasks {
		t.Errorf("%s is not in the view", key)
	}
	at := func(h held) place { return h.place }
	if diff := gocmp.Diff(byPlace(want, at), byPlace(got, at), gocmp.AllowUnexported(held{})); diff != "" {
		t.Errorf("the view's copies are not the last records written (-written +view):\n%.4000s", diff)
	}
}

// taskOffset is what became of a task's source partition.
type taskOffset struct{ state, offset string }

// taskOffsets are those of the tasks whose offsets a worker could have written,
// by key.
func taskOffsets(visible []realkafka.Written) map[string]taskOffset {
	offsets := map[string]taskOffset{}
	for _, w := range visible {
		switch key := string(w.Key); {
		case !strings.HasPrefix(key, taskPrefix):
		case w.Value == nil:
			offsets[key] = taskOffset{"deleted", "null"}
		case strings.HasPrefix(string(w.Value), "{"):
			offsets[key] = taskOffset{"live", string(w.Value)}
		default:
			offsets[key] = taskOffset{"null", "null"}
		}
	}
	return offsets
}

// compareListing holds what REST would show of a connector of tasks against what
// was written.
func compareListing(t *testing.T, k koffsets, visible []realkafka.Written) {
	const connector = "source-2"
	out, code := k.run(t, "view", "--as", "rest", "-c", connector)
	if code != 0 {
		t.Errorf("exit %d, want 0", code)
	}
	var answer struct {
		Offsets []struct{ Partition, Offset json.RawMessage }
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		t.Fatalf("%v: %.300s", err, out)
	}
	got, want := map[string]string{}, map[string]string{}
	for _, o := range answer.Offsets {
		got[fmt.Sprintf("[%q,%s]", connector, o.Partition)] = string(o.Offset)
	}
	for key, task := range taskOffsets(visible) {
		if strings.Contains(key, connector) && task.state != "deleted" {
			want[key] = task.offset
		}
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("the listing is not what was written (-written +listed):\n%s", diff)
	}
}
