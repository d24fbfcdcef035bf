package drat

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// tinyDivision makes parts of a few steps from the beginning.
func tinyDivision(r *rand.Rand) division {
	return division{alone: int64(r.IntN(2) * r.IntN(200)), partSteps: 1 + r.IntN(12), partSize: 1 + r.IntN(60), waiting: 1 + r.IntN(100)}
}

// bounded is the memory that lemmas may have, and the garbage that may stay.
type bounded struct{ room, slack int }

var unbounded = bounded{maxLemmaWords, 0}

// forwardWith checks a proof forward with a number of workers.
func forwardWith(workers int, d division, b bounded, formula [][]int32, proof string) (Report, error) {
	c := newChecker()
	c.room, c.slack, c.division = b.room, b.slack, d
	return c.checkProof(slices.All(formula), newParser(strings.NewReader(proof)), "p", Options{Workers: workers})
}

// hintsWith checks an LRAT proof with a number of workers.
func hintsWith(workers int, d division, b bounded, formula [][]int32, proof string) (Report, error) {
	c := newHintChecker()
	c.room, c.slack, c.division, c.lazy = b.room, b.slack, d, d.partSize
	if err := c.loadFormula(slices.All(formula)); err != nil {
		return Report{}, err
	}
	return c.checkProof(&hintParser{parser: newParser(strings.NewReader(proof))}, "p", Options{Workers: workers})
}

// checkWith is forwardWith or hintsWith.
type checkWith func(workers int, d division, b bounded, formula [][]int32, proof string) (Report, error)

// agreeTogether checks a proof with 1, 2, 3 and 7 workers. All must return the same.
func agreeTogether(t testing.TB, r *rand.Rand, check checkWith, b bounded, formula [][]int32, proof string) (Report, error) {
	t.Helper()
	want, wantErr := check(1, usualDivision, b, formula, proof)
	for _, workers := range []int{2, 3, 7} {
		d := tinyDivision(r)
		got, err := check(workers, d, b, formula, proof)
		got.Workers, got.Bytes, want.Workers, want.Bytes = 0, 0, 0, 0
		if got != want || fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("%d workers, %+v, %+v:\n%+v, %v, want\n%+v, %v\n%v\n%s", workers, d, b, got, err, want, wantErr, formula, proof)
		}
	}
	return want, wantErr
}

// tally counts the kinds of results.
type tally struct{ verified, refused, rat, ignored, failed, unused int }

func (c *tally) add(r Report, err error) {
	c.verified += bit(r.Verified)
	c.refused += bit(err == nil && !r.Verified)
	c.rat += bit(r.RAT > 0)
	c.ignored += bit(r.Ignored > 0)
	c.unused += bit(r.Unused > 0)
	c.failed += bit(err != nil)
}

// damage changes bytes of a proof, at times.
func damage(r *rand.Rand, proof string) string {
	b := []byte(proof)
	if len(b) > 0 && r.IntN(8) == 0 {
		const odd = "0 1-d9\na\x00\xff"
		b[r.IntN(len(b))] = odd[r.IntN(len(odd))]
	}
	return string(b)
}

// Several workers return what one worker returns, for random proofs, proofs of tree searches and
// their mutants, proofs with RAT lemmas, and proofs that cannot be read to their end or that need
// too much memory.
func TestTogether(t *testing.T) {
	runs := 2500
	if testing.Short() {
		runs = 250
	}
	var c tally
	for seed := range runs {
		r := rand.New(rand.NewPCG(uint64(seed), 11))
		variables := 4 + r.IntN(5)
		formula := random3SAT(r, variables, 7*variables)
		proof := prove(formula, variables, r.IntN(4))
		switch seed % 4 {
		case 0:
			formula = append(formula[:len(formula)/2], randomClause(r, variables, 1, 5), randomClause(r, variables, 1, 2))
			proof = randomProof(r, formula, variables, 5)
		case 1:
			formula, proof = pigeonhole(3), extendedPigeonhole(3)
		}
		if seed%3 > 0 {
			proof = mutateSteps(r, proof, int32(variables))
		}
		if r.IntN(4) == 0 {
			proof = append(proof, step{}, step{false, []int32{1000}}, step{true, []int32{1}})
		}
		b := unbounded
		if r.IntN(4) == 0 {
			b = bounded{r.IntN(200), r.IntN(50)}
		}
		for _, p := range []string{text(proof), binary(proof)} {
			c.add(agreeTogether(t, r, forwardWith, b, formula, damage(r, p)))
		}
	}
	t.Logf("%+v", c)
	if min(c.verified, c.refused, c.rat, c.ignored, c.failed, c.unused) < runs/20 {
		t.Error("the proofs do not exercise every case")
	}
}

