package decode

// Object is a JSON object as Connect reads it: each field once, in the order
// of first appearance, with the last value it was given.
type Object struct{ Fields []Field }

// Field is a member of an Object; its Name is WTF-8.
type Field struct {
	Name  string
	Value Value
}

// Value is a JSON value as Connect reads it.
type Value struct {
	// Class is the value's Java class.
	Class Class
	// Text is the WTF-8 text of a JavaString, and the number's text as recorded
	// for a JavaLong or JavaDouble, less dropped leading zeros.
	Text string
	// List holds the elements of a JavaArrayList.
	List []Value
	// Map holds the fields of a JavaHashMap.
	Map Object

	bits uint64
}

// Bool is the value of a JavaBoolean.
func (v *Value) Bool() bool { return v.bits != 0 }

// Long is the value of a JavaLong: the low 64 bits of the integer.
func (v *Value) Long() int64 { return int64(v.bits) }

// Double is the value of a JavaDouble.
func (v *Value) Double() float64 { return 0 }

// AppendJSON appends the object for machines: fields in the order of the
// record, numbers as recorded, always valid JSON.
func (o Object) AppendJSON(dst []byte) []byte { return dst }

// AppendCanonical appends the object as JsonConverter, and the REST API's
// ObjectMapper, write the parsed map: HashMap order, Java's numbers.
func (o Object) AppendCanonical(dst []byte) []byte { return dst }

// HashCode is Map.hashCode of the parsed map.
func (o Object) HashCode() int32 { return 0 }
