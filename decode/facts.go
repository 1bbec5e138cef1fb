package decode

import "bytes"

// facts is what verdicts need to know of a map's fields.
type facts struct {
	nested Class // of the first field, in HashMap order, that is a list or map
	wraps  bool  // an integer beyond 64 bits
}

// facts gives those of the map just scanned. The scan has met them in the
// text, but what a later field of the same name replaced counts for nothing.
func (s *scanner) facts(inside span) facts {
	met := s.met
	if met == 0 {
		return facts{}
	}
	if s.distinctNames(inside.from) {
		switch met {
		case metWrap:
			return facts{wraps: true}
		case metList:
			return facts{nested: JavaArrayList}
		case metMap:
			return facts{nested: JavaHashMap}
		}
	}
	var f facts
	m := s.readMap(s.text[inside.from:inside.to])
	if field := m.refused(); field != nil {
		f.nested = field.Value.Class
	}
	f.wraps = m.wraps()
	return f
}

// distinctNames reports whether the fields of the scanned map at p are few, of
// plain names, and each there once. It may say no where that is so.
func (s *scanner) distinctNames(p int) bool {
	var names [16][]byte
	for n := range names {
		p = s.blanks(p + 1) // behind the bracket or a comma
		end := s.str(p+1, true)
		names[n] = s.text[p:end]
		for _, earlier := range names[:n] {
			if bytes.Equal(earlier, names[n]) {
				return false
			}
		}
		if bytes.IndexByte(names[n], '\\') >= 0 || !ascii(names[n]) {
			return false
		}
		p = s.blanks(s.blanks(end) + 1) // behind the colon
		p, _ = s.value(p, 0)
		if p = s.blanks(p); s.text[p] == '}' {
			return true
		}
	}
	return false
}

// refused is the field that OffsetUtils.validateFormat stops at, or nil.
func (o Object) refused() *Field {
	nested := func(f *Field) bool { return f.Value.Class == JavaArrayList || f.Value.Class == JavaHashMap }
	var first *Field
	n := 0
	for i := range o.Fields {
		if f := &o.Fields[i]; nested(f) {
			n++
			first = f
		}
	}
	if n < 2 {
		return first
	}
	for _, i := range hashOrder(o.Fields) {
		if f := &o.Fields[i]; nested(f) {
			return f
		}
	}
	return nil
}

// wraps reports whether any integer in the map does not fit 64 bits.
func (o Object) wraps() bool {
	for i := range o.Fields {
		if o.Fields[i].Value.wraps() {
			return true
		}
	}
	return false
}

func (v *Value) wraps() bool {
	switch v.Class {
	case JavaLong:
		digits := bytes.TrimPrefix([]byte(v.Text), []byte("-"))
		return len(digits) >= 19 && overflows(digits, v.Text[0] == '-')
	case JavaHashMap:
		return v.Map.wraps()
	case JavaArrayList:
		for i := range v.List {
			if v.List[i].wraps() {
				return true
			}
		}
	}
	return false
}
