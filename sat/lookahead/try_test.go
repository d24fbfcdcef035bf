package lookahead

import (
	"math/rand/v2"
	"slices"
	"testing"

	"treesplit/sat"
	"treesplit/sat/ruletest"
)

// tryEachLongClause is tryLongClauses by its definition: it looks at the literals of a clause one by
// one, up to the free literal of number longest.
func (w *walk) tryEachLongClause(queue []int32, l int32) (longer []int32, score float32, ok bool) {
	for _, c := range w.long.in[l^1] {
		left, last, product := 0, none, float32(1)
		for _, u := range w.long.clauses[c] {
			if left == longest {
				break
			}
			if w.stamp[u] < w.now {
				product *= w.weight[u]
				left, last = left+1, u
			} else if w.stamp[u]&1 == 0 {
				left = -1
				break
			}
		}
		switch {
		case left == 0:
			return queue, 0, false
		case left == 1:
			w.stamp[last], w.stamp[last^1] = w.now, w.now+1
			queue = append(queue, last)
		case left > 1:
			score += float32(product * w.factor[left])
		}
	}
	return queue, score, true
}

// Trials score long clauses, find their unit clauses, and fail as the definition says, with weights and
// without, whatever literals have a value and whatever trials there were before.
func TestLongClauses(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	units, failed, scored := 0, 0, 0
	for i := range 800 {
		f := ruletest.RandomFormula(rng, 24, 30, 4, 4, 4, 5, 9, 13, 20)
		rule := New(f)
		if i%2 == 1 {
			rule = NewSplitting(f)
		}
		w := rule.newWalk()
		w.stepDown(sat.NoLiteral)
		w.weighLiterals()
		if rule.splitting {
			w.weight = w.ones
		}
		w.now = 10
		// Literals are free, free with a stamp of an earlier trial, true or false.
		for v := range rule.names {
			s, free := 2*rng.Uint32N(5), rng.IntN(20) < i%20
			if !free {
				s = w.now + 2*rng.Uint32N(3)
			}
			x := int32(2*v + rng.IntN(2))
			w.stamp[x], w.stamp[x^1] = s, s+1
		}
		before := slices.Clone(w.stamp)
		for l := range int32(len(w.stamp)) {
			copy(w.stamp, before)
			w.stamp[l], w.stamp[l^1] = w.now, w.now+1
			now := slices.Clone(w.stamp)
			queue, score, ok := w.tryLongClauses(nil, l, true)
			after := slices.Clone(w.stamp)
			copy(w.stamp, now)
			if q, s, k := w.tryLongClauses(nil, l, false); s != 0 || k != ok || !slices.Equal(q, queue) || !slices.Equal(after, w.stamp) {
				t.Fatalf("formula %d, literal %d without a score: %v %v %v, want %v 0 %v", i, l, q, s, k, queue, ok)
			}
			copy(w.stamp, now)
			wantQueue, wantScore, wantOK := w.tryEachLongClause(nil, l)
			if score != wantScore || ok != wantOK || !slices.Equal(queue, wantQueue) || !slices.Equal(after, w.stamp) {
				t.Fatalf("formula %d, literal %d: %v %v %v, want %v %v %v", i, l, queue, score, ok, wantQueue, wantScore, wantOK)
			}
			if units += len(queue); !ok {
				failed++
			} else if score > 0 {
				scored++
			}
		}
	}
	if units < 1000 || failed < 1000 || scored < 1000 {
		t.Errorf("%d unit clauses, %d failures, %d scores: expected many of each", units, failed, scored)
	}
}
