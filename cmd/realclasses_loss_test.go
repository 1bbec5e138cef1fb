package cmd_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	"koffsets/offsetstore"
	realkafka "koffsets/testdata/kafka"
)

// costs are odd keys between two good ones.
var costs = []struct{ name, key, value string }{
	{"null", nullKey, four},
	{"zero bytes", "", four},
	{"a map", `{}`, four},
	{"an empty list", `[]`, four},
	{"a string", `"c"`, four},
	{"a number", `5`, four},
	{"null in JSON", `null`, four},
	{"a list of one", `["c"]`, four},
	{"a list of three", `["c",{},{}]`, four},
	{"a name that is a number", `[1,{}]`, four},
	{"a source partition that is a number", `["c",1]`, four},
	{"a null source partition", `["c",null]`, four},
	{"a nested source partition", `["c",{"p":[1]}]`, four},
	{"an envelope with a schema", `{"schema":null,"payload":["c",{}]}`, four},
	{"Confluent's converters", poison, four},
	{"Confluent's converters, deleted", poison, tombstone},
	{"a bare word", `c`, four},
	{"cut off", `["c",{"p":"v"`, four},
	{"an integer as bytes", "\x00\x00\x00\x05", four},
	{"serialised Java", "\xac\xed\x00\x05sr\x00\x11", four},
	{"a leading zero", `["c",{"p":01}]`, four},
	{"a UTF-8 mark alone", "\xef\xbb\xbf", four},
}

// nullKey stands for a null key.
const nullKey = "\x00null"

const before, after = `["before",{"p":1}]`, `["after",{"p":1}]`

// TestRealClassesLoseRecordsBehindWhatScanCallsFatal loads topics with an odd
// key between good ones: a release loses what is behind the key if, and only if,
// scan calls it fatal for the release.
func TestRealClassesLoseRecordsBehindWhatScanCallsFatal(t *testing.T) {
	t.Parallel()
	broker := realkafka.StartBroker(t, realkafka.BrokerRelease)
	topics := make([]*realkafka.Topic, len(costs))
	for i, c := range costs {
		topics[i] = broker.CreateTopic(t, fmt.Sprintf("costs-%d", i), 1, map[string]string{"cleanup.policy": "delete"})
		odd := record(0, c.key, c.value)
		if c.key == nullKey {
			odd.Key = nil // which a compacted topic refuses
		}
		topics[i].Write(t, kgo.NoCompression(), record(0, before, four), odd, record(0, after, four))
		topics[i].Configure(t, map[string]string{"cleanup.policy": "compact"})
	}
	for release, losses := range map[string]int{"3.5.1": 8, "3.5.2": 0, "3.6.0": 7, "3.6.1": 0, "4.4.0": 0} {
		t.Run(release, func(t *testing.T) {
			oracle := realkafka.StartOracle(t, release, "Store", broker.Address)
			lost := 0
			for i, c := range costs {
				loaded, err := oracle.Load(topics[i].Name)
				if err != nil {
					t.Fatal(err)
				}
				if string(loaded.Lookup[before]) != four {
					t.Errorf("%s: the record before it is lost", c.name)
				}
				if loaded.Lookup[after] == nil {
					lost++
				}
				fatal := false
				for _, f := range readView(t, broker, topics[i].Name, release, uncommitted).Findings(offsetstore.FindingOptions{}) {
					fatal = fatal || f.Severity == offsetstore.Fatal && f.Place.Offset == 1
				}
				if fatal != (loaded.Lookup[after] == nil) {
					t.Errorf("%s: scan calls it fatal: %v, the record behind it is %s", c.name, fatal, shown(loaded.Lookup[after]))
				}
			}
			if lost != losses {
				t.Errorf("%d odd keys cost the record behind them, want %d", lost, losses)
			}
		})
	}
	t.Run("a deep key", func(t *testing.T) { compareDeepKey(t, broker) })
	t.Run("cures", func(t *testing.T) { compareCures(t, broker) })
}

// compareDeepKey loads a key that is nested very deeply: it ends the store of
// releases without limits, at every start.
func compareDeepKey(t *testing.T, broker *realkafka.Broker) {
	topic := broker.CreateTopic(t, "deep", 1, map[string]string{"cleanup.policy": "compact"})
	deep := `["c",{"p":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}]`
	topic.Write(t, kgo.NoCompression(), record(0, deep, four), record(0, after, four))
	for release, ends := range map[string]bool{"3.6.1": true, "3.7.0": false} {
		_, err := realkafka.StartOracle(t, release, "Store", broker.Address).Load(topic.Name)
		if (err != nil) != ends {
			t.Errorf("%s: the store ends: %v, want %v", release, err, ends)
		}
		fatal := false
		for _, f := range readView(t, broker, topic.Name, release, uncommitted).Findings(offsetstore.FindingOptions{}) {
			fatal = fatal || f.Severity == offsetstore.Fatal
		}
		if fatal != ends {
			t.Errorf("%s: scan calls it fatal: %v, want %v", release, fatal, ends)
		}
	}
}

// compareCures tries on an affected release what helps against a key that is
// not JSON.
func compareCures(t *testing.T, broker *realkafka.Broker) {
	const affected = "3.6.0"
	topic := broker.CreateTopic(t, "cures", 1, map[string]string{"cleanup.policy": "compact"})
	topic.Write(t, kgo.NoCompression(), record(0, before, four), record(0, poison, four), record(0, after, four))
	holds := func(oracle *realkafka.Oracle, want bool, when string) {
		t.Helper()
		loaded, err := oracle.Load(topic.Name)
		if err != nil {
			t.Fatal(err)
		}
		if held := string(loaded.Lookup[after]) == four; held != want || string(loaded.Lookup[before]) != four {
			t.Errorf("%s: the record behind the key is read: %v, want %v", when, held, want)
		}
	}
	oracle := realkafka.StartOracle(t, affected, "Store", broker.Address)
	holds(oracle, false, "at first")
	holds(realkafka.StartOracle(t, affected, "Store", broker.Address, "max.poll.records=1"), true, "with one record a poll")
	topic.Write(t, kgo.NoCompression(), record(0, poison, tombstone))
	holds(oracle, false, "with a tombstone of the key")

	topic.Write(t, kgo.NoCompression(), record(0, before, four), record(0, after, four))
	holds(oracle, false, "with the good records sent again")
	again := topic.Written[len(topic.Written)-2].Offset
	topic.Configure(t, map[string]string{"cleanup.policy": "compact,delete"})
	topic.DeleteBefore(t, 0, again)
	topic.Configure(t, map[string]string{"cleanup.policy": "compact"})
	holds(oracle, true, "with all before them deleted")
	k := koffsets{"-b", broker.Address, "-t", topic.Name, "--release", affected}
	compareNotJSON(t, k, "fatal")
}
