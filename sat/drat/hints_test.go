package drat

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// hintStep is a step of an LRAT proof.
type hintStep struct {
	id       int64
	deletion bool
	clause   []int32
	hints    []int64 // of a deletion: the clauses
}

// hintText writes steps as a proof in text.
func hintText(steps []hintStep) string {
	var b strings.Builder
	for _, s := range steps {
		fmt.Fprint(&b, s.id, " ")
		if s.deletion {
			b.WriteString("d ")
		} else {
			for _, l := range s.clause {
				fmt.Fprint(&b, l, " ")
			}
			b.WriteString("0 ")
		}
		for _, h := range s.hints {
			fmt.Fprint(&b, h, " ")
		}
		b.WriteString("0\n")
	}
	return b.String()
}

// hintBinary writes steps as a binary proof.
func hintBinary(steps []hintStep) string {
	var b []byte
	number := func(n int64) {
		code := 2*uint64(max(n, -n)) + uint64(bit(n < 0))
		for ; code > 127; code >>= 7 {
			b = append(b, byte(code)|128)
		}
		b = append(b, byte(code))
	}
	for _, s := range steps {
		b = append(b, "ad"[bit(s.deletion)])
		if !s.deletion {
			number(s.id)
			for _, l := range s.clause {
				number(int64(l))
			}
			b = append(b, 0)
		}
		for _, h := range s.hints {
			number(h)
		}
		b = append(b, 0)
	}
	return string(b)
}

// checkHints checks an LRAT proof that can be read, in both encodings. It compacts its clauses as
// soon as half of them are deleted.
func checkHints(t testing.TB, formula [][]int32, proof []hintStep) (r Report) {
	t.Helper()
	for _, p := range []string{hintBinary(proof), hintText(proof)} {
		c := newHintChecker()
		c.slack = 0
		if err := c.loadFormula(slices.All(formula)); err != nil {
			t.Fatal(err)
		}
		var err error
		before := r
		if r, err = c.checkProof(&hintParser{parser: newParser(strings.NewReader(p))}, "p", Options{}); err != nil {
			t.Fatalf("%v\n%s", err, hintText(proof))
		}
		if r.Verified != (r.Refusal == "") || r.Line > 0 && (before.Verified != r.Verified || before.Step != r.Step) {
			t.Fatalf("%+v, and in binary %+v\n%s", r, before, hintText(proof))
		}
	}
	return r
}

// mutateHints changes a proof in one place: a step is dropped, doubled, exchanged with another, or
// loses, gains, negates or exchanges a literal or a hint.
func mutateHints(r *rand.Rand, proof []hintStep, variables int32) []hintStep {
	m := slices.Clone(proof)
	if len(m) == 0 {
		return m
	}
	i, j := r.IntN(len(m)), r.IntN(len(m))
	s := hintStep{m[i].id, m[i].deletion, slices.Clone(m[i].clause), slices.Clone(m[i].hints)}
	k, c := 0, 0
	if len(s.hints) > 0 {
		k = r.IntN(len(s.hints))
	}
	if len(s.clause) > 0 {
		c = r.IntN(len(s.clause))
	}
	switch what := r.IntN(11); {
	case what == 0:
		return slices.Delete(m, i, i+1)
	case what == 1:
		m[i], m[j] = m[j], m[i]
		return m
	case what == 2:
		return slices.Insert(m, j, hintStep{1, true, nil, []int64{1 + r.Int64N(m[len(m)-1].id)}})
	case what == 3:
		s.clause = append(s.clause, 1+r.Int32N(variables))
	case what == 4 && len(s.clause) > 0:
		s.clause[c] = -s.clause[c]
	case what == 5 && len(s.clause) > 0:
		s.clause = slices.Delete(s.clause, c, c+1)
	case what == 6 && len(s.hints) > 0:
		s.hints = slices.Delete(s.hints, k, k+1)
	case what == 7 && len(s.hints) > 0:
		s.hints[k] = 1 + r.Int64N(m[len(m)-1].id)
	case what == 8 && len(s.hints) > 0:
		other := r.IntN(len(s.hints))
		s.hints[k], s.hints[other] = s.hints[other], s.hints[k]
	case what == 9 && len(s.hints) > 0 && !s.deletion:
		s.hints[k] = -s.hints[k]
	case what == 10 && !s.deletion:
		s.id = 1 + r.Int64N(m[len(m)-1].id)
	}
	m[i] = s
	return m
}

