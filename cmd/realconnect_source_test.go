package cmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"koffsets/decode"
	"koffsets/release"
	realkafka "koffsets/testdata/kafka"
)

// files has the oddities befall a FileStreamSource. Its file has lines of two
// bytes, so that the first line it delivers tells where it went on.
type files struct{ broker *realkafka.Broker }

func (files) part() realkafka.Part { return realkafka.FileJars }

// data is the topic that a subject's lines go to.
func (s *subject) data() string {
	return fmt.Sprintf("%s-data-%s", s.topic.Name, s.file[strings.LastIndex(s.file, "/")+1:])
}

func (f files) config(t *testing.T, s *subject) map[string]string {
	f.broker.CreateTopic(t, s.data(), 1, nil)
	if err := os.WriteFile(s.file, []byte("a\nb\nc\nd\ne\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return map[string]string{"connector.class": "FileStreamSource", "file": s.file, "topic": s.data(), "tasks.max": "1"}
}

func (files) more(t *testing.T, s *subject) {
	file, err := os.OpenFile(s.file, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = file.WriteString("f\n")
		file.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (f files) resumed(t *testing.T, worker *realkafka.Worker, subjects []*subject) map[*subject]string {
	t.Helper()
	all := map[*subject]string{}
	byTopic := map[string]*subject{}
	var topics []string
	for _, s := range subjects {
		switch s.resumes {
		case failed: // nothing will come, so there is nothing to wait for
			worker.Await(t, s.connector, "RUNNING", failed)
			all[s] = failed
		case nothing:
			worker.Await(t, s.connector, "RUNNING", "RUNNING")
			all[s] = nothing
		}
		byTopic[s.data()] = s
		topics = append(topics, s.data())
	}
	// The first five lines are those of the first run, and f the end of what is
	// to come.
	silent := len(all)
	ended := 0
	f.broker.Follow(t, topics, 30*time.Second, func(r *kgo.Record) bool {
		s := byTopic[r.Topic]
		if r.Offset == 5 {
			all[s] = fmt.Sprint(2 * strings.Index("abcdef", string(r.Value)))
		}
		if string(r.Value) == "f" {
			ended++
		}
		return ended == len(subjects)-silent
	})
	return all
}

// probes has the oddities befall a ProbeConnector, whose tasks say what they
// found.
type probes struct{}

func (probes) part() realkafka.Part { return realkafka.WorkerJars }

func (probes) config(t *testing.T, s *subject) map[string]string {
	return probe(t, filepath.Dir(s.file), s.connector, []probeTask{{
		Partition: fmt.Sprintf(`{"filename":%q}`, s.file), Offsets: `[` + ten + `]`,
	}})
}

func (probes) more(*testing.T, *subject) {}

func (probes) resumed(t *testing.T, worker *realkafka.Worker, subjects []*subject) map[*subject]string {
	t.Helper()
	all := map[*subject]string{}
	for _, s := range subjects {
		found := string(awaitReports(t, filepath.Dir(s.file), s.connector, 2)[1].Found)
		rules := release.MustParse(worker.Release).Rules
		offset := decode.ParseValue(&rules, []byte(found))
		all[s] = position(nil)
		if offset.Verdict == decode.ValueOK {
			all[s] = position(&offset.Map)
		}
	}
	return all
}
