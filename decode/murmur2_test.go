package decode

import (
	"strconv"
	"strings"
	"testing"
)

func TestHomePartitionsAsRecorded(t *testing.T) {
	t.Parallel()
	kindOf := func(plain string) string {
		switch strings.Fields(plain)[0] {
		case "murmur2":
			return "hash"
		case "home", "of":
			return plain[strings.LastIndexByte(plain, ' ')+1:]
		}
		return ""
	}
	for _, f := range readVectors(t, "murmur2", kindOf) {
		for _, row := range f.rows {
			for i, column := range f.columns {
				got := strconv.Itoa(int(int32(murmur2(row.input))))
				if column.kind != "hash" {
					partitions, err := strconv.Atoi(column.kind)
					if err != nil {
						t.Fatalf("%s: unknown column %q", f.name, column.kind)
					}
					got = strconv.Itoa(Home(row.input, partitions))
				}
				if got != row.answers[i] {
					t.Errorf("%s %s: %s, recorded %s", row.id, column.kind, got, row.answers[i])
				}
			}
		}
	}
}
