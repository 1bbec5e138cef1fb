package cmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// sink is where an answer goes: standard output, or a file that takes its
// place at once when the answer is whole.
type sink struct {
	*bufio.Writer
	file   *os.File // nil for standard output
	target string   // where file goes; "" where it is written directly
}

// openSink begins to write to path, or to out where path is "" or "-".
func openSink(path string, out io.Writer) (*sink, error) {
	if path == "" || path == "-" {
		return &sink{Writer: bufio.NewWriterSize(out, 64<<10)}, nil
	}
	target, mode, err := resolve(path)
	if err != nil {
		return nil, err
	}
	s := &sink{target: target}
	if target == "" { // a device or a pipe can only be written directly
		s.file, err = os.OpenFile(path, os.O_WRONLY, 0)
	} else {
		s.file, err = createBeside(target, mode)
	}
	if err != nil {
		return nil, failf("choose another --out-file", "cannot write %s: %w", path, rootCause(err))
	}
	s.Writer = bufio.NewWriterSize(s.file, 64<<10)
	return s, nil
}

// resolve finds what a path leads to: the regular file to replace and its
// mode, or "" where something other than a regular file is there.
func resolve(path string) (target string, mode fs.FileMode, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return path, 0, nil
	case err != nil:
		return "", 0, failf("choose another --out-file", "cannot write %s: %w", path, rootCause(err))
	case info.IsDir():
		return "", 0, failf("give the file's name too", "%s is a directory", path)
	case !info.Mode().IsRegular():
		return "", 0, nil
	}
	target, err = filepath.EvalSymlinks(path)
	return target, info.Mode().Perm(), err
}

// createBeside makes a new file in the folder of target. Where target has no
// mode yet, the process's umask decides, as for any new file.
func createBeside(target string, mode fs.FileMode) (*os.File, error) {
	for {
		name := fmt.Sprintf(".%s.%08x.tmp", filepath.Base(target), rand.Uint32())
		f, err := os.OpenFile(filepath.Join(filepath.Dir(target), name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil && mode != 0 {
			err = f.Chmod(mode)
		}
		return f, err
	}
}

// commit makes what was written the answer: all of it, or an error.
func (s *sink) commit() error {
	err := s.Flush()
	if s.file == nil {
		return err
	}
	if s.target == "" {
		return errors.Join(err, s.file.Close())
	}
	err = errors.Join(err, s.file.Sync(), s.file.Close())
	if err == nil {
		err = os.Rename(s.file.Name(), s.target)
	}
	if err != nil {
		_ = os.Remove(s.file.Name())
		return err
	}
	syncFolder(filepath.Dir(s.target))
	return nil
}

// abandon drops what was written to a file; standard output keeps what it got.
func (s *sink) abandon() {
	if s.file == nil {
		_ = s.Flush()
		return
	}
	_ = s.file.Close()
	if s.target != "" {
		_ = os.Remove(s.file.Name())
	}
}

// syncFolder makes a rename last. Some file systems cannot; the file itself is
// whole either way.
func syncFolder(path string) {
	if d, err := os.Open(path); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// rootCause is the cause of an error about a path that is named already.
func rootCause(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}
