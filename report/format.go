package report

import (
	"fmt"
	"slices"
)

// Format is an output format.
type Format uint8

// The formats.
const (
	Table Format = iota // a screen
	Wide                // a screen with everything, one row an item
	JSON
	JSONLines
	YAML
	TSV
	Name
)

var formatNames = [...]string{"table", "wide", "json", "jsonl", "yaml", "tsv", "name"}

// String is the format's public name.
func (f Format) String() string { return formatNames[f] }

// Formats lists the public names.
func Formats() []string { return slices.Clone(formatNames[:]) }

// ParseFormat reads a format's public name.
func ParseFormat(name string) (Format, error) {
	if f := slices.Index(formatNames[:], name); f >= 0 {
		return Format(f), nil
	}
	return 0, fmt.Errorf("%q is no output format", name)
}

// KeyFormat is how people are shown keys. Machine formats have one form for
// keys, whatever it is, but Redacted holds for them too.
type KeyFormat uint8

// The key formats.
const (
	Quoted KeyFormat = iota // text, with what cannot be seen escaped
	Hex
	Base64
	// Redacted hides keys, source partitions, source offsets and what is quoted
	// from them, in every format. Connectors' names stay.
	Redacted
)

var keyFormatNames = [...]string{"quoted", "hex", "base64", "redacted"}

// String is the key format's public name.
func (f KeyFormat) String() string { return keyFormatNames[f] }

// KeyFormats lists the public names.
func KeyFormats() []string { return slices.Clone(keyFormatNames[:]) }

// ParseKeyFormat reads a key format's public name.
func ParseKeyFormat(name string) (KeyFormat, error) {
	if f := slices.Index(keyFormatNames[:], name); f >= 0 {
		return KeyFormat(f), nil
	}
	return 0, fmt.Errorf("%q is no key format", name)
}
