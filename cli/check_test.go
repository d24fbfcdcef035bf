package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"treesplit/internal/outfile"
	"treesplit/run"
	"treesplit/sat/drat"
)

// check prints the verdict on standard output, with the reason. Its exit status distinguishes
// refused proofs from bad input, which is named on standard error.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	path := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	const squareText = "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n"
	square := path("square.cnf", squareText)
	dnf := path("square.dnf", strings.Replace(squareText, "cnf", "dnf", 1))
	good := path("good.drat", "c x\n1 -3 0\nd 1 -3 0\nd 1 0\n1 0\nd 7 0\n0\n")
	binary := path("binary.drat", "a\x02\x00a\x00")
	refused := path("refused.drat", "3 0\nd 1 2 0\n1 0\n")
	bad := path("bad.drat", "1 0\n\nx\n")
	large := "c" + strings.Repeat(" ", largeProof) + "\n"
	largeGood := path("large.drat", large+"1 0\n")
	largeUnneeded := path("unneeded.drat", large+"3 0\n-3 9 0\n1 0\n")
	largeRefused := path("large-refused.drat", large+"3 0\nd 1 2 0\n1 0\n")
	for _, c := range []struct {
		name           string
		args           []string
		stdin          string
		status         int
		stdout, stderr string // patterns
	}{
		{"verified", []string{square, good}, "", 0, `^c 2 lemmas \(0 by RAT\) and 2 deletions in .*s, text format\n(c .*\n)*c warning: deletions of clauses that do not exist: 1\n(c .*\n)*s VERIFIED\n$`, `^$`},
		{"formula on standard input", []string{"-", good}, squareText, 0, `(?m)^s VERIFIED$`, `^$`},
		{"proof on standard input", []string{square, "-"}, "1 0", 0, `(?m)^s VERIFIED$`, `^$`},
		{"binary", []string{square, binary}, "", 0, `, binary format\n(c .*\n)*c steps after the empty clause was derived, not needed: 1\ns VERIFIED\n$`, `^$`},
		{"tautology", []string{dnf, binary}, "", 0, `c the disjunctive normal form is a tautology.*\ns VERIFIED\n$`, `^$`},
		{"refused", []string{square, refused}, "", 1, `^c 2 lemmas \(0 by RAT\) .*\nc checked backward: 1 lemma\nc variables that the formula does not have: 1\nc line 3: clause 1 0 is neither .*\ns NOT VERIFIED\n$`, `^$`},
		{"ends too early", []string{square, "-"}, "", 1, `c the proof ends after 0 steps .*\ns NOT VERIFIED\n$`, `^$`},
		{"with progress", []string{square, good, "--progress", "on"}, "", 0, `s VERIFIED\n$`, ``},
		{"bad proof", []string{square, bad}, "", 2, `^$`, `^treesplit: .*bad.drat:3: found "x": expected .*\n$`},
		{"bad proof on standard input", []string{square, "-"}, "1", 2, `^$`, `^treesplit: stdin:1: the proof ends within a clause.*\n$`},
		{"bad formula", []string{good, good}, "", 2, `^$`, `^treesplit: .*good.drat:2: .*\n$`},
		{"no formula", []string{filepath.Join(dir, "none"), good}, "", 2, `^$`, `none: no such file`},
		{"no proof", []string{square, filepath.Join(dir, "none")}, "", 2, `^$`, `none: no such file`},
		{"a directory", []string{square, dir}, "", 2, `^$`, `^treesplit: .*cannot read.*\n$`},
		{"one file", []string{square}, "", 2, `^$`, `^treesplit: check: 1 argument: expected a DIMACS file and a proof`},
		{"standard input twice", []string{"-", "-"}, "", 2, `^$`, `cannot both be standard input`},
		{"out of time", []string{square, good, "--timeout", "1ns"}, "", 3, `^c 0 lemmas .* in \S+ \S*s\nc the check was interrupted: .*\ns UNKNOWN\n$`, `^$`},
		{"a negative time", []string{square, good, "--timeout", "-1s"}, "", 2, `^$`, `^treesplit: --timeout: -1s: expected 0 or more\n$`},
		{"backward", []string{square, good, "--mode", "backward"}, "", 0, `\nc checked backward: 1 lemma, with 4 clauses of the formula\n(c .*\n)*s VERIFIED\n$`, `^$`},
		{"a bad lemma that is not needed", []string{square, "-"}, "3 0\n-3 9 0\n1 0\n", 0, `s VERIFIED`, `^$`},
		{"the same forward", []string{square, "-", "--mode", "forward"}, "3 0\n-3 9 0\n1 0\n", 1, `c line 2: clause -3 9 0 is neither .*\ns NOT VERIFIED\n$`, `^$`},
		{"large, one worker", []string{square, largeGood, "--workers", "1"}, "", 0, `\nc checked backward: .*\ns VERIFIED\n$`, `^$`},
		{"large, many workers", []string{square, largeGood, "--workers", "4"}, "", 0, `^c 1 lemma \(0 by RAT\) .*\ns VERIFIED\n$`, `^$`},
		{"large, a bad lemma that is not needed", []string{square, largeUnneeded, "--workers", "4"}, "", 0, `\nc checked backward: .*\n(c .*\n)*s VERIFIED\n$`, `^$`},
		{"large, refused", []string{square, largeRefused, "--workers", "4"}, "", 1, `\nc checked backward: 1 lemma\n(c .*\n)*c line 4: clause 1 0 is neither .*\ns NOT VERIFIED\n$`, `^$`},
		{"LRAT", []string{square, "-"}, "5 1 0 1 2 0\n5 d 1 0\n6 0 5 3 4 0\n", 0, `^c 2 lemmas \(0 by RAT\) and 1 deletion in .*, text format\nc LRAT, 5 hints\ns VERIFIED\n$`, `^$`},
		{"LRAT refused", []string{square, "-", "--format", "lrat"}, "5 1 0 1 2 0\n5 d 3 0\n6 0 5 3 4 0\n", 1, `c line 3: lemma 6, 0: hint 2 names clause 3, which does not exist\ns NOT VERIFIED\n$`, `^$`},
		{"LRAT as DRAT", []string{square, "-", "--format", "drat"}, "5 1 0 1 2 0\n5 d 3 0\n", 2, `^$`, `^treesplit: stdin:2: found "d": expected a literal or 0`},
		{"bad LRAT", []string{square, "-", "--format", "lrat"}, "5 1 0 1 2 0\nx\n", 2, `^$`, `^treesplit: stdin:2: found "x": expected the number of a clause or 0`},
		{"bad mode", []string{square, good, "--mode", "sideways"}, "", 2, `^$`, `^treesplit: --mode: "sideways": expected forward, backward or auto\n$`},
		{"writes LRAT", []string{square, good, "--lrat", filepath.Join(dir, "good.lrat")}, "", 0, `\nc LRAT proof .*good.lrat: 4 lemmas and 2 deletions\n(c .*\n)*s VERIFIED\n$`, `^$`},
		{"reads it", []string{square, filepath.Join(dir, "good.lrat")}, "", 0, `^c 4 lemmas \(0 by RAT\) .*\nc LRAT, \d+ hints\ns VERIFIED\n$`, `^$`},
		{"writes no LRAT of a refused proof", []string{square, refused, "--lrat", filepath.Join(dir, "refused.lrat")}, "", 1, `^c 2 .*\n(c .*\n)*s NOT VERIFIED\n$`, `^$`},
		{"which does not exist", []string{square, filepath.Join(dir, "refused.lrat")}, "", 2, `^$`, `no such file`},
		{"mode of LRAT", []string{square, "-", "--mode", "backward"}, "5 1 0 1 2 0\n6 0 5 3 4 0\n", 2, `^$`, `^treesplit: stdin: mode backward: a proof in LRAT is checked in one pass: expected the mode auto\n$`},
		{"LRAT of LRAT", []string{square, "-", "--lrat", filepath.Join(dir, "again.lrat")}, "5 1 0 1 2 0\n5 d 1 0\n6 0 5 3 4 0\n", 2, `^$`, `the proof is in LRAT already`},
		{"no room for LRAT", []string{square, good, "--lrat", "/dev/full"}, "", 1, `s VERIFIED\n$`, `^treesplit: --lrat: .*no space left`},
		{"bad format", []string{square, good, "--format", "drut"}, "", 2, `^$`, `^treesplit: --format: unknown name "drut": did you mean drat\? \(expected one of auto, drat, lrat\)\n$`},
		{"no worker", []string{square, good, "--workers", "0"}, "", 2, `^$`, `^treesplit: --workers: 0: expected 1 or more\n$`},
		{"many workers", []string{square, good, "--workers", "7", "--mode", "forward"}, "", 0, `s VERIFIED`, `^$`},
		{"bad flag", []string{square, good, "--progress", "no"}, "", 2, `^$`, `^treesplit: --progress: "no": expected auto, on or off\n$`},
	} {
		var stdout, stderr bytes.Buffer
		status := Main(append([]string{"check"}, c.args...), strings.NewReader(c.stdin), &stdout, &stderr)
		if status != c.status || !regexp.MustCompile(c.stdout).Match(stdout.Bytes()) || !regexp.MustCompile(c.stderr).Match(stderr.Bytes()) {
			t.Errorf("%s: status %d\n%s\n%s", c.name, status, &stdout, &stderr)
		}
	}
}

