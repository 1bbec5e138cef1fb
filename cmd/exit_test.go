package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// outcome is a command line and how it must end.
type outcome struct {
	args  string // separated by blanks
	stdin string
}

// never stands for a code that a verb has no way to end with.
var never *outcome

const (
	goodDump   = `{"schema":"koffsets.dump/v1","topic":"t","partitions":1}` + "\n" + `{"partition":0,"offset":0,"timestamp":1,"key":"[\"c\",{\"p\":1}]","value":"{\"o\":1}"}` + "\n"
	badKeyDump = goodDump + `{"partition":0,"offset":1,"timestamp":2,"key":"nonsense","value":null}` + "\n"
	cutDump    = badKeyDump + `{"partition":0,"offs`
)

// exits says for every verb how it ends with each code.
var exits = map[string]map[int]*outcome{
	"scan": {
		0:   {"scan -", goodDump},
		1:   {"scan -", badKeyDump},
		2:   {"scan -", cutDump}, // outranks 1
		130: {"scan sandbox", ""},
	},
	"view": {
		0:   {"view -", badKeyDump},
		1:   {"view --strict -", badKeyDump},
		2:   {"view --strict -", cutDump},
		130: {"view sandbox", ""},
	},
	"export": {
		0:   {"export -", badKeyDump},
		1:   never,
		2:   {"export -", cutDump},
		130: {"export sandbox", ""},
	},
	"decode": {
		0:   {"decode", goodDump},
		1:   {"decode", badKeyDump},
		2:   {"decode", cutDump},
		130: {"decode --hex", ""},
	},
	"explain":    {0: {"explain key-null", ""}, 1: never, 2: {"explain key-nil", ""}, 130: never},
	"sandbox":    {0: never, 1: never, 2: {"sandbox nowhere", ""}, 130: {"sandbox", ""}},
	"completion": {0: {"completion bash", ""}, 1: never, 2: {"completion bsh", ""}, 130: never},
	"version":    {0: {"version", ""}, 1: never, 2: {"version --frob", ""}, 130: never},
	"help":       {0: {"help scan", ""}, 1: never, 2: {"help scna", ""}, 130: never},
}

func TestEveryVerbEndsWithEveryCode(t *testing.T) {
	t.Parallel()
	for _, verb := range verbNames(newRootCmd(&app{World: world(nil)})) {
		if _, listed := exits[verb]; !listed {
			t.Errorf("the verb %s is not in the table", verb)
		}
	}
	for verb, codes := range exits {
		for _, code := range []int{0, 1, 2, 130} {
			o, listed := codes[code]
			if !listed {
				t.Errorf("%s: no word on code %d", verb, code)
			}
			if o == never {
				continue
			}
			t.Run(fmt.Sprintf("%s %d", verb, code), func(t *testing.T) {
				t.Parallel()
				ctx, cancel := context.WithCancel(t.Context())
				in := io.Reader(strings.NewReader(o.stdin))
				if code == 130 {
					cancel()
					var hold *io.PipeWriter
					in, hold = io.Pipe() // input that does not end by itself
					defer func() { _ = hold.Close() }()
				}
				defer cancel()
				r := runIn(ctx, t, in, strings.Fields(o.args)...)
				if r.code != code {
					t.Errorf("koffsets %s: exit %d, want %d\n%s%s", o.args, r.code, code, r.out, r.errs)
				}
				if wantError := code == 2 || code == 130 && verb != "sandbox"; strings.Contains(r.errs, "koffsets: error: ") != wantError {
					t.Errorf("koffsets %s: exit %d and standard error %q", o.args, r.code, r.errs)
				}
			})
		}
	}
}

func TestClosedPipeIsNoFailure(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"scan -", "view -", "export -", "decode", "explain", "version", "version -o json", "completion zsh", "help"} {
		w := world(strings.NewReader(badKeyDump))
		var errs bytes.Buffer
		w.Out, w.Err = nobody{}, &errs
		if code := Main(t.Context(), strings.Fields(args), w); code != 0 || errs.Len() > 0 {
			t.Errorf("koffsets %s: exit %d, %s", args, code, errs.Bytes())
		}
	}
}

// nobody is standard output when nobody reads it any more.
type nobody struct{}

func (nobody) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}
}

func TestErrorsAreOneObjectInJSONModes(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"scan -o json", "scan -o jsonl", "view -ojson", "decode --output=jsonl", "scan --output json --frob"} {
		r := runIn(t.Context(), t, strings.NewReader("x\x1b\n"), strings.Fields(args)...)
		var got struct {
			Error string
			Hint  *string
			Exit  int
		}
		d := json.NewDecoder(strings.NewReader(r.errs))
		d.DisallowUnknownFields()
		if err := d.Decode(&got); err != nil || got.Error == "" || got.Exit != 2 || r.code != 2 || strings.Count(r.errs, "\n") != 1 {
			t.Errorf("koffsets %s: exit %d, %q (%v)", args, r.code, r.errs, err)
		}
	}
}

func TestIncompleteReadIsWrittenAndInterruptedIsNot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "scan.json")
	r := runIn(t.Context(), t, strings.NewReader(cutDump), "scan", "-", "-o", "json", "-O", path)
	b, err := os.ReadFile(path)
	if r.code != 2 || r.out != "" || err != nil || !strings.Contains(string(b), `"complete":false`) || !strings.Contains(string(b), `"file-truncated"`) {
		t.Errorf("exit %d, file %s (%v), standard error %s", r.code, b, err, r.errs)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r = runIn(ctx, t, strings.NewReader(""), "export", "sandbox", "-O", path)
	left, err := os.ReadDir(dir)
	if r.code != 130 || err != nil || len(left) > 0 {
		t.Errorf("exit %d, left %v (%v)", r.code, left, err)
	}
}

type ended struct {
	out, errs string
	code      int
}

func run(t *testing.T, args ...string) ended {
	t.Helper()
	return runIn(t.Context(), t, strings.NewReader(""), args...)
}

func runIn(ctx context.Context, t *testing.T, in io.Reader, args ...string) ended {
	t.Helper()
	var out, errs bytes.Buffer
	w := world(in)
	w.Out, w.Err = &out, &errs
	code := Main(ctx, args, w)
	return ended{out.String(), errs.String(), code}
}

// world is one without a terminal and without an environment.
func world(in io.Reader) World {
	return World{
		In:       in,
		Out:      io.Discard,
		Err:      io.Discard,
		Env:      func(string) (string, bool) { return "", false },
		Now:      func() time.Time { return time.UnixMilli(1_764_590_400_000) },
		Terminal: func(any) (int, bool) { return 0, false },
	}
}
