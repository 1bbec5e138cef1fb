package cmd

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func TestHexLinesYieldKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		want     []string // "NULL" for a null key
		fails    string
	}{
		{"nothing", "", nil, ""},
		{"an empty line is a key of no bytes", "\n", []string{""}, ""},
		{"two empty lines are two keys", "\n\n", []string{"", ""}, ""},
		{"null", "NULL\n", []string{"NULL"}, ""},
		{"the last line may lack its end", "5b5d\n5B", []string{"[]", "["}, ""},
		{"carriage returns", "5b5d\r\nNULL\r\n\r\n", []string{"[]", "NULL", ""}, ""},
		{"an odd digit", "5b\n5b5\n5d\n", []string{"["}, "line 2: an odd number of hex digits (3)"},
		{"no digit", "5b5d\n5b 5d\n", []string{"[]"}, "line 2: ' ' at byte 2 is no hex digit"},
		{"no digit in second place", "5x\n", nil, "line 1: 'x' at byte 1 is no hex digit"},
		{"null in small letters", "null\n", nil, "line 1: 'n' at byte 0 is no hex digit"},
		{"a control byte is escaped", "5b\x1b\n", nil, `line 1: '\x1b' at byte 2 is no hex digit`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			fails := ""
			for key, err := range hexLines(strings.NewReader(c.in)) {
				switch {
				case err != nil:
					fails = err.Error()
				case key == nil:
					got = append(got, "NULL")
				default:
					got = append(got, string(key))
				}
			}
			if strings.Join(got, "|") != strings.Join(c.want, "|") || len(got) != len(c.want) || fails != c.fails {
				t.Errorf("got %q, error %q", got, fails)
			}
		})
	}
}

func TestHexLinesOfSixtyFourMebibytes(t *testing.T) {
	t.Parallel()
	exact := bytes.Repeat([]byte("5b"), maxHexLine/2)
	for _, c := range []struct {
		name string
		in   io.Reader
		keys int
		fail bool
	}{
		{"as long as allowed", io.MultiReader(bytes.NewReader(exact), strings.NewReader("\n5d\n")), 2, false},
		{"two digits more", io.MultiReader(bytes.NewReader(exact), strings.NewReader("5b\n")), 0, true},
	} {
		keys, failed := 0, false
		for key, err := range hexLines(c.in) {
			if err != nil {
				failed = true
				if want := "line 1: longer than 64 MiB"; err.Error() != want {
					t.Errorf("%s: %v", c.name, err)
				}
				continue
			}
			if keys == 0 && len(key) != maxHexLine/2 {
				t.Errorf("%s: a key of %d bytes", c.name, len(key))
			}
			keys++
		}
		if keys != c.keys || failed != c.fail {
			t.Errorf("%s: %d keys, failed %v", c.name, keys, failed)
		}
	}
}
