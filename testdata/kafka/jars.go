package realkafka

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// RequireVariable names the environment variable that turns a skipped
// real-Kafka test into a failed one. CI sets it.
const RequireVariable = "KOFFSETS_REQUIRE_KAFKA"

//go:embed pom.xml
var pom []byte

// Require skips the test, loudly, where Java or Maven is missing, and fails it
// instead where RequireVariable is set.
func Require(t testing.TB) {
	t.Helper()
	for _, tool := range []string{"java", "javac", "mvn"} {
		RequireTool(t, tool)
	}
}

// RequireTool is Require for one program.
func RequireTool(t testing.TB, tool string) {
	t.Helper()
	_, err := exec.LookPath(tool)
	switch {
	case err == nil:
	case os.Getenv(RequireVariable) != "":
		t.Fatalf("%s is missing, and %s is set", tool, RequireVariable)
	default:
		fmt.Fprintf(os.Stderr, "*** SKIPPED %s: %s is missing (JDK 17, Maven and kcat are needed)\n", t.Name(), tool)
		t.Skipf("%s is missing", tool)
	}
}

// Part is one or more profiles of pom.xml: which jars of a release to fetch.
type Part string

const (
	// BrokerJars are a KRaft broker with its controller and storage tool.
	BrokerJars Part = "broker"
	// WorkerJars are a Connect worker with the converters and classes that it
	// keeps its offsets with.
	WorkerJars Part = "worker"
	// FileJars are those of a worker and connect-file. Kafka 4.2.1 and 4.4.0
	// have none.
	FileJars Part = "worker,file"
)

// Jars returns a class path with the published jars of one part of a release.
// Maven fetches them once into the user's cache directory.
func Jars(t testing.TB, part Part, release string) string {
	t.Helper()
	// The pom is part of the name: another pom, other jars.
	name := fmt.Sprintf("%s-%s-%.4x", part, release, sha256.Sum256(pom))
	return filepath.Join(cached(t, name, func(work string) error {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
		defer cancel()
		file := filepath.Join(t.TempDir(), "pom.xml")
		if err := os.WriteFile(file, pom, 0o644); err != nil {
			return err
		}
		out, err := exec.CommandContext(ctx, "mvn", "--batch-mode", "--quiet", "-f", file,
			"-P", string(part), "-Dkafka.version="+release, "dependency:copy-dependencies",
			"-DincludeScope=runtime", "-DoutputDirectory="+work).CombinedOutput()
		if err != nil {
			return fmt.Errorf("mvn: %w\n%s", err, out)
		}
		return nil
	}), "*")
}

// cached returns a folder of the user's cache directory and makes it first if
// it is not there. It is made under another name and renamed, so that it is
// there whole or not at all, however many test processes make it at once.
func cached(t testing.TB, name string, make func(work string) error) string {
	t.Helper()
	caches, err := os.UserCacheDir()
	if err != nil {
		t.Fatalf("no place for what the real-Kafka tests keep: %v", err)
	}
	dir := filepath.Join(caches, "koffsets", name)
	if _, err := os.Stat(dir); err == nil {
		return dir
	}
	began := time.Now()
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	work, err := os.MkdirTemp(filepath.Dir(dir), "making-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(work)
	if err := make(work); err != nil {
		t.Fatalf("make %s: %v", name, err)
	}
	if err := os.Rename(work, dir); err != nil {
		if _, there := os.Stat(dir); there != nil {
			t.Fatal(err)
		}
	}
	t.Logf("made %s in %v", name, time.Since(began).Round(time.Millisecond))
	return dir
}
