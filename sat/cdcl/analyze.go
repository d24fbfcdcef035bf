package cdcl

// Conflict analysis. The conflict is resolved with the reasons of its literals, backwards along
// the trail, until one literal of the current level is left: the first unique implication point.
// The resolvent is the lemma. It is implied by the formula alone, because assumptions are
// decisions like others. Sources: J. Marques-Silva, K. Sakallah, GRASP, IEEE Trans. Computers 48
// (1999); L. Zhang et al., Efficient Conflict Driven Learning, ICCAD 2001.

// analysis is the state of the analysis of one conflict.
type analysis struct {
	lemma    []lit // the lemma; lemma[0] is the negated first unique implication point
	lemmaLBD uint32
	taught   bool     // the last Continue has ended with the conflict of the lemma
	marks    []uint8  // of each variable, see below
	touched  []uint32 // variables with a mark
	bumped   []uint32 // resolved upon, in the lemma before minimisation, or after shrinking

	levelStamp []uint32 // of each level: the last stamp that found it
	stamp      uint32

	scratch, short []lit    // buffers
	candidates     []uint64 // buffer of reduce, vivify and shrinkLemma
	occurrences    []int32  // buffer of vivify
}

// The marks of a variable.
const (
	seenMark      = 1 << iota // in the resolvent now or before
	removableMark             // minimisation: implied by the rest of the lemma
	poisonMark                // minimisation: not implied
	lemmaMark                 // in the lemma, for hints.go
	neededMark                // its reason is a hint, for hints.go
	shrinkMark                // shrinking: in the resolvent of its level now or before
)

// addToAnalysis makes room for one more variable.
func (s *Solver) addToAnalysis() {
	s.marks = append(s.marks, 0)
	s.levelStamp = append(s.levelStamp, 0)
}

// analyze computes the lemma of a conflict above level 0.
func (s *Solver) analyze(conflict ref) {
	s.lemma = append(s.lemma[:0], 0)
	open, at := 0, s.assigned
	reason, pivot := conflict, s.conflictLit
	if conflict < binaryFlag {
		pivot = ^lit(0)
	} else {
		open += s.markLiteral(pivot)
	}
	for {
		open += s.markReason(reason, pivot)
		at--
		for s.marks[s.trail[at]>>1]&seenMark == 0 {
			at--
		}
		pivot = s.trail[at]
		if open--; open == 0 {
			break
		}
		reason = s.reasonOf(pivot)
	}
	s.lemma[0] = pivot ^ 1
}

// markReason marks the literals of a clause except the pivot, and returns how many of them became
// open: they are new and of the current level.
func (s *Solver) markReason(reason ref, pivot lit) (open int) {
	if reason >= binaryFlag {
		return s.markLiteral(lit(reason &^ binaryFlag))
	}
	if s.arena[reason+1]&learntFlag != 0 {
		s.noteUse(reason)
	}
	for _, l := range s.literals(reason) {
		if l != pivot {
			open += s.markLiteral(l)
		}
	}
	return open
}

// markLiteral marks a false literal. It returns 1 if the literal is new and of the current level.
func (s *Solver) markLiteral(l lit) int {
	v := l >> 1
	level := s.vars[v].level
	if s.marks[v] != 0 || level == 0 {
		return 0
	}
	s.marks[v] = seenMark
	s.touched = append(s.touched, uint32(v))
	if int(level) == len(s.control) {
		return 1
	}
	s.lemma = append(s.lemma, l)
	return 0
}

// clearMarks ends an analysis.
func (s *Solver) clearMarks() {
	for _, v := range s.touched {
		s.marks[v] = 0
	}
	s.touched = s.touched[:0]
}

// nextStamp returns a stamp that no level has.
func (s *Solver) nextStamp() uint32 {
	s.stamp++
	if s.stamp == 0 {
		clear(s.levelStamp)
		s.stamp = 1
	}
	return s.stamp
}

// computeLBD returns the number of different levels of the lemma, at least 1. Levels of assumptions
// count: a lemma over many of them holds in few other cubes, and would stay for ever if they did not.
// Source: G. Audemard, L. Simon, Predicting Learnt Clauses Quality in Modern SAT Solvers, IJCAI 2009.
// Audemard, Lagniez and Simon (Improving Glucose for Incremental SAT Solving with Assumptions, SAT 2013)
// leave levels of assumptions out, because their assumptions are the same in all calls.
func (s *Solver) computeLBD(clause []lit) uint32 { return s.countLevels(clause, 0) }

// countLevels returns the number of different levels of a clause above a level, at least 1.
func (s *Solver) countLevels(clause []lit, above int) uint32 {
	stamp, n := s.nextStamp(), uint32(0)
	for _, l := range clause {
		level := s.vars[l>>1].level
		if int(level) > above && s.levelStamp[level] != stamp {
			s.levelStamp[level] = stamp
			n++
		}
	}
	return max(n, 1)
}
