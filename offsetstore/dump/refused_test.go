package dump

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"koffsets/offsetstore"
)

const good = `{"partition":0,"offset":1,"timestamp":2,"key":"k","value":"v"}` + "\n"

func TestHandMadeDumpsAreRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in      string
		records int
	}{
		"no header, no places":       {`{"key":"a","value":"b"}`, 1},
		"places that are null":       {`{"partition":null,"offset":null,"timestamp":null,"key":null,"value":null,"headers":null,"txn":null}`, 1},
		"blank lines and line ends":  {"\r\n \n" + `{"key":"a","value":"b"}` + "\r\n\n" + `{"key":"a","value":"b"}` + "\n \n", 2},
		"any order, blanks":          {` { "value" : "b" , "headers" : [ ] , "key" : "a" } `, 1},
		"a byte order mark":          {bom + good, 1},
		"the schema alone":           {`{"schema":"koffsets.dump/v1"}` + "\n" + good, 1},
		"fields of a later header":   {`{"new":[1,{"a":"}\""}],"schema":"koffsets.dump/v1"}` + "\n" + good, 1},
		"a header and nothing else":  {`{"schema":"koffsets.dump/v1"}`, 0},
		"same offset, no partition":  {`{"offset":1,"key":"a","value":"b"}` + "\n" + `{"offset":1,"key":"a","value":"b"}`, 2},
		"a summary without a header": {good + `{"summary":{"records":1}}`, 1},
		"a pair of surrogates":       {`{"key":"\ud83d\ude00","value":"b"}`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			records, d, err := read(t, strings.NewReader(c.in), Options{})
			if err != nil || !d.Complete() || len(records) != c.records {
				t.Errorf("%d records, %+v, %v", len(records), d, err)
			}
		})
	}
}

