package simplify

import (
	"fmt"
	"slices"
)

// A checker of proofs for these tests: it knows nothing but the definitions, and looks
// at every clause again and again.

// checker holds the clauses that a proof may use: the clauses of the input, then lemmas.
type checker struct {
	clauses [][]int32
	input   int
}

// rup reports whether unit propagation refutes the clauses with the negation of lemma.
func (k *checker) rup(lemma []int32) bool {
	_, conflict := k.falsify(lemma)
	return conflict
}

// falsify returns the literals that unit propagation makes true if all literals of lemma are
// false, and whether that leads to a conflict.
func (k *checker) falsify(lemma []int32) (value map[int32]bool, conflict bool) {
	value = map[int32]bool{}
	for _, l := range lemma {
		value[-l] = true
	}
	for l := range value {
		if value[-l] {
			return value, true
		}
	}
	for progress := true; progress; {
		progress = false
	next:
		for _, c := range k.clauses {
			unit := int32(0)
			for _, l := range c {
				switch {
				case value[l]:
					continue next
				case value[-l] || l == unit:
				case unit == 0:
					unit = l
				default:
					continue next
				}
			}
			if unit == 0 {
				return value, true
			}
			value[unit] = true
			progress = true
		}
	}
	return value, false
}

// rat reports whether each resolvent of lemma upon its first literal has RUP.
func (k *checker) rat(lemma []int32) bool {
	if len(lemma) == 0 {
		return false
	}
	for _, c := range k.clauses {
		if at := slices.Index(c, -lemma[0]); at >= 0 {
			if !k.rup(slices.Concat(lemma, c[:at], c[at+1:])) {
				return false
			}
		}
	}
	return true
}

// add checks a lemma and takes it up.
func (k *checker) add(lemma []int32) error {
	if !k.rup(lemma) && !k.rat(lemma) {
		return fmt.Errorf("lemma %d follows neither by RUP nor by RAT", lemma)
	}
	k.clauses = append(k.clauses, slices.Clone(lemma))
	return nil
}

// delete takes away a lemma, which must be there. The order of its literals does not matter.
func (k *checker) delete(lemma []int32) error {
	if i := indexOfClause(k.clauses[k.input:], lemma); i >= 0 {
		k.clauses = slices.Delete(k.clauses, k.input+i, k.input+i+1)
		return nil
	}
	return fmt.Errorf("deleted %d, which is no lemma", lemma)
}

// deleteInput takes away a clause of the input, which must be there.
func (k *checker) deleteInput(clause []int32) error {
	if i := indexOfClause(k.clauses[:k.input], clause); i >= 0 {
		k.clauses = slices.Delete(k.clauses, i, i+1)
		k.input--
		return nil
	}
	return fmt.Errorf("clause %d is obsolete, but is not in the input any more", clause)
}

// indexOfClause returns the place of the last clause with the literals of a clause, or −1.
func indexOfClause(clauses [][]int32, clause []int32) int {
	for i, c := range slices.Backward(clauses) {
		if len(c) == len(clause) && !slices.ContainsFunc(c, func(l int32) bool { return !slices.Contains(clause, l) }) {
			return i
		}
	}
	return -1
}

// refute returns an error unless the clauses with the negation of each of path, decided one
// after the other, are refuted by a tree of lemmas over the variables, all of which
// are checked. It is how a search without any reasoning completes the proof.
func (k *checker) refute(variables int, path []int32) error {
	if k.rup(path) {
		return k.add(path)
	}
	for v := int32(1); v <= int32(variables); v++ {
		if slices.Contains(path, v) || slices.Contains(path, -v) {
			continue
		}
		for _, l := range []int32{v, -v} {
			if err := k.refute(variables, append(slices.Clip(path), l)); err != nil {
				return err
			}
		}
		return k.add(path)
	}
	return fmt.Errorf("the assignment %d is not refuted", path)
}
