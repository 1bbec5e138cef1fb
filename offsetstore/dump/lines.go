package dump

import (
	"bytes"
	"fmt"
	"io"
	"slices"
)

const (
	firstRead = 64 << 10 // room for lines at first; it doubles up to two longest lines
	fullRead  = 256 << 10
)

// lines cuts a stream into lines, all in one buffer.
type lines struct {
	r io.Reader
	// release is called before the bytes of lines given earlier are lost.
	release func() error

	buf    []byte
	pos    int   // start of the next line
	seen   int   // no line end lies between pos and here
	number int   // of the line given last, from 1
	atEnd  bool  // the line given last had no line end
	err    error // that r gave, io.EOF at its end
}

// next gives the next line that is not blank, without its line end; io.EOF
// behind the last. A caller may change the bytes and keep them until release.
func (l *lines) next() ([]byte, error) {
	for {
		end := bytes.IndexByte(l.buf[l.seen:], '\n')
		switch {
		case end >= 0:
			end += l.seen
		case len(l.buf)-l.pos <= maxLine && l.err == nil:
			l.seen = len(l.buf)
			if err := l.fill(); err != nil {
				return nil, err
			}
			continue
		default:
			end = len(l.buf)
			l.atEnd = true
		}
		line := l.buf[l.pos:end:end]
		l.pos = min(end+1, len(l.buf))
		l.seen = l.pos
		l.number++
		switch {
		case l.atEnd && len(line) == 0 && l.err == io.EOF:
			l.number--
			return nil, io.EOF
		case len(line) > maxLine:
			return nil, &stop{unreadable, fmt.Errorf("line %d is longer than %d MiB", l.number, maxLine>>20)}
		case l.atEnd && l.failed():
			return nil, &stop{unreadable, fmt.Errorf("line %d: %w", l.number, l.err)}
		case len(bytes.TrimLeft(line, " \t\r")) > 0:
			return line, nil
		}
	}
}

// failed reports whether the stream ended in an error.
func (l *lines) failed() bool { return l.err != nil && l.err != io.EOF }

// fill moves what is left of the buffer to its front and reads on behind it.
func (l *lines) fill() error {
	if err := l.release(); err != nil {
		return err
	}
	n := copy(l.buf, l.buf[l.pos:])
	l.buf, l.seen, l.pos = l.buf[:n], l.seen-l.pos, 0
	switch {
	case l.buf == nil:
		l.buf = make([]byte, 0, firstRead)
	case cap(l.buf) < fullRead || n > cap(l.buf)/2:
		l.buf = slices.Grow(l.buf, max(fullRead, 2*cap(l.buf))-n)
	}
	n, l.err = readSome(l.r, l.buf[n:cap(l.buf)])
	l.buf = l.buf[:len(l.buf)+n]
	return nil
}

// readSome is one read that gives bytes or an error.
func readSome(r io.Reader, b []byte) (n int, err error) {
	for range 100 {
		if n, err = r.Read(b); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}