func TestWhatCannotBeReadIsNamedWithItsLine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		line    string
		finding offsetstore.ID
		reason  string
	}{
		"no JSON":                      {"x\n", "read-incomplete", "line 2: no JSON object at byte 0"},
		"unknown field":                {`{"key":"a","valeu":"b"}` + "\n", "read-incomplete", `line 2: the unknown field "valeu"`},
		"hostile field":                {"{\"\u202e\u009b\":1}\n", "read-incomplete", `line 2: the unknown field "\u202e\u009b"`},
		"field twice":                  {`{"key":"a","key":"a","value":"b"}` + "\n", "read-incomplete", `line 2: the field "key" twice`},
		"both keys":                    {`{"key":"a","key_base64":"YQ==","value":"b"}` + "\n", "read-incomplete", "line 2: both key and key_base64"},
		"no key":                       {`{"value":"b"}` + "\n", "read-incomplete", `line 2: neither key nor key_base64 (a null key is written "key":null)`},
		"no value":                     {`{"key":"b"}` + "\n", "read-incomplete", "line 2: neither value nor value_base64"},
		"lone surrogate":               {`{"key":"a\ud800","value":"b"}` + "\n", "read-incomplete", `line 2: the lone surrogate \ud800, which is no text: give the bytes in key_base64`},
		"two high surrogates":          {`{"key":"\ud800\ud800","value":"b"}` + "\n", "read-incomplete", `line 2: the lone surrogate \ud800`},
		"low surrogate first":          {`{"key":"\udc00\ud800","value":"b"}` + "\n", "read-incomplete", `line 2: the lone surrogate \udc00`},
		"bytes that are not UTF-8":     {"{\"key\":\"a\xff\",\"value\":\"b\"}\n", "read-incomplete", "line 2: the byte 0xff, which is no UTF-8"},
		"the same behind an escape":    {"{\"key\":\"\\n\xc3\",\"value\":\"b\"}\n", "read-incomplete", "line 2: the byte 0xc3, which is no UTF-8"},
		"raw control character":        {"{\"key\":\"a\x1b\",\"value\":\"b\"}\n", "read-incomplete", "line 2: a control character inside a string at byte 9"},
		"base64 without padding":       {`{"key_base64":"YQ","value":"b"}` + "\n", "read-incomplete", "line 2: key_base64 is not padded standard base64"},
		"base64 with line ends":        {`{"key_base64":"YQ=\n=","value":"b"}` + "\n", "read-incomplete", "line 2: key_base64 is not"},
		"base64 null":                  {`{"key_base64":null,"value":"b"}` + "\n", "read-incomplete", "line 2: no JSON string at byte 14"},
		"fraction":                     {`{"partition":1.0,"key":"a","value":"b"}` + "\n", "read-incomplete", "line 2: no whole number"},
		"leading zero":                 {`{"partition":01,"key":"a","value":"b"}` + "\n", "read-incomplete", "line 2: a number with leading zeros"},
		"beyond 64 bits":               {`{"offset":9223372036854775808,"key":"a","value":"b"}` + "\n", "read-incomplete", "line 2: a number beyond 64 bits"},
		"beyond 32 bits":               {`{"partition":2147483648,"key":"a","value":"b"}` + "\n", "read-incomplete", "line 2: the partition 2147483648, which is out of range"},
		"negative offset":              {`{"offset":-1,"key":"a","value":"b"}` + "\n", "read-incomplete", "line 2: the offset -1, which is out of range"},
		"unknown txn":                  {`{"key":"a","value":"b","txn":"committed"}` + "\n", "read-incomplete", "line 2: txn is neither aborted nor open"},
		"header with a null key":       {`{"key":"a","value":"b","headers":[{"key":null,"value":"b"}]}` + "\n", "read-incomplete", "line 2: a header with a null key"},
		"header without a value":       {`{"key":"a","value":"b","headers":[{"key":"a"}]}` + "\n", "read-incomplete", "line 2: a header without exactly one key"},
		"trailing garbage":             {`{"key":"a","value":"b"} x` + "\n", "read-incomplete", "line 2: something behind the end of the record at byte 24"},
		"second record on the line":    {`{"key":"a","value":"b"}{"key":"a","value":"b"}` + "\n", "read-incomplete", "line 2: something behind"},
		"second header":                {`{"schema":"koffsets.dump/v1"}` + "\n", "read-incomplete", `line 2: a second header`},
		"same offset again":            {good, "read-incomplete", "line 2: a second record at offset 1 of topic partition 0"},
		"offset behind a later one":    {strings.Replace(good, `"offset":1`, `"offset":0`, 1), "read-incomplete", "line 2: offset 0 of topic partition 0 behind its offset 1"},
		"partition beyond the topic":   {strings.Replace(good, `"partition":0`, `"partition":25`, 1), "read-incomplete", "line 2: topic partition 25 of a topic with 25"},
		"cut-off line":                 {`{"key":"a","val`, "file-truncated", "line 2: the line is cut off after 15 bytes"},
		"cut off in a word":            {`{"key":nul`, "file-truncated", "line 2: the line is cut off after 10 bytes"},
		"cut off behind a brace":       {`{"key":"a","value":"b","headers":[{"key":"a","value":"b"}`, "file-truncated", "line 2: the line is cut off"},
		"summary with another count":   {`{"summary":{"records":2}}` + "\n", "file-truncated", "line 2: the summary counts 2 records, the lines before it hold 1"},
		"summary cut off":              {`{"summary":{"rec`, "file-truncated", "line 2: the line is cut off"},
		"summary that is none":         {`{"summary":7}` + "\n", "read-incomplete", "line 2: the summary cannot be read"},
		"summary without a body":       {`{"summary":null}` + "\n", "read-incomplete", "line 2: the summary cannot be read"},
		"summary of incomplete read":   {`{"summary":{"records":1,"complete":false}}` + "\n", "read-incomplete", "the dump says that it is incomplete"},
		"record behind the summary":    {`{"summary":{"records":1}}` + "\n" + good, "read-incomplete", "line 3: something behind the summary line"},
		"summary with wrong ranges":    {`{"summary":{"ranges":[{"partition":1,"start":2,"end":1}]}}` + "\n", "read-incomplete", "line 2: a summary with impossible ranges"},
		"summary with many partitions": {`{"summary":{"partitions":99999999999}}` + "\n", "read-incomplete", "line 2: a summary with"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			records, d, err := read(t, strings.NewReader(good+c.line), Options{Partitions: 25})
			if err != nil || len(records) != 1 || len(d.Incomplete) != 1 {
				t.Fatalf("%d records, %+v, %v", len(records), d, err)
			}
			if in := d.Incomplete[0]; in.Finding != c.finding || !strings.HasPrefix(in.Reason, c.reason) {
				t.Errorf("got %s %q", in.Finding, in.Reason)
			}
		})
	}
}

func TestWhatIsNoDumpIsAnError(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                                 "the file is empty",
		"\n \r\n":                          "the file is empty",
		bom + "\n":                         "line 1 is blank",
		"\x1f\x8b\x08\x00":                 "gzip",
		"\x28\xb5\x2f\xfd\x00":             "zstd",
		"\xac\xed\x00\x05sr\x00":           "Java-serialised",
		"\xff\xfe{\x00":                    "binary, or text in UTF-16",
		`["c",{"p":1}]` + "\t" + `{"o":1}`: "JSON array",
		"Partition(3) [\"c\"]":             "line 1 is no JSON object",
		`{"topic":"t","partition":0,"offset":0,"key":"a","payload":"b"}`: `the unknown field "topic"`,
		"{\n  \"key\": 1}":                               "line 1: ",
		`{"schema":"koffsets.dump/v2"}`:                  `the schema is "koffsets.dump/v2", and this version reads koffsets.dump/v1`,
		`{"schema":"koffsets.scan/v1","items":[]}`:       `the schema is "koffsets.scan/v1"; a dump is what`,
		`{"schema":"koffsets.dump/v1","partitions":-1}`:  "a header with -1 topic partitions",
		`{"schema":"koffsets.dump/v1","partitions":"x"}`: "the header cannot be read",
		`{"schema":"koffsets.du`:                         "line 1: the line is cut off after 22 bytes",
	} {
		records, d, err := read(t, strings.NewReader(in), Options{})
		if err == nil || !strings.HasPrefix(err.Error(), "test.jsonl is no koffsets dump: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", in, err, want)
		}
		if len(records) > 0 || d.Name != "test.jsonl" {
			t.Errorf("%q: %d records, %+v", in, len(records), d)
		}
	}
}

