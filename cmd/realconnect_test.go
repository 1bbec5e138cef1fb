package cmd_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	realkafka "koffsets/testdata/kafka"
)

// TestRealConnectListsWhatViewDoes runs connectors on real workers and holds
// view --as rest against what GET /connectors/{connector}/offsets answers, byte
// for byte: with few source partitions and with enough that the order of a
// HashMap decides, of canonical spelling and of the connector's own.
func TestRealConnectListsWhatViewDoes(t *testing.T) {
	t.Parallel()
	broker := realkafka.StartBroker(t, realkafka.BrokerRelease)
	for _, release := range []string{"3.6.1", "4.4.0"} {
		t.Run(release, func(t *testing.T) {
			t.Parallel()
			worker := broker.StartWorker(t, realkafka.WorkerJars, release, "group-"+release)
			connectors := map[string][]probeTask{
				"one":          {{Partition: `{"filename":"/data/in.txt"}`, Offsets: `[{"position":1},{"position":2}]`}},
				"own order":    ownOrderTasks(false),
				"hashed order": ownOrderTasks(true),
			}
			for name, tasks := range connectors {
				worker.Configure(t, name, probe(t, worker, tasks))
				worker.Await(t, name, "RUNNING", len(tasks))
			}
			for name, tasks := range connectors {
				awaitOffsets(t, worker, name, len(tasks))
				worker.Halt(t, name)
			}
			k := koffsets{"-b", broker.Address, "-t", "group-" + release + "-offsets", "--release", release}
			for name := range connectors {
				want := worker.Offsets(t, name)
				got, code := k.run(t, "view", "--as", "rest", "-c", name)
				if code != 0 || !bytes.Equal(bytes.TrimSpace(got), want) {
					t.Errorf("%s: exit %d\nview: %s\nGET:  %s", name, code, got, want)
				}
			}
		})
	}
}

// probeTask is a task of koffsets.ProbeConnector.
type probeTask struct {
	Partition, Offsets string // JSON
	Hash               bool
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

// probe is the configuration of a ProbeConnector.
func probe(t *testing.T, worker *realkafka.Worker, tasks []probeTask) map[string]string {
	t.Helper()
	var elements []map[string]any
	for _, task := range tasks {
		elements = append(elements, map[string]any{
			"partition": json.RawMessage(task.Partition), "offsets": json.RawMessage(task.Offsets), "hash": task.Hash,
		})
	}
	text, err := json.Marshal(elements)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"connector.class": "koffsets.ProbeConnector", "tasks.max": "100", "topic": "data",
		"tasks": string(text), "report": filepath.Join(worker.Dir, "report"),
	}
}

// awaitOffsets waits until the worker lists so many source partitions.
func awaitOffsets(t *testing.T, worker *realkafka.Worker, connector string, partitions int) {
	t.Helper()
	realkafka.Until(t, 30*time.Second, "the offsets of "+connector+" are committed", func(context.Context) (bool, error) {
		var listed struct{ Offsets []any }
		answer := worker.Offsets(t, connector)
		err := json.Unmarshal(answer, &listed)
		return len(listed.Offsets) == partitions, err
	})
}
