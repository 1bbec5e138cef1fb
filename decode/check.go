package decode

import "koffsets/release"

// Check is the verdict on a key and what it stands on.
type Check struct {
	Verdict Verdict
	// Nested: the verdict is OK, yet the source partition holds a list or a
	// map, so that OffsetUtils.validateFormat refuses it in every later use.
	Nested bool
	// Wraps: the verdict is OK and an integer of the source partition does not
	// fit 64 bits; Connect keeps its low 64 bits and says nothing.
	Wraps bool
	// Class is Java's actual type, for the verdicts that name one.
	Class Class
	// Size is the size of the list, for KeyWrongSize.
	Size int
	// ErrorAt is the first offending byte of the key, from 0, for KeyNotJSON;
	// the length of the key where it ends too early.
	ErrorAt int
	// Reason is a constant phrase, for KeyNotJSON.
	Reason string
	// Name is the text between the quotes of the connector's name, escapes and
	// all, and Partition the source partition's map with its braces. They are
	// parts of the key; set for OK, but nil for keys in UTF-16 or UTF-32 or
	// behind a byte order mark.
	Name, Partition []byte
}

// Fatal reports whether the release does not merely skip the key: the worker
// drops the rest of its poll batch, or ends.
func (c *Check) Fatal(rules *release.Rules) bool {
	switch c.Verdict {
	case KeyNotJSON:
		return rules.ThrowsOnBadKey
	case KeyTooDeep:
		return true
	}
	return false
}

// CheckKey judges a key as OffsetUtils.processPartitionKey does; nil is the
// null key. Releases that judge no keys are answered for as 3.5.2.
//
// It allocates nothing for keys in UTF-8 of ordinary shape. What costs some is
// nesting of more than 64 levels, and a nested source partition or a wrapping
// integer beside field names that are not plain.
func CheckKey(rules *release.Rules, key []byte) (c Check) {
	var s scanner
	s.judge(&c, rules, key)
	s.conceal(&c)
	return c
}

// conceal takes the parts out of c that are no parts of the key itself.
func (s *scanner) conceal(c *Check) {
	if s.wide != nil || s.skipped > 0 {
		c.Name, c.Partition = nil, nil
	}
}

// before35 are the rules for keys of releases that judge none while reading.
var before35 = release.MustParse("3.5.2").Rules

// judge judges a key. Name and Partition are parts of s.text.
func (s *scanner) judge(c *Check, rules *release.Rules, key []byte) {
	if key == nil {
		c.Verdict = KeyNull
		return
	}
	if s.rules = rules; !rules.JudgesKeys {
		s.rules = &before35
	}
	var l list
	p := s.begin(key)
	if p >= 0 && p < len(s.text) && s.text[p] == '[' {
		p = s.rootList(p, &l)
	} else if p >= 0 {
		p, c.Class = s.root(p)
		c.Verdict = KeyNotList
	}
	switch {
	case p < 0:
		*c = Check{Verdict: KeyNotJSON, ErrorAt: s.place(), Reason: s.reason}
	case s.overflowsStack():
		*c = Check{Verdict: KeyTooDeep}
	case c.Verdict == KeyNotList:
	case l.size != 2:
		c.Verdict, c.Size = KeyWrongSize, l.size
	case l.class[0] != JavaString:
		c.Verdict, c.Class = KeyNameNotString, l.class[0]
	case l.class[1] == JavaNull:
		c.Verdict, c.Class = KeyPartitionNull, JavaNull
	case l.class[1] != JavaHashMap:
		c.Verdict, c.Class = KeyPartitionNotMap, l.class[1]
	default:
		c.Name = s.text[l.inside[0].from+1 : l.inside[0].to-1]
		c.Partition = s.text[l.inside[1].from:l.inside[1].to]
		f := s.facts(l.inside[1])
		c.Nested, c.Wraps = f.nested != NoClass, f.wraps
	}
}
