package decode

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"koffsets/release"
)

func valueClass(c *ValueCheck) string {
	s := c.Class.String()
	switch c.Verdict {
	case ValueOK:
		return "OK"
	case ValueTombstone:
		return "NULL_TOMBSTONE"
	case ValueNullLookalike:
		return "NULL_LOOKALIKE"
	case ValueNotJSON:
		return "NOT_JSON"
	case ValueNotMap:
		return "NOT_MAP:" + s[strings.LastIndexByte(s, '.')+1:]
	case ValueFieldNotPrimitive:
		return "FIELD_NOT_PRIMITIVE:" + map[Class]string{JavaArrayList: "ARRAY", JavaHashMap: "MAP"}[c.Class]
	case ValueStackOverflow:
		return "STACK_OVERFLOW"
	}
	return "?"
}

func valueColumn(plain string) string {
	switch strings.Join(strings.Fields(plain), " ") {
	case "refused field on":
		return "field"
	case "Java view on":
		return "view"
	case "re-encoding by a fresh JsonConverter on", "re-encoding on":
		return "canonical"
	}
	return ""
}

func TestValuesAsRecorded(t *testing.T) {
	t.Parallel()
	for _, f := range readVectors(t, "values", valueColumn) {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			for _, row := range f.rows {
				for i, column := range f.columns {
					for _, r := range column.releases {
						o := parseValueChecked(t, row.id, &r.Rules, row.input)
						want, self := row.want(f.columns, i)
						got := valueClass(&o.ValueCheck)
						hasMap := o.Verdict == ValueOK || o.Verdict == ValueFieldNotPrimitive
						switch {
						case column.kind == "class":
						case !hasMap || column.kind == "field" && o.Verdict == ValueOK:
							got = ""
						case column.kind == "field":
							got = javaQuote(o.Field)
						case column.kind == "view":
							got = javaView(o.Map)
							if len(got) > 2000 {
								got = fmt.Sprintf("len:%d", len(got))
							}
						case column.kind == "canonical":
							got = recorded(o.Map.AppendCanonical(nil))
							if self {
								want = recorded(row.input)
							}
						}
						if got != want {
							t.Errorf("%s, %s on %s: %s, recorded %s (%d %s)", row.id, column.kind, r, got, want, o.ErrorAt, o.Reason)
						}
					}
				}
			}
		})
	}
}

func parseValueChecked(t *testing.T, id string, rules *release.Rules, value []byte) *Offset {
	t.Helper()
	o, c := ParseValue(rules, value), CheckValue(rules, value)
	if o.ValueCheck != c {
		t.Errorf("%s: CheckValue %+v, ParseValue %+v", id, c, o.ValueCheck)
	}
	if (c.Verdict == ValueNotJSON) != (c.Reason != "") || c.ErrorAt < 0 || c.ErrorAt > len(value) {
		t.Errorf("%s: error at %d of %d: %q", id, c.ErrorAt, len(value), c.Reason)
	}
	if text := o.Map.AppendJSON(nil); !json.Valid(text) {
		t.Errorf("%s: no JSON: %s", id, text)
	}
	return &o
}

// javaView is the parsed map as the vectors show it: in its order of iteration,
// a leaf as "Class:toString".
func javaView(o Object) string {
	var b strings.Builder
	b.WriteByte('{')
	for n, i := range hashOrder(o.Fields) {
		if n > 0 {
			b.WriteByte(',')
		}
		b.WriteString(javaQuote(o.Fields[i].Name) + ":" + javaLeaf(&o.Fields[i].Value))
	}
	b.WriteByte('}')
	return b.String()
}

func javaLeaf(v *Value) string {
	switch v.Class {
	case JavaHashMap:
		return javaView(v.Map)
	case JavaArrayList:
		var items []string
		for i := range v.List {
			items = append(items, javaLeaf(&v.List[i]))
		}
		return "[" + strings.Join(items, ",") + "]"
	case JavaString:
		return javaQuote("String:" + v.Text)
	case JavaLong:
		return javaQuote("Long:" + strconv.FormatInt(v.Long(), 10))
	case JavaDouble:
		return javaQuote("Double:" + strings.Trim(string(appendJavaNumber(nil, v)), `"`))
	case JavaBoolean:
		return javaQuote("Boolean:" + strconv.FormatBool(v.Bool()))
	}
	return "null"
}

// javaQuote escapes all but printable ASCII, unit by unit.
func javaQuote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for p := 0; p < len(s); {
		first, low, size := units(s[p:])
		for _, u := range []uint16{first, low} {
			switch {
			case u == '"' || u == '\\':
				b.WriteString(`\` + string(rune(u)))
			case u >= ' ' && u <= '~':
				b.WriteByte(byte(u))
			case u != 0 || first == 0 && u == first:
				fmt.Fprintf(&b, `\u%04x`, u)
			}
			if first == 0 {
				break
			}
		}
		p += size
	}
	b.WriteByte('"')
	return b.String()
}
