package realkafka

import (
	"fmt"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// Records makes the records of a small offsets topic: few source partitions, so
// that they meet, under spellings of all kinds, with tombstones, odd values and
// malformed keys among them, and some on another topic partition than home says.
// Each is a millisecond later than the one before. Every topic partition gets
// one at least.
func (g *Generator) Records(partitions int32, home func(key []byte) int32) []*kgo.Record {
	known := make([]sourcePartition, 1+g.IntN(8))
	for i := range known {
		known[i] = g.sourcePartition()
	}
	var records []*kgo.Record
	add := func(partition int32, key, value []byte) {
		at := time.UnixMilli(1_700_000_000_000 + int64(len(records)))
		records = append(records, &kgo.Record{Partition: partition, Key: key, Value: value, Timestamp: at})
	}
	for partition := range partitions {
		add(partition, []byte(`["filler",{}]`), []byte(`{}`))
	}
	for i := range 5 + g.IntN(60) {
		key := []byte(g.spelled(known[g.IntN(len(known))]))
		if g.IntN(20) == 0 {
			key = g.Key()
		}
		value := fmt.Appendf(nil, `{"position":%d}`, i)
		switch g.IntN(8) {
		case 0, 1:
			value = nil
		case 2:
			value = g.Value()
		}
		partition := home(key)
		if g.IntN(8) == 0 {
			partition = g.Int32N(partitions)
		}
		add(partition, key, value)
	}
	return records
}

// sourcePartition is one with the spellings that each of its parts can have;
// the first of them is the canonical one.
type sourcePartition struct {
	connector []string
	fields    [][2][]string // names and values
}

func (g *Generator) sourcePartition() sourcePartition {
	p := sourcePartition{connector: oneOf(g,
		[]string{`"c"`, `"\u0063"`}, []string{`"é"`, `"\u00e9"`, `"\u00E9"`}, []string{`"\uD83D\uDE00"`, `"😀"`})}
	names := [][]string{
		{`"filename"`, `"file\u006eame"`}, {`"topic"`}, {`"partition"`}, {`"Aa"`}, {`"BB"`}, {`"a/b"`, `"a\/b"`}, {`""`},
	}
	g.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, name := range names[:g.IntN(4)] {
		p.fields = append(p.fields, [2][]string{name, oneOf(g,
			[]string{`"/data/in"`, `"\/data\/in"`, `"/data\u002fin"`}, []string{`1`, `18446744073709551617`},
			[]string{`1.0`, `1.00`, `1e0`}, []string{`null`}, []string{`true`}, []string{`"Infinity"`}, []string{`1e400`},
			[]string{`0.0`, `-0.0`}, []string{`1.0E7`, `10000000.0`}, []string{`[1]`}, []string{`"é☃"`, `"\u00e9☃"`})})
	}
	return p
}

// spelled writes a key, as a worker would more often than not.
func (g *Generator) spelled(p sourcePartition) string {
	odd := g.IntN(3) == 0
	pick := func(spellings []string) string {
		if odd && g.IntN(2) == 0 {
			return oneOf(g, spellings...)
		}
		return spellings[0]
	}
	blank := func() string {
		if odd && g.IntN(6) == 0 {
			return " "
		}
		return ""
	}
	var fields []string
	for _, f := range p.fields {
		fields = append(fields, pick(f[0])+blank()+":"+pick(f[1]))
	}
	if g.IntN(4) == 0 {
		g.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	}
	return blank() + "[" + pick(p.connector) + "," + blank() + "{" + strings.Join(fields, ","+blank()) + "}]" + blank()
}
