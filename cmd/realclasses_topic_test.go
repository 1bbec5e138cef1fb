package cmd_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/twmb/franz-go/pkg/kgo"

	"koffsets/decode"
	"koffsets/offsetstore"
	"koffsets/release"
	realkafka "koffsets/testdata/kafka"
)

// TestRealClassesHoldATopicAsViewDoes loads generated topics into the released
// KafkaOffsetBackingStore, as a worker does when it starts, and into a view: the
// same keys find the same values, and the same source partitions are listed.
// What koffsets marks as hanging on the order of topic partitions may be either.
func TestRealClassesHoldATopicAsViewDoes(t *testing.T) {
	t.Parallel()
	broker := realkafka.StartBroker(t, realkafka.BrokerRelease)
	n, seed := setting(t, "KOFFSETS_ORACLE_N", questionsPerRelease)/2500, setting(t, "KOFFSETS_ORACLE_SEED", 1)
	var corpus [][]byte
	for _, v := range realkafka.Vectors(t, vectorFiles, "3.6.1") {
		if len(v.Key) > 0 && len(v.Key) < 1000 {
			corpus = append(corpus, v.Key)
		}
	}
	for i, name := range releases {
		t.Run(name, func(t *testing.T) {
			t.Logf("%d topics of seed %d", n, seed)
			s := &storeComparison{broker: broker, release: name}
			s.rules = release.MustParse(name).Rules
			s.oracle = realkafka.StartOracle(t, name, "Store", broker.Address)
			g := realkafka.NewGenerator(uint64(seed), uint64(i), corpus)
			for range n {
				s.topics++
				topic := s.create(t, 1+g.Int32N(7))
				records := slices.DeleteFunc(g.Records(topic.Partitions, func(key []byte) int32 { return topic.Home(key) }), s.unfit)
				if s.compacted = g.IntN(2) == 0; s.compacted {
					records = lastOfEachKey(records)
				}
				if s.difference(t, topic, records) != "" {
					t.Errorf("topic %d of seed %d, release %s: %s", s.topics, seed, name, s.shrink(t, topic.Partitions, records))
				}
			}
		})
	}
}

// storeComparison compares what a release's store and a view hold.
type storeComparison struct {
	broker  *realkafka.Broker
	release string
	rules   release.Rules
	oracle  *realkafka.Oracle
	topics  int
	// compacted: the topic in question holds one record of a key on a topic
	// partition.
	compacted bool
}

func (s *storeComparison) create(t *testing.T, partitions int32) *realkafka.Topic {
	t.Helper()
	s.topics++
	return s.broker.CreateTopic(t, fmt.Sprintf("store-%s-%d", s.release, s.topics), partitions, map[string]string{"cleanup.policy": "compact"})
}

// unfit are keys that a store does not get past, and those whose verdict hangs
// on what was read before.
func (s *storeComparison) unfit(r *kgo.Record) bool {
	c := decode.CheckKey(&s.rules, r.Key)
	o := decode.ParseValue(&s.rules, r.Value)
	return c.Fatal(&s.rules) || c.Verdict == decode.KeyNotJSON && paddedName(r.Key, c.ErrorAt) ||
		o.Verdict == decode.ValueNotJSON && paddedName(r.Value, o.ErrorAt)
}

// difference writes the records and says how store and view differ, "" for not
// at all.
func (s *storeComparison) difference(t *testing.T, topic *realkafka.Topic, records []*kgo.Record) string {
	t.Helper()
	var copied []*kgo.Record // for the client changes what it writes
	for _, r := range records {
		c := *r
		copied = append(copied, &c)
	}
	topic.Write(t, kgo.NoCompression(), copied...)
	loaded, err := s.oracle.Load(topic.Name)
	if err != nil {
		t.Fatal(err)
	}
	view := readView(t, s.broker, topic.Name, s.release, uncommitted)
	return s.lookups(view, loaded.Lookup) + s.listings(t, view, loaded.Listing)
}

