package cmd_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	realkafka "koffsets/testdata/kafka"
)

// codecs are all compressions that a batch can have.
var codecs = []kgo.CompressionCodec{
	kgo.NoCompression(), kgo.GzipCompression(), kgo.SnappyCompression(), kgo.Lz4Compression(), kgo.ZstdCompression(),
}

// vectorFiles are the keys recorded from Kafka's own classes.
const vectorFiles = "../testdata/keys/*.tsv"

// longestKey is what a broker takes with its default limits, and then some room.
const longestKey = 1_000_000

// writeEverything writes an offsets topic with every kind of key and record. It
// is not compacted yet: a compacted topic refuses null keys.
func writeEverything(t *testing.T, broker *realkafka.Broker) *realkafka.Topic {
	t.Helper()
	topic := broker.CreateTopic(t, "connect-offsets", 25, map[string]string{
		"cleanup.policy": "delete", "retention.ms": "-1", "max.message.bytes": "2000000",
	})
	for i, codec := range codecs {
		topic.Write(t, codec, tasks(topic, i)...)
	}
	topic.Write(t, kgo.ZstdCompression(), recordedKeys(t, topic)...)
	writeOddPlaces(t, topic)
	writeTransactions(t, topic)
	return topic
}

// tombstone stands for a null value.
const tombstone = "\x00tombstone"

// record is a record of a key on a topic partition.
func record(partition int32, key, value string) *kgo.Record {
	r := &kgo.Record{Partition: partition, Key: []byte(key)}
	if value != tombstone {
		r.Value = []byte(value)
	}
	return r
}

// home is a record where a producer would put it.
func home(topic *realkafka.Topic, key, value string) *kgo.Record {
	return record(topic.Home([]byte(key)), key, value)
}

// taskPrefix begins the keys of the connectors source-0, source-1, …
const taskPrefix = `["source-`

// tasks are records as a worker writes them for a connector of twelve tasks:
// commit after commit, and then an end of every kind. A topic partition's share
// is large and alike enough that any compression makes it smaller.
func tasks(topic *realkafka.Topic, connector int) []*kgo.Record {
	var records []*kgo.Record
	for commit := range 6 {
		for task := range 12 {
			value := fmt.Sprintf(`{"position":%d}`, 1000*commit+task)
			if commit == 5 && task < 8 {
				value = []string{value, "", " null", tombstone}[task%4]
			}
			key := fmt.Sprintf(taskPrefix+`%d",{"filename":"/data/%d.txt"}]`, connector, task)
			records = append(records, home(topic, key, value))
		}
	}
	return records
}

// recordedVectors are the recorded keys that a broker takes.
func recordedVectors(t *testing.T, release string) []realkafka.Vector {
	t.Helper()
	return slices.DeleteFunc(realkafka.Vectors(t, vectorFiles, release), func(v realkafka.Vector) bool {
		return len(v.Key) > longestKey
	})
}

// recordedKeys are records of all recorded keys.
func recordedKeys(t *testing.T, topic *realkafka.Topic) []*kgo.Record {
	t.Helper()
	var records []*kgo.Record
	for i, v := range recordedVectors(t, "3.6.1") {
		records = append(records, &kgo.Record{
			Partition: topic.Home(v.Key), Key: v.Key, Value: fmt.Appendf(nil, `{"n":%d}`, i),
		})
	}
	return records
}

