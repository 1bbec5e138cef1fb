package cmd

import (
	"bytes"
	"encoding/hex"
	"errors"
	"regexp"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"koffsets/offsetstore"
	"koffsets/release"
)

// bounded runs f, which may allocate 64 bytes for each of the input, and then
// some: a fuzzing process allocates beside it.
func bounded(t *testing.T, input int, f func()) {
	t.Helper()
	allocs := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(allocs)
	before := allocs[0].Value.Uint64()
	f()
	metrics.Read(allocs)
	if got := allocs[0].Value.Uint64() - before; got > 4<<20+64*uint64(input) {
		t.Errorf("%d bytes allocated for %d", got, input)
	}
}

// FuzzHexLines: keys written as lines are read as they are, and whatever else
// is on a line ends the reading with an error.
func FuzzHexLines(f *testing.F) {
	f.Add([]byte("5b5d\r\nNULL\n\n5B"))
	f.Add([]byte("5b\n5b5\n5d\n"))
	f.Add([]byte("é\x00"))
	f.Fuzz(func(t *testing.T, in []byte) {
		bounded(t, len(in), func() {
			var back []byte
			var failed error
			for key, err := range hexLines(bytes.NewReader(in)) {
				if failed = err; err != nil {
					break
				}
				if key == nil {
					back = append(back, "NULL\n"...)
					continue
				}
				back = append(hex.AppendEncode(back, key), '\n')
			}
			want := strings.ReplaceAll(string(in), "\r\n", "\n")
			if !strings.HasSuffix(want, "\n") {
				want += "\n"
			}
			if failed == nil && len(in) > 0 && !strings.EqualFold(string(back), want) {
				t.Errorf("%q is read as %q", in, back)
			}
		})
	})
}

// FuzzMatch holds patterns against regular expressions.
func FuzzMatch(f *testing.F) {
	for _, pattern := range []string{"", "*", "a?c*", `\*`, `a\`, `\\*`, `*a*b*`, "[a-z]", "a/b*"} {
		f.Add(pattern, "a*c/b")
	}
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if !utf8.ValidString(pattern) || !utf8.ValidString(name) || len(pattern) > 200 {
			return // a regular expression cannot say it
		}
		var re strings.Builder
		re.WriteString(`(?s)^`)
		runes := []rune(pattern)
		for i := 0; i < len(runes); i++ {
			switch {
			case runes[i] == '*':
				re.WriteString(`.*`)
			case runes[i] == '?':
				re.WriteString(`.`)
			case runes[i] == '\\' && i+1 < len(runes):
				i++
				re.WriteString(regexp.QuoteMeta(string(runes[i])))
			case runes[i] == '\\':
				return // nothing is said of a backslash at the end
			default:
				re.WriteString(regexp.QuoteMeta(string(runes[i])))
			}
		}
		re.WriteString(`$`)
		if got, want := match(pattern, name), regexp.MustCompile(re.String()).MatchString(name); got != want {
			t.Errorf("match(%q, %q) is %v", pattern, name, got)
		}
	})
}

// FuzzFlags parses command lines of every verb without running them. What is
// refused is so in koffsets' own words.
func FuzzFlags(f *testing.F) {
	for _, line := range []string{
		"-b host:9092,other:9092 -t topic --timeout 30s", "--isolation read_committed --partitions 25", "-c a* -c b?",
		"-o json --color=never --key-format hex -v -q -O file", "--release 3.6.0 --fail-on warning", "--connector", "-ojson", "--no-such", "--", "-",
		"--timeout -1s", "--partitions 1e9", "--partitions=-3", "-b ,,", "-t ''", "--=", "-=", "--isolation=", "--hex=maybe",
	} {
		f.Add(strings.ReplaceAll(line, " ", "\x00"))
	}
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Split(line, "\x00")
		bounded(t, 64*len(line), func() {
			for _, c := range newRootCmd(&app{World: world(nil)}).Commands() {
				if err := c.ParseFlags(args); err != nil {
					var own *failure
					if !errors.As(flagError(c, err), &own) {
						t.Errorf("%s %q: %v", c.Name(), args, err)
					}
				}
			}
		})
		g := sources{connection: connection{bootstrap: line, topic: line, timeout: 1}}
		if brokers, err := g.brokers(); err == nil && (len(brokers) == 0 || slices.Contains(brokers, "")) {
			t.Errorf("%q gives the brokers %q", line, brokers)
		}
	})
}

// FuzzWords looks words up that name a kind of finding, a severity or a
// release, and files by how they begin.
func FuzzWords(f *testing.F) {
	f.Add("key-null")
	f.Add("fatal")
	f.Add("3.6.0-ccs")
	f.Add("\xac\xed\x00\x05")
	f.Add(goodDump)
	f.Fuzz(func(t *testing.T, word string) {
		bounded(t, len(word), func() {
			if kind, ok := offsetstore.LookupKind(word); ok != (string(kind.ID) == word && word != "") {
				t.Errorf("%q is the finding %q", word, kind.ID)
			}
			if s, err := offsetstore.ParseSeverity(word); err == nil && s.String() != word {
				t.Errorf("%q is the severity %s", word, s)
			}
			if near := nearest(word, kindNames(true)); near != "" && !slices.Contains(kindNames(true), near) {
				t.Errorf("%q is like %q", word, near)
			}
			if r, err := release.Parse(word); err == nil && r.Asked == "" {
				t.Errorf("%q is the release %+v", word, r)
			}
			if err := unknown("word", word, kindNames(true)); err == nil {
				t.Error("it is known")
			}
			if seems([]byte(word)) == "" {
				t.Errorf("%q looks like nothing", word)
			}
		})
	})
}
