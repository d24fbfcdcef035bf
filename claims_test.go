package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// quoted is a word between backquotes: the path of a test file, or the name of a test.
var quoted = regexp.MustCompile("`([^`\n]+_test\\.go|Test[A-Z0-9][A-Za-z0-9]*)`")

// testedBy is a test that a document names.
type testedBy struct{ file, name string }

// testsNamed returns the tests that text names. The file of a test is the last test file named
// before it.
func testsNamed(text string) (tests []testedBy) {
	file := ""
	for _, match := range quoted.FindAllStringSubmatch(text, -1) {
		if strings.HasSuffix(match[1], "_test.go") {
			file = match[1]
			continue
		}
		tests = append(tests, testedBy{file, match[1]})
	}
	return tests
}

// checkTest fails unless the file has the test.
func checkTest(t *testing.T, claim string, test testedBy) {
	t.Helper()
	if test.file == "" {
		t.Errorf("%s: %s is named without its file", claim, test.name)
		return
	}
	source, err := os.ReadFile(test.file)
	if err != nil {
		t.Errorf("%s: %v", claim, err)
		return
	}
	if !strings.Contains("\n"+string(source), "\nfunc "+test.name+"(") {
		t.Errorf("%s: %s has no test %s", claim, test.file, test.name)
	}
}

// Every claim that docs/claims.md lists names at least one test, and every named test exists. The
// page therefore stays true when tests are moved or renamed.
func TestClaimsAreTested(t *testing.T) {
	text, err := os.ReadFile("docs/claims.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(string(text), "\n### ")
	if len(sections) < 2 || len(testsNamed(string(text))) == 0 {
		t.Fatal("docs/claims.md names no test")
	}
	for _, section := range sections[1:] {
		section, _, _ = strings.Cut(section, "\n## ")
		claim, _, _ := strings.Cut(section, "\n")
		tests := testsNamed(section)
		if len(tests) == 0 {
			t.Errorf("%s names no test", claim)
		}
		for _, test := range tests {
			checkTest(t, claim, test)
		}
	}
}
