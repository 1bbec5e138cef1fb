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
		_, err := exec.LookPath(tool)
		switch {
		case err == nil:
		case os.Getenv(RequireVariable) != "":
			t.Fatalf("%s is missing, and %s is set", tool, RequireVariable)
		default:
			fmt.Fprintf(os.Stderr, "*** SKIPPED %s: %s is missing (JDK 17 and Maven are needed)\n", t.Name(), tool)
			t.Skipf("%s is missing", tool)
		}
	}
}

// Part is a profile of pom.xml: which jars of a release to fetch.
type Part string

// BrokerJars are a KRaft broker with its controller and storage tool.
const BrokerJars Part = "broker"

// Jars returns a class path with the published jars of one part of a release.
// Maven fetches them once into the user's cache directory.
func Jars(t testing.TB, part Part, release string) string {
	t.Helper()
	caches, err := os.UserCacheDir()
	if err != nil {
		t.Fatalf("no place for the jars: %v", err)
	}
	// The pom is part of the name: another pom, other jars.
	dir := filepath.Join(caches, "koffsets", "jars", fmt.Sprintf("%s-%s-%.4x", part, release, sha256.Sum256(pom)))
	if _, err := os.Stat(dir); err != nil {
		fetch(t, part, release, dir)
	}
	return filepath.Join(dir, "*")
}

// fetch copies the jars beside dir and renames, so that dir is there whole or
// not at all, however many test processes fetch at once.
func fetch(t testing.TB, part Part, release, dir string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	work, err := os.MkdirTemp(filepath.Dir(dir), "fetching-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(work)
	file := filepath.Join(work, "pom.xml")
	if err := os.WriteFile(file, pom, 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	began := time.Now()
	out, err := exec.CommandContext(ctx, "mvn", "--batch-mode", "--quiet", "-f", file,
		"-P", string(part), "-Dkafka.version="+release,
		"dependency:copy-dependencies", "-DincludeScope=runtime",
		"-DoutputDirectory="+filepath.Join(work, "lib")).CombinedOutput()
	if err != nil {
		t.Fatalf("fetch %s %s by Maven: %v\n%s", part, release, err, out)
	}
	if err := os.Rename(filepath.Join(work, "lib"), dir); err != nil {
		if _, there := os.Stat(dir); there != nil {
			t.Fatal(err)
		}
	}
	t.Logf("fetched %s %s in %v", part, release, time.Since(began).Round(time.Millisecond))
}
