package realkafka

import (
	"bytes"
	"os/exec"
	"testing"
)

// Kcat runs kcat against the broker, with what it shall read, and returns what
// it writes.
func (b *Broker) Kcat(t testing.TB, input []byte, arguments ...string) []byte {
	t.Helper()
	RequireTool(t, "kcat")
	command := exec.CommandContext(t.Context(), "kcat", append([]string{"-b", b.Address, "-q"}, arguments...)...)
	var errors bytes.Buffer
	command.Stdin, command.Stderr = bytes.NewReader(input), &errors
	out, err := command.Output()
	if err != nil {
		t.Fatalf("kcat %v: %v\n%s", arguments, err, errors.Bytes())
	}
	return out
}
