package decode

import (
	"encoding/binary"
	"unicode/utf16"

	"koffsets/release"
)

// encoding is what Jackson takes the bytes of a text for, from a byte order
// mark or from where its first four bytes are zero (ByteSourceJsonBootstrapper).
type encoding uint8

const (
	utf8Text encoding = iota
	utf16BE
	utf16LE
	utf32BE
	utf32LE
	oddText // byte orders that are known and refused
)

// detect tells the encoding and how many bytes of a mark to skip.
func detect(b []byte) (enc encoding, skip int) {
	if len(b) < 2 {
		return utf8Text, 0
	}
	if len(b) >= 4 {
		switch q := binary.BigEndian.Uint32(b); {
		case q == 0x0000feff:
			return utf32BE, 4
		case q == 0xfffe0000:
			return utf32LE, 4
		case q == 0x0000fffe, q == 0xfeff0000:
			return oddText, 0
		case q>>16 == 0xfeff:
			return utf16BE, 2
		case q>>16 == 0xfffe:
			return utf16LE, 2
		case q>>8 == 0xefbbbf:
			return utf8Text, 3
		case q>>8 == 0:
			return utf32BE, 0
		case q&0xffffff == 0:
			return utf32LE, 0
		case q&^0x00ff0000 == 0, q&^0x0000ff00 == 0:
			return oddText, 0
		}
	}
	switch {
	case b[0] == 0:
		return utf16BE, 0
	case b[1] == 0:
		return utf16LE, 0
	}
	return utf8Text, 0
}

// wide is a text that came as UTF-16 or UTF-32. It is scanned in WTF-8; what
// is kept here is how Jackson's readers go about the original.
type wide struct {
	original []byte
	enc      encoding
	slips    slips
	rest     int    // bytes at the end that are no whole UTF-32 unit
	broken   bool   // the text stops before a unit above U+10FFFF
	why      string // of mayEnd
	counted  cursor // of buffer
}

// slips are what Jackson's readers of wide texts get wrong.
type slips struct {
	// digits: of a hexadecimal digit only the low eight bits are looked at, so
	// that U+0136 is a 6 (from Jackson 2.10.1 on).
	digits bool
	// pairs: where the second half of a pair falls into the next buffer, the
	// low 16 bits of the character come in its place (UTF-32, up to 2.21.6).
	pairs bool
}

func newWide(rules *release.Rules, original []byte, enc encoding) *wide {
	w := &wide{original: original, enc: enc}
	w.slips.digits = rules.LowByteHexDigits
	w.slips.pairs = w.is32() && rules.TornPairs
	return w
}

func (w *wide) is32() bool { return w.enc == utf32BE || w.enc == utf32LE }

// next decodes the character, or the lone surrogate, at p of the original;
// size 0 says that none follows or that it is no character.
func (w *wide) next(p int) (r rune, size int) {
	b := w.original[p:]
	if w.is32() {
		if len(b) < 4 {
			return 0, 0
		}
		n := binary.BigEndian.Uint32(b)
		if w.enc == utf32LE {
			n = binary.LittleEndian.Uint32(b)
		}
		if n > 0x10ffff {
			return 0, 0
		}
		return rune(n), 4
	}
	unit := func(i int) rune {
		if w.enc == utf16LE {
			return rune(binary.LittleEndian.Uint16(b[i:]))
		}
		return rune(binary.BigEndian.Uint16(b[i:]))
	}
	const replaced = 0xfffd
	switch {
	case len(b) == 0:
		return 0, 0
	case len(b) == 1:
		return replaced, 1
	}
	r = unit(0)
	switch {
	case r < 0xd800 || r > 0xdfff:
		return r, 2
	case r >= 0xdc00:
		return replaced, 2
	case len(b) < 4:
		return replaced, len(b)
	}
	// A high surrogate takes the next unit with it, be it a low one or not.
	return utf16.DecodeRune(r, unit(2)), 4
}

// transcode gives the text as WTF-8.
func (w *wide) transcode() []byte {
	t := transcoder{text: make([]byte, 0, len(w.original)), slips: w.slips}
	p := 0
	for {
		r, size := w.next(p)
		if size == 0 {
			break
		}
		t.add(r)
		p += size
	}
	w.rest = len(w.original) - p
	w.broken = w.rest >= 4
	return t.text
}

// origin is the place in the original of the character that holds byte at of
// the transcoded text.
func (w *wide) origin(at int) int {
	t := transcoder{slips: w.slips}
	for p, length := 0, 0; ; {
		r, size := w.next(p)
		if size == 0 {
			return p
		}
		before := len(t.text)
		t.add(r)
		if length += len(t.text) - before; at < length {
			return p
		}
		p += size
		t.text = t.text[max(0, len(t.text)-4):]
	}
}

// transcoder writes WTF-8, and the slips out into it.
type transcoder struct {
	text   []byte
	units  int
	slips  slips
	escape int // what comes: 1 behind a backslash, then 2 to 5 for the digits
}

func (t *transcoder) add(r rune) {
	if r > 0xffff {
		high, low := utf16.EncodeRune(r)
		t.unit(uint16(high))
		if t.slips.pairs && t.units%bufferUnits == 0 {
			low = r & 0xffff
		}
		if low != 0 { // which a reader takes for no half being left
			t.unit(uint16(low))
		}
		return
	}
	t.unit(uint16(r))
}

func (t *transcoder) unit(u uint16) {
	switch {
	case t.escape == 0 && u == '\\':
		t.escape = 1
	case t.escape == 1 && u == 'u':
		t.escape = 2
	case t.escape > 1 && hexDigit(byte(u)) < 16 && (u < 0x80 || t.slips.digits):
		u &= 0xff
		t.escape = (t.escape + 1) % 6
	default:
		t.escape = 0
	}
	t.text = appendUnit(t.text, u)
	t.units++
}

// bufferUnits is how many UTF-16 units Jackson's reader asks for at a time.
const bufferUnits = 4000

// cursor is how far buffer has counted.
type cursor struct{ at, buffer, used int }

// buffer numbers the buffer in which byte at of the transcoded text lies. It
// goes on from where it was asked before, for questions come in order.
func (w *wide) buffer(text []byte, at int) int {
	c := &w.counted
	if at < c.at {
		*c = cursor{}
	}
	for {
		n, size := 1, 1
		if c.at < len(text) {
			_, size = lenient(text[c.at:])
			n += size / 4
		}
		// A pair is not torn apart at the end of a buffer of UTF-16, but it is
		// in UTF-32.
		if c.used == bufferUnits || c.used+n > bufferUnits && !w.is32() {
			c.buffer, c.used = c.buffer+1, 0
		}
		if c.at >= at {
			return c.buffer
		}
		if c.used += n; c.used > bufferUnits {
			c.buffer, c.used = c.buffer+1, 1
		}
		c.at += size
	}
}

// mayEnd reports whether a value may end before byte p of the text, seeing how
// far Jackson has read by then. looksOn: it wanted to see what follows.
func (w *wide) mayEnd(text []byte, p int, looksOn bool) bool {
	switch {
	case w.broken:
		w.why = beyondUnicode
		bad := w.buffer(text, len(text))
		if !looksOn {
			p--
		}
		return bad > 0 && w.buffer(text, p) < bad
	case w.rest > 0 && looksOn && p == len(text):
		w.why = unexpectedEnd
		return false
	}
	return true
}
