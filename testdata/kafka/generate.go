package realkafka

import (
	"math/rand/v2"
	"strings"
	"unicode/utf16"
)

// Generator makes keys and values at random, near enough to good ones to reach
// deep into a parser. What it makes depends on its seed, stream and corpus alone.
type Generator struct {
	*rand.Rand
	corpus [][]byte // what mutations begin with
}

// NewGenerator returns a generator that mutates the corpus, which must not be
// empty, besides what it makes up. The generators of one seed differ by stream.
func NewGenerator(seed, stream uint64, corpus [][]byte) *Generator {
	return &Generator{rand.New(rand.NewPCG(seed, stream)), corpus}
}

// Key makes a key of an offsets topic.
func (g *Generator) Key() []byte { return g.text(g.key) }

// Value makes a value of an offsets topic.
func (g *Generator) Value() []byte {
	return g.text(func(depth int) string {
		if g.IntN(10) == 0 {
			return g.value(depth)
		}
		return g.blank() + g.object(depth) + g.blank()
	})
}

func (g *Generator) text(root func(depth int) string) []byte {
	switch g.IntN(10) {
	case 0, 1:
		return g.mutated(g.corpus[g.IntN(len(g.corpus))])
	case 2:
		return g.mutated(g.encoded(root(0)))
	default:
		return g.encoded(root(0))
	}
}

func oneOf[T any](g *Generator, choices ...T) T { return choices[g.IntN(len(choices))] }

// mutated is the text with a few bytes changed.
func (g *Generator) mutated(text []byte) []byte {
	text = append([]byte{}, text...)
	for range 1 + g.IntN(3) {
		if len(text) == 0 {
			return []byte(g.spice())
		}
		at := g.IntN(len(text))
		switch g.IntN(7) {
		case 0:
			text[at] ^= 1 << g.IntN(8)
		case 1:
			text = append(text[:at], text[at+1:]...)
		case 2:
			text = append(text[:at:at], append([]byte(g.spice()), text[at:]...)...)
		case 3:
			text = text[:at]
		case 4:
			end := at + g.IntN(len(text)-at) + 1
			text = append(text[:end:end], text[at:]...)
		case 5:
			other := g.corpus[g.IntN(len(g.corpus))]
			text = append(text[:at:at], other[g.IntN(len(other)+1):]...)
		case 6:
			text = append(text[:at:at], append([]byte(g.value(2)), text[at:]...)...)
		}
	}
	return text
}

