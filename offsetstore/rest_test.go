package offsetstore

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"koffsets/release"
)

// recordedListing is a line of testdata/rest: records, and what GET answered.
type recordedListing struct {
	answer  string
	records []Record
}

func recordedListings(t *testing.T) []recordedListing {
	t.Helper()
	files, err := filepath.Glob("../testdata/rest/*.tsv")
	if err != nil || len(files) == 0 {
		t.Fatal("no recorded listings", err)
	}
	var all []recordedListing
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			if line[0] == '#' {
				continue
			}
			cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			l := recordedListing{answer: cells[0]}
			for i, cell := range cells[1:] {
				key, value, _ := strings.Cut(cell, ":")
				r := Record{Offset: int64(i), Key: unhex(t, key)}
				if value != "NULL" {
					r.Value = unhex(t, value)
				}
				l.records = append(l.records, r)
			}
			all = append(all, l)
		}
	}
	return all
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRESTAnswersAsConnectDid(t *testing.T) {
	t.Parallel()
	for i, l := range recordedListings(t) {
		f := NewFold(Options{Release: release.MustParse("3.6.1")})
		f.Add(l.records)
		got, err := f.View(Description{Partitions: 1}).REST("c")
		if err != nil || !bytes.Equal(got, []byte(l.answer)) {
			t.Errorf("listing %d: %v\n got %s\nwant %s", i+1, err, got, l.answer)
		}
	}
}

func TestRESTHasNoOffsetsOfAnUnknownConnector(t *testing.T) {
	t.Parallel()
	got, err := NewFold(Options{Release: release.MustParse("3.6.1")}).View(Description{}).REST("c")
	if err != nil || string(got) != `{"offsets":[]}` {
		t.Errorf("%s, %v", got, err)
	}
}

func TestTopicPartitionsAreReadInTheOrderOfJavasMap(t *testing.T) {
	t.Parallel()
	v := View{Description: Description{Topic: "connect-offsets", Partitions: 25}}
	rank := v.readingOrder()
	want := []int32{10, 8, 14, 12, 2, 0, 6, 4, 24, 18, 16, 22, 20, 9, 7, 13, 11, 1, 5, 3, 23, 17, 15, 21, 19}
	for i := 1; i < len(want); i++ {
		if rank(want[i-1]) >= rank(want[i]) {
			t.Errorf("%d does not come before %d", want[i-1], want[i])
		}
	}
	v.Description.Partitions = 5
	rank = v.readingOrder()
	for i, p := range []int32{1, 0, 4, 3} {
		if before := []int32{2, 1, 0, 4}[i]; rank(before) >= rank(p) {
			t.Errorf("of 5, %d does not come before %d", before, p)
		}
	}
}
