package report

import (
	"iter"

	"koffsets/decode"
	"koffsets/offsetstore"
	"koffsets/release"
)

// DecodeInput is a key to decode, with the value of its record where it has
// one.
type DecodeInput struct {
	Key      []byte // nil is the null key
	Value    []byte
	HasValue bool
}

// DecodeOptions says how keys are decoded.
type DecodeOptions struct {
	Releases []release.Release // each key is judged by each, in this order
	// Partitions is the partition count for home partitions.
	Partitions int
	// ShowKeys puts each key before its verdicts on a screen.
	ShowKeys bool
}

// Decode is verdicts on keys. It reads its input while it is written, so that
// any number of keys can pass through.
type Decode struct {
	in      iter.Seq[DecodeInput]
	options DecodeOptions
	keys    int
	ok      int
	verdict map[string]int64
}

// NewDecode reports the verdicts on the keys of in, which is read once.
func NewDecode(in iter.Seq[DecodeInput], o DecodeOptions) *Decode {
	return &Decode{in: in, options: o, verdict: map[string]int64{}}
}

// AllOK reports, after Write, whether every verdict was ok or not judged.
func (d *Decode) AllOK() bool {
	return d.ok == d.keys*len(d.options.Releases)
}

// Schema implements [Result].
func (*Decode) Schema() string { return "koffsets.decode/v1" }

// Head implements [Result].
func (d *Decode) Head(o *Object) { o.Int("partitions", int64(d.options.Partitions)) }

// judgements yields a verdict for each key and release, and counts them.
func (d *Decode) judgements() iter.Seq[judgement] {
	return func(yield func(judgement) bool) {
		for in := range d.in {
			d.keys++
			for i := range d.options.Releases {
				r := &d.options.Releases[i]
				j := judgement{in: in, release: r, key: decode.ParseKey(&r.Rules, in.Key), partitions: d.options.Partitions, first: i == 0}
				verdict := j.verdict()
				d.verdict[verdict]++
				if verdict == okVerdict || verdict == notJudged {
					d.ok++
				}
				if !yield(j) {
					return
				}
			}
		}
	}
}

// Items implements [Result].
func (d *Decode) Items() iter.Seq[Item] {
	return each(d.judgements(), func(j judgement) Item { return &j })
}

// Names implements [Result]: the verdicts.
func (d *Decode) Names() iter.Seq[Safe] {
	return each(d.judgements(), func(j judgement) Safe { return Safe(j.verdict()) })
}

// Summary implements [Result].
func (d *Decode) Summary(o *Object) {
	o.Int("keys", int64(d.keys))
	o.Int("releases", int64(len(d.options.Releases)))
	o.Object("by_verdict", func() {
		for _, v := range verdicts() {
			if n := d.verdict[v]; n > 0 {
				o.Int(v, n)
			}
		}
	})
}

const (
	okVerdict = "ok"
	notJudged = "not-judged" // of releases that judge no keys
)

// verdicts are all there are, in the order of the checks.
func verdicts() []string {
	all := []string{}
	for v := decode.OK; v <= decode.KeyTooDeep; v++ {
		all = append(all, v.String())
	}
	return append(all, notJudged)
}

// judgement is what one release makes of one key, an item of Decode.
type judgement struct {
	in         DecodeInput
	release    *release.Release
	key        decode.Key
	partitions int
	first      bool // of its key
}

func (j *judgement) verdict() string {
	if !j.release.Rules.JudgesKeys {
		return notJudged
	}
	return j.key.Verdict.String()
}

func (j *judgement) judged() bool { return j.release.Rules.JudgesKeys }
func (j *judgement) ok() bool     { return j.key.Verdict == decode.OK }

func (j *judgement) fatal() bool { return j.judged() && j.key.Fatal(&j.release.Rules) }

func (j *judgement) canonical() bool { return j.ok() && j.key.Spelling == decode.Canonical }

// home is the key's home partition. A producer spreads null keys.
func (j *judgement) home() int64 {
	if j.in.Key == nil || j.partitions <= 0 {
		return offsetstore.Unknown
	}
	return int64(decode.Home(j.in.Key, j.partitions))
}

func (j *judgement) workerLog() string {
	if !j.judged() {
		return ""
	}
	return decode.WorkerLog(&j.release.Rules, &j.key.Check)
}

// valueState is the state that the value alone would give, "" without one.
func (j *judgement) valueState() string {
	if !j.in.HasValue {
		return ""
	}
	switch decode.CheckValue(&j.release.Rules, j.in.Value).Verdict {
	case decode.ValueOK:
		return offsetstore.Live.String()
	case decode.ValueTombstone:
		return offsetstore.Deleted.String()
	case decode.ValueNullLookalike:
		return offsetstore.Null.String()
	}
	return offsetstore.Unreadable.String()
}

// Members implements [Item].
func (j *judgement) Members(o *Object) {
	o.Text("release", j.release.Asked)
	o.Text("judged_as", j.release.JudgedAs)
	o.Text("verdict", j.verdict())
	o.Bool("fatal", j.fatal())
	switch {
	case j.judged() && j.key.Verdict == decode.KeyWrongSize:
		o.Int("actual", int64(j.key.Size))
	case j.judged():
		o.TextOrNull("actual", j.key.Class.String())
	default:
		o.Null("actual")
	}
	if j.ok() {
		o.Text("connector", j.key.Connector)
		o.Map("source_partition", &j.key.SourcePartition)
		o.Key("canonical_key", j.key.Canonical)
	} else {
		o.Null("connector")
		o.Null("source_partition")
		o.Null("canonical_key")
	}
	o.Bool("canonical", j.canonical())
	o.Bool("nested", j.ok() && j.key.Nested)
	o.Known("home_partition", j.home())
	if o.redact {
		o.Null("worker_log")
	} else {
		o.TextOrNull("worker_log", j.workerLog())
	}
	if j.judged() && j.key.Verdict == decode.KeyNotJSON {
		o.Object("error", func() {
			o.Int("byte", int64(j.key.ErrorAt))
			o.Text("reason", j.key.Reason)
		})
	} else {
		o.Null("error")
	}
	o.TextOrNull("value_state", j.valueState())
}
