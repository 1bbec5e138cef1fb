package cmd_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	realkafka "koffsets/testdata/kafka"
)

// A broker is killed with -9 in the middle of an answer, at both isolation
// levels. Once it is back, the answer is what it was before, or says what is
// missing; where it stays away, it says so.
func TestRealKafkaKilledWhileReading(t *testing.T) {
	t.Parallel()
	wire := newWire(t)
	broker := realkafka.StartBroker(t, realkafka.BrokerRelease, "advertised.listeners=PLAINTEXT://"+wire.address,
		"broker.session.timeout.ms=2000", "broker.heartbeat.interval.ms=500") // for a quick return
	wire.broker = broker.Address
	topic := writeLargeTopic(t, broker)
	k := koffsets{"-b", wire.address, "-t", topic.Name}
	levels := []string{"read_committed", "read_uncommitted"}
	whole := map[string][]byte{}
	for _, level := range levels {
		out, code := k.run(t, "view", "-o", "jsonl", "--isolation", level)
		if code != 0 || bytes.Count(out, []byte(`"live"`)) < 1000 {
			t.Fatalf("undisturbed at %s: exit %d, %.300s", level, code, out)
		}
		whole[level] = out
		compareDump(t, k.with("--isolation", level), visibleAt(topic, level))
	}

	for i, level := range levels {
		cut := wire.cutAfter(int64(1<<20 + i*2<<20))
		ended := make(chan ending, 1)
		go func() {
			out, code := k.run(t, "view", "-o", "jsonl", "--isolation", level, "--timeout", "20s")
			ended <- ending{out, code}
		}()
		select {
		case <-cut:
		case e := <-ended:
			t.Fatalf("the reading ended (exit %d) before the broker was killed", e.code)
		}
		broker.Kill()
		broker.Start(t)
		e := <-ended
		t.Logf("killed and restarted at %s: exit %d", level, e.code)
		if e.code != 2 && (e.code != 0 || !bytes.Equal(e.out, whole[level])) {
			t.Errorf("killed and restarted at %s: exit %d, and the answer is another one", level, e.code)
		}
		e.checkReason(t)
	}

	cut := wire.cutAfter(2 << 20)
	ended := make(chan ending, 1)
	go func() {
		out, code := k.run(t, "view", "-o", "jsonl", "--timeout", "2s")
		ended <- ending{out, code}
	}()
	<-cut
	broker.Kill()
	e := <-ended
	if e.code != 2 {
		t.Errorf("killed for good: exit %d, want 2", e.code)
	}
	e.checkReason(t)
}

// ending is how a run ended.
type ending struct {
	out  []byte
	code int
}

// checkReason wants an answer to say that it is incomplete exactly where the
// exit code says so, and why.
func (e *ending) checkReason(t *testing.T) {
	t.Helper()
	incomplete := bytes.Contains(e.out, []byte(`"complete":false`))
	if incomplete != (e.code == 2) || incomplete && !bytes.Contains(e.out, []byte(`"reason":"`)) {
		head, _, _ := bytes.Cut(e.out, []byte("\n"))
		t.Errorf("exit %d, and the answer begins %.500s", e.code, head)
	}
}

// writeLargeTopic writes a topic that takes several answers to read, with
// transactions of every fate in between.
func writeLargeTopic(t *testing.T, broker *realkafka.Broker) *realkafka.Topic {
	t.Helper()
	topic := broker.CreateTopic(t, "large-offsets", 3, map[string]string{"cleanup.policy": "compact"})
	filler := strings.Repeat("0123456789abcdef", 64)
	round := func(n int) (records []*kgo.Record) {
		for task := range 1500 {
			key := fmt.Sprintf(`["large",{"task":%d}]`, task)
			records = append(records, home(topic, key, fmt.Sprintf(`{"round":%d,"filler":%q}`, n, filler)))
		}
		return records
	}
	plain := kgo.NoCompression()
	topic.Write(t, plain, round(1)...)
	topic.Abort(t, plain, "aborting", round(2)[:300]...)
	topic.Commit(t, plain, "committing", round(3)...)
	topic.Abort(t, plain, "aborting", round(4)[:500]...)
	topic.Write(t, plain, round(5)[:1000]...)
	topic.LeaveOpen(t, plain, "never ending", home(topic, `["large",{"task":1}]`, `{"round":6}`))
	topic.Write(t, plain, round(7)[:700]...)
	return topic
}

// wire passes on what a broker and its clients say, until it is cut in the
// middle of an answer.
type wire struct {
	address, broker string
	left            atomic.Int64 // bytes until it is cut; 0 it is not
	mu              sync.Mutex
	cut             chan struct{}
}

func newWire(t *testing.T) *wire {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	w := &wire{address: listener.Addr().String()}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go w.pass(client)
		}
	}()
	return w
}

// cutAfter cuts the wire once, when so many bytes have come from the broker.
func (w *wire) cutAfter(bytes int64) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = make(chan struct{})
	w.left.Store(bytes)
	return w.cut
}

func (w *wire) pass(client net.Conn) {
	defer client.Close()
	broker, err := net.Dial("tcp", w.broker)
	if err != nil {
		return
	}
	defer broker.Close()
	go func() {
		_, _ = io.Copy(broker, client)
		_ = broker.Close()
	}()
	buffer := make([]byte, 16<<10)
	for {
		n, err := broker.Read(buffer)
		if left := w.left.Load(); left > 0 && w.left.Add(-int64(n)) <= 0 {
			w.mu.Lock()
			w.left.Store(0)
			if w.cut != nil {
				close(w.cut)
				w.cut = nil
			}
			w.mu.Unlock()
			n /= 2
			err = io.ErrUnexpectedEOF
		}
		if _, failed := client.Write(buffer[:n]); failed != nil || err != nil {
			return
		}
	}
}
