package decode

import "koffsets/release"

// ValueVerdict is what a task's offset reader (OffsetStorageReaderImpl) makes
// of a value.
type ValueVerdict uint8

// The verdicts. From ValueNotJSON on the lookup fails: the task sees no offset
// and the REST API leaves the entry out.
const (
	ValueOK                ValueVerdict = iota
	ValueTombstone                      // no value
	ValueNullLookalike                  // bytes that read as null: no error, no offset, no tombstone
	ValueNotJSON                        // the JSON converter refuses it
	ValueNotMap                         // JSON, but no map
	ValueFieldNotPrimitive              // a field holds a list or a map
	ValueStackOverflow                  // more than 1,500 levels, where that overflows the reader's stack
)

var valueVerdictNames = [...]string{
	"ok", "tombstone", "value-null-lookalike", "value-not-json", "value-not-map",
	"value-field-not-primitive", "value-stack-overflow",
}

// String is the verdict's public name: a word or a finding id.
func (v ValueVerdict) String() string { return valueVerdictNames[v] }

// ValueCheck is the verdict on a value.
type ValueCheck struct {
	Verdict ValueVerdict
	// Class is Java's actual type, for ValueNotMap, and that of the refused
	// field, for ValueFieldNotPrimitive.
	Class Class
	// Wraps: the verdict is ValueOK and an integer does not fit 64 bits.
	Wraps bool
	// ErrorAt and Reason are those of Check, for ValueNotJSON.
	ErrorAt int
	Reason  string
}

// Offset is a parsed value. Map is set for ValueOK and ValueFieldNotPrimitive.
type Offset struct {
	ValueCheck
	// Field is the WTF-8 name of the field that a reader's log names, for
	// ValueFieldNotPrimitive.
	Field string
	Map   Object
}

// CheckValue judges a value; nil is the null value. It allocates as little as
// CheckKey, but more for a map that holds both lists and maps.
func CheckValue(rules *release.Rules, value []byte) ValueCheck {
	var s scanner
	c, _ := s.offset(rules, value)
	return c
}

// ParseValue judges a value and reads its map.
func ParseValue(rules *release.Rules, value []byte) Offset {
	var s scanner
	c, inside := s.offset(rules, value)
	o := Offset{ValueCheck: c}
	if c.Verdict == ValueOK || c.Verdict == ValueFieldNotPrimitive {
		o.Map = s.readMap(s.text[inside.from:inside.to])
		if f := o.Map.refused(); f != nil {
			o.Field = f.Name
		}
	}
	return o
}

// offset judges a value; inside is its map, if it is one.
func (s *scanner) offset(rules *release.Rules, value []byte) (c ValueCheck, inside span) {
	if value == nil {
		return ValueCheck{Verdict: ValueTombstone}, inside
	}
	s.rules = rules
	from := s.begin(value)
	if from < 0 {
		return s.valueNotJSON(), inside
	}
	if from == len(s.text) && rules.EmptyIsNotJSON {
		s.fail(from, unexpectedEnd)
		return s.valueNotJSON(), inside
	}
	to, class := s.root(from)
	switch {
	case to < 0:
		return s.valueNotJSON(), inside
	case s.overflowsStack():
		return ValueCheck{Verdict: ValueStackOverflow}, inside
	case class == JavaNull:
		return ValueCheck{Verdict: ValueNullLookalike}, inside
	case class != JavaHashMap:
		return ValueCheck{Verdict: ValueNotMap, Class: class}, inside
	}
	inside = span{from, to}
	f := s.facts(inside)
	if f.nested != NoClass {
		return ValueCheck{Verdict: ValueFieldNotPrimitive, Class: f.nested}, inside
	}
	return ValueCheck{Wraps: f.wraps}, inside
}

func (s *scanner) valueNotJSON() ValueCheck {
	return ValueCheck{Verdict: ValueNotJSON, ErrorAt: s.place(), Reason: s.reason}
}
