package cdcl

import (
	"slices"
	"strconv"

	"treesplit/internal/splitmix"
	"treesplit/sat"
)

// Variables and clauses of the caller. The caller's variables are DIMACS numbers. The solver
// numbers the variables that occur, so that its memory depends on them and not on the largest
// number in a header. A clause enters without repeated literals and without literals that are
// false at level 0. A clause that is true at level 0, or has complementary literals, is omitted. So no
// technique meets such clauses when they are added. Source: N. Eén, N. Sörensson, An Extensible SAT-solver, SAT 2003.

// AddFormula adds all clauses of a formula.
func (s *Solver) AddFormula(f *sat.Formula) {
	for _, v := range sat.VariableNamesOf(f) {
		s.literalOf(v)
	}
	first := s.nextID + 1
	s.nextID += uint64(f.Len())
	for i, clause := range f.Clauses() {
		s.addClause(clause, first+uint64(i))
	}
}

// AddClause adds a clause of DIMACS literals. It panics on a literal that is out of range, which
// is an error of the caller.
func (s *Solver) AddClause(clause ...int32) {
	s.nextID++
	s.addClause(clause, s.nextID)
}

// AddLearnt adds a clause of DIMACS literals that follows from the other clauses, such as a clause that
// another solver of the same formula has learnt. It may be deleted like the solver's own learnt
// clauses. It panics on a literal that is out of range. The solver must not have assumptions.
func (s *Solver) AddLearnt(clause ...int32) {
	s.nextID++
	s.addWith(clause, s.nextID, learntFlag|usedFlag|uint32(min(len(clause), tier2LBD)))
}

// addClause adds the clause of the formula with an id.
func (s *Solver) addClause(clause []int32, id uint64) { s.addWith(clause, id, 0) }

// addWith adds the clause with an id, in the state that storeClause gives it.
func (s *Solver) addWith(clause []int32, id uint64, state uint32) {
	s.backtrack(0)
	s.taught = false
	s.scratch = s.scratch[:0]
	for _, l := range clause {
		s.scratch = append(s.scratch, s.literalOf(l))
	}
	if s.refuted || s.isTrivial() {
		return
	}
	short := s.dropFalse()
	if len(short) < len(clause) {
		id = s.logShortened(short, s.scratch, id)
	}
	s.enterClause(short, id, state)
}

// isTrivial sorts the new clause, removes repeated literals, and reports whether the clause is
// always true.
func (s *Solver) isTrivial() bool {
	slices.Sort(s.scratch)
	s.scratch = slices.Compact(s.scratch)
	for i, l := range s.scratch {
		if s.values[l] > 0 || i > 0 && s.scratch[i-1] == l^1 {
			return true
		}
	}
	return false
}

// dropFalse returns the literals of the new clause that are not false at level 0.
func (s *Solver) dropFalse() []lit {
	short := s.short[:0]
	for _, l := range s.scratch {
		if s.values[l] == 0 {
			short = append(short, l)
		}
	}
	s.short = short
	return short
}

// enterClause makes a clause of unassigned literals, at level 0, part of the formula or of the learnt
// clauses.
func (s *Solver) enterClause(clause []lit, id uint64, state uint32) {
	switch len(clause) {
	case 0:
		s.refuted = true
	case 1:
		s.assign(clause[0], none)
		s.noteUnit(clause[0], id)
	default:
		s.added = s.added || state == 0
		s.watchClause(s.storeClause(clause, state, id))
	}
}

// literalOf returns the literal of a DIMACS number. It makes new variables.
func (s *Solver) literalOf(dimacs int32) lit {
	v := int(max(dimacs, -dimacs))
	if v <= 0 || v > sat.MaxVariables {
		panic("cdcl: literal " + strconv.Itoa(int(dimacs)) + " out of range")
	}
	for v >= len(s.number) {
		s.number = append(s.number, make([]int32, v+1-len(s.number))...)
	}
	if s.number[v] == 0 {
		s.addVariable(int32(v))
	}
	l := lit(s.number[v]-1) << 1
	if dimacs < 0 {
		l++
	}
	return l
}

// addVariable numbers a variable and makes room for it in all tables.
func (s *Solver) addVariable(name int32) {
	s.names = append(s.names, name)
	s.number[name] = int32(len(s.names))
	s.values = append(s.values, 0, 0)
	s.vars = append(s.vars, variable{})
	s.trail = append(s.trail, 0)
	s.lists = append(s.lists, list{}, list{})
	s.addToAnalysis()
	s.addToPhases(s.drawNumber(name, 1))
	s.addToOrder(s.drawNumber(name, 2))
	s.addToLog()
	if s.places != nil {
		s.places = append(s.places, place{-1, -1})
	}
}

// drawNumber returns a number from the seed and the variable, 0 without a seed.
func (s *Solver) drawNumber(name int32, purpose uint64) uint64 {
	if s.options.Seed == 0 {
		return 0
	}
	return splitmix.Next(splitmix.Next(s.options.Seed) ^ uint64(name)<<2 ^ purpose)
}

// dimacs returns the DIMACS number of a literal.
func (s *Solver) dimacs(l lit) int32 {
	if l&1 != 0 {
		return -s.names[l>>1]
	}
	return s.names[l>>1]
}
