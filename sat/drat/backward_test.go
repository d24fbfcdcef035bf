package drat

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// recorded is a backward check with the clauses that each check has marked, by step.
type recorded struct {
	*backward
	lastUse map[int][]ref
	lrat    strings.Builder
}

// checkBackward checks a proof that can be read, and purges lists as often as possible or once.
func checkBackward(t testing.TB, formula [][]int32, proof string) (Report, *recorded) {
	t.Helper()
	b := &recorded{backward: newBackward(), lastUse: map[int][]ref{}}
	if len(proof)%2 == 0 {
		b.slack = 0
	}
	seen := 0
	b.afterCheck = func(step int) {
		b.lastUse[step] = b.marked[seen:]
		seen = len(b.marked)
	}
	r, err := b.checkProof(slices.All(formula), newParser(strings.NewReader(proof)), "p", Options{Mode: Backward, LRAT: &b.lrat})
	if err != nil {
		t.Fatalf("%v\n%v\n%s", err, formula, proof)
	}
	if r.Verified != (r.Refusal == "") {
		t.Fatalf("verified %v, refusal %q", r.Verified, r.Refusal)
	}
	return r, b
}

// agreeBackward checks a proof backward against the definitions: what the reference accepts is
// accepted, at the same step; the marked lemmas of an accepted proof are a proof; and a refused
// lemma does not follow.
func agreeBackward(t testing.TB, formula [][]int32, proof []step) Report {
	t.Helper()
	want := reference(formula, proof)
	var first Report
	for i, p := range []string{text(proof), binary(proof)} {
		r, b := checkBackward(t, formula, p)
		if want.Verified && (!r.Verified || r.Step != want.Step || r.Unused != want.Unused || r.Lemmas != want.Lemmas || r.Deletions != want.Deletions || r.Ignored != want.Ignored || r.Missing != want.Missing || r.RAT > want.RAT) {
			t.Fatalf("got %+v\nwant %+v\n%v\n%s", r, want, formula, text(proof))
		}
		if r.Verified {
			checkWritten(t, formula, b.lrat.String())
			trimmed, core := b.trimmed(proof, formula)
			if got := reference(core, trimmed); !got.Verified {
				t.Fatalf("the marked lemmas are no proof: %+v\n%v\n%s\nof\n%v\n%s", got, core, text(trimmed), formula, text(proof))
			}
		} else if at := refusedStep(r, proof); holdsAt(formula, proof, at) {
			t.Fatalf("refused a lemma that holds: %+v\n%v\n%s", r, formula, text(proof))
		}
		if i == 0 {
			first = r
		}
	}
	return first
}

// checkWritten checks an LRAT proof that a backward check has written.
func checkWritten(t testing.TB, formula [][]int32, proof string) {
	t.Helper()
	r, err := Check(slices.All(formula), strings.NewReader(proof), "written", Options{Format: LRAT})
	refuted := slices.ContainsFunc(formula, func(c []int32) bool { return len(c) == 0 }) // before the first step
	if err != nil || !r.Verified || r.Missing > 0 || r.Unused > 0 && !refuted {
		t.Fatalf("the LRAT proof is refused: %+v, %v\n%v\n%s", r, err, formula, proof)
	}
	for line := range strings.Lines(proof) { // lrat-check refuses resolvents in another order
		_, hints, _ := strings.Cut(line, " 0 ")
		last := 0
		for _, word := range strings.Fields(hints) {
			if n, err := strconv.Atoi(word); err == nil && n < 0 {
				if -n <= last {
					t.Fatalf("hint %d comes after %d: expected increasing clauses\n%s", n, -last, line)
				}
				last = -n
			}
		}
	}
}

// trimmed returns the marked lemmas and clauses. A clause is deleted after the last lemma that
// needs it.
func (b *recorded) trimmed(proof []step, formula [][]int32) (trimmed []step, core [][]int32) {
	numbers := b.variables.allNumbers()
	clause := func(r ref) (c []int32) {
		for _, l := range b.originalLiterals(nil, r) {
			n := numbers[l>>1]
			if l&1 == 1 {
				n = -n
			}
			c = append(c, n)
		}
		return c
	}
	for r := ref(0); r < b.lemmas; r = b.clauseAfter(r) {
		if b.isCore(r) {
			core = append(core, clause(r))
		}
	}
	for i, s := range b.steps {
		if s >= 0 && b.isCore(s) {
			trimmed = append(trimmed, step{false, clause(s)})
		}
		for _, r := range b.lastUse[i] {
			trimmed = append(trimmed, step{true, clause(r)})
		}
	}
	return append(trimmed, step{}), core
}