// On proofs of tree searches and random proofs, with hints, and on their mutants, the checker
// gives the same result as the definition, at the same step, and a verified formula has no model.
func TestHintsAgree(t *testing.T) {
	runs := 1200
	if testing.Short() {
		runs = 300
	}
	var proofs, rat, verified, refused int
	for seed := range runs {
		r := rand.New(rand.NewPCG(uint64(seed), 8))
		variables := 4 + r.IntN(4)
		formula := random3SAT(r, variables, 8*variables)
		proof := prove(formula, variables, r.IntN(4))
		if seed%3 == 0 {
			formula, proof = pigeonhole(2), extendedPigeonhole(2)
		} else if seed%3 == 1 {
			formula = append(formula, []int32{1, 2, 3}, []int32{1, 2, -3})
			proof = slices.DeleteFunc(randomProof(r, formula, variables, 3), func(s step) bool { return s.deletion && len(s.clause) < 2 })
		}
		if len(proof) == 0 {
			continue
		}
		steps := hinted(formula, proof)
		for k := range 6 {
			if k > 0 {
				steps = mutateHints(r, steps, int32(variables))
			}
			want, at := referenceHints(formula, steps)
			got := checkHints(t, formula, steps)
			if got.Verified != want || got.Step != at && got.Verified {
				t.Fatalf("seed %d: %+v, want %v at step %d\n%v\n%s", seed, got, want, at, formula, hintText(steps))
			}
			if want && variables <= 8 && satisfiable(formula, 8) {
				t.Fatalf("seed %d: verified, but satisfiable: %v", seed, formula)
			}
			proofs += bit(k == 0 && want)
			rat += bit(got.RAT > 0 && want)
			verified += bit(k > 0 && want)
			refused += bit(k > 0 && !want)
		}
	}
	t.Logf("%d proofs, %d of them and of their mutants with RAT, %d mutants verified, %d refused", proofs, rat, verified, refused)
	if min(proofs, rat, verified, refused) < runs/20 {
		t.Error("the proofs do not exercise every case")
	}
}

// What is wrong with a refused proof is named with its line, its lemma and its hint.
func TestHintRefusals(t *testing.T) {
	square := [][]int32{{1, 2}, {1, -2}, {-1, 2}, {-1, -2}}
	for _, c := range []struct{ proof, want string }{
		{"5 1 0 1 2 0\n6 0 5 3 4 0\n", ""},
		{"c x\n5 1 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n7 d 1 0\n", ""},
		{"", "the proof ends after 0 steps without deriving the empty clause"},
		{"5 1 0 1 2 0\n", "the proof ends after 1 steps without deriving the empty clause"},
		{"5 1 0 1 9 0\n", "line 1: lemma 5, 1 0: hint 2 names clause 9, which does not exist"},
		{"5 1 0 1 2 0\n5 d 3 0\n6 0 5 3 4 0\n", "line 3: lemma 6, 0: hint 2 names clause 3, which does not exist"},
		{"5 1 0 1 0\n", "line 1: lemma 5, 1 0: its 1 hints do not lead to a false clause"},
		{"5 1 0 1 3 0\n", "line 1: lemma 5, 1 0: hint 2, clause 3, has more than one literal that is not false"},
		{"4 1 0 1 2 0\n", "line 1: lemma 4 has the number of another clause"},
		{"5 0 1 2 0\n", "line 1: lemma 5, 0: hint 1, clause 1, has more than one literal that is not false"},
		{"5 0 0\n", "line 1: lemma 5, 0: its 0 hints do not lead to a false clause"},
		{"5 0 -1 0\n", "line 1: lemma 5, 0: the empty clause has the negative hint -1, but no first literal"},
		{"5 3 1 0 0\n6 -3 1 0 -5 0\n", "line 2: lemma 6, -3 1 0: the hints after hint 1, clause 5, do not lead to a false clause"},
		{"5 3 1 0 0\n6 -3 -1 0 -5 0\n7 -3 0 -5 0\n", "line 3: lemma 7, -3 0: the hints after hint 1, clause 5, do not lead to a false clause"},
		{"5 3 -1 0 0\n6 3 2 0 0\n7 -3 1 0 -5 0\n", "line 3: lemma 7, -3 1 0: it is not RAT by its hints: of the clauses with the negation of its first literal, hints name 1 and do not name 1"},
		{"5 3 -1 0 0\n6 -3 1 0 -5 -5 0\n", "line 2: lemma 6, -3 1 0: hint 2 names clause 5 again"},
		{"5 3 -1 0 0\n6 -3 1 0 -1 0\n", "line 2: lemma 6, -3 1 0: hint 1, clause 1, does not have the negation of the first literal"},
		{"5 3 -1 0 0\n6 -3 1 0 -9 0\n", "line 2: lemma 6, -3 1 0: hint 1 names clause 9, which does not exist"},
	} {
		r, err := Check(slices.All(square), strings.NewReader(c.proof), "p", Options{Format: LRAT})
		if err != nil || !r.LRAT || r.Verified != (c.want == "") || !strings.HasPrefix(r.Refusal, c.want) {
			t.Errorf("%q: %+v, %v\nwant %s", c.proof, r, err, c.want)
		}
	}
}

