package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// completions returns the values of a flag of sat, as the shell completes them.
func completions(t testing.TB, flag string) []string {
	t.Helper()
	var names []string
	for line := range strings.Lines(run(t, "", treesplit(t, none), "__complete", "sat", flag, "").stdout) {
		if name := strings.TrimSpace(line); !strings.HasPrefix(name, ":") && !strings.HasSuffix(name, "+") {
			names = append(names, name)
		}
	}
	return names
}

// schemes returns the load-balancing schemes.
func schemes(t testing.TB) []string {
	t.Helper()
	names := completions(t, "--scheme")
	if len(names) < 10 {
		t.Fatalf("the schemes are %v", names)
	}
	return names
}

// rules returns the search rules.
func rules(t testing.TB) []string {
	t.Helper()
	names := completions(t, "--rule")
	if len(names) < 3 {
		t.Fatalf("the rules are %v", names)
	}
	return names
}

// Under every scheme, with the ranks in one process or in many, there is one proof, in
// either format, plain or compressed, which check verifies; with nothing else left behind.
func TestProof(t *testing.T) {
	t.Parallel()
	formula := write(t, "f.cnf", []byte(generate(t, "random", "--n", "40", "--ratio", "6", "--seed", "2")))
	all, rules := schemes(t), rules(t)
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		var plain []byte
		for i, scheme := range all {
			ranks := []int{1, 2, 3, 5}[i%4]
			if l != none && i/2%2 != len(l)/2%2 { // one half under each MPI; TestExactUnderMPI has all in both
				continue
			}
			dir, logs := t.TempDir(), t.TempDir()
			path := filepath.Join(dir, "p.drat"+[]string{"", ".zst", ".gz"}[i%3])
			args := []string{"sat", formula, "--scheme", scheme, "--proof", path, "--json", "--rule", rules[i%len(rules)], "--seed", strconv.Itoa(i)}
			if i%2 == 1 {
				args = append(args, "--proof-format", "binary")
			}
			r := object(t, runWith(t, l, ranks, "TMPDIR="+logs, args...), verdictStatus(l, 20))
			if r["proof"] != path || r["proofLemmas"].(float64) < 1 || r["proofBytes"].(float64) < 1 {
				t.Errorf("%v: %v", args, r)
			}
			c := object(t, run(t, "", treesplit(t, none), "check", formula, path, "--json"), 0)
			if c["result"] != "VERIFIED" || c["missingDeletions"] != 0.0 || c["format"] != []string{"text", "binary"}[i%2] {
				t.Errorf("%v: %v", args, c)
			}
			for _, in := range []string{dir, logs} {
				if left, err := os.ReadDir(in); err != nil || len(left) > 1 || in == logs && len(left) > 0 && l == none {
					t.Errorf("%v: %v, %v are left in %s", args, err, left, in)
				}
			}
			if left, _ := filepath.Glob(filepath.Join(logs, "treesplit-*")); len(left) > 0 {
				t.Errorf("%v: %v are left", args, left)
			}
			if i%6 == 0 && rules[i%len(rules)] == "paper" { // text, not compressed: the same for every distribution of the search
				data, err := os.ReadFile(path)
				if err != nil || plain != nil && !slices.Equal(data, plain) {
					t.Errorf("%v: %v, or the proof differs from that of another scheme", args, err)
				}
				plain = data
			}
		}
	})
}

// The logs of ranks in different processes arrive in many rounds.
func TestProofOfMuch(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a proof of 90 MB")
	}
	formula := write(t, "f.cnf", []byte(generate(t, "php", "--n", "8")))
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		path := filepath.Join(t.TempDir(), "p.drat.zst")
		r := object(t, runIn(t, l, 3, "", "sat", formula, "--proof", path, "--json", "--rule", "paper"), verdictStatus(l, 20))
		if r["expanded"] != 1753617.0 || r["proofLemmas"].(float64) < 800_000 {
			t.Errorf("%v", r)
		}
		if c := run(t, "", treesplit(t, none), "check", formula, path); c.status != 0 || line(c.stdout, "s ") != "s VERIFIED" {
			t.Errorf("%d: %s%s", c.status, c.stdout, c.stderr)
		}
	})
}