// writeOddPlaces writes what no worker writes: keys on wrong topic partitions,
// other spellings, headers, an old timestamp, values that are no offsets.
func writeOddPlaces(t *testing.T, topic *realkafka.Topic) {
	t.Helper()
	const misplaced, split, alias = `["odd",{"p":"misplaced"}]`, `["odd",{"p":"split"}]`, `["odd",{"p":"alias"}]`
	old := home(topic, `["odd",{"p":"old"}]`, `{"position":1}`)
	old.Timestamp = time.UnixMilli(0)
	headers := home(topic, `["odd",{"p":"headers"}]`, `{"position":1}`)
	headers.Headers = []kgo.RecordHeader{{Key: "a", Value: []byte("b")}, {Key: "a", Value: []byte{0xff}}, {Key: "", Value: nil}, {Key: "e", Value: []byte{}}}
	topic.Write(t, kgo.GzipCompression(),
		record((topic.Home([]byte(misplaced))+1)%topic.Partitions, misplaced, `{"position":4}`),
		record(3, split, `{"position":10}`),
		record(4, split, `{"position":4}`),
		record(5, split, tombstone),
		home(topic, alias, `{"position":10}`),
		home(topic, strings.Replace(alias, ",", ", ", 1), tombstone),
		old, headers,
		home(topic, `["odd",{"p":"not JSON"}]`, "{"),
		home(topic, `["odd",{"p":"a list"}]`, `[]`),
		home(topic, `["odd",{"p":"nested"}]`, `{"position":[4]}`),
		home(topic, `["odd",{"p":"binary"}]`, "\x00\xff"),
	)
}

// writeTransactions writes transactions of every fate. Two topic partitions get
// one that stays open, with committed and aborted records behind its first.
func writeTransactions(t *testing.T, topic *realkafka.Topic) {
	t.Helper()
	key := func(name string) string { return fmt.Sprintf(`["transactions",{"p":%q}]`, name) }
	// across are records of one key each on several topic partitions.
	across := func(name, value string) []*kgo.Record {
		var records []*kgo.Record
		for partition := range int32(5) {
			records = append(records, record(partition, key(name), value), record(partition, key(name+" too"), value))
		}
		return records
	}
	for i, codec := range codecs {
		topic.Commit(t, codec, "committing", across("committed", fmt.Sprintf(`{"position":%d}`, i))...)
		topic.Abort(t, codec, "aborting", across("committed", `{"position":666}`)...)
		topic.Abort(t, codec, "aborting", across("aborted", `{"position":666}`)...)
	}
	topic.Commit(t, kgo.NoCompression(), "committing", across("deleted", `{"position":1}`)...)
	topic.Commit(t, kgo.NoCompression(), "committing", across("deleted", tombstone)...)

	open := []*kgo.Record{record(3, key("open"), `{"position":1}`), record(4, key("committed"), `{"position":777}`)}
	topic.LeaveOpen(t, kgo.NoCompression(), "never ending", open...)
	topic.Write(t, kgo.Lz4Compression(), record(3, key("behind"), `{"position":1}`), record(4, key("behind"), `{"position":1}`))
	topic.Commit(t, kgo.NoCompression(), "committing", record(3, key("behind"), `{"position":2}`))
	topic.Abort(t, kgo.NoCompression(), "aborting", record(3, key("behind"), `{"position":666}`))
}

// writeQuietTopic writes a topic with empty topic partitions, and some that end
// in an aborted transaction.
func writeQuietTopic(t *testing.T, broker *realkafka.Broker) *realkafka.Topic {
	t.Helper()
	topic := broker.CreateTopic(t, "quiet-offsets", 4, map[string]string{"cleanup.policy": "compact"})
	topic.Abort(t, kgo.NoCompression(), "aborting", record(1, `["c",{"p":1}]`, `{"position":1}`))
	topic.Write(t, kgo.NoCompression(), record(2, `["c",{"p":2}]`, `{"position":2}`))
	topic.Abort(t, kgo.NoCompression(), "aborting", record(2, `["c",{"p":2}]`, `{"position":3}`))
	return topic
}

// visibleAt are the records that a reader of the isolation level sees.
func visibleAt(topic *realkafka.Topic, isolation string) []realkafka.Written {
	ended := map[int32]bool{} // topic partitions with an open transaction so far
	var visible []realkafka.Written
	for _, w := range topic.Written {
		if isolation == "read_committed" {
			ended[w.Partition] = ended[w.Partition] || w.Fate == "open"
			if ended[w.Partition] || w.Fate == "aborted" {
				continue
			}
		}
		visible = append(visible, w)
	}
	return visible
}
