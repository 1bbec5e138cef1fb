package cmd_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestReadmeShowsRealOutput runs the commands of README.md's console blocks, in
// one folder and in their order, and wants the output shown there. A line … in
// it stands for any lines. With -update the page is rewritten.
func TestReadmeShowsRealOutput(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	page, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	session := &session{dir: t.TempDir()}
	var real strings.Builder
	blocks := 0
	rest := string(page)
	for {
		before, after, found := strings.Cut(rest, "```console\n")
		real.WriteString(before)
		if !found {
			break
		}
		block, after, closed := strings.Cut(after, "```\n")
		if !closed {
			t.Fatal("a console block has no end")
		}
		blocks++
		real.WriteString("```console\n" + session.replay(t, block) + "```\n")
		rest = after
	}
	if blocks == 0 {
		t.Error("there is no console block")
	}
	if real.String() == string(page) {
		return
	}
	if !*update {
		t.Error("README.md shows what is not so; go test ./cmd -run Readme -update rewrites it")
		return
	}
	if err := os.WriteFile("../README.md", []byte(real.String()), 0o644); err != nil {
		t.Error(err)
	}
}

// session is a shell in which one command runs after the other.
type session struct {
	dir  string
	code int // of the last command
}

// replay runs the commands of a block and gives the block with what they print.
func (s *session) replay(t *testing.T, block string) string {
	t.Helper()
	var out strings.Builder
	commands := strings.Split("\n"+block, "\n$ ")[1:]
	for _, c := range commands {
		command, shown, _ := strings.Cut(c, "\n")
		out.WriteString("$ " + command + "\n" + elide(s.run(t, command), strings.TrimSuffix(shown, "\n")+"\n"))
	}
	return out.String()
}

// run runs one command line, in which go run . is koffsets.
func (s *session) run(t *testing.T, command string) string {
	t.Helper()
	command = strings.ReplaceAll(command, "go run . ", "koffsets ")
	c := exec.Command("sh", "-c", fmt.Sprintf("(exit %d); %s", s.code, command))
	c.Dir = s.dir
	out, err := c.CombinedOutput()
	s.code = 0
	if exit, ok := err.(*exec.ExitError); ok {
		s.code = exit.ExitCode()
	} else if err != nil {
		t.Fatalf("$ %s: %v", command, err)
	}
	return string(out)
}

// elide cuts real output down to as many first and last lines as are shown
// around a line …, if there is one.
func elide(got, shown string) string {
	head, tail, elided := strings.Cut(shown, "…\n")
	if !elided {
		return got
	}
	lines := strings.SplitAfter(got, "\n")
	lines = lines[:len(lines)-1]
	first, last := strings.Count(head, "\n"), strings.Count(tail, "\n")
	if first+last >= len(lines) {
		return got
	}
	return strings.Join(lines[:first], "") + "…\n" + strings.Join(lines[len(lines)-last:], "")
}
