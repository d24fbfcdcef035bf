package gen

import "treesplit/sat"

// dpll is the smallest Davis–Putnam procedure that shows a formula's tree: branch on
// the first free literal of the first open clause, true before false, with or without
// unit propagation. It scans all clauses at each step and shares nothing with package
// sat's engines.
type dpll struct {
	formula   *sat.Formula
	propagate bool
	value     []int8 // by variable: 1 true, −1 false, 0 free
	trail     []int32
	nodes     int
	leaves    int
	models    int
	first     bool // stop at the first model
}

// search returns the procedure after it has gone through the whole tree, or to its
// first model.
func search(f *sat.Formula, propagate, first bool) *dpll {
	s := &dpll{formula: f, propagate: propagate, first: first, value: make([]int8, f.Variables+1)}
	s.visit()
	return s
}

// satisfiable decides a formula.
func satisfiable(f *sat.Formula) bool { return search(f, true, true).models > 0 }

func (s *dpll) literal(l int32) int8 {
	if l < 0 {
		return -s.value[-l]
	}
	return s.value[l]
}

func (s *dpll) set(l int32) {
	s.trail = append(s.trail, l)
	if l < 0 {
		s.value[-l] = -1
	} else {
		s.value[l] = 1
	}
}

func (s *dpll) visit() {
	s.nodes++
	mark := len(s.trail)
	branch, conflict := s.scan()
	switch {
	case conflict:
		s.leaves++
	case branch == 0:
		s.leaves++
		s.models++
	default:
		for _, l := range []int32{branch, -branch} {
			if s.first && s.models > 0 {
				break
			}
			before := len(s.trail)
			s.set(l)
			s.visit()
			s.undo(before)
		}
	}
	s.undo(mark)
}

func (s *dpll) undo(mark int) {
	for _, l := range s.trail[mark:] {
		s.value[max(l, -l)] = 0
	}
	s.trail = s.trail[:mark]
}

// scan propagates units if it is to, and returns the literal to branch on, 0 if no
// clause is open.
func (s *dpll) scan() (branch int32, conflict bool) {
	for changed := true; changed; {
		changed, branch = false, 0
		for _, clause := range s.formula.Clauses() {
			free, first := s.open(clause)
			switch {
			case free < 0:
				continue
			case free == 0:
				return 0, true
			case free == 1 && s.propagate:
				s.set(first)
				changed = true
			case branch == 0:
				branch = first
			}
		}
	}
	return branch, false
}

// open returns the number of free literals of a clause and the first of them, or −1 if
// the clause is satisfied.
func (s *dpll) open(clause []int32) (free int, first int32) {
	for _, l := range clause {
		switch s.literal(l) {
		case 1:
			return -1, 0
		case 0:
			if free == 0 {
				first = l
			}
			free++
		}
	}
	return free, first
}