// lookups compares what is found under every key.
func (s *storeComparison) lookups(view *offsetstore.View, stored map[string][]byte) string {
	var differences strings.Builder
	left := maps.Clone(stored)
	for e := range view.Entries() {
		held := map[string][][]byte{} // values by key; of several, one on each topic partition
		for _, c := range e.Copies {
			held[string(c.Key)] = append(held[string(c.Key)], c.Value)
		}
		for key, values := range held {
			alike := !slices.ContainsFunc(values, func(v []byte) bool { return !bytes.Equal(v, values[0]) || (v == nil) != (values[0] == nil) })
			found, ok := stored[key]
			delete(left, key)
			right := slices.ContainsFunc(values, func(v []byte) bool { return bytes.Equal(v, found) && (v != nil) == ok })
			if !right || !alike && !e.Ambiguous {
				fmt.Fprintf(&differences, "lookup %q\nkoffsets: %q, ambiguous %v\nKafka:    %s\n", key, values, e.Ambiguous, shown(found))
			}
		}
	}
	for key := range left {
		if decode.CheckKey(&s.rules, []byte(key)).Verdict == decode.OK {
			fmt.Fprintf(&differences, "lookup %q\nkoffsets: nothing\nKafka:    %s\n", key, shown(left[key]))
		}
	}
	return differences.String()
}

// listings compares what REST shows of every connector: to the byte where the
// topic holds nothing but what is in force. Else the order of source partitions
// of one hash hangs on records that compaction takes away, and koffsets goes by
// the last ones; and what it marks as ambiguous is not compared.
func (s *storeComparison) listings(t *testing.T, view *offsetstore.View, listed map[string][]byte) string {
	t.Helper()
	var differences strings.Builder
	for _, connector := range view.Connectors() {
		ours, err := view.REST(connector)
		if err != nil {
			t.Fatal(err)
		}
		theirs := listed[connector]
		if !utf8.ValidString(connector) {
			continue // a lone surrogate, which the oracle cannot name
		}
		ambiguous := map[string]bool{}
		for e := range view.Entries(connector) {
			if e.Ambiguous || e.Listed.Ambiguous {
				for _, c := range e.Copies {
					k := decode.ParseKey(&s.rules, c.Key)
					ambiguous[string(k.SourcePartition.AppendCanonical(nil))] = true
				}
			}
		}
		if len(ambiguous) > 0 || !s.compacted {
			ours, theirs = without(t, ours, ambiguous), without(t, theirs, ambiguous)
		}
		if !bytes.Equal(ours, theirs) {
			fmt.Fprintf(&differences, "listing of %s, ambiguous %v\nkoffsets: %s\nKafka:    %s\n", connector, ambiguous, ours, theirs)
		}
	}
	return differences.String()
}

// lastOfEachKey are the records that compaction keeps.
func lastOfEachKey(records []*kgo.Record) []*kgo.Record {
	type spot struct {
		partition int32
		key       string
	}
	last := map[spot]*kgo.Record{}
	for _, r := range records {
		last[spot{r.Partition, string(r.Key)}] = r
	}
	return slices.DeleteFunc(records, func(r *kgo.Record) bool { return last[spot{r.Partition, string(r.Key)}] != r })
}

// without is a listing without some source partitions, in an order of its own.
func without(t *testing.T, listing []byte, source map[string]bool) []byte {
	t.Helper()
	var answer struct {
		Offsets []struct{ Partition, Offset json.RawMessage }
	}
	if err := json.Unmarshal(listing, &answer); err != nil {
		t.Fatalf("%v: %s", err, listing)
	}
	var kept []string
	for _, o := range answer.Offsets {
		if !source[string(o.Partition)] {
			kept = append(kept, fmt.Sprintf("%s %s", o.Partition, o.Offset))
		}
	}
	slices.Sort(kept)
	return []byte(strings.Join(kept, "\n"))
}

// shrink takes away records as long as store and view still differ, and says
// what is left and how.
func (s *storeComparison) shrink(t *testing.T, partitions int32, records []*kgo.Record) string {
	t.Helper()
	how := s.difference(t, s.create(t, partitions), records)
	for before := -1; before != len(records); {
		before = len(records)
		for size := before / 2; size > 0; size /= 2 {
			for at := 0; at+size <= len(records); {
				fewer := slices.Concat(records[:at], records[at+size:])
				if still := s.difference(t, s.create(t, partitions), fewer); still != "" {
					records, how = fewer, still
				} else {
					at += size
				}
			}
		}
	}
	for _, r := range records {
		how += fmt.Sprintf("%d of %d, %d:\t%x:%x\t%q %s\n", r.Partition, partitions, r.Timestamp.UnixMilli(), r.Key, r.Value, r.Key, shown(r.Value))
	}
	return how
}
