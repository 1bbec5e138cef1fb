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

	deepest int // levels open at once
	met     met
	list    list

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
func (s *scanner) blanks(p int) int {
	for p < len(s.text) && s.text[p] <= ' ' {
		switch s.text[p] {
		case ' ', '\t', '\n', '\r':
			p++
		default:
			return p
		}
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

func (s *scanner) scalar(p int) (int, Class) {
	if p >= len(s.text) {
		return s.unexpected(p), NoClass
	}
	switch c := s.text[p]; c {
	case '"':
		return s.str(p+1, false), JavaString
	case 't':
		return s.word(p, "true"), JavaBoolean
	case 'f':
		return s.word(p, "false"), JavaBoolean
	case 'n':
		return s.word(p, "null"), JavaNull
	default:
		if c == '-' || isDigit(c) {
			return s.number(p)
		}
		return s.unexpected(p), NoClass
	}
}

// container scans the list or map that begins at p. It keeps one bit a level,
// in words of 64, so that hostile nesting costs an eighth of a byte each.
func (s *scanner) container(p, outside int) int {
	var isMap uint64 // the innermost level is bit 0
	var outer []uint64
	text := s.text
	for levels := 0; ; {
		if isMap&1 != 0 {
			if p = s.fieldName(p); p < 0 {
				return p
			}
		}
		if p >= len(text) {
			return s.unexpected(p)
		}
		opened := false
		switch c := text[p]; {
		case c == '"':
			p = s.str(p+1, false)
		case isDigit(c):
			p, _ = s.number(p)
		case c|0x20 == '{':
			if levels > 0 && levels%64 == 0 {
				outer = append(outer, isMap)
			}
			levels++
			isMap = isMap<<1 | uint64(c>>5&1) // [ is 5b, { is 7b
			if levels == 2 {
				s.met |= metList << (c >> 5 & 1)
			}
			p, opened = s.open(p, outside+levels), true
		default:
			p, _ = s.scalar(p)
		}
		if p < 0 {
			return p
		}
		// Close what ends here, up to the next value.
		for p = s.blanks(p); p < len(text) && text[p]|0x20 == '}'; p = s.blanks(p) {
			if uint64(text[p]>>5&1) != isMap&1 {
				return s.unexpected(p)
			}
			p, opened = p+1, false
			if levels--; levels == 0 {
				return p
			}
			isMap >>= 1
			if levels%64 == 0 {
				isMap = outer[len(outer)-1]
				outer = outer[:len(outer)-1]
			}
		}
		if !opened {
			if p >= len(text) || text[p] != ',' {
				return s.unexpected(p)
			}
			p = s.blanks(p + 1)
		}
	}
}

// open counts the level that the bracket at p opens and goes on behind it.
func (s *scanner) open(p, level int) int {
	if level > s.deepest {
		if level > maxLevels && s.rules.Limits {
			return s.fail(p, tooDeep)
		}
		s.deepest = level
	}
	return p + 1
}

// fieldName scans a name at p and its colon, and gives the place of the value.
func (s *scanner) fieldName(p int) int {
	if p >= len(s.text) || s.text[p] != '"' {
		return s.unexpected(p)
	}
	if p = s.str(p+1, true); p < 0 {
		return p
	}
	if p = s.blanks(p); p >= len(s.text) || s.text[p] != ':' {
		return s.unexpected(p)
	}
	return s.blanks(p + 1)
}

// word scans the literal w at p.
func (s *scanner) word(p int, w string) int {
	if p+len(w) <= len(s.text) && string(s.text[p:p+len(w)]) == w {
		return p + len(w)
	}
	for i := range len(w) {
		if p+i >= len(s.text) {
			break
		}
		if s.text[p+i] != w[i] {
			return s.fail(p, unknownWord)
		}
	}
	return s.fail(len(s.text), unexpectedEnd)
}
