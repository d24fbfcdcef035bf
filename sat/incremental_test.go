package sat

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// readIncremental reads a formula and its cubes.
func readIncremental(text string) (f, cubes *Formula, err error) {
	cubes = new(Formula)
	f, err = ReadOptions{Cubes: cubes}.Read(strings.NewReader(text), "x")
	return f, cubes, err
}

// Cubes and clauses may have any number of lines. The formula has the variables of both.
func TestReadIncremental(t *testing.T) {
	for text, want := range map[string]string{
		"p inccnf\n": "p inccnf\n",
		"c x\np inccnf\n1 -2\n0 3 0\nc y\na 1 0\n": "p inccnf\n1 -2 0\n3 0\na 1 0\n",
		"p inccnf\n0\na 0\na -7\n 2 0 a 1 0":       "p inccnf\n0\na 0\na -7 2 0\na 1 0\n",
	} {
		f, cubes, err := readIncremental(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if got := incrementalOf(t, f, cubes); got != want {
			t.Errorf("%q became %q, not %q", text, got, want)
		}
		if f.Variables < cubes.Variables {
			t.Errorf("%q: %d variables, %d in cubes", text, f.Variables, cubes.Variables)
		}
	}
}

func TestReadIncrementalErrors(t *testing.T) {
	for text, want := range map[string]string{
		"p inccnf 3 4\n":                "x:1: found \"3\" after the header: expected the end of the line",
		"p inccnf\n1 2\na 1 0\n":        "x:3: the last clause is not ended by 0",
		"p inccnf\n1 0\na 1\n":          "x:3: the last cube is not ended by 0",
		"p inccnf\n1 0\na 1 0\n2 0\n":   "x:4: found \"2\" after a cube: expected a further cube, which begins with a",
		"p inccnf\n1 0\na 1 a 0\n":      "x:3: found \"a\": expected a literal or 0",
		"p inccnf\n1 0\na 99999999 0\n": "x:3: literal 99999999 is out of range: expected at most 16777216 variables",
		"p cnf 1 1\na 1 0\n":            "x:2: found \"a\": expected a literal or 0",
	} {
		if _, _, err := readIncremental(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, not %s", text, err, want)
		}
	}
	_, err := Read(strings.NewReader("p inccnf\n1 0\na 1 0\n"), "x")
	if err == nil || !strings.HasPrefix(err.Error(), `x:1: format "inccnf", which has cubes: `) {
		t.Errorf("%v", err)
	}
	if err := (&Formula{DNF: true}).WriteIncremental(new(bytes.Buffer), slices.Values([][]int32{})); err == nil {
		t.Error("a disjunctive normal form was written")
	}
}

// Read reads back the output of WriteIncremental.
func TestIncrementalRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, cubes := anyFormula(t), anyFormula(t)
		f.DNF, cubes.DNF = false, false
		text := incrementalOf(t, f, cubes)
		g, again, err := readIncremental(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := incrementalOf(t, g, again); got != text {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

func FuzzReadIncremental(f *testing.F) {
	for _, seed := range []string{
		"p inccnf\n1 -2 0\na 1 0\na -1 0\n", "p inccnf\na 0", "p inccnf\n1 0\na 99999999999999999999 0", "p inccnf\n1\na", "p inccnf\n%\n0\n",
		"p cnf 2 1\n1 2 0\n", string(gzipped("p inccnf\n1 0\na 1 0\n")),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		formula, cubes, err := readIncremental(string(data))
		if err != nil {
			checkOneLine(t, err)
			return
		}
		if formula.DNF {
			return
		}
		text := incrementalOf(t, formula, cubes)
		g, again, err := readIncremental(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := incrementalOf(t, g, again); got != text {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

// incrementalOf returns the text of a formula with cubes.
func incrementalOf(t interface{ Fatal(...any) }, f, cubes *Formula) string {
	var text bytes.Buffer
	err := f.WriteIncremental(&text, func(yield func([]int32) bool) {
		for _, c := range cubes.Clauses() {
			if !yield(c) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return text.String()
}
