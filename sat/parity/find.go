// Package parity reasons about parities: sums of variables modulo 2 that a formula requires to be
// odd or even. It finds parities among clauses (find.go), keeps the parities that unit propagation
// does not already use completely (component.go), eliminates variables by Gauss-Jordan elimination
// during a search (matrix.go), and derives clauses of sums (sum.go). It knows no solver: sat/simplify
// and sat/cdcl use it.
package parity

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

// MaxSize is the largest number of variables of a parity that is searched for.
const MaxSize = 8

// Literal is a literal: 2·variable, plus 1 if it is negated.
type Literal interface{ ~int32 | ~uint32 }

// Parity means that the sum of its variables is odd, or even.
type Parity struct {
	Variables []int32 // ascending
	Odd       bool
	// By has, for each assignment of the wrong parity, a clause that excludes it. Bit i of an assignment
	// is the value of Variables[i].
	By []Excluder
}

// Excluder is a clause of variables of a parity.
type Excluder struct {
	Clause int32
	Has    uint8 // bit i: the clause has Variables[i]
}

// finder is the state of Find.
type finder[L Literal] struct {
	clauses int
	clause  func(i int) []L
	work    *int
	found   []Parity
	group   group[L] // of gatherGroup
}

// signature is a clause with the sum of its variables' hashes.
type signature struct {
	hash   uint64
	clause int32
}

// group is a set of clauses with the same variables.
type group[L Literal] struct {
	variables []int32    // ascending
	excluded  []bool     // by assignment: a clause excludes it
	by        []Excluder // by assignment: the first such clause
}

// reset gives the group the variables of a clause, and no excluded assignment. It keeps the buffers.
func (g *group[L]) reset(clause []L) {
	g.variables = g.variables[:0]
	for _, l := range clause {
		g.variables = append(g.variables, int32(l>>1))
	}
	slices.Sort(g.variables)
	all := 1 << len(clause)
	g.excluded = append(g.excluded[:0], make([]bool, all)...)
	g.by = append(g.by[:0], make([]Excluder, all)...)
}

// Find returns the parities among the clauses 0 to n-1, and the rest of the work. clause returns the
// literals of a clause, in any order and without repeated variables. Its result is valid until the
// next call. A step of the work is about one visited literal; Find stops completing parities when
// there is none left.
func Find[L Literal](n int, clause func(i int) []L, work *int) []Parity {
	s := &finder[L]{clauses: n, clause: clause, work: work}
	incomplete := []group[L]{}
	candidates := s.candidates()
	for len(candidates) > 0 {
		n := 1
		for n < len(candidates) && candidates[n].hash == candidates[0].hash {
			n++
		}
		count := s.gatherGroup(candidates[:n])
		candidates = candidates[n:]
		if g := &s.group; count >= minClauses(len(g.variables)) && !s.enterParities(g) && len(g.variables) > 2 {
			incomplete = append(incomplete, group[L]{slices.Clone(g.variables), slices.Clone(g.excluded), slices.Clone(g.by)})
		}
	}
	if len(incomplete) > 0 {
		index := s.signatures(func(uint64, int) bool { return true })
		for i := range incomplete {
			s.completeGroup(&incomplete[i], index)
			s.enterParities(&incomplete[i])
		}
	}
	return s.found
}

// minClauses returns the smallest number of clauses of k variables that are taken for a parity.
func minClauses(k int) int { return max(2, 1<<k>>2) }

// HashVariable returns the hash of a variable.
func HashVariable(v int32) uint64 { return splitmix.Mix(uint64(v+1) * splitmix.Golden) }

// signatures returns the clauses of 2 to MaxSize literals that keep accepts, sorted by hash.
func (s *finder[L]) signatures(keep func(hash uint64, size int) bool) []signature {
	list := []signature{}
	for c := range s.clauses {
		clause := s.clause(c)
		if len(clause) < 2 || len(clause) > MaxSize {
			continue
		}
		if h := hashClause(clause); keep(h, len(clause)) {
			list = append(list, signature{h, int32(c)})
		}
	}
	*s.work -= len(list) * bits.Len(uint(len(list)))
	slices.SortFunc(list, func(a, b signature) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.clause, b.clause))
	})
	return list
}

func hashClause[L Literal](clause []L) (h uint64) {
	for _, l := range clause {
		h += HashVariable(int32(l >> 1))
	}
	return h
}

// candidates returns the clauses that share their variables with enough other clauses, and a few
// more.
func (s *finder[L]) candidates() []signature {
	shift := 64 - bits.Len(uint(8*s.clauses))
	table := make([]uint8, 1<<(64-shift))
	for c := range s.clauses {
		clause := s.clause(c)
		if len(clause) < 2 || len(clause) > MaxSize {
			continue
		}
		if n := &table[hashClause(clause)>>shift]; *n < 255 {
			*n++
		}
	}
	return s.signatures(func(h uint64, size int) bool { return int(table[h>>shift]) >= minClauses(size) })
}

// gatherGroup makes s.group of the clauses that have the variables of the first clause, and counts
// them. Clauses with the same hash but other variables are rare and are skipped.
func (s *finder[L]) gatherGroup(same []signature) (count int) {
	g := &s.group
	if len(same) < 2 {
		return 0
	}
	g.reset(s.clause(int(same[0].clause)))
	for _, x := range same {
		if clause := s.clause(int(x.clause)); len(clause) == len(g.variables) && g.excludeByClause(clause, x.clause) {
			count++
		}
	}
	return count
}

// excludeByClause records the assignments that clause number c excludes. It reports whether the
// variables of the clause are variables of the group.
func (g *group[L]) excludeByClause(clause []L, c int32) bool {
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
		if b := truths | free; !g.excluded[b] {
			g.excluded[b], g.by[b] = true, Excluder{c, uint8(fixed)}
		}
		if free == 0 {
			return true
		}
	}
}

// completeGroup adds the assignments that clauses of fewer variables of the group exclude.
func (s *finder[L]) completeGroup(g *group[L], index []signature) {
	all := 1<<len(g.variables) - 1
	*s.work -= all * bits.Len(uint(len(index)))
	for set := 1; set < all; set++ {
		h := uint64(0)
		for b := set; b != 0; b &= b - 1 {
			h += HashVariable(g.variables[bits.TrailingZeros(uint(b))])
		}
		i, _ := slices.BinarySearchFunc(index, h, func(x signature, h uint64) int { return cmp.Compare(x.hash, h) })
		for ; i < len(index) && index[i].hash == h && *s.work > 0; i++ {
			g.excludeByClause(s.clause(int(index[i].clause)), index[i].clause)
			*s.work--
		}
	}
}

// enterParities adds the parities of the group; a group can have both parities.
func (s *finder[L]) enterParities(g *group[L]) (complete bool) {
	var missing [2]bool // an assignment of this parity is not excluded
	all := 1 << len(g.variables)
	for b := range all {
		if !g.excluded[b] {
			missing[bits.OnesCount(uint(b))&1] = true
		}
	}
	for parity := range missing {
		if !missing[parity] {
			s.found = append(s.found, Parity{slices.Clone(g.variables), parity == 0, slices.Clone(g.by[:all])})
			complete = true
		}
	}
	return complete
}
