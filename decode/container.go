package decode

// container scans the list or map that begins at p. It keeps one bit a level,
// in words of 64, so that hostile nesting costs an eighth of a byte each.
func (s *scanner) container(p, outside int) int {
	var isMap uint64 // the innermost level is bit 0
	text := s.text
	for levels := 0; ; {
		// A value begins at p, inside a map behind its name.
		if isMap&1 != 0 {
			if p >= len(text) || text[p] != '"' {
				return s.unexpected(p)
			}
			if p = s.str(p+1, true); p < 0 {
				return p
			}
			if p = blanks(text, p); p >= len(text) || text[p] != ':' {
				return s.unexpected(p)
			}
			p = blanks(text, p+1)
		}
		if p >= len(text) {
			return s.unexpected(p)
		}
		opened := false
		switch c := text[p]; {
		case c == '"':
			p = s.str(p+1, false)
		case c-'1' < 9:
			if q := integer(text, p); q > p {
				p = q
			} else {
				p, _ = s.number(p)
			}
		case c|0x20 == '{':
			if levels%64 == 0 && levels > 0 {
				s.outer = append(s.outer, isMap)
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
		for p = blanks(text, p); p < len(text) && text[p]|0x20 == '}'; p = blanks(text, p) {
			if uint64(text[p]>>5&1) != isMap&1 {
				return s.unexpected(p)
			}
			p, opened = p+1, false
			if levels--; levels == 0 {
				return p
			}
			isMap >>= 1
			if levels%64 == 0 {
				isMap = s.restore()
			}
		}
		if !opened {
			if p >= len(text) || text[p] != ',' {
				return s.unexpected(p)
			}
			p = blanks(text, p+1)
		}
	}
}

// restore takes back the word of levels put aside last.
func (s *scanner) restore() uint64 {
	last := len(s.outer) - 1
	word := s.outer[last]
	s.outer = s.outer[:last]
	return word
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
