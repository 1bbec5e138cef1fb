package cmd_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"koffsets/offsetstore"
	realkafka "koffsets/testdata/kafka"
)

// poison is a key as Confluent's converters write it: no JSON, and the end of a
// poll batch for an affected worker.
const poison = "\x00\x00\x00\x00\x01[\"c\",{\"p\":\"v\"}]"

// compareLosses puts a poison key before the offsets of connectors. An affected
// worker loses those behind it in the order of topic partitions; scan calls the
// key fatal for it, and only for it.
func compareLosses(t *testing.T, broker *realkafka.Broker) {
	const affected, sound = "3.6.0", "3.6.1"
	topic := broker.CreateTopic(t, "poison-offsets", 25, map[string]string{"cleanup.policy": "compact"})
	order := readingOrder(topic)
	for _, partition := range order {
		topic.Write(t, kgo.NoCompression(), record(partition, `["filler",{}]`, `{}`))
	}
	const middle = 12
	topic.Write(t, kgo.NoCompression(), record(order[middle], poison, ten))
	bad := place{order[middle], 1}

	worker := broker.StartWorker(t, realkafka.FileJars, sound, "poison")
	source, dir := files{broker}, t.TempDir()
	var subjects, lost []*subject
	for i, fits := range []func(s *subject) bool{
		func(s *subject) bool { return s.own() == middle },
		func(s *subject) bool { return s.own() > middle },
		func(s *subject) bool { return s.own() < middle },
		func(s *subject) bool { return s.own() > middle },
		func(s *subject) bool { return s.own() < middle },
		nil, nil, nil,
	} {
		s := newSubject(oddity{name: fmt.Sprintf("connector %d", i), fits: fits}, topic, order, fmt.Sprintf("%s/%d", dir, i))
		worker.Configure(t, s.connector, source.config(t, s))
		subjects = append(subjects, s)
		if s.own() >= middle {
			lost = append(lost, s)
		}
	}
	for _, s := range subjects {
		awaitListed(t, worker, s.connector, ten)
	}
	worker.Halt(t, connectors(subjects)...)

	tested := worker.Beside(t, realkafka.FileJars, affected)
	careful := worker.Beside(t, realkafka.FileJars, affected, "max.poll.records=1")
	fresh := worker.Beside(t, realkafka.FileJars, sound)
	logs := map[string]string{}
	for release, severity := range map[string]string{affected: "fatal", sound: "error"} {
		k := koffsets{"-b", broker.Address, "-t", topic.Name, "--release", release}
		logs[release] = compareNotJSON(t, k, severity, bad)
	}
	for _, w := range []*realkafka.Worker{tested, careful, fresh} {
		w.AwaitReady(t)
	}
	for _, s := range subjects {
		for _, w := range []*realkafka.Worker{careful, fresh} {
			if listed := listedOffsets(t, w, s.connector); !slices.Equal(listed, []string{ten}) {
				t.Errorf("a worker of %s that loses nothing lists %q of %s", w.Release, listed, s.connector)
			}
		}
		want := []string{ten}
		if slices.Contains(lost, s) {
			want = nil
		}
		if listed := listedOffsets(t, tested, s.connector); !slices.Equal(listed, want) {
			t.Errorf("the affected worker lists %q of %s, want %q", listed, s.connector, want)
		}
	}
	for _, w := range []*realkafka.Worker{tested, fresh} {
		if !strings.Contains(w.Log(t), logs[w.Release]+"\n") {
			t.Errorf("the worker of %s does not log %q", w.Release, logs[w.Release])
		}
	}
	for _, w := range []*realkafka.Worker{worker, careful, fresh} {
		w.Kill()
	}

	for _, s := range subjects {
		source.more(t, s)
		tested.Resume(t, s.connector)
	}
	for s, from := range source.resumed(t, tested, subjects) {
		want := "10"
		if slices.Contains(lost, s) {
			want = fromStart
		}
		if from != want {
			t.Errorf("%s goes on from %s, want %s", s.connector, from, want)
		}
	}
	compareLossesOfARunningWorker(t, broker, tested, subjects)
}

// compareNotJSON holds what scan says of the poison keys, and returns what a
// worker logs for one.
func compareNotJSON(t *testing.T, k koffsets, severity string, places ...place) (log string) {
	t.Helper()
	var found []place
	for _, f := range scanned(t, k) {
		if f.ID != string(offsetstore.KeyNotJSON) {
			continue
		}
		if f.Severity != severity {
			t.Errorf("%v: severity %s, want %s", k, f.Severity, severity)
		}
		found = append(found, place{*f.Partition, *f.Offset})
		log = f.WorkerLog
	}
	if !slices.Equal(found, places) {
		t.Errorf("%v: keys that are not JSON at %v, want %v", k, found, places)
	}
	return log
}

// compareLossesOfARunningWorker sends a poison key and two good ones in one
// batch to an affected worker that runs.
func compareLossesOfARunningWorker(t *testing.T, broker *realkafka.Broker, worker *realkafka.Worker, subjects []*subject) {
	for _, s := range subjects {
		awaitListed(t, worker, s.connector, `{"position":12}`)
	}
	worker.Halt(t, connectors(subjects)...)
	topic, first, second := subjects[0].topic, subjects[0], subjects[1]
	partition := topic.Home([]byte(first.key))
	topic.Write(t, kgo.NoCompression(),
		record(partition, poison, four), record(partition, first.key, four), record(partition, second.key, four))
	awaitLog(t, worker, "Error polling: org.apache.kafka.connect.errors.DataException", 2)
	for _, s := range []*subject{first, second} {
		if listed := listedOffsets(t, worker, s.connector); !slices.Equal(listed, []string{`{"position":12}`}) {
			t.Errorf("the running worker lists %q of %s, want what it had", listed, s.connector)
		}
		e := entryOf(readView(t, broker, topic.Name, worker.Release, uncommitted), s.key)
		if offset := shownOffset(&e.Offset.Map); offset != four {
			t.Errorf("view shows %s of %s, want %s", offset, s.connector, four)
		}
	}
	topic.Write(t, kgo.NoCompression(), record(partition, first.key, four))
	awaitListed(t, worker, first.connector, four)
}

// connectors are the names of the subjects'.
func connectors(subjects []*subject) (names []string) {
	for _, s := range subjects {
		names = append(names, s.connector)
	}
	return names
}

// awaitListed waits until the worker lists one source partition of a connector,
// with an offset.
func awaitListed(t *testing.T, worker *realkafka.Worker, connector, offset string) {
	t.Helper()
	realkafka.Until(t, 30*time.Second, fmt.Sprintf("%s is listed with %s", connector, offset), func(context.Context) (bool, error) {
		listed := listedOffsets(t, worker, connector)
		return slices.Equal(listed, []string{offset}), fmt.Errorf("listed: %q", listed)
	})
}

// awaitLog waits until the worker has logged a text so often.
func awaitLog(t *testing.T, worker *realkafka.Worker, text string, times int) {
	t.Helper()
	realkafka.Until(t, 30*time.Second, "the worker logs "+text, func(context.Context) (bool, error) {
		return strings.Count(worker.Log(t), text) >= times, nil
	})
}
