package offsetstore

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

// String is the severity's public name.
func (s Severity) String() string { return [...]string{"info", "warning", "error", "fatal"}[s] }
