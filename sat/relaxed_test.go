package sat

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"treesplit/internal/fileio"
	"treesplit/internal/fileio/fileiotest"
)

// A header with wrong numbers is refused, and accepted with a warning where it is relaxed;
// right ones bring no warning.
func TestRelaxed(t *testing.T) {
	for _, c := range []struct{ text, warning string }{
		{"p cnf 2 2\n1 -2 0\n2 0\n", ""},
		{"p cnf 1 2\n1 -2 0\n2 0\n", "x:1: the header promises 1 variables and 2 clauses: the formula has 2 and 2"},
		{"c\np cnf 2 1\n1 -2 0\n2 0\n", "x:2: the header promises 2 variables and 1 clauses: the formula has 2 and 2"},
		{"p cnf 2 9\n1 -2 0\n2 0\n", "x:1: the header promises 2 variables and 9 clauses: the formula has 2 and 2"},
		{"p cnf 2 9\n1 -2 0\n2 0\n%\n0\n", "x:1: the header promises 2 variables and 9 clauses: the formula has 2 and 2"},
		{"p dnf 0 0\n-1 2 0\n-2 0\n", "x:1: the header promises 0 variables and 0 terms: the formula has 2 and 2"},
	} {
		if _, err := Read(strings.NewReader(c.text), "x"); (err == nil) != (c.warning == "") {
			t.Errorf("%q: %v", c.text, err)
		}
		var said []string
		f, err := ReadOptions{Relaxed: func(s string) { said = append(said, s) }}.Read(strings.NewReader(c.text), "x")
		if err != nil || f.Variables != 2 || f.Len() != 2 || !slices.Equal(f.Clause(0), []int32{1, -2}) || !slices.Equal(f.Clause(1), []int32{2}) {
			t.Errorf("%q, relaxed: %v, %v", c.text, f, err)
		}
		if strings.Join(said, "\n") != c.warning {
			t.Errorf("%q, relaxed: the warning %q, expected %q", c.text, said, c.warning)
		}
	}
	relaxed := ReadOptions{Relaxed: func(string) {}}
	for _, text := range []string{"p cnf 2\n1 0\n", "p cnf 1 1\n1\n", "1 0\n", "p cnf 1 1\n16777217 0\n", "p cnf 1 1\n-9223372036854775808 0\n", "p cnf 16777217 1\n1 0\n"} {
		if _, err := relaxed.Read(strings.NewReader(text), "x"); err == nil || !strings.HasPrefix(err.Error(), "x:") {
			t.Errorf("%q, relaxed: %v", text, err)
		}
	}
}

// An input without end is an error in memory that does not grow.
func TestEndless(t *testing.T) {
	old := maxText
	maxText = fileio.Limit{Bytes: 1 << 20, What: "a formula"}
	defer func() { maxText = old }()
	for name, c := range map[string]struct{ start, again, want string }{
		"comments":   {"", "c\n", "larger than 1 MiB: expected a formula"},
		"a comment":  {"c", " ", "larger than 1 MiB"},
		"blanks":     {"p cnf 1 1\n", "\n", "larger than 1 MiB"},
		"NULs":       {"", "\x00", `x:1: found "\x00`},
		"a word":     {"p cnf 1 1\n", "1", `x:2: found "1111`},
		"clauses":    {"p cnf 1 3\n", "1 0\n", "x:5: clause 4 begins here"},
		"literals":   {"p cnf 1 1\n", "1 ", "larger than 1 MiB"},
		"the end":    {"p cnf 1 0\n%\n", "\n", "larger than 1 MiB"},
		"the header": {"p cnf", " ", "larger than 1 MiB"},
	} {
		in := io.MultiReader(strings.NewReader(c.start), fileiotest.Endless(c.again))
		if _, err := Read(in, "x"); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
	// What is read before a broken input is not taken for the whole.
	broken := io.MultiReader(strings.NewReader("p cnf 1 1\n1 0\n"), iotest.ErrReader(fmt.Errorf("no more")))
	if _, err := Read(broken, "x"); err == nil || !strings.Contains(err.Error(), "cannot read: no more") {
		t.Error(err)
	}
}

// A header that promises much takes no memory.
func TestPromises(t *testing.T) {
	const text = "p cnf 16777216 134217728\n1 0\n"
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	ReadOptions{Relaxed: func(string) {}}.Read(strings.NewReader(text), "x")
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d bytes for a formula of one clause", n)
	}
}

// Formulas by xz and bzip2 and such that begin with a byte order mark are read.
func TestCompressions(t *testing.T) {
	for _, text := range []string{xzOfTwo, bzip2OfTwo, "\xef\xbb\xbfp cnf 2 2\n1 -2 0\n2 0\n"} {
		if f, err := Read(strings.NewReader(text), "x"); err != nil || f.Len() != 2 {
			t.Errorf("%q: %v", text[:6], err)
		}
	}
}
