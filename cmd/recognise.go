package cmd

import (
	"bytes"

	"koffsets/offsetstore/dump"
)

// recognise refuses a file that does not begin as a dump does, by the name of
// what it seems to be; hint says what to give instead.
func recognise(name string, head []byte, hint string) error {
	if dump.Sniff(head) {
		return nil
	}
	if len(bytes.TrimSpace(head)) == 0 {
		return failf(hint, "%s is empty", name)
	}
	return failf(hint, "%s is not a koffsets dump: it seems to be %s", name, seems(head))
}

// seems names what a file's first bytes look like.
func seems(head []byte) string {
	text := bytes.TrimSpace(head)
	has := func(fields ...string) bool {
		for _, f := range fields {
			if !bytes.Contains(text, []byte(`"`+f+`"`)) {
				return false
			}
		}
		return true
	}
	object := bytes.HasPrefix(text, []byte("{"))
	switch {
	case bytes.HasPrefix(head, []byte{0xAC, 0xED}):
		return "an offset file of a standalone worker, which this koffsets does not read"
	case bytes.HasPrefix(head, []byte{0x1F, 0x8B}), bytes.HasPrefix(head, []byte{0x28, 0xB5, 0x2F, 0xFD}):
		return "compressed: unpack it first"
	case len(head) > 16 && head[0] == 0 && head[16] <= 2:
		return "a log segment of a broker, which this koffsets does not read"
	case object && has("offsets"):
		return "a saved answer of Connect's REST API, which this koffsets does not read"
	case object && has("topic", "payload"):
		return "output of kcat -J, which this koffsets does not read"
	case object:
		return "JSON without a record's fields"
	case bytes.HasPrefix(text, []byte("[")):
		return "a list of keys"
	case bytes.IndexByte(head, 0) >= 0:
		return "binary"
	default:
		return "plain text"
	}
}
