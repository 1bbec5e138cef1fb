package realkafka

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

//go:embed worker.properties
var workerProperties string

// Worker is a distributed Connect worker. The connectors it knows are the
// harness's own, koffsets.ProbeConnector (its comment says what it does), and
// FileStreamSource where the part is FileJars.
type Worker struct {
	Dir     string // its working directory
	Release string
	Group   string // its group.id
	Topics  string // its topics are Topics-configs, Topics-offsets and Topics-status

	broker  *Broker
	url     string
	began   time.Time
	process *Process
}

// StartWorker starts a worker and waits until it serves requests. Its topics
// are named group-configs, group-offsets and group-status. The properties
// (lines of key=value) come behind the harness's own and win over them.
func (b *Broker) StartWorker(t testing.TB, part Part, release, group string, properties ...string) *Worker {
	t.Helper()
	w := b.launch(t, part, release, group, group, properties)
	w.AwaitReady(t)
	return w
}

// Beside starts another worker, of a group of its own, over the topics of this
// one: it reads them as this one would when started anew. It returns at once;
// AwaitReady waits.
func (w *Worker) Beside(t testing.TB, part Part, release string, properties ...string) *Worker {
	t.Helper()
	return w.broker.launch(t, part, release, "", w.Topics, properties)
}

// launch starts a worker of a group, or where it is "" of one of its own.
func (b *Broker) launch(t testing.TB, part Part, release, group, topics string, properties []string) *Worker {
	t.Helper()
	port := freePorts(t, 1)[0]
	if group == "" {
		group = topics + "-" + port
	}
	w := &Worker{
		Dir: t.TempDir(), Release: release, Group: group, Topics: topics,
		broker: b, url: "http://" + net.JoinHostPort("127.0.0.1", port), began: time.Now(),
	}
	own := strings.NewReplacer("${broker}", b.Address, "${group}", group, "${topics}", topics, "${port}", port).Replace(workerProperties)
	all := own + strings.Join(properties, "\n") + "\n"
	if err := os.WriteFile(filepath.Join(w.Dir, "worker.properties"), []byte(all), 0o644); err != nil {
		t.Fatal(err)
	}
	classPath := classes(t, "probe") + string(filepath.ListSeparator) + Jars(t, part, release)
	w.process = start(t, "worker-"+release, jvm(w.Dir, classPath,
		"org.apache.kafka.connect.cli.ConnectDistributed", "worker.properties"))
	return w
}

// AwaitReady waits until the worker serves requests. It answers them all only
// when it has read its topics: those about offsets wait until then.
func (w *Worker) AwaitReady(t testing.TB) {
	t.Helper()
	// Not the log line that says started: for a moment after it paths answer 404.
	Until(t, readyWithin, "the worker serves requests", func(ctx context.Context) (bool, error) {
		select {
		case <-w.process.Ended():
			t.Fatalf("the worker ended while starting: %v", w.process.err)
		default:
		}
		code, _, err := w.request(ctx, http.MethodGet, "/connectors", nil)
		return code == http.StatusOK, err
	})
	t.Logf("worker %s ready %v after its start", w.Release, time.Since(w.began).Round(time.Millisecond))
}

// Stop shuts the worker down cleanly.
func (w *Worker) Stop() { w.process.Stop() }

// Kill ends the worker as kill -9 does.
func (w *Worker) Kill() { w.process.Kill() }

// Log is what the worker has logged so far.
func (w *Worker) Log(t testing.TB) string {
	t.Helper()
	log, err := os.ReadFile(w.process.log)
	if err != nil {
		t.Fatal(err)
	}
	return string(log)
}

// Request asks the worker's REST interface; a body that is not nil is sent as
// JSON. The path's parts are escaped. It answers with the status code and the
// body as sent.
func (w *Worker) Request(t testing.TB, method string, body any, path ...string) (int, []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	code, answer, err := w.Try(ctx, method, body, path...)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return code, answer
}

// Try is Request for a goroutine that must not end the test.
func (w *Worker) Try(ctx context.Context, method string, body any, path ...string) (int, []byte, error) {
	var whole strings.Builder
	for _, part := range path {
		whole.WriteString("/" + url.PathEscape(part))
	}
	return w.request(ctx, method, whole.String(), body)
}

func (w *Worker) request(ctx context.Context, method, path string, body any) (int, []byte, error) {
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return 0, nil, err
		}
		sent = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, w.url+path, sent)
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	return response.StatusCode, answer, err
}

// Offsets is what the worker lists of a connector's offsets, as sent.
func (w *Worker) Offsets(t testing.TB, connector string) []byte {
	t.Helper()
	code, answer := w.Request(t, http.MethodGet, nil, "connectors", connector, "offsets")
	if code != http.StatusOK {
		t.Fatalf("offsets of %s: %d %s", connector, code, answer)
	}
	return answer
}

// Configure creates a connector or changes its configuration.
func (w *Worker) Configure(t testing.TB, connector string, config map[string]string) {
	t.Helper()
	if code, answer := w.Request(t, http.MethodPut, config, "connectors", connector, "config"); code >= 300 {
		t.Fatalf("configure %s: %d %s", connector, code, answer)
	}
}

// Halt stops the tasks of connectors, as PUT …/stop does, and waits for it.
func (w *Worker) Halt(t testing.TB, connectors ...string) {
	t.Helper()
	for _, connector := range connectors {
		w.put(t, connector, "stop")
	}
	for _, connector := range connectors {
		w.Await(t, connector, "STOPPED")
	}
}

// Resume starts a connector's tasks again.
func (w *Worker) Resume(t testing.TB, connector string) {
	t.Helper()
	w.put(t, connector, "resume")
}

func (w *Worker) put(t testing.TB, connector, act string) {
	t.Helper()
	if code, answer := w.Request(t, http.MethodPut, nil, "connectors", connector, act); code >= 300 {
		t.Fatalf("%s %s: %d %s", act, connector, code, answer)
	}
}

// Await waits until a connector and its tasks have these states.
func (w *Worker) Await(t testing.TB, connector, state string, tasks ...string) {
	t.Helper()
	what := fmt.Sprintf("%s is %s with tasks %v", connector, state, tasks)
	Until(t, readyWithin, what, func(ctx context.Context) (bool, error) {
		code, answer, err := w.request(ctx, http.MethodGet, "/connectors/"+url.PathEscape(connector)+"/status", nil)
		if err != nil || code != http.StatusOK {
			return false, err
		}
		var status struct {
			Connector struct{ State string }
			Tasks     []struct{ State string }
		}
		if err := json.Unmarshal(answer, &status); err != nil {
			return false, err
		}
		var states []string
		for _, task := range status.Tasks {
			states = append(states, task.State)
		}
		if status.Connector.State != state || !slices.Equal(states, tasks) {
			return false, fmt.Errorf("status %s", answer)
		}
		return true, nil
	})
}
