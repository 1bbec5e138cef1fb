package decode

import "koffsets/release"

// How many lists and maps may be open at once.
const (
	// maxLevels is Jackson's limit, where it has any.
	maxLevels = 1000
	// safeLevels is what a worker's stack bore every time where Jackson has no
	// limit. From there to 10,000 the JVM decides, by the size of the stack and
	// by how far it has compiled the code; beyond, the stack overflows. Levels
	// are counted in the text, those of a value replaced later too.
	safeLevels = 1500
)

// Why a text is not JSON.
const (
	unexpectedEnd    = "unexpected end"
	unexpectedChar   = "unexpected character"
	controlChar      = "control character outside white space"
	notASCII         = "character outside ASCII where none may be"
	strayBracket     = "a bracket closes too early or the wrong thing"
	tooDeep          = "nesting deeper than 1,000"
	unknownWord      = "unknown word"
	wordGoesOn       = "a letter or digit directly behind the word"
	numberGoesOn     = "something other than white space directly behind the number"
	beyondUnicode    = "character above U+10FFFF"
	oddByteOrder     = "an unusual order of bytes in UTF-32"
	leadingZero      = "leading zero"
	wantsDigit       = "a digit is missing"
	numberTooLong    = "number longer than 1,000 digits"
	exponentTooLarge = "exponent out of range"
	badEscape        = "invalid escape"
	rawControl       = "control character inside a string"
	badUTF8          = "invalid UTF-8"
	surrogateUTF8    = "surrogate in UTF-8"
	loneSurrogate    = "lone surrogate in a field name"
	textTooLong      = "string longer than 20,000,000"
	nameTooLong      = "field name longer than 50,000"
)

// scanner reads the first JSON value of a text as the Jackson of a release
// does, and keeps what the verdicts hang on. Its methods take and give places
// in the text; a negative one says that reading failed at s.at.
type scanner struct {
	text    []byte
	rules   *release.Rules
	wide    *wide // of a text that was UTF-16 or UTF-32, else nil
	skipped int   // bytes of a mark in front of the text

	outer   []uint64 // of container: what kind its outer levels are
	deepest int      // levels open at once
	met     met

	at     int
	reason string
}

// met is what a scan has come across, a bit each.
type met uint8

const (
	metWrap met = 1 << iota // an integer beyond 64 bits
	metList                 // a list directly inside the container scanned
	metMap                  // a map directly inside it
)

func (s *scanner) fail(at int, reason string) int {
	s.at, s.reason = at, reason
	return -1
}

// unexpected fails at p, where a token of another kind should be.
func (s *scanner) unexpected(p int) int {
	reason := unexpectedChar
	switch {
	case p >= len(s.text):
		reason = unexpectedEnd
	case s.text[p] < ' ':
		reason = controlChar
	case s.text[p] >= 0x80:
		reason = notASCII
	case s.text[p]|0x20 == '}':
		reason = strayBracket
	}
	return s.fail(p, reason)
}

// blanks gives the place of the first byte from p on that is no white space.
func (s *scanner) blanks(p int) int { return blanks(s.text, p) }

func blanks(text []byte, p int) int {
	for p < len(text) && text[p] <= ' ' {
		if c := text[p]; c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return p
		}
		p++
	}
	return p
}

// value scans the value that begins at p, inside so many open levels.
func (s *scanner) value(p, outside int) (int, Class) {
	if p < len(s.text) {
		switch s.text[p] {
		case '"':
			return s.str(p+1, false), JavaString
		case '[':
			return s.container(p, outside), JavaArrayList
		case '{':
			return s.container(p, outside), JavaHashMap
		}
	}
	return s.scalar(p)
}

// scalar scans a number or a word.
func (s *scanner) scalar(p int) (int, Class) {
	switch {
	case has(s.text, p, "null"):
		return p + len("null"), JavaNull
	case has(s.text, p, "true"):
		return p + len("true"), JavaBoolean
	case has(s.text, p, "false"):
		return p + len("false"), JavaBoolean
	case p < len(s.text) && (isDigit(s.text[p]) || s.text[p] == '-'):
		return s.number(p)
	}
	return s.noScalar(p), NoClass
}

// noScalar fails at p, where no value begins, or not as it should.
func (s *scanner) noScalar(p int) int {
	rest := s.text[min(p, len(s.text)):]
	for _, word := range []string{"null", "true", "false"} {
		switch {
		case len(rest) == 0 || rest[0] != word[0]:
		case len(rest) < len(word) && string(rest) == word[:len(rest)]:
			return s.fail(len(s.text), unexpectedEnd)
		default:
			return s.fail(p, unknownWord)
		}
	}
	return s.unexpected(p)
}