// Bad input is an error that names the line or the byte, and what was expected.
func TestHintBadInput(t *testing.T) {
	for _, c := range []struct{ proof, want string }{
		{"5 1 0 1 2", "p:1: the proof ends within a step: expected the number of a clause or 0"},
		{"5 1", "p:1: the proof ends within a clause: expected a literal or 0"},
		{"0 1 0 1 0", "p:1: the step begins with 0: expected the number of a clause, from 1"},
		{"-5 1 0 1 0", "p:1: the step begins with -5: expected"},
		{"\nd 1 0", `p:2: found "d": expected the number of a clause or 0`},
		{"5 d -1 0", "p:1: a deletion has the number -1: expected numbers from 1"},
		{"5 d1 0", `p:1: found "d1": expected a blank after d`},
		{"5x 1 0 1 0", `p:1: found "5x": expected the number of a clause or 0`},
		{"5 1 0 - 0", `p:1: found "-": expected the number of a clause or 0`},
		{"5 1 0 99999999999999999999 0", "p:1: the number 999999999999999999… is out of range"},
		{"a\x0b\x02\x00\x00", "p: byte 2: number code 11 is out of range: expected 2n for the number n of a lemma"},
		{"a\x00", "p: byte 2: number code 0 is out of range"},
		{"a\x0a\x02\x00\x01\x00", "p: byte 5: number code 1 is out of range: expected 2n for the number n of a clause"},
		{"a\x0a\x02\x00\x02\x00d\x03\x00", "p: byte 8: number code 3 is out of range"},
		{"a\x0a\x02\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00", "p: byte 13: the number of a clause is out of range: expected 1 to 576460752303423488"},
		{"a\x0a\x02\x00\x02", "p: byte 5: the proof ends within a step"},
		{"a\x0a\x02\x00\x02\x00b", "p: byte 7: found the byte 0x62: expected 'a' or 'd'"},
	} {
		_, err := Check(slices.All([][]int32{{1}, {2}}), strings.NewReader(c.proof), "p", Options{Format: LRAT})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v\nwant %s", c.proof, err, c.want)
		}
	}
}

// The format is found by the first steps.
func TestDetectFormat(t *testing.T) {
	square := [][]int32{{1, 2}, {1, -2}, {-1, 2}, {-1, -2}}
	hints := []hintStep{{5, false, []int32{1}, []int64{1, 2}}, {5, true, nil, []int64{1}}, {6, false, nil, []int64{5, 3, 4}}}
	extension := []step{{false, []int32{5, 6}}, {false, []int32{6, 7}}, {false, []int32{7, 8}}, {false, []int32{8, 9}}}
	for _, c := range []struct {
		name, proof string
		want        bool
	}{
		{"text", hintText(hints), true},
		{"binary", hintBinary(hints), true},
		{"with a comment and a long second line", "c x\n" + hintText(hints[:1]) + "6 " + strings.Repeat("7 ", 1<<17), true},
		{"nothing", "", false},
		{"one clause", "1 0\n", false},
		{"two clauses in a line", "1 0 2 0\n", false},
		{"DRAT", text([]step{{false, []int32{9, 1}}, {true, []int32{9, 1}}, {false, []int32{1}}}), false},
		{"binary DRAT", binary([]step{{false, []int32{9, 1}}, {true, []int32{9, 1}}, {false, []int32{1}}}), false},
		{"binary DRAT that is LRAT, too", binary(extension), false},
	} {
		if got := hasHints(newParser(strings.NewReader(c.proof)), int64(len(square))); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	for _, p := range []string{hintText(hints), gzipped(hintBinary(hints))} {
		if r, err := Check(slices.All(square), strings.NewReader(p), "p", Options{Format: AnyFormat}); err != nil || !r.LRAT || !r.Verified {
			t.Errorf("%+v, %v", r, err)
		}
	}
}
