package cmd_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"koffsets/offsetstore"
	realkafka "koffsets/testdata/kafka"
)

// once is a worker with exactly-once support, the topic of its offsets, and the
// one that a connector of its own has. Each connector has a task that commits
// the positions 1, 2 and 3 when it starts.
type once struct {
	broker        *realkafka.Broker
	worker        *realkafka.Worker
	global, apart *realkafka.Topic
	dir           string
}

// The connectors of a once. The last two have the topic of their own.
const (
	shared    = "shared"
	foreign   = "foreign"
	undecided = "undecided"
	apart     = "apart"
	hung      = "hung"
)

// compareExactlyOnce holds what a worker with exactly-once support lists and
// where its tasks resume against view, whoever else writes to its topics. Its
// steps build on each other.
func compareExactlyOnce(t *testing.T, broker *realkafka.Broker, release string) {
	group := "once-" + release
	compacted := map[string]string{"cleanup.policy": "compact"}
	o := &once{
		broker: broker, dir: t.TempDir(),
		global: broker.CreateTopic(t, group+"-offsets", 25, compacted),
		apart:  broker.CreateTopic(t, group+"-apart", 25, compacted),
	}
	o.worker = broker.StartWorker(t, realkafka.WorkerJars, release, group, "exactly.once.source.support=enabled")
	for _, connector := range []string{shared, foreign, undecided, apart, hung} {
		config := probe(t, o.dir, connector, []probeTask{{
			Partition: `{"filename":"in"}`, Offsets: `[{"position":1},{"position":2},{"position":3}]`, Feed: o.feed(connector),
		}})
		if connector == apart || connector == hung {
			config["offsets.storage.topic"] = o.apart.Name
		}
		o.worker.Configure(t, connector, config)
	}
	for _, connector := range []string{shared, foreign, undecided, apart, hung} {
		awaitListed(t, o.worker, connector, `{"position":3}`)
	}
	t.Run("each commit is followed by a marker", o.markers)
	deleted := o.resetWithoutEnd(t)
	t.Run("a foreign record stands until the next commit, and a restart goes on from it", o.plainRecord)
	t.Run("a foreign transaction counts once it is committed", o.foreignTransaction)
	t.Run("a foreign transaction under the task's id stands, and fails the task", o.stolenID)
	t.Run("offsets are altered and reset on both topics", o.alter)
	t.Run("a tombstone on the connector's own topic hides the worker's", o.deadFallback)
	if deleted != nil {
		t.Run("a reset that hangs leaves the connector's own topic as it was", func(t *testing.T) {
			if answer := <-deleted; !strings.Contains(answer, "500") || !strings.Contains(answer, "Request timed out") {
				t.Errorf("DELETE answers %s", answer)
			}
			o.compareFound(t, o.apart, hung, `{"position":3}`)
			o.compareFound(t, o.global, hung, "null")
		})
	}
	t.Run("an open transaction holds up a start, and shows only where not committed is read", o.openTransaction)
}

func (o *once) feed(connector string) string { return filepath.Join(o.dir, connector+".feed") }

// commit has a connector's task commit a position.
func (o *once) commit(t *testing.T, connector string, position int) {
	t.Helper()
	making := o.feed(connector) + ".making"
	err := os.WriteFile(making, fmt.Appendf(nil, `{"position":%d}`, position), 0o644)
	if err == nil {
		err = os.Rename(making, o.feed(connector))
	}
	if err != nil {
		t.Fatal(err)
	}
}

func key(connector string) string { return fmt.Sprintf(`[%q,{"filename":"in"}]`, connector) }

// at is a record of a position, where a worker writes it.
func (o *once) at(topic *realkafka.Topic, connector string, position int) *kgo.Record {
	return home(topic, key(connector), fmt.Sprintf(`{"position":%d}`, position))
}

// compareFound waits until readers of committed records find an offset on a
// topic. What is copied to the worker's topic comes there a little later.
func (o *once) compareFound(t *testing.T, topic *realkafka.Topic, connector, want string) {
	t.Helper()
	o.compareFoundAt(t, topic, connector, committed, want)
}

func (o *once) compareFoundAt(t *testing.T, topic *realkafka.Topic, connector string, level offsetstore.Isolation, want string) {
	t.Helper()
	what := fmt.Sprintf("view at %s finds %s for %s on %s", level, want, connector, topic.Name)
	realkafka.Until(t, 30*time.Second, what, func(context.Context) (bool, error) {
		e := entryOf(readView(t, o.broker, topic.Name, o.worker.Release, level), key(connector))
		if e == nil {
			return false, errors.New("no such source partition")
		}
		found := shownOffset(e.Found.Own)
		return found == want, errors.New("found: " + found)
	})
}