// The same for proofs in LRAT.
func TestHintsTogether(t *testing.T) {
	runs := 800
	if testing.Short() {
		runs = 80
	}
	var c tally
	c.ignored = runs // there are none in LRAT
	for seed := range runs {
		r := rand.New(rand.NewPCG(uint64(seed), 12))
		variables := 4 + r.IntN(4)
		formula := random3SAT(r, variables, 8*variables)
		proof := prove(formula, variables, r.IntN(4))
		if seed%3 == 0 {
			formula, proof = pigeonhole(2), extendedPigeonhole(2)
		}
		if len(proof) == 0 {
			continue
		}
		steps := hinted(formula, proof)
		for k := range 4 {
			if k > 0 {
				steps = mutateHints(r, steps, int32(variables))
			}
			b := unbounded
			if r.IntN(4) == 0 {
				b = bounded{r.IntN(200), r.IntN(50)}
			}
			for _, p := range []string{hintText(steps), hintBinary(steps)} {
				if r.IntN(3) == 0 {
					p += p[:len(p)/2]
				}
				c.add(agreeTogether(t, r, hintsWith, b, formula, damage(r, p)))
			}
		}
	}
	t.Logf("%+v", c)
	if min(c.verified, c.refused, c.rat, c.failed, c.unused) < runs/20 {
		t.Error("the proofs do not exercise every case")
	}
}

// A step that is wrong is named by its line, whichever of the steps of a longer proof it is. A
// second wrong step after it changes nothing.
func TestFirstWrongLine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 13))
	formula := pigeonhole(5)
	proof := prove(formula, 30, 1)
	formula = append(formula, []int32{31, 32}) // the pure literals of which no lemma deletes anything
	for range 40 {
		at := r.IntN(len(proof) / 2)
		wrong := slices.Clone(proof)
		wrong = slices.Insert(wrong, at, step{false, []int32{-31, 5}}, step{false, []int32{31}}, step{false, []int32{-32}}, step{false, []int32{-31}})
		report, err := agreeTogether(t, r, forwardWith, unbounded, formula, text(wrong))
		if err != nil || report.Line <= int64(at) || report.Line > int64(at)+4 || report.Verified {
			t.Fatalf("%d: %+v, %v", at, report, err)
		}
	}
}

// A refused proof is not read further, even if the rest of it never arrives.
func TestRefusedPipe(t *testing.T) {
	formula := pigeonhole(3)
	for _, c := range []struct {
		proof string
		o     Options
	}{{"1 0\n", Options{Workers: 3}}, {"500 0 1 2 0\n", Options{Workers: 3, Format: LRAT}}} {
		in, out := io.Pipe()
		go func() {
			io.WriteString(out, strings.Repeat(c.proof, 1<<17)) // until the reader has ended
		}()
		r, err := Check(slices.All(formula), in, "p", c.o)
		if err != nil || r.Line != 1 {
			t.Errorf("%+v, %v", r, err)
		}
		in.Close()
	}
}

// Progress is shown by one goroutine at a time, with counts that grow.
func TestProgressTogether(t *testing.T) {
	proof := strings.Repeat("1 -1 0\nd 1 -1 0\n", 1<<16)
	last, calls := Report{}, 0
	r, err := Check(slices.All([][]int32{{1, 2}}), strings.NewReader(proof), "p", Options{Workers: 3, Progress: func(r Report) {
		if r.Lemmas < last.Lemmas || r.Step < last.Step {
			t.Errorf("%+v after %+v", r, last)
		}
		last = r
		calls++
	}})
	if err != nil || r.Workers != 3 || r.Lemmas != 1<<16 || calls < 16 {
		t.Errorf("%d calls, %+v, %v", calls, r, err)
	}
}
