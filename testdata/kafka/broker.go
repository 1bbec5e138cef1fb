package realkafka

import (
	"context"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// BrokerRelease is the Kafka release of the broker that the suites run on.
const BrokerRelease = "4.4.0"

// readyWithin is how long a broker may take from its start to its first answer.
const readyWithin = 60 * time.Second

//go:embed server.properties
var serverProperties string

// Broker is a real KRaft broker of one node, its own controller. It creates
// topics on demand, as a broker does by default.
type Broker struct {
	Address string // host:port of its plaintext listener

	dir       string // its configuration and data
	classPath string
	process   *Process
}

// StartBroker formats and starts a broker on free local ports and waits until
// it answers. It is stopped when the test and its subtests are over, so that a
// suite of subtests shares one. The properties (lines of key=value) come behind
// the harness's own and win over them.
func StartBroker(t testing.TB, release string, properties ...string) *Broker {
	t.Helper()
	Require(t)
	ports := freePorts(t, 2)
	b := &Broker{
		Address:   net.JoinHostPort("127.0.0.1", ports[0]),
		dir:       t.TempDir(),
		classPath: Jars(t, BrokerJars, release),
	}
	own := strings.NewReplacer("${port}", ports[0], "${controller}", ports[1],
		"${dir}", filepath.ToSlash(filepath.Join(b.dir, "data"))).Replace(serverProperties)
	all := own + strings.Join(properties, "\n") + "\n"
	if err := os.WriteFile(filepath.Join(b.dir, "server.properties"), []byte(all), 0o644); err != nil {
		t.Fatal(err)
	}
	const clusterID = "AAAAAAAAAAAAAAAAAAAAAQ"
	format := jvm(b.dir, b.classPath, "kafka.tools.StorageTool", "format", "-t", clusterID, "-c", "server.properties")
	if out, err := format.CombinedOutput(); err != nil {
		t.Fatalf("format the broker's storage: %v\n%s", err, out)
	}
	b.Start(t)
	return b
}

// Start starts the broker over the data it has, and waits until it answers.
// Use it after Kill or Stop.
func (b *Broker) Start(t testing.TB) {
	t.Helper()
	began := time.Now()
	b.process = start(t, "broker", jvm(b.dir, b.classPath, "kafka.Kafka", "server.properties"))
	client := b.Client(t)
	defer client.Close()
	Until(t, readyWithin, "the broker answers", func(ctx context.Context) (bool, error) {
		select {
		case <-b.process.Ended():
			t.Fatalf("the broker ended while starting: %v", b.process.err)
		default:
		}
		answer, err := kmsg.NewPtrMetadataRequest().RequestWith(ctx, client)
		return err == nil && len(answer.Brokers) > 0, err
	})
	t.Logf("broker ready %v after its start", time.Since(began).Round(time.Millisecond))
}

// Stop shuts the broker down cleanly.
func (b *Broker) Stop() { b.process.Stop() }

// Kill ends the broker as kill -9 does.
func (b *Broker) Kill() { b.process.Kill() }

// Client returns a client of the broker that gives up early. The caller closes
// it. It sets no delivery time-out: that one counts from a record's timestamp,
// which may be any.
func (b *Broker) Client(t testing.TB, options ...kgo.Opt) *kgo.Client {
	t.Helper()
	client, err := kgo.NewClient(append([]kgo.Opt{
		kgo.SeedBrokers(b.Address),
		kgo.DialTimeout(2 * time.Second),
		kgo.RetryTimeout(10 * time.Second),
		kgo.MetadataMinAge(100 * time.Millisecond),
	}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// Until polls a condition until it holds, and fails the test when it does not
// within the given time.
func Until(t testing.TB, within time.Duration, what string, holds func(context.Context) (bool, error)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		ok, err := holds(ctx)
		if ok {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("waited %v in vain until %s (last error: %v)", within, what, err)
		case <-tick.C:
		}
	}
}

// freePorts returns ports that nothing listens on, below the range that
// outgoing connections take theirs from (32768 up): a client's connection could
// otherwise sit on a port between a broker's stop and its next start.
func freePorts(t testing.TB, n int) []string {
	t.Helper()
	const low, high = 20000, 32000
	var ports []string
	for range 1000 {
		port := strconv.Itoa(low + rand.IntN(high-low))
		listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port))
		if err != nil {
			continue
		}
		defer listener.Close() // held until all are found, so that they differ
		if ports = append(ports, port); len(ports) == n {
			return ports
		}
	}
	t.Fatal(fmt.Errorf("no %d free ports between %d and %d", n, low, high))
	return nil
}