// compareListed holds what the worker lists against what view does.
func (o *once) compareListed(t *testing.T, topic *realkafka.Topic, connector, want string) {
	t.Helper()
	awaitListed(t, o.worker, connector, want)
	compareREST(t, o.broker, topic.Name, o.worker, connector, committed)
}

// restart starts a connector anew and holds what its task finds against view.
func (o *once) restart(t *testing.T, topic *realkafka.Topic, connector, want string) {
	t.Helper()
	o.worker.Halt(t, connector)
	o.compareFound(t, topic, connector, want)
	starts := len(awaitReports(t, o.dir, connector, 1))
	o.worker.Resume(t, connector)
	if found := awaitReports(t, o.dir, connector, starts+1)[starts].Found; string(found) != want {
		t.Errorf("the task of %s finds %s, want %s", connector, found, want)
	}
	awaitListed(t, o.worker, connector, `{"position":3}`)
}

func (o *once) markers(t *testing.T) {
	for _, connector := range []string{apart, hung} {
		o.compareFound(t, o.global, connector, `{"position":3}`)
	}
	for _, topic := range []*realkafka.Topic{o.global, o.apart} {
		records, err := topic.ReadBack(t.Context(), t)
		if err != nil {
			t.Fatal(err)
		}
		last := map[string]int64{} // offset by key
		var written []realkafka.Written
		for _, r := range records {
			written = append(written, realkafka.Written{Record: r})
			// What is on the connector's own topic is copied to the worker's.
			copied := topic == o.global && strings.Contains(string(r.Key), `["`+apart) ||
				topic == o.global && strings.Contains(string(r.Key), `["`+hung)
			if r.Attrs.IsTransactional() == copied {
				t.Errorf("%s-%d@%d: transactional is %v", topic.Name, r.Partition, r.Offset, !copied)
			}
			if before, ok := last[string(r.Key)]; ok && !copied && r.Offset-before < 2 {
				t.Errorf("%s-%d@%d: no marker since %d", topic.Name, r.Partition, r.Offset, before)
			}
			last[string(r.Key)] = r.Offset
		}
		for _, level := range []offsetstore.Isolation{committed, uncommitted} {
			compareDump(t, koffsets{"-b", o.broker.Address, "-t", topic.Name, "--isolation", level.String()}, written)
		}
	}
	compareREST(t, o.broker, o.global.Name, o.worker, shared, committed)
	compareREST(t, o.broker, o.global.Name, o.worker, shared, uncommitted)
	compareREST(t, o.broker, o.apart.Name, o.worker, apart, committed)
}

func (o *once) plainRecord(t *testing.T) {
	o.global.Write(t, kgo.NoCompression(), o.at(o.global, shared, 4))
	o.compareListed(t, o.global, shared, `{"position":4}`)
	o.commit(t, shared, 5)
	o.compareListed(t, o.global, shared, `{"position":5}`)
	o.global.Write(t, kgo.NoCompression(), o.at(o.global, shared, 4))
	o.restart(t, o.global, shared, `{"position":4}`)
}

func (o *once) foreignTransaction(t *testing.T) {
	o.global.Commit(t, kgo.NoCompression(), o.worker.Group+" foreign", o.at(o.global, foreign, 6))
	o.compareListed(t, o.global, foreign, `{"position":6}`)
	o.global.Abort(t, kgo.NoCompression(), o.worker.Group+" foreign", o.at(o.global, foreign, 666))
	o.compareListed(t, o.global, foreign, `{"position":6}`)
	o.compareFoundAt(t, o.global, foreign, uncommitted, `{"position":666}`)
	if n := findings(t, o.broker, o.global.Name, o.worker.Release, offsetstore.IsolationDiffers)[foreign]; n != 1 {
		t.Errorf("%d findings that the isolation levels differ, want 1", n)
	}
}

func (o *once) stolenID(t *testing.T) {
	o.global.Commit(t, kgo.NoCompression(), o.worker.Group+"-"+shared+"-0", o.at(o.global, shared, 9))
	o.compareListed(t, o.global, shared, `{"position":9}`)
	o.commit(t, shared, 10)
	o.worker.Await(t, shared, "RUNNING", failed)
	o.compareListed(t, o.global, shared, `{"position":9}`)
	starts := len(awaitReports(t, o.dir, shared, 1))
	code, answer := o.worker.Request(t, http.MethodPost, nil, "connectors", shared, "tasks", "0", "restart")
	if code >= 300 {
		t.Fatalf("restart: %d %s", code, answer)
	}
	if found := awaitReports(t, o.dir, shared, starts+1)[starts].Found; string(found) != `{"position":9}` {
		t.Errorf("the restarted task finds %s", found)
	}
	awaitListed(t, o.worker, shared, `{"position":3}`)
}

