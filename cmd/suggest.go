package cmd

import (
	"slices"
	"strings"
)

// unknown is the failure for a word that is not among the right ones: it names
// the word and suggests the nearest.
func unknown(what, word string, right []string) error {
	hint := "one of " + strings.Join(right, ", ")
	if near := nearest(word, right); near != "" {
		hint = "did you mean " + near + "?"
	}
	return failf(hint, "unknown %s %s", what, quoted(word))
}

// quoted makes an empty word visible.
func quoted(word string) string {
	if word == "" || strings.ContainsAny(word, " \t") {
		return "'" + word + "'"
	}
	return word
}

// nearest is the word most like the given one, or "" where none is like it.
func nearest(word string, right []string) string {
	best, bestDistance := "", 0
	for _, r := range right {
		d := distance(strings.ToLower(word), strings.ToLower(r))
		if word != "" && (strings.HasPrefix(r, word) || strings.HasSuffix(r, "_"+word)) {
			d = min(d, 1)
		}
		if d <= max(1, (len(r)+1)/3) && d < len(r) && (best == "" || d < bestDistance) {
			best, bestDistance = r, d
		}
	}
	return best
}

// distance counts the letters to change, add, drop or swap with their
// neighbour to turn a into b.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	var before, last, next []int
	for j := range len(b) + 1 {
		last = append(last, j)
	}
	for i := range len(a) {
		next = []int{i + 1}
		for j := range len(b) {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			d := min(change, last[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, before[j-1]+1)
			}
			next = append(next, d)
		}
		before, last = slices.Clone(last), next
	}
	return last[len(b)]
}