// A proof that was spoilt is not verified.
func TestSpoiltProof(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	formula := write(t, "f.cnf", []byte(generate(t, "random", "--n", "40", "--ratio", "6", "--seed", "2")))
	path := filepath.Join(dir, "p.drat")
	if o := runIn(t, none, 2, "", "sat", formula, "--proof", path, "--rule", "paper"); o.status != 20 || !strings.Contains(o.stdout, "c proof in "+path) {
		t.Fatalf("%d: %s%s", o.status, o.stdout, o.stderr)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	lemmas := slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return strings.HasPrefix(l, "d") })
	slices.Reverse(lemmas)
	for name, spoilt := range map[string]string{
		"reversed":            strings.Join(lemmas, ""),
		"without its middle":  strings.Join(append(lines[:len(lines)/3:len(lines)/3], lines[2*len(lines)/3:]...), ""),
		"without its end":     strings.Join(lines[:len(lines)/2], ""),
		"the empty clause":    "0\n",
		"of another formula":  strings.ReplaceAll(string(text), "1", "2"),
		"without any content": "",
	} {
		o := run(t, "", treesplit(t, none), "check", formula, write(t, "s.drat", []byte(spoilt)))
		if o.status != 1 || line(o.stdout, "s ") != "s NOT VERIFIED" {
			t.Errorf("%s: status %d: %s%s", name, o.status, o.stdout, o.stderr)
		}
	}
}

// Where there is nothing to prove, or not to the end, no file appears, and a line says so.
func TestNoProof(t *testing.T) {
	t.Parallel()
	sat, unsat := generate(t, "random", "--n", "40", "--ratio", "3.8", "--seed", "3"), generate(t, "php", "--n", "13")
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		dir := t.TempDir()
		path := filepath.Join(dir, "p.drat")
		for _, c := range []struct {
			formula string
			flags   []string
			status  int
			why     string
		}{
			{sat, nil, verdictStatus(l, 10), "treesplit: no proof was written: the formula is satisfiable"},
			{sat, []string{"--all", "--rule", "paper"}, verdictStatus(l, 10), "treesplit: no proof was written: the formula is satisfiable"},
			{unsat, []string{"--timeout", "100ms", "--rule", "paper"}, 3, "treesplit: no proof was written: the search was not completed"},
		} {
			o := runIn(t, l, 2, c.formula, slices.Concat([]string{"sat", "-", "--proof", path}, c.flags)...)
			left, err := os.ReadDir(dir)
			if o.status != c.status || !slices.Equal(o.lines(), []string{c.why}) || err != nil || len(left) > 0 {
				t.Errorf("status %d, files %v, %v: %s", o.status, left, err, o.stderr)
			}
		}
		o := runIn(t, l, 2, sat, "sat", "-", "--proof", filepath.Join(dir, "nowhere", "p.drat"))
		if lines := o.lines(); o.status != 2 || len(lines) != 1 || !strings.Contains(lines[0], "--proof: ") {
			t.Errorf("status %d: %s", o.status, o.stderr)
		}
	})
}

// The proof of a tautology refutes its negation, which check reads as well.
func TestProofOfTautology(t *testing.T) {
	t.Parallel()
	dnf := write(t, "f.dnf", []byte("p dnf 2 3\n1 0\n-1 2 0\n-2 0\n"))
	path := filepath.Join(t.TempDir(), "p.drat")
	if o := runIn(t, none, 2, "", "sat", dnf, "--proof", path); o.status != 20 {
		t.Fatalf("%d: %s", o.status, o.stderr)
	}
	c := object(t, run(t, "", treesplit(t, none), "check", dnf, path, "--json"), 0)
	if c["result"] != "VERIFIED" || c["tautology"] != true {
		t.Errorf("%v", c)
	}
}
