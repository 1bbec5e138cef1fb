package cmd

import (
	"bufio"
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// startSandbox runs the verb sandbox and gives the address it prints, and a
// function that interrupts it and gives its exit code.
func startSandbox(t *testing.T, args ...string) (address string, stop func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	w := world(strings.NewReader(""))
	w.Out = in
	code := make(chan int, 1)
	go func() {
		code <- Main(ctx, append([]string{"sandbox"}, args...), w)
		_ = in.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("sandbox printed %q and ended: %v", line, err)
	}
	return strings.TrimSpace(line), func() int {
		cancel()
		return <-code
	}
}

func TestSandboxServesUntilInterrupted(t *testing.T) {
	t.Parallel()
	address, stop := startSandbox(t)
	direct := run(t, "scan", "sandbox", "-o", "name")
	served := run(t, "scan", "-b", address, "-o", "name")
	if served.code != 1 || served.out != direct.out {
		t.Errorf("scan -b: exit %d, %q, but scan sandbox finds %q\n%s", served.code, served.out, direct.out, served.errs)
	}
	if code := stop(); code != 130 {
		t.Errorf("exit %d, want 130", code)
	}
	if r := run(t, "scan", "-b", address, "--timeout", "2s"); r.code != 2 || !strings.Contains(r.errs, "hint: ") {
		t.Errorf("after its end: exit %d, %s", r.code, r.errs)
	}
}

func TestLiveTopicAndItsDumpAnswerAlike(t *testing.T) {
	t.Parallel()
	address, stop := startSandbox(t, "incident")
	defer stop()
	dump := run(t, "export", "-b", address)
	if dump.code != 0 {
		t.Fatalf("export: exit %d, %s", dump.code, dump.errs)
	}
	for _, args := range [][]string{
		{"view", "-o", "tsv"},
		{"view", "-o", "tsv", "--isolation", "read_uncommitted"},
		{"scan", "-o", "tsv", "--release", "3.6.0"},
		{"export", "--isolation", "read_committed"},
	} {
		live := run(t, append(slices.Clone(args), "-b", address)...)
		offline := runIn(t.Context(), t, strings.NewReader(dump.out), append(slices.Clone(args), "-")...)
		diff := cmp.Diff(recordLines(live.out), recordLines(offline.out))
		if live.code != offline.code || diff != "" {
			t.Errorf("%s: live exit %d, from its dump exit %d (-live +dump)\n%s", args, live.code, offline.code, diff)
		}
	}
}

// recordLines are the lines of an answer in order, without a dump's first and
// last one, which differ in what is known when they are written.
func recordLines(out string) []string {
	lines := strings.Split(out, "\n")
	slices.Sort(lines)
	return slices.DeleteFunc(lines, func(l string) bool {
		return strings.HasPrefix(l, `{"schema"`) || strings.HasPrefix(l, `{"summary"`)
	})
}

func TestUnknownTopicNamesThoseThatLookLikeOne(t *testing.T) {
	t.Parallel()
	address, stop := startSandbox(t, "clean")
	defer stop()
	for _, verb := range []string{"scan", "view", "export"} {
		r := run(t, verb, "-b", address, "-t", "connect-offset")
		if r.code != 2 || !strings.Contains(r.errs, "the topic connect-offset ") || !strings.Contains(r.errs, "hint: these look like offsets topics: connect-offsets\n") {
			t.Errorf("%s: exit %d, %s", verb, r.code, r.errs)
		}
	}
}

func TestCleanFixtureIsClean(t *testing.T) {
	t.Parallel()
	if r := run(t, "scan", "sandbox:clean", "--fail-on", "info"); r.code != 0 || !strings.Contains(r.out, "no findings") {
		t.Errorf("exit %d\n%s%s", r.code, r.out, r.errs)
	}
}
