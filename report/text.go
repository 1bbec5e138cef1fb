package report

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"koffsets/decode"
	"koffsets/offsetstore"
)

// thousands writes a number with commas.
func thousands[T int | int64](n T) Safe {
	s := strconv.FormatInt(int64(n), 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return Safe(s)
}

// count is a number with its noun.
func count(n int, noun Safe) Safe {
	if n == 1 {
		return "1 " + noun
	}
	return thousands(n) + " " + noun + "s"
}

// known is a number, or what stands for an unknown one.
func known(n int64, unknown Safe) Safe {
	if n == offsetstore.Unknown {
		return unknown
	}
	return Safe(strconv.FormatInt(n, 10))
}

// placeOf writes a place as Kafka's tools do, such as connect-offsets-3@17.
func placeOf(topic string, p offsetstore.Place) Safe {
	switch {
	case p.Partition == offsetstore.Unknown && p.Offset == offsetstore.Unknown:
		return "-"
	case p.Partition == offsetstore.Unknown:
		return "@" + known(p.Offset, "")
	}
	s := known(int64(p.Partition), "")
	if topic != "" {
		s = untrusted(topic) + "-" + s
	}
	if p.Offset != offsetstore.Unknown {
		s += "@" + known(p.Offset, "")
	}
	return s
}

// when writes an epoch time in milliseconds: as the time that passed, or where
// now is not known, in UTC.
func when(ms int64, now time.Time) Safe {
	if ms == offsetstore.Unknown {
		return "-"
	}
	t := time.UnixMilli(ms).UTC()
	if now.IsZero() {
		return Safe(t.Format("2006-01-02T15:04:05Z"))
	}
	age := now.Sub(t)
	switch {
	case age < 0:
		return Safe(t.Format("2006-01-02T15:04:05Z"))
	case age < time.Minute:
		return Safe(fmt.Sprintf("%ds ago", age/time.Second))
	case age < time.Hour:
		return Safe(fmt.Sprintf("%dm ago", age/time.Minute))
	case age < 48*time.Hour:
		return Safe(fmt.Sprintf("%dh ago", age/time.Hour))
	}
	return Safe(fmt.Sprintf("%dd ago", age/(24*time.Hour)))
}

// keyText shows the bytes of a key.
func (o *Options) keyText(key []byte) Safe {
	switch {
	case key == nil:
		return "(null)"
	case o.KeyFormat == Redacted:
		return "(" + count(len(key), "byte") + ")"
	case len(key) == 0:
		return "(empty)"
	case o.KeyFormat == Hex:
		return Safe(hex.EncodeToString(key))
	case o.KeyFormat == Base64:
		return Safe(base64.StdEncoding.EncodeToString(key))
	}
	return edges(untrusted(string(key)))
}

// edges makes the blanks at the ends of a text visible: a key with one is
// another key.
func edges(s Safe) Safe {
	text := strings.Trim(string(s), " ")
	before := strings.Index(string(s), text)
	after := len(s) - before - len(text)
	return Safe(strings.Repeat(`\x20`, before) + text + strings.Repeat(`\x20`, after))
}

// keyCell is keyText for tsv, where no bytes are an empty cell.
func (o *Options) keyCell(key []byte) Safe {
	switch {
	case key == nil:
		return none
	case len(key) == 0 && o.KeyFormat != Redacted:
		return ""
	}
	return o.keyText(key)
}

// mapText shows a source partition or a source offset as JSON.
func (o *Options) mapText(m *decode.Object) Safe {
	switch {
	case m == nil:
		return "null"
	case o.KeyFormat == Redacted:
		return "{…}"
	}
	return Safe(visibleQuoted(m.AppendJSON(nil), 0))
}

func yesNo(b bool) Safe {
	if b {
		return "true"
	}
	return "false"
}

// ofSeverity is a severity in its colour.
func ofSeverity(s offsetstore.Severity) Span {
	tones := [...]Tone{offsetstore.Info: Dim, offsetstore.Warning: Warn, offsetstore.Error: Bad, offsetstore.Fatal: Worse}
	return Span{Safe(s.String()), tones[s]}
}
