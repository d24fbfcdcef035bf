package simplify

import (
	"cmp"
	"math/bits"
	"slices"

	"treesplit/internal/splitmix"
)

// Finding parities: x1 ⊕ … ⊕ xk = b is equivalent to 2^(k−1) clauses of the same k variables,
// which exclude the assignments of the wrong parity. A clause of some of the variables excludes
// several assignments at once. So a parity is found even after some of its clauses were
// shortened, if half of the others remain.
//
// Clauses with the same variables are grouped by a sum of hashes of their variables. A first pass
// over a table of small counters excludes clauses that cannot belong to a parity, which are
// almost all in most formulas. The remaining clauses are sorted and compared exactly.
//
// Source: M. Soos, K. Nohl, C. Castelluccia, Extending SAT Solvers to Cryptographic
// Problems, SAT 2009, for the search and for the shortened clauses.

// maxParity is the largest number of variables of a parity that is searched for. The negated
// variables are the bits of a byte.
const maxParity = 8

// signature is a clause with the sum of its variables' hashes.
type signature struct {
	hash   uint64
	clause int32
}

// group is a set of clauses with the same variables.
type group struct {
	variables []int32   // ascending
	excluded  [4]uint64 // bit b: the assignment that makes exactly the variables of b true is excluded
}

// findParities returns the parities among the clauses.
func (s *simplifier) findParities() *system {
	found := &system{}
	incomplete := []group{}
	candidates := s.candidates()
	for len(candidates) > 0 {
		n := 1
		for n < len(candidates) && candidates[n].hash == candidates[0].hash {
			n++
		}
		g, count := s.gatherGroup(candidates[:n])
		candidates = candidates[n:]
		if count >= minParityClauses(len(g.variables)) && !found.enterParities(&g) && len(g.variables) > 2 {
			incomplete = append(incomplete, g)
		}
	}
	if len(incomplete) > 0 {
		index := s.signatures(func(uint64, int) bool { return true })
		for i := range incomplete {
			s.completeGroup(&incomplete[i], index)
			found.enterParities(&incomplete[i])
		}
	}
	return found
}

// minParityClauses returns the smallest number of clauses of k variables that are taken for a
// parity.
func minParityClauses(k int) int { return max(2, 1<<k>>2) }

// hashVariable returns the hash of a variable.
func hashVariable(v int32) uint64 { return splitmix.Mix(uint64(v+1) * splitmix.Golden) }

// signatures returns the clauses of 2 to maxParity literals that keep accepts, sorted by hash.
func (s *simplifier) signatures(keep func(hash uint64, size int) bool) []signature {
	list := []signature{}
	for c, at := range s.clauses {
		if at.size < 2 || at.size > maxParity {
			continue
		}
		if h := s.hashClause(c); keep(h, int(at.size)) {
			list = append(list, signature{h, int32(c)})
		}
	}
	s.work.xor -= len(list) * bits.Len(uint(len(list)))
	slices.SortFunc(list, func(a, b signature) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.clause, b.clause))
	})
	return list
}

func (s *simplifier) hashClause(c int) (h uint64) {
	for _, l := range s.clauseLiterals(c) {
		h += hashVariable(int32(l >> 1))
	}
	return h
}

// candidates returns the clauses that share their variables with enough other clauses, and a few
// more.
func (s *simplifier) candidates() []signature {
	shift := 64 - bits.Len(uint(8*len(s.clauses)))
	table := make([]uint8, 1<<(64-shift))
	for c, at := range s.clauses {
		if at.size < 2 || at.size > maxParity {
			continue
		}
		if n := &table[s.hashClause(c)>>shift]; *n < 255 {
			*n++
		}
	}
	return s.signatures(func(h uint64, size int) bool { return int(table[h>>shift]) >= minParityClauses(size) })
}

// gatherGroup makes a group of the clauses that have the variables of the first clause, and
// counts them. Clauses with the same hash but other variables are rare and are skipped.
func (s *simplifier) gatherGroup(same []signature) (g group, count int) {
	if len(same) < 2 {
		return g, 0
	}
	for _, l := range s.clauseLiterals(int(same[0].clause)) {
		g.variables = append(g.variables, int32(l>>1))
	}
	slices.Sort(g.variables)
	for _, x := range same {
		if clause := s.clauseLiterals(int(x.clause)); len(clause) == len(g.variables) && g.excludeByClause(clause) {
			count++
		}
	}
	return g, count
}

// excludeByClause records the assignments that a clause excludes. It reports whether the
// variables of the clause are variables of the group.
func (g *group) excludeByClause(clause []lit) bool {
	fixed, truths := 0, 0
	for _, l := range clause {
		at, ok := slices.BinarySearch(g.variables, int32(l>>1))
		if !ok {
			return false
		}
		fixed |= 1 << at
		truths |= int(l&1) << at
	}
	all := 1<<len(g.variables) - 1
	for free := all &^ fixed; ; free = (free - 1) & (all &^ fixed) {
		b := truths | free
		g.excluded[b>>6] |= 1 << (b & 63)
		if free == 0 {
			return true
		}
	}
}

// completeGroup adds the assignments that clauses of fewer variables of the group exclude.
func (s *simplifier) completeGroup(g *group, index []signature) {
	all := 1<<len(g.variables) - 1
	s.work.xor -= all * bits.Len(uint(len(index)))
	for set := 1; set < all; set++ {
		h := uint64(0)
		for b := set; b != 0; b &= b - 1 {
			h += hashVariable(g.variables[bits.TrailingZeros(uint(b))])
		}
		i, _ := slices.BinarySearchFunc(index, h, func(x signature, h uint64) int { return cmp.Compare(x.hash, h) })
		for ; i < len(index) && index[i].hash == h && s.work.xor > 0; i++ {
			g.excludeByClause(s.clauseLiterals(int(index[i].clause)))
			s.work.xor--
		}
	}
}

// enterParities adds the parities of the group to the system; a group can have both parities.
func (y *system) enterParities(g *group) (complete bool) {
	var missing [2]bool // an assignment of this parity is not excluded
	for b := range 1 << len(g.variables) {
		if g.excluded[b>>6]>>(b&63)&1 == 0 {
			missing[bits.OnesCount(uint(b))&1] = true
		}
	}
	for parity := range missing {
		if !missing[parity] {
			y.appendRow(row{odd: parity == 0, a: -1, b: -1, forms: forms{short: true}}, g.variables)
			complete = true
		}
	}
	return complete
}