// A check ends after --timeout while the proof is a silent pipe.
func TestCheckSilentProof(t *testing.T) {
	for _, mode := range []string{"auto", "forward", "backward"} {
		for _, begin := range []string{"", "1 2 0\n1"} {
			proof, producer := io.Pipe()
			go io.WriteString(producer, begin)
			status, stdout, stderr := timedMain(t, []string{"check", "../testdata/php4.cnf", "-", "--mode", mode, "--timeout", "10ms"}, proof)
			producer.Close()
			if status != 3 || !strings.HasSuffix(stdout, "\ns UNKNOWN\n") || stderr != "" {
				t.Errorf("mode %s, %q: status %d: %s%s", mode, begin, status, stdout, stderr)
			}
		}
	}
}

// timedMain runs a command that must end.
func timedMain(t *testing.T, args []string, stdin io.Reader) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	ended := make(chan int, 1)
	go func() { ended <- Main(args, stdin, &out, &errs) }()
	select {
	case status = <-ended:
		return status, out.String(), errs.String()
	case <-time.After(time.Minute):
		t.Fatalf("%q does not end", args)
	}
	return 0, "", ""
}

// A proof that cannot be read is an error of the input, with its place, also if the time ends at this moment. Only an
// interrupted check has the verdict UNKNOWN, with the counts so far.
func TestUnknownResult(t *testing.T) {
	last := drat.Report{Step: 4096, Lemmas: 4096, Backward: true}
	for _, err := range []error{drat.ErrInterrupted, fmt.Errorf("proof:7: cannot read: %w", drat.ErrInterrupted)} {
		c, err := newUnknownResult(err, last, time.Second)
		if err != nil || c.Verdict != "UNKNOWN" || c.Lemmas != 4096 || c.Mode != "backward" {
			t.Errorf("%+v, %v", c, err)
		}
	}
	c, err := newUnknownResult(errors.New("proof:7: found x"), last, time.Second)
	if c != nil || !errors.As(err, &run.InputError{}) || err.Error() != "proof:7: found x" {
		t.Errorf("%+v, %v", c, err)
	}
}

