package kafka_test

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Borders are asked for by the topic's name: where all topic partitions are
// empty, that is all that is asked for.
func TestEmptyTopicRecreatedWhileItsBordersAreAskedFor(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2)
	c.ControlKey(int16(kmsg.ListOffsets), func(kmsg.Request) (kmsg.Response, error, bool) {
		if err := errors.Join(c.DeleteTopic(topicName), c.CreateTopic(topicName, 2, nil)); err != nil {
			t.Error(err)
		}
		return nil, nil, false
	})
	_, desc, err := read(t, c.config())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"-1@-1 the topic was deleted and made anew while it was read"}, gaps(desc)); diff != "" {
		t.Error(diff)
	}
}

func TestNobodyLeftToSayThatTheTopicWasTheSame(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(kmsg.Request) (kmsg.Response, error, bool){
		"hangs up":        func(kmsg.Request) (kmsg.Response, error, bool) { return nil, errors.New("hang up"), true },
		"does not answer": func(kmsg.Request) (kmsg.Response, error, bool) { return nil, nil, true },
		"leaves it out":   func(req kmsg.Request) (kmsg.Response, error, bool) { return req.ResponseKind(), nil, true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := newVirtualCluster(t, 2)
				c.write(record(0, "a", "1"))
				c.ControlKey(int16(kmsg.Fetch), func(kmsg.Request) (kmsg.Response, error, bool) {
					c.ControlKey(int16(kmsg.Metadata), func(req kmsg.Request) (kmsg.Response, error, bool) {
						c.KeepControl()
						return answer(req)
					})
					return nil, nil, false
				})
				got, desc, err := read(t, c.config())
				if err != nil || len(got) != 1 {
					t.Errorf("%d records, %v", len(got), err)
				}
				want := []string{"-1@-1 no broker could be asked whether the topic was the same to the end"}
				if diff := cmp.Diff(want, gaps(desc)); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}
