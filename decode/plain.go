package decode

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

// Plain reports whether an accepted key is surely the canonical spelling of
// its source partition, and surely the only one: text without escapes, whole
// numbers, names of which no two share a bucket of Java's HashMap, in the order
// of their buckets. It is the shape of nearly all keys, and needs no memory.
// name is the connector's. What it does not know to be plain has to be parsed.
func Plain(key []byte) (name []byte, ok bool) {
	if len(key) < 2 || key[0] != '[' {
		return nil, false
	}
	at := 1
	if name, at = plainText(key, at); at < 0 || !has(key, at, ",{") {
		return nil, false
	}
	at += 2
	fields := 0
	for bucket := -1; !has(key, at, "}]"); fields++ {
		field, end := plainText(key, at)
		if end < 0 || !has(key, end, ":") {
			return nil, false
		}
		b := bucketOf(field)
		if b <= bucket || fields == 12 {
			return nil, false
		}
		bucket = b
		if at = plainValue(key, end+1); at < 0 {
			return nil, false
		}
		if has(key, at, `,"`) {
			at++
		} else if !has(key, at, "}]") {
			return nil, false
		}
	}
	// All text has to be what Connect writes unescaped: UTF-8 up to U+FFFF.
	return name, at+2 == len(key) && (ascii(key) || utf8.Valid(key) && !slices.ContainsFunc(key, func(c byte) bool { return c >= 0xf0 }))
}

func has(key []byte, at int, s string) bool {
	return at+len(s) <= len(key) && string(key[at:at+len(s)]) == s
}

// plainText reads a string without escapes; end is -1 where there is none.
func plainText(key []byte, at int) (text []byte, end int) {
	if at >= len(key) || key[at] != '"' {
		return nil, -1
	}
	at++
	for i := at; i < len(key); i++ {
		switch c := key[i]; {
		case c == '"':
			return key[at:i], i + 1
		case c == '\\' || c < 0x20:
			return nil, -1
		}
	}
	return nil, -1
}

// plainValue reads a string, literal or whole number and says where it ends.
func plainValue(key []byte, at int) (end int) {
	if at >= len(key) {
		return -1
	}
	switch key[at] {
	case '"':
		_, end = plainText(key, at)
		return end
	case 't', 'n':
		if has(key, at, "true") || has(key, at, "null") {
			return at + 4
		}
		return -1
	case 'f':
		if has(key, at, "false") {
			return at + 5
		}
		return -1
	case '-':
		if at++; has(key, at, "0") {
			return -1
		}
	}
	end = at
	for end < len(key) && key[end] >= '0' && key[end] <= '9' {
		end++
	}
	if n := end - at; n == 0 || n > 18 || n > 1 && key[at] == '0' {
		return -1
	}
	return end
}

// bucketOf is the bucket of an ASCII name in a HashMap of up to twelve entries,
// or -1.
func bucketOf(name []byte) int {
	var h uint32
	for _, c := range name {
		if c >= 0x80 {
			return -1
		}
		h = 31*h + uint32(c)
	}
	return int((h ^ h>>16) & 15)
}

func ascii(b []byte) bool {
	for ; len(b) >= 8; b = b[8:] {
		if binary.LittleEndian.Uint64(b)&0x8080808080808080 != 0 {
			return false
		}
	}
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}
