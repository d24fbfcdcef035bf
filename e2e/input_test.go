package e2e

import (
	"bytes"
	"compress/gzip"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// badFormulas are files that are no formulas, with what the error must say: the line
// and what was expected there.
func badFormulas(t testing.TB) map[string]struct{ data, want string } {
	var gz bytes.Buffer
	w := gzip.NewWriter(&gz)
	w.Write([]byte(strings.Repeat("c a comment\n", 1000) + "p cnf 1 1\n1 0\n"))
	w.Close()
	zst, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	z := zst.EncodeAll([]byte(strings.Repeat("p cnf 3 1\n1 2 3 0\n", 1)), nil)
	return map[string]struct{ data, want string }{
		"empty":                  {"", ":1: no formula: expected the header"},
		"comments alone":         {"c one\nc two\n", ": no formula: expected the header"},
		"no header":              {"c formula\n1 2 0\n", `:2: found "1": expected the header`},
		"header cut short":       {"p cnf 3\n1 2 0\n", ":1: the number of clauses is missing"},
		"negative header":        {"p cnf -3 1\n1 0\n", `:1: found "-3": expected a number of variables`},
		"literal out of range":   {"p cnf 2 2\n1 2 0\n\n1 -3 0\n", ":4: literal -3 is out of range"},
		"too few clauses":        {"p cnf 2 3\n1 2 0\n-1 0\n", ": the formula ends after 2 clauses: the header promises 3"},
		"too many clauses":       {"p cnf 2 1\n1 2 0\n-1 0\n", ":3: clause 2 begins here: the header promises 1"},
		"open clause":            {"p cnf 2 2\n1 2 0\n-1 2\n", ":3: the last clause is not ended by 0"},
		"word for a literal":     {"p cnf 2 1\n1 two 0\n", `:2: found "two": expected a literal or 0`},
		"binary":                 {"\x7fELF\x00\x01\x02\xff\n\x00\x00", ":1: found"},
		"binary after header":    {"p cnf 2 1\n\x00\xff\x80 0\n", ":2: found"},
		"10^9 variables":         {"p cnf 1000000000 0\n", ":1: 1000000000 variables are too many"},
		"10^30 clauses":          {"p cnf 1 1000000000000000000000000000000\n", "clauses are too many"},
		"10^9 promised clauses":  {"p cnf 1 100000000\n1 0\n", ":2: the formula ends after 1 clauses"},
		"gzip truncated":         {gz.String()[:gz.Len()-12], "the gzip data is truncated"},
		"gzip damaged":           {gz.String()[:gz.Len()-8] + "\x00\x00\x00\x00" + gz.String()[gz.Len()-4:], "the gzip data is damaged"},
		"gzip of its first byte": {gz.String()[:3], ":1: the gzip data is truncated"},
		"zstd truncated":         {string(z[:len(z)-5]), "the zstd data is truncated"},
	}
}

// refused checks that the program refused its input: status 2 and one line of its own.
func refused(t *testing.T, o outcome, want ...string) {
	t.Helper()
	own := o.lines()
	if o.status != 2 || len(own) != 1 || o.stdout != "" {
		t.Fatalf("status %d, %d lines of its own, want 2 and 1:\n%s%s", o.status, len(own), o.stdout, o.stderr)
	}
	for _, w := range want {
		if !strings.Contains(own[0], w) {
			t.Errorf("%q does not say %q", own[0], w)
		}
	}
}

// What is no formula is refused in every world with one line, which names the file, the
// line and what was expected, and leaves no rank hanging.
func TestBadFormulas(t *testing.T) {
	t.Parallel()
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		all := badFormulas(t)
		for _, name := range someUnder(l, all, "empty") {
			c := all[name]
			t.Run(name, func(t *testing.T) {
				file := write(t, "formula.cnf", []byte(c.data))
				refused(t, runIn(t, l, 2, "", "sat", file), file+":", c.want)
			})
		}
	})
}

