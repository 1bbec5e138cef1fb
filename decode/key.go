package decode

import (
	"bytes"

	"koffsets/release"
)

// Spelling says how the bytes of a key relate to what Connect writes.
type Spelling uint8

const (
	// Canonical: the bytes Connect's JsonConverter writes for the parsed key.
	Canonical Spelling = iota
	// OwnOrder: canonical but for the order of fields and -0.0, so what Connect
	// writes for a connector whose own map iterates otherwise.
	OwnOrder
	// Other: no worker wrote these bytes.
	Other
)

var spellingNames = [...]string{"canonical", "own-order", "other"}

// String is the spelling's public name.
func (s Spelling) String() string { return spellingNames[s] }

// Key is a parsed key. All but Check is set for OK alone.
type Key struct {
	Check
	// Connector is the connector's name in WTF-8: UTF-8 that may hold lone
	// surrogates in their three-byte form.
	Connector       string
	SourcePartition Object
	// Canonical is the canonical spelling.
	Canonical []byte
	Spelling  Spelling
}

// ParseKey judges a key and, where it is OK, reads it.
func ParseKey(rules *release.Rules, key []byte) (k Key) {
	var s scanner
	s.judge(&k.Check, rules, key)
	if k.Verdict != OK {
		return k
	}
	k.Connector = s.readText(k.Name)
	k.SourcePartition = s.readMap(k.Partition)
	s.conceal(&k.Check)
	k.Canonical = k.appendKey(nil, &canonical)
	switch {
	case bytes.Equal(key, k.Canonical):
		k.Spelling = Canonical
	case bytes.Equal(key, k.appendKey(nil, &ownOrder)):
		k.Spelling = OwnOrder
	default:
		k.Spelling = Other
	}
	return k
}

// AppendIdentity appends bytes that are equal for two keys exactly where Java
// finds connector and source partition equal (Map.equals): the order of fields
// counts for nothing, Long 1 is not Double 1.0.
func (k *Key) AppendIdentity(dst []byte) []byte {
	return k.SourcePartition.appendIdentity(appendCounted(dst, k.Connector))
}

func (k *Key) appendKey(dst []byte, w *writer) []byte {
	dst = append(w.text(append(dst, '['), k.Connector), ',')
	return append(k.SourcePartition.append(dst, w), ']')
}
