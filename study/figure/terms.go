package figure

import (
	"regexp"
	"slices"
	"strings"
)

// Term is a short name and its meaning, such as rp: random polling.
type Term struct{ Name, Meaning string }

// firstUses assigns each term to the first section that uses its name as a word. Names in small letters
// are found in any case: papers write RP. A term that no section uses is left out.
func firstUses(terms []Term, sections []Section) [][]Term {
	all := make([][]Term, len(sections))
	for _, t := range terms {
		// Not a part of a longer name: neither letters nor + and - may touch it.
		anyCase := ""
		if strings.ToLower(t.Name) == t.Name {
			anyCase = "(?i)"
		}
		word := regexp.MustCompile(anyCase + `(^|[^\pL\pN+_-])` + regexp.QuoteMeta(t.Name) + `($|[^\pL\pN+_-])`)
		if i := slices.IndexFunc(sections, func(s Section) bool { return s.usesWord(word) }); i >= 0 {
			all[i] = append(all[i], t)
		}
	}
	return all
}

// usesWord reports whether a section's title, text, tables or figures contain a word.
func (s *Section) usesWord(word *regexp.Regexp) bool {
	if word.MatchString(s.Title) || slices.ContainsFunc(s.Text, word.MatchString) {
		return true
	}
	for _, t := range s.Tables {
		if word.MatchString(t.Title) || slices.ContainsFunc(t.Head, word.MatchString) {
			return true
		}
		for _, row := range t.Rows {
			if len(row) > 0 && word.MatchString(row[0]) {
				return true
			}
		}
	}
	for _, f := range s.Figures {
		if word.MatchString(f.Title) || word.MatchString(f.X) || word.MatchString(f.Y) || slices.ContainsFunc(f.Curves, func(c Curve) bool { return word.MatchString(c.Name) }) {
			return true
		}
	}
	return false
}
