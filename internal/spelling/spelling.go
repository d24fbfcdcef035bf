// Package spelling reads names in upper or lower case, and suggests a name for a misspelt one.
package spelling

import (
	"fmt"
	"strings"
)

// Correct returns the name that equals a word in upper or lower case, or the word itself. It
// returns an error if the word is similar to a name. unlisted reports whether a word is a name
// that is not listed; it may be nil.
func Correct(word string, names []string, unlisted func(name string) bool) (string, error) {
	for _, name := range names {
		if strings.EqualFold(word, name) {
			return name, nil
		}
	}
	if lower := strings.ToLower(word); unlisted != nil && unlisted(lower) {
		return lower, nil
	}
	if near := nearest(word, names); near != "" {
		return "", fmt.Errorf("unknown name %q: did you mean %s? (expected one of %s)", word, near, strings.Join(names, ", "))
	}
	return word, nil
}

// nearest is the name that differs from a word by the fewest letters, or "" where all
// differ by more than a third of it.
func nearest(word string, names []string) (near string) {
	most := max(1, len(word)/3)
	for _, name := range names {
		if name == "on" { // "no" is more likely to mean the opposite
			continue
		}
		if d := distance(strings.ToLower(word), strings.ToLower(name)); d <= most && d < max(len(name), len(word)) {
			near, most = name, d-1
		}
	}
	return near
}

// maxWord is the length from which on words are not compared.
const maxWord = 64

// distance is the least number of letters to insert, delete or replace, or of neighbours
// to swap, that makes one word of the other, each part of it edited once (optimal string
// alignment). It takes O(len(a) len(b)).
func distance(a, b string) int {
	if max(len(a), len(b)) > maxWord {
		return maxWord
	}
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			differ := 1
			if a[i-1] == b[j-1] {
				differ = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+differ)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

// DidYouMean returns a phrase for an error about a word that is not a name, or "".
func DidYouMean(word string, names []string) string {
	if near := nearest(word, names); near != "" {
		return fmt.Sprintf(" (did you mean %s?)", near)
	}
	return ""
}