// A check that is interrupted while it writes the LRAT proof keeps its verdict and no file.
func TestUnwrittenLRAT(t *testing.T) {
	name := filepath.Join(t.TempDir(), "p.lrat")
	file, err := outfile.CreateCompressed(name)
	if err != nil {
		t.Fatal(err)
	}
	c := checkResult{Verdict: "VERIFIED", WrittenLemmas: 5, WrittenDeletions: 5}
	c.keepHints(file, name, fmt.Errorf("p: %w", drat.ErrInterrupted))
	if left, err := os.ReadDir(filepath.Dir(name)); err != nil || len(left) > 0 || !c.unwritten || c.trouble != nil || c.Written != "" || c.WrittenLemmas+c.WrittenDeletions > 0 {
		t.Errorf("%+v, files %v (%v)", c, left, err)
	}
}

// The JSON of a check whose LRAT proof cannot be written has the verdict, and no counts of an LRAT proof.
func TestCheckJSONWithoutRoom(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	var stdout, stderr bytes.Buffer
	status := Main([]string{"check", "../testdata/php4.cnf", "../testdata/php4.drat", "--json", "--lrat", "/dev/full"}, nil, &stdout, &stderr)
	if status != 1 || !strings.Contains(stderr.String(), "--lrat: ") {
		t.Errorf("status %d: %s", status, &stderr)
	}
	if text := stdout.String(); !strings.Contains(text, `"VERIFIED"`) || strings.Contains(text, "lrat") || !strings.Contains(text, `"mode":"backward"`) {
		t.Errorf("JSON %s", text)
	}
}

