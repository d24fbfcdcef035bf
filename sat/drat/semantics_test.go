package drat

import (
	"slices"
	"strings"
	"testing"
)

// What a step means, from the definitions and from drat-trim.
func TestSemantics(t *testing.T) {
	square := [][]int32{{1, 2}, {1, -2}, {-1, 2}, {-1, -2}}
	for _, c := range []struct {
		name    string
		formula [][]int32
		proof   string
		want    Report
	}{
		{"a formula with the empty clause", [][]int32{{1, 2}, {}, {3}}, "", Report{Verified: true}},
		{"units that contradict", [][]int32{{1}, {-1}}, "", Report{Verified: true}},
		{"refuted by unit propagation", [][]int32{{1}, {-1, 2}, {-2, -1}}, "", Report{Verified: true}},
		{"then steps are not checked", [][]int32{{1}, {-1}}, "5 0\nd 5 0\n", Report{Verified: true, Unused: 2}},
		{"no clause at all", nil, "", Report{Refusal: "the proof ends after 0 steps without deriving the empty clause"}},
		{"no clause, empty lemma", nil, "0", Report{Refusal: "line 1: the empty clause 0 is not implied by unit propagation", Step: 1, Line: 1, Lemmas: 1}},
		{"an empty proof", square, "c\n", Report{Refusal: "the proof ends after 0 steps without deriving the empty clause"}},
		{"a lemma that refutes", square, "c\n1 0\n0\n", Report{Verified: true, Step: 1, Line: 2, Offset: 2, Lemmas: 1, Unused: 1}},
		{"binary", square, "a\x02\x00a\x00", Report{Verified: true, Binary: true, Step: 1, Lemmas: 1, Unused: 1}},
		{"the empty clause at once", square, "0\n", Report{Refusal: "line 1: the empty clause 0 is not implied by unit propagation", Step: 1, Line: 1, Lemmas: 1}},
		{"repeated literals are one", square, "1 1 1 0", Report{Verified: true, Step: 1, Line: 1, Lemmas: 1}},
		{"in the formula, too", [][]int32{{1, 1, 2}, {1, -2, -2}, {2, -1, 2}, {-1, -2, -1}}, "1 0", Report{Verified: true, Step: 1, Line: 1, Lemmas: 1}},
		{"a tautology follows and says nothing", square, "3 -3 1 0\n1 0", Report{Verified: true, Step: 2, Line: 2, Offset: 9, Lemmas: 2, Extensions: 1}},
		{"a deleted clause is gone", square, "d 2 1 0\n1 0", Report{Refusal: "line 2: clause 1 0 is neither implied by unit propagation nor has the RAT property on 1", Step: 2, Line: 2, Offset: 8, Lemmas: 1, Deletions: 1}},
		{"one of two copies", append([][]int32{{2, 1}}, square...), "d 1 2 0\n1 0", Report{Verified: true, Step: 2, Line: 2, Offset: 8, Lemmas: 1, Deletions: 1}},
		{"a clause that is not there", square, "d 1 0\nd 1 2 -1 0\n1 0\n", Report{Verified: true, Step: 3, Line: 3, Offset: 17, Lemmas: 1, Deletions: 2, Missing: 2}},
		{"a unit stays true, its clause can be deleted once", append([][]int32{{3}, {-3, 4}}, square...), "d 3 0\nd 4 -3 0\nd 3 0\n4 0\n1 0", Report{Verified: true, Step: 5, Line: 5, Offset: 25, Lemmas: 2, Deletions: 3, Ignored: 2, Missing: 1}},
		{"the empty clause cannot be deleted", square, "d 0\n1 0", Report{Verified: true, Step: 2, Line: 2, Offset: 4, Lemmas: 1, Deletions: 1, Missing: 1}},
	} {
		c.want.Checked = c.want.Lemmas
		got := check(t, c.formula, c.proof)
		got.Bytes = 0
		if got != c.want {
			t.Errorf("%s:\n%+v, want\n%+v", c.name, got, c.want)
		}
	}
}

// A reason of what a lemma's negation implied is deleted before the next lemma,
// which has the same literals first.
func TestDeletedReason(t *testing.T) {
	formula := [][]int32{{-1, 2}, {-2, 3}, {-3, 4}, {-2, -4, 5}, {-5, 6, 7}, {-5, 6, -7}, {1, 8}}
	lemma := "-1 6 0\n"
	if r := check(t, formula, lemma+"-1 6 9 0\n"); r.Lemmas != 2 || r.RAT != 0 {
		t.Errorf("%+v", r)
	}
	// Other clauses that are deleted first make the checker move its reasons.
	junk := slices.Repeat([][]int32{{11, 12, 13, 14, 15}}, 20)
	moved := strings.Repeat("d 11 12 13 14 15 0\n", 20)
	for _, c := range formula[:4] {
		r := check(t, append(slices.Clone(junk), formula...), lemma+moved+"d -1 6 0\nd "+formatClause(c)+"\n"+"-1 6 9 0\n")
		if !strings.HasPrefix(r.Refusal, "line 24: ") {
			t.Errorf("without %v: %+v", c, r)
		}
	}
}

func TestBadFormula(t *testing.T) {
	for _, l := range []int32{0, -1 << 31} {
		if _, err := Check(slices.All([][]int32{{1}, {2, l}}), strings.NewReader(""), "p", Options{}); err == nil {
			t.Errorf("literal %d is accepted", l)
		}
	}
}

func TestProgress(t *testing.T) {
	var last Report
	calls := 0
	proof := strings.Repeat("1 -1 0\nd 1 -1 0\n", 3*ProgressSteps/2)
	_, err := Check(slices.All([][]int32{{1, 2}}), strings.NewReader(proof), "p", Options{Progress: func(r Report) {
		calls++
		last = r
	}})
	if err != nil || calls != 3 || last.Lemmas+last.Deletions != 3*ProgressSteps-1 {
		t.Errorf("%d calls, the last with %+v, error %v", calls, last, err)
	}
}

// A long clause is written in part.
func TestWritten(t *testing.T) {
	long := make([]int32, 1000)
	for i := range long {
		long[i] = int32(i + 1)
	}
	r := check(t, [][]int32{{-1, 1001}}, text([]step{{false, long}}))
	if want := "clause 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 … 0 (1000 literals) is neither"; !strings.Contains(r.Refusal, want) {
		t.Error(r.Refusal)
	}
}
