package cmd

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestOutFileTakesItsPlaceAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "answer.json")
	write(t, path, "old", 0o640)
	s := begin(t, path)
	put(t, s, "new")
	if got := content(t, path); got != "old" {
		t.Errorf("before the commit the file holds %q", got)
	}
	if err := s.commit(); err != nil {
		t.Fatal(err)
	}
	s.abandon() // as a deferred call does
	if got := content(t, path); got != "new" {
		t.Errorf("after the commit the file holds %q", got)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	alone(t, dir, 1)
}

func TestAbandonedOutFileLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "answer.json")
	write(t, path, "old", 0o644)
	s := begin(t, path)
	put(t, s, "half of it")
	s.abandon()
	if got := content(t, path); got != "old" {
		t.Errorf("the file holds %q", got)
	}
	alone(t, dir, 1)
}

func TestOutFileFollowsLinks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	write(t, target, "old", 0o644)
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	s := begin(t, link)
	put(t, s, "new")
	if err := s.commit(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info.Mode(), err)
	}
	if got := content(t, target); got != "new" {
		t.Errorf("the target holds %q", got)
	}
}

func TestOutFileWritesDevicesDirectly(t *testing.T) {
	t.Parallel()
	before, err := os.Stat(os.DevNull)
	if err != nil {
		t.Skip(err)
	}
	s := begin(t, os.DevNull)
	put(t, s, "answer")
	if err := s.commit(); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(os.DevNull); err != nil || after.Mode() != before.Mode() {
		t.Fatalf("%s is now %v, %v", os.DevNull, after.Mode(), err)
	}
}

func TestOutFileRefusesWhatItCannotWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "no", "such", "folder")} {
		_, err := openSink(path, nil)
		var f *failure
		if !errors.As(err, &f) || f.hint == "" {
			t.Errorf("%s: %v", path, err)
		}
	}
	alone(t, dir, 0)
}

func TestStandardOutputIsWrittenThrough(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"", "-"} {
		var out bytes.Buffer
		s, err := openSink(path, &out)
		if err != nil {
			t.Fatal(err)
		}
		put(t, s, "answer")
		if err := s.commit(); err != nil || out.String() != "answer" {
			t.Errorf("%q: %q, %v", path, out.String(), err)
		}
	}
}

func begin(t *testing.T, path string) *sink {
	t.Helper()
	s, err := openSink(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func put(t *testing.T, s *sink, text string) {
	t.Helper()
	if _, err := s.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// alone checks that a folder holds n files and nothing temporary.
func alone(t *testing.T, dir string, n int) {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil || len(all) != n {
		t.Errorf("%s holds %v, %v", dir, all, err)
	}
}
