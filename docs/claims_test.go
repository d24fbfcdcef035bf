package docs

import (
	"regexp"
	"strings"
	"testing"
)

// FindClaims finds every claim of claims.md by its code. The finding begins with the verdict, in
// words. It contains no Markdown and no list of tests.
func TestFindClaims(t *testing.T) {
	codes := regexp.MustCompile(`(?m)^### .* \(([A-Z]\d+)\)$`).FindAllStringSubmatch(claims, -1)
	if len(codes) < 40 {
		t.Fatalf("%d claims", len(codes))
	}
	verdict := regexp.MustCompile(`^(Holds|Does not hold)\b`)
	for _, m := range codes {
		found := FindClaims(m[1])
		if len(found) != 1 {
			t.Fatalf("%s: %v", m[1], found)
		}
		c := found[0]
		if c.Code != m[1] || c.Statement == "" || strings.HasPrefix(c.Statement, "#") || !verdict.MatchString(c.Finding) {
			t.Errorf("%+v", c)
		}
		if strings.ContainsAny(c.Statement+c.Finding, "`|\n") || strings.Contains(c.Finding, "Tests:") || strings.Contains(c.Finding, "](") {
			t.Errorf("%s has signs of Markdown: %q", c.Code, c.Finding)
		}
	}
	if found := FindClaims("Z9"); found != nil {
		t.Error(found)
	}
}
