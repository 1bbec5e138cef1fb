package cmd

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
)

// maxHexLine is the longest line of hex digits taken, in bytes.
const maxHexLine = 64 << 20

// hexLines yields the key on each line of r: hex digits, NULL for a null key,
// nothing for a key of no bytes. A key's bytes are good until the next one. An
// error names the line and ends the sequence.
func hexLines(r io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		in := bufio.NewReaderSize(r, 64<<10)
		var line []byte
		for number := 1; ; number++ {
			var err error
			line, err = readLine(in, line[:0])
			if errors.Is(err, io.EOF) && len(line) == 0 {
				return
			}
			var key []byte
			if err == nil || errors.Is(err, io.EOF) {
				key, err = parseHex(line)
			}
			if err != nil {
				yield(nil, fmt.Errorf("line %d: %w", number, err))
				return
			}
			if !yield(key, nil) {
				return
			}
		}
	}
}

// readLine appends the next line to buf, without its end.
func readLine(in *bufio.Reader, buf []byte) ([]byte, error) {
	for {
		part, err := in.ReadSlice('\n')
		if len(buf)+len(part) > maxHexLine+2 {
			return nil, fmt.Errorf("longer than %d MiB", maxHexLine>>20)
		}
		buf = append(buf, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil:
			return buf, err
		}
		buf = buf[:len(buf)-1]
		if n := len(buf); n > 0 && buf[n-1] == '\r' {
			buf = buf[:n-1]
		}
		return buf, nil
	}
}

// parseHex decodes in place.
func parseHex(line []byte) ([]byte, error) {
	if len(line) > maxHexLine {
		return nil, fmt.Errorf("longer than %d MiB", maxHexLine>>20)
	}
	if string(line) == "NULL" {
		return nil, nil
	}
	n, err := hex.Decode(line, line)
	var bad hex.InvalidByteError
	switch {
	case errors.As(err, &bad):
		return nil, fmt.Errorf("%q at byte %d is no hex digit", rune(bad), firstNonHex(line[2*n:])+2*n)
	case err != nil:
		return nil, fmt.Errorf("an odd number of hex digits (%d)", len(line))
	}
	return line[:n:n], nil
}

func firstNonHex(b []byte) int {
	for i, c := range b {
		if !(c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f') {
			return i
		}
	}
	return len(b)
}