// refusedStep returns the step that was refused, or the number after the last step of a proof that
// ends too early.
func refusedStep(r Report, proof []step) int64 {
	if strings.HasPrefix(r.Refusal, "the proof ends") {
		return int64(len(proof)) + 1
	}
	return r.Step
}

// holdsAt reports whether a lemma has one of the two properties in the clauses before its step.
// At step n+1 the question is whether n steps refute the formula.
func holdsAt(formula [][]int32, proof []step, at int64) bool {
	n := &naive{top: map[int32]bool{}}
	for _, c := range formula {
		n.add(c)
	}
	for i, s := range proof {
		switch {
		case int64(i+1) == at && !s.deletion:
			return n.rup(s.clause) || n.rat(s.clause)
		case s.deletion:
			n.remove(s.clause)
		default:
			n.add(s.clause)
		}
	}
	return n.refuted
}

// On random formulas and proofs, and on mutants of proofs of tree searches, the backward check
// agrees with the definitions, and a verified formula has no model.
func TestBackwardAgrees(t *testing.T) {
	runs := 6000
	if testing.Short() {
		runs = 1500
	}
	var verified, refused, rat, unneeded int
	for seed := range runs {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		variables, longest := 2+r.IntN(6), 3+2*r.IntN(2)
		formula := make([][]int32, variables+r.IntN((longest+1)*variables))
		for i := range formula {
			formula[i] = randomClause(r, variables, 1+bit(i > 0), longest)
		}
		proof := randomProof(r, formula, variables, longest)
		if seed%3 == 0 {
			formula = random3SAT(r, variables+3, 8*variables+24)
			if proof = prove(formula, variables+3, 3); proof == nil {
				continue
			}
			proof = mutateSteps(r, proof, int32(variables+3))
		}
		got := agreeBackward(t, formula, proof)
		if got.Verified && satisfiable(formula, variables+3) {
			t.Fatalf("seed %d: verified, but satisfiable: %v", seed, formula)
		}
		verified += bit(got.Verified && got.Checked > 0)
		refused += bit(!got.Verified && got.Undone > 0)
		rat += bit(got.RAT > 0)
		unneeded += bit(got.Verified && !reference(formula, proof).Verified)
	}
	t.Logf("%d runs: %d verified, %d refused while going back, %d with RAT, %d whose bad lemmas are not needed", runs, verified, refused, rat, unneeded)
	if min(verified, refused, rat, unneeded) < runs/400 {
		t.Error("the proofs do not exercise every case")
	}
}

// A deleted clause that the second pass brings back has one entry in each list. With two entries
// the second one would make literal 1 true after the first one has moved the watch, and the wrong
// first lemma of a satisfiable formula would hold.
func TestBroughtBackOnce(t *testing.T) {
	formula := [][]int32{{1, 2, 3, 4}, {-1, 5}, {-1, -5}, {-2, 6}, {-2, -6}, {-3, 6}, {-3, -6}}
	r, err := Check(slices.All(formula), strings.NewReader("2 3 0\nd 1 2 3 4 0\n-3 0\n"), "p", Options{Mode: Backward})
	if err != nil || !r.Backward || !strings.HasPrefix(r.Refusal, "line 1: clause 2 3 0 is neither") {
		t.Errorf("%+v, %v", r, err)
	}
}

// A report names the order of the checks, also if the first pass ends the check: if the proof ends too early, has an
// empty lemma before its refutation, or is not needed. The progress reports name it too.
func TestOrderIsReported(t *testing.T) {
	long := strings.Repeat("3 4 0\n", ProgressSteps)
	for _, formula := range [][][]int32{{{1, 2}, {1, -2}, {-1, 2}}, {{1}, {-1}}} {
		for _, proof := range []string{"", "1 0\n", "0\n", long, "0\n" + long} {
			for _, mode := range []Mode{Forward, Backward} {
				o := Options{Mode: mode}
				check := func(r Report) {
					if r.Backward != (mode == Backward) {
						t.Errorf("%v, %.9q, mode %s: %+v", formula, proof, mode, r)
					}
				}
				o.Progress = check
				r, err := Check(slices.All(formula), strings.NewReader(proof), "p", o)
				if check(r); err != nil {
					t.Error(err)
				}
			}
		}
	}
}