func (o *once) alter(t *testing.T) {
	o.worker.Halt(t, shared, apart)
	body := map[string]any{"offsets": []any{map[string]any{
		"partition": map[string]any{"filename": "in"}, "offset": map[string]any{"position": 6},
	}}}
	if code, answer := o.worker.Request(t, http.MethodPatch, body, "connectors", apart, "offsets"); code != http.StatusOK {
		t.Fatalf("PATCH: %d %s", code, answer)
	}
	o.compareListed(t, o.apart, apart, `{"position":6}`)
	for topic, transactional := range map[*realkafka.Topic]bool{o.apart: true, o.global: false} {
		o.compareFound(t, topic, apart, `{"position":6}`)
		records, err := topic.ReadBack(t.Context(), t)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			if string(r.Value) == `{"position":6}` && string(r.Key) == key(apart) && r.Attrs.IsTransactional() != transactional {
				t.Errorf("%s-%d@%d: transactional is %v", topic.Name, r.Partition, r.Offset, !transactional)
			}
		}
	}
	if code, answer := o.worker.Request(t, http.MethodDelete, nil, "connectors", shared, "offsets"); code != http.StatusOK {
		t.Fatalf("DELETE: %d %s", code, answer)
	}
	compareREST(t, o.broker, o.global.Name, o.worker, shared, committed)
	o.restart(t, o.global, shared, "null")
}

// deadFallback: GET asks both topics and lists null for what one of them has a
// tombstone of; view of either topic alone can list nothing, or the offset.
func (o *once) deadFallback(t *testing.T) {
	o.worker.Halt(t, apart)
	o.apart.Write(t, kgo.NoCompression(), home(o.apart, key(apart), tombstone))
	awaitListed(t, o.worker, apart, "null")
	o.compareFound(t, o.global, apart, `{"position":6}`)
	o.restart(t, o.apart, apart, "null")
}

// resetWithoutEnd has the offsets of a connector with a topic of its own reset
// where that hangs, from 3.8.0 on. It takes a minute and a half, so that one
// release stands for all.
func (o *once) resetWithoutEnd(t *testing.T) <-chan string {
	t.Helper()
	if o.worker.Release != "4.3.1" {
		return nil
	}
	o.worker.Halt(t, hung)
	answered := make(chan string, 1)
	go func() {
		code, answer, err := o.worker.Try(context.Background(), http.MethodDelete, nil, "connectors", hung, "offsets")
		answered <- fmt.Sprint(code, string(answer), err)
	}()
	return answered
}

func (o *once) openTransaction(t *testing.T) {
	o.worker.Halt(t, shared, foreign, undecided, apart, hung)
	o.worker.Kill()
	abort := o.global.LeaveOpen(t, kgo.NoCompression(), o.worker.Group+" open", o.at(o.global, undecided, 7))
	var open []scanItem
	for _, f := range scanned(t, koffsets{"-b", o.broker.Address, "-t", o.global.Name}) {
		if f.ID == string(offsetstore.TransactionOpen) {
			open = append(open, f)
		}
	}
	written := o.global.Written[len(o.global.Written)-1]
	if len(open) != 1 || *open[0].Partition != written.Partition || *open[0].Offset != written.Offset {
		t.Errorf("findings of an open transaction: %+v, want one at %d@%d", open, written.Partition, written.Offset)
	}
	starting := o.worker.Beside(t, realkafka.WorkerJars, o.worker.Release, "exactly.once.source.support=enabled")
	plain := o.worker.Beside(t, realkafka.WorkerJars, o.worker.Release)
	plain.AwaitReady(t)
	for connector, want := range map[string]string{undecided: `{"position":7}`, foreign: `{"position":666}`} {
		awaitListed(t, plain, connector, want)
		compareREST(t, o.broker, o.global.Name, plain, connector, uncommitted)
	}
	awaitLog(t, starting, "Starting KafkaBasedLog with topic "+o.global.Name, 1)
	finished := "Finished reading KafkaBasedLog for topic " + o.global.Name
	if strings.Contains(starting.Log(t), finished) {
		t.Error("a worker with exactly-once support starts in spite of an open transaction")
	}
	o.compareFound(t, o.global, undecided, `{"position":3}`)
	abort()
	awaitLog(t, starting, finished, 1)
	starting.AwaitReady(t)
	for connector, want := range map[string]string{undecided: `{"position":3}`, foreign: `{"position":6}`} {
		awaitListed(t, starting, connector, want)
		compareREST(t, o.broker, o.global.Name, starting, connector, committed)
	}
}
