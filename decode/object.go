package decode

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"
)

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
func (v *Value) Double() float64 { return math.Float64frombits(v.bits) }

// AppendJSON appends the object for machines: fields in the order of the
// record, numbers as recorded, always valid JSON.
func (o Object) AppendJSON(dst []byte) []byte {
	return o.append(dst, &writer{text: AppendText, number: appendRecorded})
}

// AppendCanonical appends the object as JsonConverter, and the REST API's
// ObjectMapper, write the parsed map: HashMap order, Java's numbers.
func (o Object) AppendCanonical(dst []byte) []byte {
	return o.append(dst, &canonical)
}

// HashCode is Map.hashCode of the parsed map.
func (o Object) HashCode() int32 {
	var h int32
	for i := range o.Fields {
		f := &o.Fields[i]
		h += hashString(f.Name) ^ f.Value.hashCode()
	}
	return h
}

func (v *Value) hashCode() int32 {
	switch v.Class {
	case JavaHashMap:
		return v.Map.HashCode()
	case JavaArrayList:
		h := int32(1)
		for i := range v.List {
			h = h*31 + v.List[i].hashCode()
		}
		return h
	case JavaString:
		return hashString(v.Text)
	case JavaLong, JavaDouble:
		return int32(v.bits ^ v.bits>>32)
	case JavaBoolean:
		if v.Bool() {
			return 1231
		}
		return 1237
	}
	return 0
}

// appendIdentity appends bytes that are equal for two objects exactly where
// Map.equals holds.
func (o Object) appendIdentity(dst []byte) []byte {
	sorted := make([]*Field, len(o.Fields))
	for i := range o.Fields {
		sorted[i] = &o.Fields[i]
	}
	slices.SortFunc(sorted, func(a, b *Field) int { return strings.Compare(a.Name, b.Name) })
	dst = binary.AppendUvarint(dst, uint64(len(sorted)))
	for _, f := range sorted {
		dst = f.Value.appendIdentity(appendCounted(dst, f.Name))
	}
	return dst
}

func (v *Value) appendIdentity(dst []byte) []byte {
	dst = append(dst, byte(v.Class))
	switch v.Class {
	case JavaHashMap:
		return v.Map.appendIdentity(dst)
	case JavaArrayList:
		dst = binary.AppendUvarint(dst, uint64(len(v.List)))
		for i := range v.List {
			dst = v.List[i].appendIdentity(dst)
		}
		return dst
	case JavaString:
		return appendCounted(dst, v.Text)
	case JavaNull:
		return dst
	}
	return binary.BigEndian.AppendUint64(dst, v.bits)
}

func appendCounted(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// writer is a way to spell a value.
type writer struct {
	text   func(dst []byte, s string) []byte
	number func(dst []byte, v *Value) []byte
	order  func(fields []Field) []int // nil: as they are
}

var (
	canonical = writer{text: appendJavaText, number: appendJavaNumber, order: hashOrder}
	ownOrder  = writer{text: appendJavaText, number: appendOwnNumber}
)

func (o Object) append(dst []byte, w *writer) []byte {
	dst = append(dst, '{')
	var order []int
	if w.order != nil && len(o.Fields) > 1 {
		order = w.order(o.Fields)
	}
	for i := range o.Fields {
		f := &o.Fields[i]
		if order != nil {
			f = &o.Fields[order[i]]
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(w.text(dst, f.Name), ':')
		dst = f.Value.append(dst, w)
	}
	return append(dst, '}')
}

func (v *Value) append(dst []byte, w *writer) []byte {
	switch v.Class {
	case JavaHashMap:
		return v.Map.append(dst, w)
	case JavaArrayList:
		dst = append(dst, '[')
		for i := range v.List {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = v.List[i].append(dst, w)
		}
		return append(dst, ']')
	case JavaString:
		return w.text(dst, v.Text)
	case JavaBoolean:
		return strconv.AppendBool(dst, v.Bool())
	case JavaLong, JavaDouble:
		return w.number(dst, v)
	}
	return append(dst, "null"...)
}

// appendRecorded appends the number as it was recorded.
func appendRecorded(dst []byte, v *Value) []byte { return append(dst, v.Text...) }

// appendJavaNumber appends the number as Java prints it; infinities become
// strings.
func appendJavaNumber(dst []byte, v *Value) []byte {
	if v.Class == JavaLong {
		return strconv.AppendInt(dst, v.Long(), 10)
	}
	switch f := v.Double(); {
	case math.IsInf(f, 1):
		return append(dst, `"Infinity"`...)
	case math.IsInf(f, -1):
		return append(dst, `"-Infinity"`...)
	default:
		return appendDouble(dst, f)
	}
}

// appendOwnNumber is appendJavaNumber for what a connector may have put into
// its map: -0.0, which never comes back out of a record.
func appendOwnNumber(dst []byte, v *Value) []byte {
	if v.Text == "-0.0" {
		return append(dst, v.Text...)
	}
	return appendJavaNumber(dst, v)
}
