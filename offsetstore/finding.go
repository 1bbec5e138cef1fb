package offsetstore

import (
	"fmt"

	"koffsets/decode"
)

// ID is the stable kebab-case name of a kind of finding.
type ID string

// Severity grades a finding.
type Severity uint8

// The severities, mildest first.
const (
	Info Severity = iota
	Warning
	Error
	Fatal
)

var severityNames = [...]string{"info", "warning", "error", "fatal"}

// String is the severity's public name.
func (s Severity) String() string { return severityNames[s] }

// ParseSeverity reads a severity's public name.
func ParseSeverity(name string) (Severity, error) {
	for s, n := range severityNames {
		if n == name {
			return Severity(s), nil
		}
	}
	return 0, fmt.Errorf("%q is no severity; they are fatal, error, warning and info", name)
}

// Finding is one fact worth a person's attention.
type Finding struct {
	ID       ID
	Severity Severity
	// Place is where the record in question lies; a finding about a whole topic
	// partition has no offset, one about the whole topic no place at all.
	Place     Place
	Timestamp int64 // of that record, or Unknown
	// Key is the record's key. HasKey with a nil Key is a record with a null
	// key; without HasKey the finding is about no key.
	Key    []byte
	HasKey bool
	// Connector is WTF-8; without HasConnector the finding is about none.
	Connector    string
	HasConnector bool
	// SourcePartition is nil where the finding is about none.
	SourcePartition *decode.Object
	// Detail is one or two sentences of fact; text of the topic stands in it as
	// JSON with every unprintable character escaped.
	Detail string
	// WorkerLog is the exact line a worker logs, or "".
	WorkerLog string
	// Fix is the next command to run, or "".
	Fix string
	// Places are all places of a finding that has several, Place among them.
	Places []Place
}

// FindingOptions selects findings.
type FindingOptions struct {
	// Connectors, where not empty, leaves out the findings of all other
	// connectors. Findings about no connector stay: they concern everyone.
	Connectors []string
	// Ignore leaves kinds out.
	Ignore []ID
}