// What the command line says wrong is refused likewise.
func TestBadUsage(t *testing.T) {
	t.Parallel()
	formula := write(t, "formula.cnf", []byte("p cnf 1 1\n1 0\n"))
	directory := t.TempDir()
	type usage struct {
		args []string
		want string
	}
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		all := map[string]usage{
			"unknown scheme":    {[]string{"uts", "--scheme", "bogus"}, `unknown scheme "bogus": expected one of arr`},
			"unknown detector":  {[]string{"uts", "--termination", "bogus"}, `bogus`},
			"unknown flag":      {[]string{"uts", "--bogus"}, "unknown flag: --bogus"},
			"unknown verb":      {[]string{"bogus"}, `unknown command "bogus"`},
			"unknown tree":      {[]string{"uts", "--tree", "T9"}, `unknown name "T9"`},
			"unknown rule":      {[]string{"sat", formula, "--rule", "bogus"}, `unknown rule "bogus"`},
			"no tree":           {[]string{"uts", "-q", "1.5", "-t", "0"}, "-q 1.5: expected"},
			"no quantum":        {[]string{"uts", "--quantum", "0"}, "--quantum"},
			"no damage":         {[]string{"uts", "--damage", "2"}, "--damage: 2: expected"},
			"no argument":       {[]string{"sat"}, "expected one DIMACS file"},
			"missing file":      {[]string{"sat", directory + "/missing.cnf"}, "missing.cnf: no such file"},
			"unreadable file":   {[]string{"sat", directory}, "is a directory"},
			"unreadable stdin":  {[]string{"sat", "-"}, "stdin:1: no formula"},
			"unusable timeout":  {[]string{"uts", "--timeout", "-1s"}, "--timeout: -1s: expected"},
			"unknown log level": {[]string{"uts", "--log-level", "bogus"}, "--log-level"},
		}
		// What is found before MPI begins, after it, by the rules of a flag and of a run.
		for _, name := range someUnder(l, all, "unknown scheme", "unknown flag", "unknown verb", "missing file", "unreadable stdin") {
			c := all[name]
			t.Run(name, func(t *testing.T) {
				if l == none {
					refused(t, run(t, "", append([]string{treesplit(t, none)}, c.args...)...), c.want)
					return
				}
				refused(t, runIn(t, l, 2, "", c.args...), c.want)
			})
		}
	})
}

// A number of ranks must be one, and under a launcher the launcher's.
func TestBadRanks(t *testing.T) {
	t.Parallel()
	for _, n := range []string{"0", "-1", "many", "1000000000"} {
		refused(t, run(t, "", treesplit(t, none), "uts", "-n", n), "ranks", n)
	}
	inEachWorld(t, libraries, func(t *testing.T, l library) {
		refused(t, runIn(t, l, 2, "", "uts", "-n", "0"), "--ranks: 0")
		refused(t, runIn(t, l, 2, "", "uts", "-n", "3"), "--ranks: 3", "has started 2")
		if o := runIn(t, l, 2, "", "uts", "-n", "2"); o.status != 0 {
			t.Errorf("the launcher's own number: status %d: %s", o.status, o.stderr)
		}
	})
}

// A build without MPI refuses to run as many lonely copies, and says what to do.
func TestUntaggedUnderLauncher(t *testing.T) {
	t.Parallel()
	inEachWorld(t, libraries, func(t *testing.T, l library) {
		o := run(t, "", slices.Concat(l.launch(2), l.hasty(), []string{treesplit(t, none), "uts"})...)
		const want = "built without MPI: build with CC=mpicc go build -tags mpi, or start it without the launcher and use -n 2"
		if own := slices.Compact(o.lines()); o.status != 2 || len(own) != 1 || !strings.Contains(own[0], want) { // MPICH does not end the other rank
			t.Errorf("status %d: %s%s", o.status, o.stdout, o.stderr)
		}
	})
}

// A program that was built with one MPI and is started by the launcher of another would
// run as many lonely copies; it refuses too.
func TestWrongLauncher(t *testing.T) {
	t.Parallel()
	for _, l := range libraries {
		l.need(t)
	}
	// Each lonely rank of Open MPI is a launch of its own, so it needs its own session files.
	onePart := func() []string {
		return []string{"-n", "1", "env", "OMPI_MCA_orte_tmpdir_base=" + session(), treesplit(t, openMPI), "uts"}
	}
	for _, command := range [][]string{
		slices.Concat(openMPI.launch(2), openMPI.hasty(), []string{treesplit(t, mpich), "uts"}),
		slices.Concat([]string{"mpirun.mpich"}, onePart(), []string{":"}, onePart()),
	} {
		o := run(t, "", command...)
		refused(t, o, "started 2 ranks", "each is alone", "the MPI that it was built with")
	}
}
