package decode

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"koffsets/release"
)

// Recorded vectors: what Kafka's released classes said. The first line of a
// file names its columns, every further line that begins with # is a comment.

type vectorFile struct {
	name    string
	columns []vectorColumn
	rows    []vectorRow
}

// vectorColumn is a column of answers: what it tells, of which releases, and
// the column that "=" refers to, -1 for the input itself.
type vectorColumn struct {
	kind     string
	releases []release.Release
	same     int
}

type vectorRow struct {
	id      string
	input   []byte
	answers []string // one a column
}

var (
	versionText  = regexp.MustCompile(`\d+\.\d+\.\d+`)
	versionsOnly = regexp.MustCompile(`^(class )?\d+\.\d+\.\d+( \d+\.\d+\.\d+)*$`)
	parenthesis  = regexp.MustCompile(`\([^)]*\)`)
	sameAs       = regexp.MustCompile(`"=" (?:means )?as on (\d+\.\d+\.\d+)`)
)

// readVectors reads the files of a folder. kindOf names what a column that is
// no class column tells; it gets the column's text without parentheses.
func readVectors(t testing.TB, folder string, kindOf func(string) string) []vectorFile {
	t.Helper()
	names, err := filepath.Glob("../testdata/" + folder + "/*.tsv")
	if err != nil || len(names) == 0 {
		t.Fatalf("no vectors in testdata/%s: %v", folder, err)
	}
	var files []vectorFile
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f := vectorFile{name: filepath.Base(name)}
		lines := bufio.NewScanner(bytes.NewReader(text))
		lines.Buffer(nil, 1<<26)
		for n := 1; lines.Scan(); n++ {
			line := lines.Text()
			switch {
			case n == 1:
				if f.columns, err = readColumns(strings.TrimPrefix(line, "# "), kindOf); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			case !strings.HasPrefix(line, "#"):
				cells := strings.Split(line, "\t")
				if len(cells) != len(f.columns)+2 {
					t.Fatalf("%s:%d: %d columns", name, n, len(cells))
				}
				input, err := readInput(cells[1])
				if err != nil {
					t.Fatalf("%s:%d: %v", name, n, err)
				}
				f.rows = append(f.rows, vectorRow{cells[0], input, cells[2:]})
			}
		}
		if err := lines.Err(); err != nil || len(f.rows) == 0 {
			t.Fatalf("%s: %d rows, %v", name, len(f.rows), err)
		}
		files = append(files, f)
	}
	return files
}

func readColumns(header string, kindOf func(string) string) ([]vectorColumn, error) {
	cells := strings.Split(header, "\t")
	if len(cells) < 3 || cells[0] != "id" || !strings.HasPrefix(cells[1], "key: ") && !strings.HasPrefix(cells[1], "value: ") {
		return nil, fmt.Errorf("no vector header: %q", header)
	}
	var columns []vectorColumn
	for _, cell := range cells[2:] {
		c := vectorColumn{kind: "class", same: -1}
		plain := parenthesis.ReplaceAllString(cell, "")
		if !versionsOnly.MatchString(cell) {
			if c.kind = kindOf(strings.TrimSpace(versionText.ReplaceAllString(plain, ""))); c.kind == "" {
				return nil, fmt.Errorf("unknown column %q", cell)
			}
		}
		for _, name := range versionText.FindAllString(plain, -1) {
			r, err := release.Parse(name)
			if err != nil || !r.Exact {
				return nil, fmt.Errorf("unknown release %s", name)
			}
			c.releases = append(c.releases, r)
		}
		if m := sameAs.FindStringSubmatch(cell); m != nil {
			for i, earlier := range columns {
				if earlier.kind == c.kind && earlier.releases[0].JudgedAs == m[1] {
					c.same = i
				}
			}
			if c.same < 0 {
				return nil, fmt.Errorf("column %q refers to none", cell)
			}
		}
		columns = append(columns, c)
	}
	return columns, nil
}

// want is a row's answer in a column; self says that it is the input itself.
func (r *vectorRow) want(columns []vectorColumn, i int) (answer string, self bool) {
	for r.answers[i] == "=" {
		if i = columns[i].same; i < 0 {
			return "", true
		}
	}
	return r.answers[i], false
}

// readInput reads hex, NULL, or @a|b|n|c|d|m|e.
func readInput(s string) ([]byte, error) {
	if s == "NULL" {
		return nil, nil
	}
	form, ok := strings.CutPrefix(s, "@")
	if !ok {
		b, err := hex.DecodeString(s)
		return append([]byte{}, b...), err
	}
	f := strings.Split(form, "|")
	if len(f) != 7 {
		return nil, fmt.Errorf("bad form %q", s)
	}
	var out []byte
	for i, times := range []string{"1", f[2], "", "1", f[5], "", "1"} {
		if times == "" {
			continue
		}
		part := []byte(f[i])
		if h, ok := strings.CutPrefix(f[i], "x:"); ok {
			var err error
			if part, err = hex.DecodeString(h); err != nil {
				return nil, err
			}
		}
		n, err := strconv.Atoi(times)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("bad count in %q", s)
		}
		if i == 1 || i == 4 {
			out = append(out, bytes.Repeat(part, n)...)
		} else {
			out = append(out, part...)
		}
	}
	return out, nil
}

// recorded is bytes as the vectors spell them.
func recorded(b []byte) string {
	if len(b) > 2000 {
		return "len:" + strconv.Itoa(len(b))
	}
	return hex.EncodeToString(b)
}
