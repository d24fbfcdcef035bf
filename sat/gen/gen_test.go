package gen

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"treesplit/sat"
)

var update = flag.Bool("update", false, "rewrite testdata/golden.txt")

// parse reads "name=value …" as an Example writes it.
func parse(t testing.TB, example string) map[string]float64 {
	t.Helper()
	given := map[string]float64{}
	for _, field := range strings.Fields(example) {
		name, value, _ := strings.Cut(field, "=")
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			t.Fatal(err)
		}
		given[name] = v
	}
	return given
}

// parseFlags reads values that stand as flags, "--name value …".
func parseFlags(t testing.TB, command string) map[string]float64 {
	t.Helper()
	var fields []string
	for flag := range strings.SplitSeq(command, "--") {
		fields = append(fields, strings.Replace(strings.TrimSpace(flag), " ", "=", 1))
	}
	return parse(t, strings.Join(fields, " "))
}

// generate makes a formula that must be possible.
func generate(t testing.TB, family, example string, seed uint64) *sat.Formula {
	t.Helper()
	f, err := FindFamily(family)
	if err != nil {
		t.Fatal(err)
	}
	formula, _, err := f.MakeFormula(parse(t, example), seed)
	if err != nil {
		t.Fatal(err)
	}
	return formula
}

// dimacs is the formula as a file with its comment.
func dimacs(t testing.TB, f *Family, given map[string]float64, seed uint64) string {
	t.Helper()
	formula, comment, err := f.MakeFormula(given, seed)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := formula.WriteDIMACS(&b, comment); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Every family's entry must be fit to be shown to a user, its example must work, and
// its comment must be enough to make the formula again.
func TestFamilies(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range ListFamilies() {
		if seen[f.Name] || f.Help == "" || f.Example == "" || strings.Contains(f.Help, "\n") {
			t.Errorf("%s: a second one, or without help or example", f.Name)
		}
		seen[f.Name] = true
		for _, p := range f.Params {
			if p.Help == "" || p.checkRange(p.Default) != nil || p.checkRange(p.Min) != nil || p.checkRange(p.Max) != nil {
				t.Errorf("%s: bad parameter %+v", f.Name, p)
			}
		}
		_, comment, err := f.MakeFormula(parse(t, f.Example), 7)
		if err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(comment, "\n")
		again, found := strings.CutPrefix(head, "treesplit gen "+f.Name)
		if again, seed, _ := strings.Cut(again, " --seed "); !found || (seed == "7") != f.Seeded {
			t.Errorf("%s: comment %q", f.Name, head)
		} else if dimacs(t, f, parseFlags(t, again), 7) != dimacs(t, f, parse(t, f.Example), 7) {
			t.Errorf("%s: %q is another formula than %q", f.Name, again, f.Example)
		}
	}
}

// The seed changes a formula exactly if its family is Seeded.
func TestSeeds(t *testing.T) {
	for _, f := range ListFamilies() {
		given := parse(t, f.Example)
		_, first, _ := strings.Cut(dimacs(t, f, given, 1), "\np ")
		_, second, _ := strings.Cut(dimacs(t, f, given, 2), "\np ")
		if (first != second) != f.Seeded {
			t.Errorf("%s: seeds 1 and 2 give different formulas: %v, want %v", f.Name, first != second, f.Seeded)
		}
	}
}

// Formulas must not change from one version or machine to another, or published
// counts lose their meaning: testdata/golden.txt holds a digest of each family's
// example, without the known answer in its comment. Rewrite it with -update, and say so in the
// changelog.
func TestGolden(t *testing.T) {
	var got strings.Builder
	for _, f := range ListFamilies() {
		var file []string
		for line := range strings.Lines(dimacs(t, f, parse(t, f.Example), 1)) {
			if !strings.HasPrefix(line, "c known to be ") {
				file = append(file, line)
			}
		}
		digest := sha256.Sum256([]byte(strings.Join(file, "")))
		got.WriteString(f.Name + " " + f.Example + " seed=1: " + hex.EncodeToString(digest[:8]) + "\n")
	}
	path := filepath.Join("testdata", "golden.txt")
	if *update {
		if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("formulas have changed:\n%swant:\n%s", got.String(), want)
	}
}

func TestMakeRefuses(t *testing.T) {
	for _, c := range []struct{ family, example, want string }{
		{"random", "n=0", "random: n = 0: expected a whole number from 1 to"},
		{"random", "n=2.5", "random: n = 2.5: expected a whole number from"},
		{"random", "n=NaN", "random: n = NaN: expected a whole number from"},
		{"random", "ratio=-1", "random: ratio = -1: expected a number from 0 to"},
		{"random", "n=5 k=6", "random: k = 6: expected at most n = 5"},
		{"random", "holes=5", `random: there is no parameter "holes": expected n, k, ratio, m`},
		{"random", "n=1000000 ratio=1000", "random: the formula would have more than"},
		{"ramsey", "s=20 t=20 n=1000", "ramsey: the formula would have more than"},
		{"tseitin-regular", "n=5 d=3", "tseitin-regular: n = 5, d = 3: expected an even product"},
		{"tseitin-regular", "n=4 d=4", "tseitin-regular: d = 4: expected fewer than n = 4"},
		{"tseitin-torus", "r=2 c=9", "tseitin-torus: r = 2: expected a whole number from 3 to 1000"},
		{"palindromic-vdw", "n=2001", "palindromic-vdw: n = 2001: expected a whole number from 1 to 2000"},
		{"green-tao", "j=1", "green-tao: j = 1: expected a whole number from 2 to 100"},
		{"schur", "colours=3 n=2 break-symmetry=3", "schur: break-symmetry = 3: expected at most 2, the smaller one of colours and n"},
		{"weak-schur", "colours=2 break-symmetry=3", "weak-schur: break-symmetry = 3: expected at most 2"},
		{"pythagorean", "k=7", "pythagorean: k = 7: expected a whole number from 3 to 6"},
		{"pythagorean", "k=5 n=251", "pythagorean: n = 251: expected at most 250 for k = 5"},
		{"erdos-discrepancy", "c=0", "erdos-discrepancy: c = 0: expected a whole number from 1 to 100"},
		{"php-variant", "n=100 capacity=10", "php-variant: the formula would have more than"},
		{"chessboard", "n=2", "chessboard: n = 2: expected a whole number from 3 to 1000"},
		{"sgen", "groups=0", "sgen: groups = 0: expected a whole number from 1 to 100000"},
		{"latin", "n=3 holes=10", "latin: holes = 10: expected at most 9, the number of cells"},
		{"langford", "n=0", "langford: n = 0: expected a whole number from 1 to 200"},
		{"parity-learning", "samples=4 errors=5", "parity-learning: errors = 5: expected at most 4, the number of samples"},
	} {
		f, err := FindFamily(c.family)
		if err != nil {
			t.Fatal(err)
		}
		formula, _, err := f.MakeFormula(parse(t, c.example), 1)
		if formula != nil || err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %q", c.family, c.example, err, c.want)
		}
	}
	if _, err := FindFamily("pigeons"); err == nil || !strings.Contains(err.Error(), "php") {
		t.Errorf("Find(pigeons): %v", err)
	}
}

// Make must leave alone what it was given.
func TestMakeKeepsItsArgument(t *testing.T) {
	given := map[string]float64{"n": 4}
	before := maps.Clone(given)
	if _, _, err := phpFamily.MakeFormula(given, 1); err != nil || !maps.Equal(given, before) {
		t.Errorf("%v, given %v, want %v", err, given, before)
	}
}