func TestALineOver64MiBEndsTheReading(t *testing.T) {
	t.Parallel()
	long := func(n int) io.Reader {
		head, tail := `{"key":"`, `","value":null}`
		return io.MultiReader(strings.NewReader(good+head), io.LimitReader(filler{}, int64(n-len(head)-len(tail))), strings.NewReader(tail+"\n"+good))
	}
	records, d, err := read(t, long(maxLine+1), Options{})
	if err != nil || len(records) != 1 || len(d.Incomplete) != 1 || d.Incomplete[0].Reason != "line 2 is longer than 64 MiB" {
		t.Errorf("%d records, %+v, %v", len(records), d, err)
	}
	records, d, err = read(t, long(maxLine), Options{}) // good at the end is the same place again
	if err != nil || len(records) != 2 || len(d.Incomplete) != 1 || !strings.HasPrefix(d.Incomplete[0].Reason, "line 3: a second record") {
		t.Errorf("%d records, %+v, %v", len(records), d, err)
	}
	w := NewWriter(io.Discard, offsetstore.ReadUncommitted)
	if err := w.Write(&offsetstore.Description{}, []offsetstore.Record{{Partition: 3, Offset: 17, Key: make([]byte, maxLine/6+1)}}); err == nil || !strings.Contains(err.Error(), "offset 17 of topic partition 3") {
		t.Errorf("written: %v", err)
	}
	if err := w.Close(offsetstore.Description{}); err == nil {
		t.Error("a dump without one of its records was sealed")
	}
}

type filler struct{}

func (filler) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	return len(b), nil
}

func TestOpenNamesWhatIsNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	empty, fine := filepath.Join(dir, "empty"), filepath.Join(dir, "fine")
	for name, text := range map[string]string{empty: "", fine: good} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{dir: "is a directory", empty: "is empty", filepath.Join(dir, "none"): "no such file"} {
		if _, err := Open(path, Options{}); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	r, err := Open(fine, Options{Partitions: 7})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // each Read opens the file anew
		n := 0
		d, err := r.Read(context.Background(), func(_ *offsetstore.Description, records []offsetstore.Record) error { n += len(records); return nil })
		if err != nil || n != 1 || d.Partitions != 7 || d.Name != fine || !d.Complete() {
			t.Errorf("%d records, %+v, %v", n, d, err)
		}
	}
}

func TestErrorsOfTheStreamTheSinkAndTheContext(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	records, d, err := read(t, io.MultiReader(strings.NewReader(good), iotest.ErrReader(broken)), Options{})
	if err != nil || len(records) != 1 || len(d.Incomplete) != 1 || !strings.Contains(d.Incomplete[0].Reason, "line 2: broken") {
		t.Errorf("stream: %d records, %+v, %v", len(records), d, err)
	}
	if _, _, err = read(t, iotest.ErrReader(broken), Options{}); !errors.Is(err, broken) {
		t.Errorf("stream at once: %v", err)
	}
	r := NewReader("x", strings.NewReader(good), Options{})
	if _, err = r.Read(context.Background(), func(_ *offsetstore.Description, _ []offsetstore.Record) error { return broken }); err != broken {
		t.Errorf("sink: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err = NewReader("x", strings.NewReader(good), Options{}).Read(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("context: %v", err)
	}
	w := NewWriter(failing{broken}, offsetstore.ReadUncommitted)
	_ = w.Close(offsetstore.Description{})
	if err := w.Write(&offsetstore.Description{}, sample); !errors.Is(err, broken) {
		t.Errorf("writer: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestSniffKnowsDumpsByTheirFirstBytes(t *testing.T) {
	t.Parallel()
	long := `{"partition":0,"key":"` + strings.Repeat("x", 5000)
	for in, want := range map[string]bool{
		`{"schema":"koffsets.dump/v1","topic":"t"}`:  true,
		`{"schema":"koffsets.dump/v9`:                true,
		`{"topic":null,"schema":"koffsets.dump/v1"}`: true,
		`{"schema":"koffsets.scan/v1"}`:              false,
		good:                                         true,
		" \n" + good:                                 true,
		bom + good:                                   true,
		`{"key":"a","valeu":"b"}`:                    true,
		`{"summary":{"records":0}}`:                  true,
		long:                                         true,
		`{"topic":"t","partition":0,"key":"a"}`:      false,
		`{"partition":0,"key":"a","payload":"b"}`:    false,
		`{"offsets":[{"partition":{},"offset":{}}]}`: false,
		`["c",{}]`:                                   false, "": false, "{": false, "\x1f\x8b": false, `{"a":"b"}`: false,
	} {
		b := []byte(in)
		if got := Sniff(b); got != want {
			t.Errorf("%.60q: got %v", in, got)
		}
		if !bytes.Equal(b, []byte(in)) {
			t.Errorf("%.60q was changed", in)
		}
	}
}
