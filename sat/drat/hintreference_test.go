package drat

import (
	"maps"
	"slices"
)

// naiveHints is the definition of LRAT: clauses by number, and sets of true literals.
type naiveHints struct {
	clauses map[int64][]int32
}

// follow takes hints up to a negative one. It returns the true literals, the number of hints that
// were taken, and whether a clause became false; ok is false if a hint does not hold.
func (n *naiveHints) follow(trues map[int32]bool, hints []int64) (taken int, done, ok bool) {
	for i, h := range hints {
		if h < 0 {
			return i, false, true
		}
		c, exists := n.clauses[h]
		free := slices.DeleteFunc(unique(c), func(l int32) bool { return trues[-l] })
		switch {
		case !exists || len(free) > 1:
			return i, false, false
		case len(free) == 0:
			return i, true, true
		}
		trues[free[0]] = true
	}
	return len(hints), false, true
}

// holds reports whether the hints prove a lemma.
func (n *naiveHints) holds(clause []int32, hints []int64) bool {
	trues := map[int32]bool{}
	for _, l := range clause {
		trues[-l] = true
		if trues[l] {
			return true
		}
	}
	taken, done, ok := n.follow(trues, hints)
	if done || !ok || len(clause) == 0 {
		return done
	}
	named := map[int64]bool{}
	for hints = hints[taken:]; len(hints) > 0; {
		d, exists := n.clauses[-hints[0]]
		if !exists || named[-hints[0]] || !slices.Contains(d, -clause[0]) {
			return false
		}
		named[-hints[0]] = true
		assumed := maps.Clone(trues)
		implied := false
		for _, l := range unique(d) {
			if l != -clause[0] {
				implied = implied || assumed[l]
				if implied {
					break
				}
				assumed[-l] = true
			}
		}
		_, done, ok := n.follow(assumed, hints[1:])
		if !ok || !done && !implied {
			return false
		}
		for hints = hints[1:]; len(hints) > 0 && hints[0] > 0; {
			hints = hints[1:]
		}
	}
	for id, d := range n.clauses {
		if slices.Contains(d, -clause[0]) && !named[id] {
			return false
		}
	}
	return true
}

// referenceHints returns the step that verifies or is refused, 0 if none does.
func referenceHints(formula [][]int32, proof []hintStep) (verified bool, at int64) {
	n := &naiveHints{clauses: map[int64][]int32{}}
	for i, c := range formula {
		n.clauses[int64(i+1)] = c
		if len(c) == 0 {
			return true, 0
		}
	}
	for i, s := range proof {
		if s.deletion {
			for _, h := range s.hints {
				delete(n.clauses, h)
			}
			continue
		}
		if _, taken := n.clauses[s.id]; taken || !n.holds(s.clause, s.hints) {
			return false, int64(i + 1)
		}
		n.clauses[s.id] = s.clause
		if len(s.clause) == 0 {
			return true, int64(i + 1)
		}
	}
	return false, int64(len(proof))
}

// hinted adds hints to a proof that the reference accepts without deletions of units: it records
// every clause that propagation over all clauses takes.
func hinted(formula [][]int32, proof []step) (out []hintStep) {
	n := &naiveHints{clauses: map[int64][]int32{}}
	for i, c := range formula {
		n.clauses[int64(i+1)] = unique(c)
	}
	next := int64(len(formula))
	for _, s := range proof {
		if s.deletion {
			if id := n.idOf(s.clause); id > 0 {
				out = append(out, hintStep{next, true, nil, []int64{id}})
				delete(n.clauses, id)
			}
			continue
		}
		next++
		out = append(out, hintStep{next, false, s.clause, n.findHints(s.clause)})
		n.clauses[next] = unique(s.clause)
	}
	next++
	return append(out, hintStep{next, false, nil, n.findHints(nil)})
}

// idOf returns the number of a clause, or 0.
func (n *naiveHints) idOf(clause []int32) int64 {
	for _, id := range slices.Sorted(maps.Keys(n.clauses)) {
		if slices.Equal(n.clauses[id], unique(clause)) {
			return id
		}
	}
	return 0
}

// findHints returns hints of a lemma.
func (n *naiveHints) findHints(clause []int32) []int64 {
	trues := map[int32]bool{}
	for _, l := range clause {
		trues[-l] = true
	}
	hints, done := n.propagate(trues)
	if done || len(clause) == 0 {
		return hints
	}
	for _, id := range slices.Sorted(maps.Keys(n.clauses)) {
		d := n.clauses[id]
		if !slices.Contains(d, -clause[0]) {
			continue
		}
		hints = append(hints, -id)
		assumed := maps.Clone(trues)
		implied := false
		for _, l := range d {
			implied = implied || l != -clause[0] && assumed[l]
			assumed[-l] = assumed[-l] || l != -clause[0]
		}
		if !implied {
			more, _ := n.propagate(assumed)
			hints = append(hints, more...)
		}
	}
	return hints
}

// propagate makes literals true and returns the clauses that did it.
func (n *naiveHints) propagate(trues map[int32]bool) (hints []int64, done bool) {
	for changed := true; changed; {
		changed = false
		for _, id := range slices.Sorted(maps.Keys(n.clauses)) {
			c := n.clauses[id]
			if slices.ContainsFunc(c, func(l int32) bool { return trues[l] }) {
				continue
			}
			free := slices.DeleteFunc(slices.Clone(c), func(l int32) bool { return trues[-l] })
			switch len(free) {
			case 0:
				return append(hints, id), true
			case 1:
				trues[free[0]] = true
				hints = append(hints, id)
				changed = true
			}
		}
	}
	return hints, false
}
