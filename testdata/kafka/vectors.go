package realkafka

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Vector is a recorded key: its bytes and its class on one release, as Kafka's
// own code judged it.
type Vector struct {
	ID    string
	Key   []byte // nil is a null key
	Class string // "OK", "BAD_NAME:Long", …
}

// Vectors reads the recorded keys of all files that match the pattern, with the
// classes of the release.
func Vectors(t testing.TB, pattern, release string) []Vector {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors at %s (%v)", pattern, err)
	}
	var vectors []Vector
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		column := -1
		for line := range strings.Lines(string(data)) {
			cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if strings.HasPrefix(line, "#") {
				if column < 0 {
					column = classColumn(cells, release)
				}
				continue
			}
			if column < 0 {
				t.Fatalf("%s: no column for %s", file, release)
			}
			key, err := vectorBytes(cells[1])
			if err != nil {
				t.Fatalf("%s: %s: %v", file, cells[0], err)
			}
			vectors = append(vectors, Vector{cells[0], key, cells[column]})
		}
	}
	return vectors
}

// classColumn is the header's column whose words name the release.
func classColumn(header []string, release string) int {
	for i, cell := range header {
		if strings.HasPrefix(cell, "canonical") {
			break
		}
		for word := range strings.FieldsSeq(cell) {
			if i > 1 && word == release {
				return i
			}
		}
	}
	return -1
}

// vectorBytes reads a cell: hex, NULL, or @a|b|n|c|d|m|e for a + b*n + c + d*m + e,
// where a part is text or x:HEX.
func vectorBytes(cell string) ([]byte, error) {
	if cell == "NULL" {
		return nil, nil
	}
	form, ok := strings.CutPrefix(cell, "@")
	if !ok {
		return hex.DecodeString(cell)
	}
	parts := strings.Split(form, "|")
	if len(parts) != 7 {
		return nil, fmt.Errorf("%d parts in %q", len(parts), cell)
	}
	var key []byte
	for i := 0; i < len(parts); i++ {
		part, times := []byte(parts[i]), 1
		var err error
		if digits, ok := strings.CutPrefix(parts[i], "x:"); ok {
			if part, err = hex.DecodeString(digits); err != nil {
				return nil, err
			}
		}
		if i == 1 || i == 4 { // the next part says how often
			i++
			if times, err = strconv.Atoi(parts[i]); err != nil {
				return nil, err
			}
		}
		key = append(key, bytes.Repeat(part, times)...)
	}
	return key, nil
}
