package cmd_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"koffsets/decode"
	"koffsets/offsetstore"
	realkafka "koffsets/testdata/kafka"
)

// subject is a connector whose offsets something odd is done to. Its one source
// partition has one field, filename, and its task has committed the position 10,
// the end of its file.
type subject struct {
	oddity
	connector, file string
	key             string // of its source partition, as the worker writes it
	topic           *realkafka.Topic
	order           []int32 // topic partitions as a starting worker reads them
	written         []*kgo.Record
}

// oddity is what is written about a subject, and what comes of it.
type oddity struct {
	name    string
	records func(s *subject) []*kgo.Record
	// running is what the worker lists that was running meanwhile, "" for
	// nothing; resumes is where a task goes on. Both are of a worker that reads
	// the records in the order in which they were written.
	running, resumes string
	// fits, where the order of topic partitions decides what a worker that
	// starts lists, picks a connector's name by it; nil where it does not.
	fits func(s *subject) bool
	// reset is the code that DELETE answers with, though it writes nothing; 0 is
	// not tried.
	reset int
}

const (
	ten       = `{"position":10}`
	four      = `{"position":4}`
	unlisted  = ""
	failed    = "FAILED"
	nothing   = "nothing" // the task runs and reads nothing
	fromStart = "0"
)

// spelled is the subject's key in another spelling.
func (s *subject) spelled(how string) string {
	switch how {
	case "blank":
		return strings.Replace(s.key, `",{`, `", {`, 1)
	case "slash":
		return strings.ReplaceAll(s.key, "/", `\/`)
	}
	var wide strings.Builder // UTF-16BE
	for _, c := range []byte(s.key) {
		wide.Write([]byte{0, c})
	}
	return wide.String()
}

// home is a record of the subject where a producer puts it.
func (s *subject) home(key, value string) *kgo.Record { return home(s.topic, key, value) }

// rank is when a starting worker reads the topic partition.
func (s *subject) rank(partition int32) int { return slices.Index(s.order, partition) }

// own is the rank of the subject's home.
func (s *subject) own() int { return s.rank(s.topic.Home([]byte(s.key))) }

// alias is how a blank spelling lies to the canonical one.
func (s *subject) aliasReadFirst() bool {
	return s.rank(s.topic.Home([]byte(s.spelled("blank")))) < s.own()
}

func (s *subject) aliasReadLast() bool {
	return s.rank(s.topic.Home([]byte(s.spelled("blank")))) > s.own()
}

// neighbour is the topic partition that is read so many places behind home.
func (s *subject) neighbour(places int) int32 { return s.order[s.own()+places] }

// amid: some topic partition is read before home, and some after.
func (s *subject) amid() bool { return s.own() > 1 && s.own() < len(s.order)-2 }

// value is an odd value under the connector's own key.
func value(name, value, running, resumes string) oddity {
	return oddity{
		name: "value " + name, running: running, resumes: resumes,
		records: func(s *subject) []*kgo.Record { return []*kgo.Record{s.home(s.key, value)} },
	}
}

// aliased writes a record of another spelling.
func aliased(how, value string) func(s *subject) []*kgo.Record {
	return func(s *subject) []*kgo.Record { return []*kgo.Record{s.home(s.spelled(how), value)} }
}

// astray writes a record so many places from home in the order of reading.
func astray(places int, value string) func(s *subject) []*kgo.Record {
	return func(s *subject) []*kgo.Record { return []*kgo.Record{record(s.neighbour(places), s.key, value)} }
}

func resetThenAlias(s *subject) []*kgo.Record {
	return []*kgo.Record{s.home(s.key, tombstone), s.home(s.spelled("blank"), four)}
}

func split(first, second int) func(s *subject) []*kgo.Record {
	return func(s *subject) []*kgo.Record {
		return []*kgo.Record{
			record(s.neighbour(first), s.key, four),
			record(s.neighbour(second), s.key, `{"position":6}`),
		}
	}
}

