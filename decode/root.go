package decode

// list is what a verdict needs of a list at the root: its size, and its first
// two elements with their classes.
type list struct {
	size   int
	class  [2]Class
	inside [2]span
	met    [2]met
}

type span struct{ from, to int }

// begin makes s read a key or value and gives the place where its first token
// begins.
func (s *scanner) begin(input []byte) int {
	s.text = input
	if len(input) > 1 && (input[0] == 0 || input[1] == 0 || input[0] >= 0xef) {
		enc, skip := detect(input)
		switch enc {
		case oddText:
			return s.fail(0, oddByteOrder)
		case utf8Text:
			s.skipped, s.text = skip, input[skip:]
		default:
			s.wide = newWide(s.rules, input[skip:], enc)
			s.skipped = skip
			s.text = s.wide.transcode()
		}
	}
	return s.blanks(0)
}

// place is where in the input reading failed.
func (s *scanner) place() int {
	at := s.at
	if s.wide != nil {
		at = s.wide.origin(at)
	}
	return s.skipped + at
}

// overflowsStack reports whether turning the value into Java's maps and lists
// may overflow a worker's stack.
func (s *scanner) overflowsStack() bool {
	return s.rules.DeepKeysAreFatal() && s.deepest > safeLevels
}

// root scans a value at the root, of which there may be none, and what Jackson
// looks at behind it: after numbers and words there must be something that ends
// them.
func (s *scanner) root(p int) (int, Class) {
	if p == len(s.text) {
		return s.end(p, true), JavaNull
	}
	p, class := s.value(p, 0)
	if p < 0 {
		return p, class
	}
	looksOn := true
	switch class {
	case JavaLong, JavaDouble:
		if p < len(s.text) && s.blanks(p) == p {
			return s.fail(p, numberGoesOn), class
		}
	case JavaBoolean, JavaNull:
		if s.wordGoesOn(p) {
			return s.fail(p, wordGoesOn), class
		}
	default:
		looksOn = false
	}
	return s.end(p, looksOn), class
}

// rootList scans the list that begins at p into l. The elements beyond the
// second are only scanned. What s has met is that inside the second alone.
func (s *scanner) rootList(p int, l *list) int {
	s.deepest = 1
	p = s.blanks(p + 1)
	if p < len(s.text) && s.text[p] == ']' {
		return s.end(p+1, false)
	}
	for ; ; l.size++ {
		from, class := p, NoClass
		if p, class = s.value(p, 1); p < 0 {
			return p
		}
		if l.size < len(l.class) {
			l.class[l.size], l.inside[l.size] = class, span{from, p}
			l.met[l.size], s.met = s.met, 0
		}
		p = s.blanks(p)
		if p >= len(s.text) {
			return s.unexpected(p)
		}
		if s.text[p] == ']' {
			l.size++
			s.met = l.met[1]
			return s.end(p+1, false)
		}
		if s.text[p] != ',' {
			return s.unexpected(p)
		}
		p = s.blanks(p + 1)
	}
}

// end closes the scan behind the root value. looksOn: Jackson wanted to see
// what follows.
func (s *scanner) end(p int, looksOn bool) int {
	if s.wide != nil && !s.wide.mayEnd(s.text, p, looksOn) {
		return s.fail(len(s.text), s.wide.why)
	}
	return p
}

// wordGoesOn reports whether the word before p goes on, so that Jackson
// refuses it. Its reader of UTF-16 and UTF-32 asks Java about the next unit,
// that of UTF-8 does from 4.4.0 on, and took all but ASCII for letters before.
func (s *scanner) wordGoesOn(p int) bool {
	if p >= len(s.text) {
		return false
	}
	c := s.text[p]
	switch {
	case c < 0x80:
		return c >= '0' && isIdentifierPart(uint16(c))
	case s.wide != nil:
		hi, _, _ := units(s.text[p:])
		return isIdentifierPart(hi)
	case !s.rules.LiteralsByRune:
		return true
	}
	n, size := lenient(s.text[p:])
	return size == 0 || isIdentifierPart(uint16(n))
}
