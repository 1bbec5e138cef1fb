// Package decode turns the bytes of an offsets topic into what Kafka Connect
// makes of them: the verdict on a key, the connector, the source partition and
// the source offset, the canonical spelling, the home partition. It is pure:
// no I/O, no clock, no logging. It knows nothing of topics or findings.
//
// What decides is OffsetUtils.processPartitionKey, OffsetStorageReaderImpl,
// JsonConverter and the Jackson that a release ships; see docs/design.md.
package decode

// Verdict is what OffsetUtils.processPartitionKey makes of a key. Releases
// before 3.5 judge nothing while reading; for them it is what 3.5.2 would say.
type Verdict uint8

// The verdicts, in the order of the checks.
const (
	OK                 Verdict = iota
	KeyNull                    // no key
	KeyNotJSON                 // the JSON converter refuses it
	KeyNotList                 // JSON, but no list
	KeyWrongSize               // a list, not of two elements
	KeyNameNotString           // the first element is no string
	KeyPartitionNotMap         // the second element is neither a map nor null
	KeyPartitionNull           // the second element is null
	KeyTooDeep                 // more than 1,500 levels, where that may overflow the worker's stack
)

var verdictNames = [...]string{
	"ok", "key-null", "key-not-json", "key-not-list", "key-wrong-size", "key-name-not-string",
	"key-partition-not-map", "key-partition-null", "key-too-deep",
}

// String is the verdict's public name: "ok" or a finding id.
func (v Verdict) String() string { return verdictNames[v] }

// Class is the Java class Kafka's converter gives a JSON value.
type Class uint8

// The classes a schemaless JsonConverter makes. NoClass: not applicable.
const (
	NoClass Class = iota
	JavaNull
	JavaHashMap
	JavaArrayList
	JavaString
	JavaLong
	JavaDouble
	JavaBoolean
)

var classNames = [...]string{
	"", "null", "java.util.HashMap", "java.util.ArrayList", "java.lang.String",
	"java.lang.Long", "java.lang.Double", "java.lang.Boolean",
}

// String is the class name as Kafka logs it, or the word null.
func (c Class) String() string { return classNames[c] }