var oddities = []oddity{
	{name: "alias with a blank", records: aliased("blank", four), running: ten, resumes: "10"},
	{name: "alias with slashes escaped", records: aliased("slash", four), running: ten, resumes: "10"},
	{name: "alias in UTF-16", records: aliased("wide", four), running: ten, resumes: "10"},
	{name: "alias tombstone that is read last", fits: (*subject).aliasReadLast, records: aliased("blank", tombstone), running: unlisted, resumes: "10", reset: http.StatusOK},
	{name: "alias tombstone that is read first", fits: (*subject).aliasReadFirst, records: aliased("blank", tombstone), running: unlisted, resumes: "10"},
	{name: "reset, then an alias that is read last", fits: (*subject).aliasReadLast, records: resetThenAlias, running: "null", resumes: fromStart},
	{name: "reset, then an alias that is read first", fits: (*subject).aliasReadFirst, records: resetThenAlias, running: "null", resumes: fromStart},
	{name: "misplaced and read last", fits: (*subject).amid, records: astray(1, four), running: four, resumes: "4"},
	{name: "misplaced and read first", fits: (*subject).amid, records: astray(-1, four), running: four, resumes: "4"},
	{name: "misplaced tombstone that is read last", fits: (*subject).amid, records: astray(1, tombstone), running: unlisted, resumes: fromStart},
	{name: "misplaced tombstone that is read first", fits: (*subject).amid, records: astray(-1, tombstone), running: unlisted, resumes: fromStart},
	{name: "split and home read last", fits: (*subject).amid, records: split(-1, -2), running: `{"position":6}`, resumes: "6"},
	{name: "split and home read between", fits: (*subject).amid, records: split(1, -1), running: `{"position":6}`, resumes: "6"},
	{name: "split and home read first", fits: (*subject).amid, records: split(2, 1), running: `{"position":6}`, resumes: "6"},

	value("of zero bytes", "", "null", fromStart),
	value("null in JSON", "null", "null", fromStart),
	value("not JSON", "x", unlisted, fromStart),
	value("a number", "5", unlisted, fromStart),
	value("with a list", `{"position":[4]}`, unlisted, fromStart),
	value("an empty map", `{}`, `{}`, fromStart),
	value("with another field", `{"pos":4}`, `{"pos":4}`, fromStart),
	value("with null", `{"position":null}`, `{"position":null}`, fromStart),
	value("negative", `{"position":-1}`, `{"position":-1}`, fromStart),
	value("a string", `{"position":"4"}`, `{"position":"4"}`, failed),
	value("a decimal", `{"position":4.0}`, `{"position":4.0}`, failed),
	value("beyond 64 bits", `{"position":18446744073709551620}`, four, "4"),
	value("beyond the end", `{"position":9999}`, `{"position":9999}`, nothing),
	value("with more behind", `{"position":4} trailing`, four, "4"),

	{name: "nested source partition", running: ten, resumes: "10", reset: http.StatusInternalServerError, records: func(s *subject) []*kgo.Record {
		return []*kgo.Record{s.home(fmt.Sprintf(`[%q,{"filename":{"a":1}}]`, s.connector), four)}
	}},
	{name: "null source partition", running: ten, resumes: "10", records: func(s *subject) []*kgo.Record {
		return []*kgo.Record{s.home(fmt.Sprintf(`[%q,null]`, s.connector), four)}
	}},
	{name: "headers and a timestamp of 1970", running: four, resumes: "4", records: func(s *subject) []*kgo.Record {
		r := s.home(s.key, four)
		r.Timestamp, r.Headers = time.UnixMilli(0), []kgo.RecordHeader{{Key: "a", Value: []byte("b")}}
		return []*kgo.Record{r}
	}},
}

// source is a connector that the oddities are tried on.
type source interface {
	part() realkafka.Part
	config(t *testing.T, s *subject) map[string]string
	// more gives a halted subject something to read.
	more(t *testing.T, s *subject)
	// resumed tells where the tasks of the subjects went on.
	resumed(t *testing.T, worker *realkafka.Worker, subjects []*subject) map[*subject]string
}

