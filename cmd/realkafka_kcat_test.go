package cmd_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kgo"

	"koffsets/decode"
	"koffsets/offsetstore"
	realkafka "koffsets/testdata/kafka"
)

// compareKcat has kcat write keys as a Java producer places them and as kcat
// does unless told otherwise, and holds what it reads back against export, and
// the places against what scan calls misplaced.
func compareKcat(t *testing.T, broker *realkafka.Broker) {
	topic := broker.CreateTopic(t, "kcat-offsets", 25, map[string]string{"cleanup.policy": "compact"})
	produce := func(connector string, flags ...string) {
		var input bytes.Buffer
		for task := range 200 {
			value := fmt.Sprintf(`{"position":%d}`, task)
			if task%10 == 0 {
				value = "" // -Z makes it null
			}
			fmt.Fprintf(&input, "[%q,{\"filename\":\"/ü/%d\"}]\t%s\n", connector, task, value)
		}
		broker.Kcat(t, input.Bytes(), append([]string{"-P", "-t", topic.Name, "-K", "\t", "-Z"}, flags...)...)
	}
	produce("placed as Java does", "-X", "topic.partitioner=murmur2_random")
	produce("placed as kcat does")
	topic.Write(t, kgo.ZstdCompression(), home(topic, "\x00☃", ""), home(topic, `["c",{}]`, tombstone))

	var read []realkafka.Written
	for _, m := range lines[struct {
		Partition    int32
		Offset, TS   int64
		Key, Payload *string
	}](t, broker.Kcat(t, nil, "-C", "-t", topic.Name, "-e", "-J")) {
		r := home(topic, "", tombstone)
		r.Partition, r.Offset, r.Timestamp, r.Key = m.Partition, m.Offset, time.UnixMilli(m.TS), nil
		if m.Key != nil {
			r.Key = []byte(*m.Key)
		}
		if m.Payload != nil {
			r.Value = []byte(*m.Payload)
		}
		read = append(read, realkafka.Written{Record: r})
	}
	if len(read) != 402 {
		t.Fatalf("kcat reads %d records, want 402", len(read))
	}
	compareDump(t, koffsets{"-b", broker.Address, "-t", topic.Name}, read)

	want := map[string]int{}
	for _, w := range read {
		if decode.Home(w.Key, 25) != int(w.Partition) {
			var name string
			var elements []json.RawMessage
			if json.Unmarshal(w.Key, &elements) == nil && json.Unmarshal(elements[0], &name) == nil {
				want[name]++
			}
		}
	}
	got := findings(t, broker, topic.Name, "4.4.0", offsetstore.KeyMisplaced)
	if diff := gocmp.Diff(want, got); diff != "" || want["placed as Java does"] != 0 || want["placed as kcat does"] == 0 {
		t.Errorf("misplaced keys by connector (-by kcat's places +scan):\n%s%v", diff, want)
	}
}
