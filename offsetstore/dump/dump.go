// Package dump reads and writes koffsets dumps: an optional header line, one
// JSON record a line, and a summary line that seals the file. A dump is
// lossless: keys and values come back byte for byte, with places, times,
// headers and transaction marks. The format is described in docs/formats.md.
//
// The package knows nothing of what keys and values mean, judges nothing and
// folds nothing. What it reads is untrusted: a line is refused with its number
// rather than guessed at.
package dump

import (
	"bytes"
)

// Schema names the format in a dump's header line.
const Schema = "koffsets.dump/v1"

// maxLine is the longest line read or written, in bytes.
const maxLine = 64 << 20

// recordFields are the names a record line may use, each once.
var recordFields = [...]string{
	"partition", "offset", "timestamp", "key", "key_base64", "value", "value_base64", "headers", "txn",
}

// Sniff reports whether a file that begins with these bytes is meant as a
// koffsets dump: a header line of this schema in any version, or a JSON object
// with the fields of a record and none that another tool's output has.
func Sniff(first []byte) bool {
	s := scanner{b: firstLine(first)}
	schema, ours, foreign := false, false, false
	_ = s.object(func(name []byte) error { // it may be cut off: what was seen counts
		switch string(name) {
		case "schema":
			s.blanks()
			schema = bytes.HasPrefix(s.b[s.i:], []byte(`"koffsets.dump/`))
		case "topic", "ts", "tstype", "broker", "payload", "offsets":
			foreign = true
		default:
			ours = ours || string(name) == "summary" || fieldIndex(name) >= 0
		}
		return s.skip()
	})
	return schema || ours && !foreign
}

// bom is what some editors put before UTF-8 text.
const bom = "\ufeff"

// foreign says what a first line shows that is no JSON object, or "".
func foreign(line []byte) string {
	switch {
	case len(line) == 0:
		return "line 1 is blank"
	case line[0] == '{':
		return ""
	case bytes.HasPrefix(line, []byte("\x1f\x8b")):
		return "it is compressed by gzip; decompress it first"
	case bytes.HasPrefix(line, []byte("\x28\xb5\x2f\xfd")):
		return "it is compressed by zstd; decompress it first"
	case bytes.HasPrefix(line, []byte("\xac\xed\x00\x05")):
		return "it is a Java-serialised offset file"
	case bytes.IndexByte(line, 0) >= 0:
		return "it is binary, or text in UTF-16"
	case line[0] == '[':
		return "it begins with a JSON array, where a dump has one record a line"
	}
	return "line 1 is no JSON object"
}

// firstLine is the first line that is not blank, without a byte order mark.
func firstLine(b []byte) []byte {
	b = bytes.TrimLeft(bytes.TrimPrefix(b, []byte(bom)), " \t\r\n")
	if end := bytes.IndexByte(b, '\n'); end >= 0 {
		b = b[:end]
	}
	return b
}

func fieldIndex(name []byte) int {
	for i, f := range recordFields {
		if string(name) == f {
			return i
		}
	}
	return -1
}
