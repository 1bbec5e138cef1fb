package offsetstore

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"koffsets/decode"
)

// maxPollRecords is Connect's default for the records of one poll result.
const maxPollRecords = 500

// oddDetail says why a key names no source partition, and what that costs.
func (v *View) oddDetail(c *decode.Check) string {
	switch c.Verdict {
	case decode.KeyNull:
		return "The record has no key. Workers skip it."
	case decode.KeyNotJSON:
		why := fmt.Sprintf("Byte %d: %s.", c.ErrorAt, c.Reason)
		if !c.Fatal(&v.Release.Rules) {
			return why + " Workers skip the record."
		}
		return fmt.Sprintf("%s A %s worker drops the rest of its poll batch here: this record at least, and up to %d good ones behind it or on other topic partitions.",
			why, v.Release.JudgedAs, min(maxPollRecords-1, v.Summary.Records-1))
	case decode.KeyNotList:
		return fmt.Sprintf("Java reads %s where it expects a list. Workers skip the record.", c.Class)
	case decode.KeyWrongSize:
		return fmt.Sprintf("The list has %s, not 2. Workers skip the record.", count(c.Size, "element"))
	case decode.KeyNameNotString:
		return fmt.Sprintf("Java reads %s where it expects the connector's name. Workers skip the record.", c.Class)
	case decode.KeyPartitionNotMap:
		return fmt.Sprintf("Java reads %s where it expects the source partition's map. Workers skip the record.", c.Class)
	case decode.KeyPartitionNull:
		return "The source partition is null, as connectors without source partitions write it. The REST API does not show it; a task that asks with null finds it."
	case decode.KeyTooDeep:
		return "The key is nested more than 1,500 levels deep. Reading it can overflow the worker's stack: the worker then ends, at every start."
	}
	return ""
}

func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}

// at names a place as people write it: connect-offsets-3@17.
func (v *View) at(p Place) string {
	topic := "partition"
	if v.Description.Topic != "" {
		topic = printable(v.Description.Topic)
	}
	switch {
	case p.Partition < 0 && p.Offset < 0:
		return "an unknown place"
	case p.Partition < 0:
		return fmt.Sprintf("offset %d", p.Offset)
	case p.Offset < 0:
		return fmt.Sprintf("%s-%d", topic, p.Partition)
	}
	return fmt.Sprintf("%s-%d@%d", topic, p.Partition, p.Offset)
}

// list joins up to five of them.
func list(n int, item func(i int) string) string {
	const most = 5
	var b strings.Builder
	for i := range min(n, most) {
		switch {
		case i > 0 && i == n-1:
			b.WriteString(" and ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(item(i))
	}
	if n > most {
		fmt.Fprintf(&b, " and %d more", n-most)
	}
	return b.String()
}

// offsetOf is a copy's source offset for people.
func offsetOf(c *Copy) string {
	switch c.Offset.Verdict {
	case decode.ValueTombstone:
		return "a tombstone"
	case decode.ValueOK, decode.ValueFieldNotPrimitive:
		return object(c.Offset.Map)
	}
	return excerpt(c.Value)
}

func object(o decode.Object) string { return shorten(printable(string(o.AppendJSON(nil)))) }

// excerpt is any bytes, quoted.
func excerpt(b []byte) string { return shorten(strconv.Quote(string(b))) }

// name is a connector's name, quoted.
func name(s string) string { return shorten(printable(string(decode.AppendText(nil, s)))) }

// spelling is a key for people: as it is where it is JSON text, quoted
// where it is not.
func spelling(key []byte) string {
	if !utf8.Valid(key) {
		return excerpt(key)
	}
	return shorten(printable(string(key)))
}

// shorten cuts text for a sentence.
func shorten(s string) string {
	const most = 160
	if len(s) <= most {
		return s
	}
	cut := most
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// printable escapes what a terminal might obey, as JSON does inside strings.
func printable(s string) string {
	clean := true
	for _, r := range s {
		clean = clean && r != utf8.RuneError && strconv.IsPrint(r)
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, "\\x%02x", s[i])
		case strconv.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, "\\U%08x", r)
		default:
			fmt.Fprintf(&b, "\\u%04x", r)
		}
	}
	return b.String()
}
