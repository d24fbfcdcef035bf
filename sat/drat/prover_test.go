package drat

import (
	"math/rand/v2"
	"slices"
)

// prover is a small tree search that writes proofs of treesplit's form, to test the checker
// without an engine. Let D be the left decisions of the path. A refuted left child adds ¬D,
// including the last decision, and deletes the lemmas below it. A literal l that fails at once
// adds ¬D ∨ ¬l.
type prover struct {
	formula [][]int32
	occurs  map[int32][]int // clauses by literal
	value   []int8          // by variable
	queue   []int32         // literals assigned
	ahead   int             // variables looked at to find failed literals and the best to branch on
	left    []int32         // D
	proof   []step
	open    []int // lemmas not deleted yet, as indices of proof
}

// prove returns a proof, or nil if the formula is satisfiable.
func prove(formula [][]int32, variables, ahead int) []step {
	p := &prover{formula: formula, occurs: map[int32][]int{}, value: make([]int8, variables+1), ahead: ahead}
	for i, c := range formula {
		for _, l := range c {
			p.occurs[l] = append(p.occurs[l], i)
		}
	}
	for _, c := range formula {
		if len(c) == 1 && p.is(c[0]) < 0 {
			return []step{{}}
		}
		if len(c) == 1 && !p.assign(c[0]) {
			return []step{{}}
		}
	}
	if !p.refute() {
		return nil
	}
	p.lemma()
	return p.proof
}

// is is 1, 0 or -1 where l is true, free or false.
func (p *prover) is(l int32) int8 {
	if l < 0 {
		return -p.value[-l]
	}
	return p.value[l]
}

// set makes l true.
func (p *prover) set(l int32) {
	if p.value[max(l, -l)] = 1; l < 0 {
		p.value[-l] = -1
	}
	p.queue = append(p.queue, l)
}

// assign makes l true and propagates; false is a conflict.
func (p *prover) assign(l int32) bool {
	if p.is(l) != 0 {
		return p.is(l) > 0
	}
	head := len(p.queue)
	for p.set(l); head < len(p.queue); head++ {
		for _, i := range p.occurs[-p.queue[head]] {
			unit, free := p.status(i)
			switch {
			case free == 0:
				return false
			case free == 1:
				p.set(unit)
			}
		}
	}
	return true
}

// status counts the free literals of a clause, up to 3, and returns one; a
// satisfied clause has 3.
func (p *prover) status(i int) (unit int32, free int) {
	for _, l := range p.formula[i] {
		switch p.is(l) {
		case 1:
			return 0, 3
		case 0:
			unit = l
			free++
		}
	}
	return unit, min(free, 3)
}

// undo takes assignments back until n are left.
func (p *prover) undo(n int) {
	for _, l := range p.queue[n:] {
		p.value[max(l, -l)] = 0
	}
	p.queue = p.queue[:n]
}

// lemma adds ¬D and these literals.
func (p *prover) lemma(more ...int32) {
	p.open = append(p.open, len(p.proof))
	p.proof = append(p.proof, step{false, append(negated(p.left), more...)})
}

// refute searches below D; false is a model.
func (p *prover) refute() bool {
	start := len(p.queue)
	defer func() { p.undo(start) }()
	for {
		x, refuted := p.choose()
		if refuted {
			return true
		}
		if x == 0 {
			return false
		}
		here, open := len(p.queue), len(p.open)
		p.left = append(p.left, x)
		if p.assign(x) && !p.refute() {
			return false
		}
		p.undo(here)
		p.left = p.left[:len(p.left)-1]
		p.lemma(-x)
		below := slices.Clone(p.open[open : len(p.open)-1])
		p.open = append(p.open[:open], len(p.proof)-1)
		for _, i := range below {
			p.proof = append(p.proof, step{true, p.proof[i].clause})
		}
		if !p.assign(-x) {
			return true
		}
	}
}

// choose returns a literal to branch on, 0 if every clause is satisfied. The tree is
// refuted if both literals of a variable fail.
func (p *prover) choose() (best int32, refuted bool) {
	var candidates []int32
	score := map[int32]int{}
	for i := range p.formula {
		if _, free := p.status(i); free < 3 || len(p.formula[i]) < 3 {
			for _, l := range p.formula[i] {
				score[max(l, -l)]++
			}
		} else if best == 0 {
			for _, l := range p.formula[i] {
				if p.is(l) == 0 && !slices.ContainsFunc(p.formula[i], func(l int32) bool { return p.is(l) > 0 }) {
					best = l
				}
			}
		}
	}
	for v := range score {
		if p.value[v] == 0 {
			candidates = append(candidates, v)
		}
	}
	slices.SortFunc(candidates, func(a, b int32) int {
		if score[a] != score[b] {
			return score[b] - score[a]
		}
		return int(a - b)
	})
	high := -1
	for _, v := range candidates[:min(p.ahead, len(candidates))] {
		product := 1
		for _, l := range []int32{v, -v} {
			if p.value[v] != 0 {
				break
			}
			here := len(p.queue)
			ok := p.assign(l)
			gain := len(p.queue) - here
			p.undo(here)
			if !ok {
				p.lemma(-l)
				if !p.assign(-l) {
					return 0, true
				}
				break
			}
			product *= gain
		}
		if p.value[v] == 0 && product > high {
			best, high = v, product
		}
	}
	if best == 0 || p.value[max(best, -best)] != 0 {
		for v, value := range p.value {
			if v > 0 && value == 0 {
				return int32(v), false
			}
		}
		return 0, false
	}
	return best, false
}

// random3SAT draws m clauses of three different variables each.
func random3SAT(r *rand.Rand, n, m int) [][]int32 {
	formula := make([][]int32, m)
	for i := range formula {
		for _, v := range r.Perm(n)[:3] {
			l := int32(v + 1)
			if r.IntN(2) == 0 {
				l = -l
			}
			formula[i] = append(formula[i], l)
		}
	}
	return formula
}
