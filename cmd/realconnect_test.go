package cmd_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"koffsets/decode"
	"koffsets/offsetstore"
	"koffsets/offsetstore/kafka"
	"koffsets/release"
	realkafka "koffsets/testdata/kafka"
)

// TestRealConnect is the suite against real Connect workers. One broker serves
// it all; its steps know nothing of each other.
func TestRealConnect(t *testing.T) {
	t.Parallel()
	broker := realkafka.StartBroker(t, realkafka.BrokerRelease)
	t.Run("reads and places what kcat does", func(t *testing.T) {
		t.Parallel()
		compareKcat(t, broker)
	})
	for _, release := range []string{"4.3.1", "3.6.1", "4.4.0"} {
		t.Run("commits exactly once: "+release, func(t *testing.T) {
			t.Parallel()
			compareExactlyOnce(t, broker, release)
		})
	}
	for _, release := range []string{"3.6.1", "4.4.0"} {
		t.Run("lists what view does: "+release, func(t *testing.T) {
			t.Parallel()
			compareListings(t, broker, release)
		})
	}
	for _, w := range []struct {
		release string
		source  source
	}{{"3.6.0", files{broker}}, {"3.6.1", files{broker}}, {"4.3.1", files{broker}}, {"4.4.0", probes{}}} {
		t.Run("lists and resumes as view says: "+w.release, func(t *testing.T) {
			t.Parallel()
			compareOddities(t, broker, w.release, w.source)
		})
	}
	t.Run("loses what is behind a fatal key: 3.6.0", func(t *testing.T) {
		t.Parallel()
		compareLosses(t, broker)
	})
}

// compareListings runs connectors and holds view --as rest against what GET
// /connectors/{connector}/offsets answers, byte for byte: with few source
// partitions and with enough that the order of a HashMap decides, of canonical
// spelling and of the connector's own.
func compareListings(t *testing.T, broker *realkafka.Broker, release string) {
	worker := broker.StartWorker(t, realkafka.WorkerJars, release, "listed-"+release)
	connectors := map[string][]probeTask{
		"one":          {{Partition: `{"filename":"/data/in.txt"}`, Offsets: `[{"position":1},{"position":2}]`}},
		"own order":    ownOrderTasks(false),
		"hashed order": ownOrderTasks(true),
	}
	for name, tasks := range connectors {
		worker.Configure(t, name, probe(t, worker.Dir, name, tasks))
	}
	for name, tasks := range connectors {
		worker.Await(t, name, "RUNNING", slices.Repeat([]string{"RUNNING"}, len(tasks))...)
		awaitOffsets(t, worker, name, len(tasks))
		worker.Halt(t, name)
	}
	for name := range connectors {
		compareREST(t, broker, worker.Topics+"-offsets", worker, name, uncommitted)
	}
	compareVainReset(t, broker, worker)
}

// compareVainReset resets the connector whose fields have an order of its own:
// the worker says that it did, and no longer lists anything, but the tasks go on
// from where they were. So says koffsets, before and after.
func compareVainReset(t *testing.T, broker *realkafka.Broker, worker *realkafka.Worker) {
	t.Helper()
	const connector = "own order"
	topic := worker.Topics + "-offsets"
	if n := findings(t, broker, topic, worker.Release, offsetstore.RESTBlind)[connector]; n != 1 {
		t.Errorf("%d findings that REST is blind, want 1", n)
	}
	tasks := ownOrderTasks(false)
	if code, answer := worker.Request(t, http.MethodDelete, nil, "connectors", connector, "offsets"); code != http.StatusOK {
		t.Fatalf("DELETE: %d %s", code, answer)
	}
	compareREST(t, broker, topic, worker, connector, uncommitted)
	if n := findings(t, broker, topic, worker.Release, offsetstore.FalseReset)[connector]; n != len(tasks) {
		t.Errorf("%d findings of a false reset, want %d", n, len(tasks))
	}
	want := map[string]string{}
	for e := range readView(t, broker, topic, worker.Release, uncommitted).Entries(connector) {
		if e.Listed.Shown || e.Found.Canonical != nil {
			t.Errorf("%s is listed or found by its canonical spelling", e.Key)
		}
		want[string(e.Key)] = shownOffset(e.Found.Own)
	}
	got := map[string]string{}
	worker.Resume(t, connector)
	for _, r := range awaitReports(t, worker.Dir, connector, 2*len(tasks))[len(tasks):] {
		got[fmt.Sprintf("[%q,%s]", connector, r.Partition)] = string(r.Found)
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("tasks do not find what view says (-view +tasks):\n%s", diff)
	}
}

// findings counts the findings of a kind by connector, as scan finds them.
func findings(t *testing.T, broker *realkafka.Broker, topic, release string, id offsetstore.ID) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for _, f := range scanned(t, koffsets{"-b", broker.Address, "-t", topic, "--release", release}) {
		if f.ID == string(id) {
			counts[f.Connector]++
		}
	}
	return counts
}

// scanItem is a finding as scan prints it.
type scanItem struct {
	ID, Severity, Connector, Detail string
	Partition                       *int32
	Offset                          *int64
	WorkerLog                       string `json:"worker_log"`
}

