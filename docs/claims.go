// Package docs gives programs the claims of the papers with their verdicts, out of claims.md, so that
// pages and documents cannot differ.
package docs

import (
	_ "embed"
	"regexp"
	"strings"
)

//go:embed claims.md
var claims string

// Claim is a claim of a paper and the finding.
type Claim struct {
	Code      string // for example K2
	Statement string
	Finding   string // begins with the verdict: Holds, Holds in part, Does not hold, …
}

// links are links of Markdown; their text remains.
var links = regexp.MustCompile(`\[([^]]*)\]\([^)]*\)`)

// FindClaims returns the claims of the given codes, in the order of the codes. A code without a claim is
// left out.
func FindClaims(codes ...string) (found []Claim) {
	for _, code := range codes {
		before, text, ok := strings.Cut(claims, " ("+code+")\n")
		if !ok {
			continue
		}
		statement := before[strings.LastIndex(before, "\n")+1:]
		text, _, _ = strings.Cut(text, "\n#")
		found = append(found, Claim{code, plainText(strings.TrimPrefix(statement, "### ")), plainText(findingText(text))})
	}
	return found
}

// findingText returns the paragraphs before the list of tests, without tables.
func findingText(text string) string {
	text, _, _ = strings.Cut(text, "\nTests:")
	var lines []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "|") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// plainText returns text without the signs of Markdown, on one line.
func plainText(text string) string {
	text = links.ReplaceAllString(text, "$1")
	return strings.Join(strings.Fields(strings.NewReplacer("`", "", "**", "").Replace(text)), " ")
}