// compareOddities writes every oddity for a connector of its own, and holds
// against koffsets what the worker lists that was running meanwhile, what one
// lists that starts behind it, and where tasks resume.
func compareOddities(t *testing.T, broker *realkafka.Broker, release string, source source) {
	group := "odd-" + release
	topic := broker.CreateTopic(t, group+"-offsets", 25, map[string]string{"cleanup.policy": "compact"})
	order := readingOrder(topic)
	for _, partition := range order { // an empty one would have no place in the order
		topic.Write(t, kgo.NoCompression(), record(partition, `["filler",{}]`, `{}`))
	}
	worker := broker.StartWorker(t, source.part(), release, group)
	var subjects []*subject
	dir := t.TempDir()
	for i, o := range oddities {
		s := newSubject(o, topic, order, fmt.Sprintf("%s/%d", dir, i))
		worker.Configure(t, s.connector, source.config(t, s))
		subjects = append(subjects, s)
	}
	for _, s := range subjects {
		awaitListed(t, worker, s.connector, ten)
	}
	worker.Halt(t, connectors(subjects)...)
	for _, s := range subjects[:3] {
		compareREST(t, broker, topic.Name, worker, s.connector, uncommitted)
	}
	for _, s := range subjects {
		s.written = s.records(s)
	}
	for round := range 2 {
		for _, s := range subjects {
			topic.Write(t, kgo.NoCompression(), s.written[min(round, len(s.written)):min(round+1, len(s.written))]...)
		}
		// It reads to the end: the second records behind the first ones, and all
		// before the answers.
		worker.Offsets(t, subjects[0].connector)
	}
	starting := worker.Beside(t, source.part(), release)
	view := readView(t, broker, topic.Name, release, uncommitted)
	said := orderDecides(t, koffsets{"-b", broker.Address, "-t", topic.Name, "--release", release})
	running := listings(t, worker, subjects)
	for _, s := range subjects {
		compareREST(t, broker, topic.Name, worker, s.connector, uncommitted)
		s.tryReset(t, worker, broker)
	}
	starting.AwaitReady(t)
	started := listings(t, starting, subjects)
	worker.Kill()
	for _, s := range subjects {
		source.more(t, s)
		starting.Resume(t, s.connector)
	}
	resumed := source.resumed(t, starting, subjects)
	for _, s := range subjects {
		t.Run(s.name, func(t *testing.T) {
			s.compare(t, entryOf(view, s.key), running[s], started[s], resumed[s], said[s.connector])
		})
	}
}

// readingOrder is the order in which a worker that starts reads the topic
// partitions, where one broker leads them all and each holds something: that of
// a java.util.HashMap of TopicPartition.
func readingOrder(topic *realkafka.Topic) []int32 {
	var name int32
	for _, c := range []byte(topic.Name) {
		name = 31*name + int32(c)
	}
	hashes := make([]int32, topic.Partitions)
	for i := range hashes {
		hashes[i] = 31*(31+int32(i)) + name
	}
	var order []int32
	for _, partition := range decode.HashOrder(hashes, 16) {
		order = append(order, int32(partition))
	}
	return order
}

// newSubject names a connector so that its key hashes to where the oddity needs
// it.
func newSubject(o oddity, topic *realkafka.Topic, order []int32, file string) *subject {
	s := &subject{oddity: o, file: file, topic: topic, order: order}
	for i := 0; i == 0 || s.fits != nil && !s.fits(s); i++ {
		s.connector = fmt.Sprintf("%s %d", o.name, i)
		s.key = fmt.Sprintf(`[%q,{"filename":%q}]`, s.connector, file)
	}
	return s
}

// listings are what the worker lists of the subjects, unlisted for nothing.
func listings(t *testing.T, worker *realkafka.Worker, subjects []*subject) map[*subject]string {
	t.Helper()
	all := map[*subject]string{}
	for _, s := range subjects {
		offsets := listedOffsets(t, worker, s.connector)
		if len(offsets) > 1 {
			t.Errorf("%s: more than its one source partition is listed: %q", s.connector, offsets)
		}
		all[s] = strings.Join(offsets, " and ")
	}
	return all
}

