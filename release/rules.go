// Package release holds what differs between Kafka releases: one table of
// facts and the questions the other packages ask of it. Nobody else compares
// version numbers. It knows nothing of topics, records or output.
package release

// Exponents says which number texts with a fraction or an exponent Jackson
// turns into a double (JsonDeserializer sets USE_BIG_DECIMAL_FOR_FLOATS).
type Exponents uint8

const (
	// ExponentsAny takes every exponent and keeps -0.0 (Kafka 2.3.0, no BigDecimal).
	ExponentsAny Exponents = iota
	// ExponentsDecimalUnlessInfinite wants the text to fit java.math.BigDecimal
	// unless its double is infinite (up to 3.6.2).
	ExponentsDecimalUnlessInfinite
	// ExponentsDoubleFallback uses the plain double where BigDecimal fails
	// (3.7.0 to 4.0.x).
	ExponentsDoubleFallback
	// ExponentsDecimalAlways wants every text to fit BigDecimal; texts of 500
	// characters or more only need an int32 scale (4.1.1 and later).
	ExponentsDecimalAlways
)

// Rules is what one Kafka release does with the keys and values of an offsets
// topic. The zero value is no release; take Rules from a [Release].
type Rules struct {
	// JudgesKeys: keys are parsed while the topic is read (KAFKA-14785, 3.5.0).
	JudgesKeys bool
	// ThrowsOnBadKey: a key that is not JSON makes the worker drop the rest of
	// its poll batch (KAFKA-15800: 3.5.0, 3.5.1, 3.6.0).
	ThrowsOnBadKey bool
	// SilentNullPartition: ["c",null] is skipped without a log line (KAFKA-16392).
	SilentNullPartition bool
	// LeadingZeros: numbers may begin with zeros (KAFKA-15012, 3.6.0).
	LeadingZeros bool
	// Limits: Jackson's StreamReadConstraints are in force (3.7.0): 1,000
	// levels, 1,000 digits, 20,000,000 UTF-16 units a string, 50,000 bytes a name.
	Limits bool
	// NameBytesExact: an escaped surrogate pair in a name counts 4 bytes
	// towards the name limit, not 6 (4.2.1).
	NameBytesExact bool
	// StrictSurrogates: surrogates encoded as three bytes are refused, and lone
	// surrogate escapes in names (Jackson 2.21, 4.2.1).
	StrictSurrogates bool
	// LiteralsByRune: a byte from 0x80 behind a bare top-level literal is judged
	// as the character it begins, not by its being no ASCII (4.4.0).
	LiteralsByRune bool
	// EmptyIsNotJSON: a value of no bytes or only blanks is an error, not null
	// (Jackson 2.10.0, 2.4.0 alone).
	EmptyIsNotJSON bool
	// LowByteHexDigits: in UTF-16 and UTF-32 texts a hex digit of \uXXXX is judged
	// by its low 8 bits, so that U+0136 is a 6 (all but 2.3.0 and 2.4.0).
	LowByteHexDigits bool
	// TornPairs: Jackson's UTF-32 reader spoils a surrogate pair that its buffer
	// ends in (up to 4.3.1).
	TornPairs bool
	// Exponents is the rule for number texts with a fraction or an exponent.
	Exponents Exponents
}

// DeepKeysAreFatal reports whether a deeply nested key ends the worker's
// thread with a StackOverflowError instead of being refused (up to 3.6.2).
func (r *Rules) DeepKeysAreFatal() bool { return !r.Limits }