// scanned are the findings of scan, of what every reader sees.
func scanned(t *testing.T, k koffsets) []scanItem {
	t.Helper()
	out, _ := k.run(t, "scan", "-o", "json")
	var answer struct{ Items []scanItem }
	if err := json.Unmarshal(out, &answer); err != nil {
		t.Fatalf("%v: %.300s", err, out)
	}
	return answer.Items
}

// compareREST holds view --as rest of a topic against a worker's GET.
func compareREST(t *testing.T, broker *realkafka.Broker, topic string, worker *realkafka.Worker, connector string, level offsetstore.Isolation) {
	t.Helper()
	want := worker.Offsets(t, connector)
	k := koffsets{"-b", broker.Address, "-t", topic, "--release", worker.Release, "--isolation", level.String()}
	got, code := k.run(t, "view", "--as", "rest", "-c", connector)
	if code != 0 || !bytes.Equal(bytes.TrimSpace(got), want) {
		t.Errorf("%s at %s: exit %d\nview: %s\nGET:  %s", connector, level, code, got, want)
	}
}

// The isolation levels of readers.
const (
	committed   = offsetstore.ReadCommitted
	uncommitted = offsetstore.ReadUncommitted
)

// readView reads a topic as a release does.
func readView(t *testing.T, broker *realkafka.Broker, topic, name string, level offsetstore.Isolation) *offsetstore.View {
	t.Helper()
	view, err := offsetstore.Read(t.Context(), kafka.New(kafka.Config{Bootstrap: []string{broker.Address}, Topic: topic}),
		offsetstore.Options{Release: release.MustParse(name), Isolation: level})
	if err != nil || len(view.Description.Incomplete) > 0 {
		t.Fatalf("read %s: %v, %+v", topic, err, view)
	}
	return view
}

// entryOf is what the view has of a key's source partition, nil for nothing.
func entryOf(view *offsetstore.View, key string) *offsetstore.Entry {
	for e := range view.Entries() {
		if string(e.CanonicalKey) == key {
			return e
		}
	}
	return nil
}

// shownOffset is an offset as the REST API writes it; nil is null.
func shownOffset(o *decode.Object) string {
	if o == nil {
		return "null"
	}
	return string(o.AppendCanonical(nil))
}

// probeTask is a task of koffsets.ProbeConnector.
type probeTask struct {
	Partition, Offsets string // JSON
	Hash               bool
	Feed               string
}

// ownOrderTasks are tasks whose source partitions have three fields, in an order
// that no HashMap has, or in a HashMap's.
func ownOrderTasks(hash bool) []probeTask {
	var tasks []probeTask
	for i := range 20 {
		tasks = append(tasks, probeTask{
			Partition: fmt.Sprintf(`{"topic":"t-%d","partition":%d,"cluster":"source","naïve":%d.5}`, i%7, i, i),
			Offsets:   fmt.Sprintf(`[{"offset":%d,"at":1e%d,"é":null}]`, i, i), Hash: hash,
		})
	}
	return tasks
}

// probe is the configuration of a ProbeConnector whose tasks report to a folder.
func probe(t *testing.T, dir, connector string, tasks []probeTask) map[string]string {
	t.Helper()
	var elements []map[string]any
	for _, task := range tasks {
		elements = append(elements, map[string]any{
			"partition": json.RawMessage(task.Partition), "offsets": json.RawMessage(task.Offsets),
			"hash": task.Hash, "feed": task.Feed,
		})
	}
	text, err := json.Marshal(elements)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"connector.class": "koffsets.ProbeConnector", "tasks.max": "100", "topic": "data",
		"tasks": string(text), "report": reportFile(dir, connector),
	}
}

// reportFile is where the tasks of a connector report to.
func reportFile(dir, connector string) string { return filepath.Join(dir, connector+".report") }

// probeReport is what a task of a ProbeConnector found when it started.
type probeReport struct{ Partition, Found json.RawMessage }

// awaitReports waits until a connector's tasks have started so often, and
// returns what they found.
func awaitReports(t *testing.T, dir, connector string, starts int) (reports []probeReport) {
	t.Helper()
	realkafka.Until(t, 30*time.Second, "the tasks have reported", func(context.Context) (bool, error) {
		text, err := os.ReadFile(reportFile(dir, connector))
		if err != nil || bytes.Count(text, []byte("\n")) < starts {
			return false, err
		}
		reports = lines[probeReport](t, text)
		return true, nil
	})
	return reports
}

// listedOffsets are the offsets that a worker lists of a connector.
func listedOffsets(t *testing.T, worker *realkafka.Worker, connector string) []string {
	t.Helper()
	var listed struct {
		Offsets []struct{ Offset json.RawMessage }
	}
	answer := worker.Offsets(t, connector)
	if err := json.Unmarshal(answer, &listed); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	var offsets []string
	for _, o := range listed.Offsets {
		offsets = append(offsets, string(o.Offset))
	}
	return offsets
}

// awaitOffsets waits until the worker lists so many source partitions.
func awaitOffsets(t *testing.T, worker *realkafka.Worker, connector string, partitions int) {
	t.Helper()
	realkafka.Until(t, 30*time.Second, "the offsets of "+connector+" are committed", func(context.Context) (bool, error) {
		return len(listedOffsets(t, worker, connector)) == partitions, nil
	})
}