// spice is a bit of text that parsers stumble over.
func (g *Generator) spice() string {
	return oneOf(g, " ", "\t", "\n", "\r", "\x00", "\x0b", "\f", "\u00a0", "\ufeff", "[", "]", "{", "}", ",", ":", `"`, `\`, "/", "//", "/*", "#", "'",
		"-", "+", ".", "e", "E", "0", "00", "1", "9", "NaN", "Infinity", "-Infinity", "null", "true", "false", "nul", "tru", "undefined",
		`\u`, `\u0000`, `\ud800`, `\udc00`, `\ud83d\ude00`, `\"`, `\/`, `\x`, "\x7f", "\x80", "\xc0\x80", "\xc3\xa9", "\xe2\x82", "\xed\xa0\x80", "\xed\xb0\x80",
		"\xf0\x9f\x98\x80", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xff", "\xfe", "\x1b", "\u2028", "é", "1e400", "-0")
}

// encoded is the text in one of the encodings that Jackson detects.
func (g *Generator) encoded(text string) []byte {
	wide := func(size int, big bool) []byte {
		var out []byte
		put := func(v uint32) {
			for i := range size {
				shift := 8 * i
				if big {
					shift = 8 * (size - 1 - i)
				}
				out = append(out, byte(v>>shift))
			}
		}
		if size == 4 {
			for _, r := range text {
				put(uint32(r))
			}
		} else {
			for _, u := range utf16.Encode([]rune(text)) {
				put(uint32(u))
			}
		}
		return out
	}
	switch g.IntN(100) {
	case 0:
		return append([]byte("\xef\xbb\xbf"), text...)
	case 1:
		return wide(2, true)
	case 2:
		return wide(2, false)
	case 3:
		return append([]byte("\xfe\xff"), wide(2, true)...)
	case 4:
		return append([]byte("\xff\xfe"), wide(2, false)...)
	case 5:
		return wide(4, true)
	case 6:
		return wide(4, false)
	}
	return []byte(text)
}

// blank is what may stand between two tokens, mostly nothing.
func (g *Generator) blank() string {
	switch n := g.IntN(200); {
	case n == 0:
		return g.spice()
	case n < 25:
		return oneOf(g, " ", "  ", "\n", "\t", "\r\n")
	}
	return ""
}

// key is a list of a name and a map, mostly.
func (g *Generator) key(depth int) string {
	switch g.IntN(40) {
	case 0:
		return g.value(depth)
	case 1:
		return g.list(depth)
	case 2:
		return g.blank() + "[" + g.str() + "," + g.value(depth+1) + "]" + g.blank()
	case 3:
		return "[" + g.value(depth+1) + "," + g.object(depth+1) + "]" + g.spice()
	}
	return g.blank() + "[" + g.blank() + g.str() + g.blank() + "," + g.blank() + g.object(depth+1) + g.blank() + "]" + g.blank()
}

func (g *Generator) value(depth int) string {
	n := 9
	if depth > 3 {
		n = 6
	}
	switch g.IntN(n) {
	case 0, 1:
		return g.str()
	case 2, 3, 4:
		return g.number()
	case 5:
		return oneOf(g, "null", "true", "false", "null", "true", "false", "NaN", "nulL", "truee")
	case 6:
		return g.list(depth)
	default:
		return g.object(depth)
	}
}

func (g *Generator) list(depth int) string {
	var items []string
	for range g.IntN(4) {
		items = append(items, g.blank()+g.value(depth+1)+g.blank())
	}
	return "[" + strings.Join(items, ",") + "]"
}

// object is a map. Now and then it has many fields, so that a HashMap grows,
// and names of one hash, so that its buckets fill.
func (g *Generator) object(depth int) string {
	fields := g.IntN(4)
	if depth < 3 && g.IntN(10) == 0 {
		fields = g.IntN(30)
	}
	colliding := g.IntN(5) == 0
	var items []string
	for range fields {
		name := g.str()
		if colliding {
			name = `"` + oneOf(g, "Aa", "BB", "C#") + oneOf(g, "Aa", "BB", "C#") + oneOf(g, "Aa", "BB", "C#") + oneOf(g, "", "Aa", "BB") + `"`
		}
		items = append(items, g.blank()+name+g.blank()+":"+g.blank()+g.value(depth+1)+g.blank())
	}
	return "{" + strings.Join(items, ",") + "}"
}

func (g *Generator) str() string {
	var b strings.Builder
	b.WriteByte('"')
	for range g.IntN(6) {
		switch g.IntN(80) {
		case 0:
			b.WriteString(g.spice())
		case 1, 2, 3, 4, 5, 6:
			b.WriteString(oneOf(g, `\n`, `\t`, `\b`, `\f`, `\r`, `\\`, `\"`, `\/`, `\u0041`, `\u00e9`, `\u20AC`, `\u001f`, `\u007f`, `\ud83d\ude00`, `\ud83d`, `\ude00`))
		case 7, 8, 9, 10, 11, 12:
			b.WriteString(oneOf(g, "é", "€", "😀", "Ω", "\x7f", "\u0080", "\u2028", "\U0010ffff", "\ufffe"))
		default:
			b.WriteString(oneOf(g, "a", "b", "filename", "topic", "partition", "server", "x.y", "p", "0", " ", "-", "_"))
		}
	}
	b.WriteByte('"')
	return b.String()
}

func (g *Generator) digits(n int) string {
	var b strings.Builder
	for range n {
		b.WriteByte(byte('0' + g.IntN(10)))
	}
	return b.String()
}

func (g *Generator) number() string {
	sign := oneOf(g, "", "", "-")
	switch g.IntN(20) {
	case 0:
		return sign + oneOf(g, "9223372036854775807", "9223372036854775808", "9223372036854775809", "18446744073709551615", "18446744073709551616", "2147483647", "2147483648", "4294967296")
	case 1:
		return sign + "0" + g.digits(g.IntN(4)) // leading zeros
	case 2:
		return sign + g.digits(1+g.IntN(40))
	case 3:
		return sign + g.digits(1+g.IntN(3)) + "." + g.digits(1+g.IntN(20))
	case 4:
		return sign + g.digits(1) + oneOf(g, "e", "E") + oneOf(g, "", "+", "-") + g.digits(1+g.IntN(3))
	case 5:
		return sign + g.digits(1+g.IntN(20)) + "." + g.digits(1+g.IntN(30)) + oneOf(g, "e", "E") + oneOf(g, "", "+", "-") + g.digits(1+g.IntN(3))
	case 6:
		return sign + oneOf(g, "0.0", "0e0", "1e308", "1e309", "1.7976931348623157e308", "1.7976931348623159e308", "4.9e-324", "2.4e-324", "1e-400", "2.2250738585072012e-308", "1e23", "9007199254740993.0", "0.1", "123456789012345678901234567890.5", "1e7", "9999999.999", "1e-3", "0.001", "0.00099")
	case 7:
		return oneOf(g, "+1", ".5", "1.", "1.e5", "1e", "1e+", "-", "--1", "0x10", "1_000", "01.5", "-01", "00", "1d", "1f")
	default:
		return sign + g.digits(1+g.IntN(6))
	}
}
