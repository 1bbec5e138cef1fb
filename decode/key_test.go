package decode

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"koffsets/release"
)

// keyClass names a verdict as the vectors do.
func keyClass(rules *release.Rules, c *Check) string {
	class := func(name string) string {
		s := c.Class.String()
		return name + ":" + s[strings.LastIndexByte(s, '.')+1:]
	}
	switch c.Verdict {
	case OK:
		if c.Nested {
			return "OK_INVALID_FORMAT"
		}
		return "OK"
	case KeyNull:
		return "NULL_KEY"
	case KeyNotJSON:
		if c.Fatal(rules) {
			return "THROW:DataException"
		}
		return "BAD_JSON"
	case KeyNotList:
		return class("NOT_LIST")
	case KeyWrongSize:
		return fmt.Sprintf("WRONG_SIZE:%d", c.Size)
	case KeyNameNotString:
		return class("BAD_NAME")
	case KeyPartitionNotMap:
		return class("BAD_PARTITION")
	case KeyPartitionNull:
		if WorkerLog(rules, c) == "" {
			return "NULL_PARTITION"
		}
		return class("BAD_PARTITION")
	case KeyTooDeep:
		return "FATAL_DEPTH"
	}
	return "?"
}

func keyColumn(plain string) string {
	switch strings.Join(strings.Fields(plain), " ") {
	case "canonical re-encoding on , JDK 17", "the same on", "on", "on and":
		return "canonical"
	}
	return ""
}

func TestKeysAsRecorded(t *testing.T) {
	t.Parallel()
	for _, f := range readVectors(t, "keys", keyColumn) {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			for _, row := range f.rows {
				parsed := map[release.Rules]*Key{}
				for i, column := range f.columns {
					for _, r := range column.releases {
						k := parsed[r.Rules]
						if k == nil {
							k = parseChecked(t, row.id, &r.Rules, row.input)
							parsed[r.Rules] = k
						}
						want, self := row.want(f.columns, i)
						switch column.kind {
						case "class":
							if got := keyClass(&r.Rules, &k.Check); got != want {
								t.Errorf("%s on %s: %s, recorded %s (%d %s)", row.id, r, got, want, k.ErrorAt, k.Reason)
							}
						case "canonical":
							if self {
								want = recorded(row.input)
							}
							if got := recorded(k.Canonical); got != want || k.Verdict == OK && (k.Spelling == Canonical) != bytes.Equal(k.Canonical, row.input) {
								t.Errorf("%s on %s: %s %s, recorded %s", row.id, r, k.Spelling, got, want)
							}
						}
					}
				}
			}
		})
	}
}

// parseChecked parses a key and compares with what CheckKey says of it.
func parseChecked(t *testing.T, id string, rules *release.Rules, key []byte) *Key {
	t.Helper()
	k, c := ParseKey(rules, key), CheckKey(rules, key)
	if !reflect.DeepEqual(k.Check, c) {
		t.Errorf("%s: CheckKey %+v, ParseKey %+v", id, c, k.Check)
	}
	if (c.Verdict == KeyNotJSON) != (c.Reason != "") || c.ErrorAt < 0 || c.ErrorAt > len(key) {
		t.Errorf("%s: error at %d of %d: %q", id, c.ErrorAt, len(key), c.Reason)
	}
	return &k
}