// The JSON is one object with every count.
func TestCheckJSON(t *testing.T) {
	formula := filepath.Join("..", "testdata", "php4.cnf")
	for _, c := range []struct {
		proof  string
		status int
		want   map[string]any
	}{
		{"a\x02\x00", 1, map[string]any{
			"result": "NOT VERIFIED", "proof": "drat", "format": "binary", "mode": "forward", "step": 1., "offset": 0., "lemmas": 1., "checkedLemmas": 1., "rat": 0., "deletions": 0.,
			"ignoredDeletions": 0., "missingDeletions": 0., "unusedSteps": 0., "workers": 1., "extensionVariables": 0.,
			"reason": "step 1 (byte 0): clause 1 0 is neither implied by unit propagation nor has the RAT property on 1",
		}},
		{"99 98 0\nd 99 98 0\n-1 -6 -11 0\nd 5 0\n", 1, map[string]any{
			"result": "NOT VERIFIED", "proof": "drat", "format": "text", "mode": "forward", "step": 4., "line": 4., "offset": 30., "lemmas": 2., "checkedLemmas": 2., "rat": 1., "deletions": 2.,
			"ignoredDeletions": 0., "missingDeletions": 1., "unusedSteps": 0., "workers": 1., "extensionVariables": 2.,
			"reason": "the proof ends after 4 steps without deriving the empty clause",
		}},
		{"0\n", 1, map[string]any{
			"result": "NOT VERIFIED", "proof": "drat", "format": "text", "mode": "backward", "step": 1., "line": 1., "offset": 0., "lemmas": 1., "checkedLemmas": 0., "rat": 0., "deletions": 0.,
			"ignoredDeletions": 0., "missingDeletions": 0., "unusedSteps": 0., "workers": 1., "extensionVariables": 0.,
			"reason": "line 1: the empty clause 0 is not implied by unit propagation",
		}},
	} {
		var stdout, stderr bytes.Buffer
		status := Main([]string{"check", formula, "-", "--json", "--mode", c.want["mode"].(string)}, strings.NewReader(c.proof), &stdout, &stderr)
		var got map[string]any
		if err := json.Unmarshal(stdout.Bytes(), &got); err != nil || status != c.status || stderr.Len() > 0 {
			t.Fatalf("status %d, %v\n%s%s", status, err, &stdout, &stderr)
		}
		if s, ok := got["seconds"].(float64); !ok || s <= 0 {
			t.Errorf("seconds %v", got["seconds"])
		}
		if s, ok := got["memoryBytes"].(float64); !ok || s <= 0 {
			t.Errorf("memoryBytes %v", got["memoryBytes"])
		}
		delete(got, "seconds")
		delete(got, "memoryBytes")
		delete(got, jsonVersionKey)
		if a, b := canonical(t, got), canonical(t, c.want); a != b {
			t.Errorf("got  %s\nwant %s", a, b)
		}
	}
}

// canonical writes an object with its keys in order.
func canonical(t *testing.T, v map[string]any) string {
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
