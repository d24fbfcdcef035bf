package run

import (
	"strings"
	"testing"
)

// A text of a file is quoted and shortened in an error.
func TestPrintableText(t *testing.T) {
	for text, want := range map[string]string{
		"uts, type 1":             "uts, type 1",
		"a\x1b[31m\nb":            `"a\x1b[31m\nb"`,
		strings.Repeat("x", 5000): strings.Repeat("x", mostPrinted) + "…",
	} {
		if got := printableText(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := ProblemName("\x1b[2J, type 1"); got != `"\x1b[2J"` {
		t.Errorf("%s", got)
	}
}
