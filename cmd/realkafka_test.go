package cmd_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"koffsets/cmd"
	realkafka "koffsets/testdata/kafka"
)

// The suite against a real broker. One broker and one topic serve it all, so
// its steps run in their order: what was written is read as it is, compacted,
// and read again.
func TestRealKafka(t *testing.T) {
	t.Parallel()
	broker := realkafka.StartBroker(t, realkafka.BrokerRelease)
	topic := writeEverything(t, broker)
	quiet := writeQuietTopic(t, broker)
	k := koffsets{"-b", broker.Address}
	if n := len(storedCodecs(t, topic)); n != len(codecs) {
		t.Fatalf("batches of %d codecs lie on the topic, want all %d", n, len(codecs))
	}

	step := func(name string, f func(t *testing.T)) {
		t.Run(name, func(t *testing.T) {
			before := broker.Footprint(t)
			f(t)
			if diff := cmp.Diff(before, broker.Footprint(t)); diff != "" {
				t.Errorf("reading left a trace on the broker (-before +after):\n%s", diff)
			}
		})
	}
	classes := map[string]recorded{}
	for _, release := range []string{"3.6.0", "3.6.1", "4.4.0"} {
		classes[release] = recordedClasses(t, release)
	}
	step("reads what was written", func(t *testing.T) { compareAll(t, k, topic, classes) })
	step("reads a topic whose partitions are empty or end in an aborted transaction", func(t *testing.T) {
		compareAll(t, k, quiet, classes)
	})
	step("does not create a topic that is not there", func(t *testing.T) {
		for _, verb := range [][]string{{"scan"}, {"view"}, {"export", "--as", "dump"}} {
			if _, code := k.run(t, append(verb, "-t", "not-there")...); code != 2 {
				t.Errorf("%v of an unknown topic: exit %d, want 2", verb, code)
			}
		}
	})
	topic.Compact(t, 30*time.Second, []byte(`["rolled",{"segment":1}]`))
	step("reads what compaction left", func(t *testing.T) { compareAll(t, k, topic, classes) })

	end := broker.Footprint(t)
	if len(end.Groups) > 0 {
		t.Errorf("groups on the broker: %v", end.Groups)
	}
	names := slices.Sorted(maps.Keys(end.Topics))
	if want := []string{"__transaction_state", topic.Name, quiet.Name}; !slices.Equal(names, want) {
		t.Errorf("topics on the broker: %v, want %v", names, want)
	}
}

// storedCodecs are the compressions of the batches on the topic.
func storedCodecs(t *testing.T, topic *realkafka.Topic) map[uint8]bool {
	t.Helper()
	records, err := topic.ReadBack(t.Context(), t)
	if err != nil {
		t.Fatal(err)
	}
	stored := map[uint8]bool{}
	for _, r := range records {
		stored[r.Attrs.CompressionType()] = true
	}
	return stored
}

// compareAll holds every reading verb at both isolation levels against what
// was written.
func compareAll(t *testing.T, k koffsets, topic *realkafka.Topic, classes map[string]recorded) {
	for _, isolation := range []string{"read_committed", "read_uncommitted"} {
		visible := visibleAt(topic, isolation)
		k := k.with("-t", topic.Name, "--isolation", isolation)
		t.Run("export at "+isolation, func(t *testing.T) { compareDump(t, k, visible) })
		t.Run("listing at "+isolation, func(t *testing.T) { compareListing(t, k, visible) })
		for release, classes := range classes {
			t.Run(fmt.Sprintf("scan at %s as %s", isolation, release), func(t *testing.T) {
				compareScan(t, k, len(topic.Written), visible, release, classes)
			})
			t.Run(fmt.Sprintf("view at %s as %s", isolation, release), func(t *testing.T) {
				compareView(t, k, visible, release, classes)
			})
		}
	}
}

// koffsets runs the command against a broker.
type koffsets []string

func (k koffsets) with(flags ...string) koffsets { return append(slices.Clone(k), flags...) }

// run returns what a command line answers on standard output and its exit code.
func (k koffsets) run(t *testing.T, arguments ...string) ([]byte, int) {
	t.Helper()
	var out, errs bytes.Buffer
	code := cmd.Main(t.Context(), append(arguments, k...), cmd.World{
		In: strings.NewReader(""), Out: &out, Err: &errs,
		Env:      func(string) (string, bool) { return "", false },
		Now:      time.Now,
		Terminal: func(any) (int, bool) { return 0, false },
	})
	if errs.Len() > 0 {
		t.Logf("%v: exit %d: %s", arguments, code, errs.Bytes())
	}
	return out.Bytes(), code
}