// tryReset has the worker reset the subject's offsets where that writes nothing.
func (s *subject) tryReset(t *testing.T, worker *realkafka.Worker, broker *realkafka.Broker) {
	t.Helper()
	if s.reset == 0 {
		return
	}
	before := broker.Footprint(t).Topics[s.topic.Name]
	code, answer := worker.Request(t, http.MethodDelete, nil, "connectors", s.connector, "offsets")
	after := broker.Footprint(t).Topics[s.topic.Name]
	if code != s.reset || fmt.Sprint(before) != fmt.Sprint(after) {
		t.Errorf("%s: DELETE answers %d %s, ends %v and then %v", s.connector, code, answer, before, after)
	}
}

// afterStart is what a worker lists that has read the subject's records in the
// order of topic partitions.
func (s *subject) afterStart() string {
	records := append([]*kgo.Record{s.home(s.key, ten)}, s.written...)
	slices.SortStableFunc(records, func(a, b *kgo.Record) int { return s.rank(a.Partition) - s.rank(b.Partition) })
	shown, found := false, "null"
	for _, r := range records {
		shown = r.Value != nil
		switch {
		case string(r.Key) != s.key:
		case r.Value == nil:
			found = "null"
		default:
			found = string(r.Value)
		}
	}
	if !shown {
		return unlisted
	}
	return found
}

// compare holds what workers did against the recorded facts and against what
// koffsets says. said is that scan names the order of reading as what decides.
func (s *subject) compare(t *testing.T, e *offsetstore.Entry, running, started, resumed string, said bool) {
	if running != s.running {
		t.Errorf("the running worker lists %q, want %q", running, s.running)
	}
	want := s.running
	if s.fits != nil {
		want = s.afterStart()
	}
	if started != want {
		t.Errorf("the started worker lists %q, want %q by the order of topic partitions", started, want)
	}
	if e == nil {
		t.Fatal("koffsets has no such source partition")
	}
	listed := unlisted
	if e.Listed.Shown {
		listed = shownOffset(e.Listed.Offset)
	}
	if listed != running {
		t.Errorf("koffsets lists %q, the running worker %q", listed, running)
	}
	if marked := e.Ambiguous || e.Listed.Ambiguous; marked != (s.fits != nil) || said != marked {
		t.Errorf("koffsets says that the order decides: view %v, scan %v, want %v", marked, said, s.fits != nil)
	}
	allowed := []string{position(e.Found.Own)}
	if e.Ambiguous {
		allowed = nil
		for i := range e.Copies {
			var found *decode.Object
			if !e.Copies[i].Tombstone {
				found = &e.Copies[i].Offset.Map
			}
			allowed = append(allowed, position(found))
		}
	} else if resumed != s.resumes {
		t.Errorf("the task resumes from %q, want %q", resumed, s.resumes)
	}
	if !slices.Contains(allowed, resumed) {
		t.Errorf("the task resumes from %q, koffsets says %q", resumed, allowed)
	}
}

// position is where a file source goes on from an offset.
func position(o *decode.Object) string {
	if o == nil {
		return fromStart
	}
	for _, f := range o.Fields {
		if f.Name != "position" || f.Value.Class == decode.JavaNull {
			continue
		}
		switch n := f.Value.Long(); {
		case f.Value.Class != decode.JavaLong:
			return failed
		case n < 0:
			return fromStart
		case n > 10:
			return nothing
		default:
			return fmt.Sprint(n)
		}
	}
	return fromStart
}

// orderDecides are the connectors of which scan says that something hangs on
// the order of topic partitions.
func orderDecides(t *testing.T, k koffsets) map[string]bool {
	t.Helper()
	said := map[string]bool{}
	for _, f := range scanned(t, k) {
		if strings.Contains(f.Detail, "hangs on the order in which") {
			said[f.Connector] = true
		}
	}
	return said
}
