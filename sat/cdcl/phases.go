package cdcl

// Phases: the value that a decision tries first. A variable gets the value that it had last
// (phase saving). In stable mode it gets its value in the longest trail without a conflict since
// the last rephasing, the target, so that the search stays near an assignment that satisfies
// much. From time to time the saved phases are replaced by the first ones, their opposites, or
// the best ones seen. Sources: K. Pipatsrisawat, A. Darwiche, A Lightweight Component Caching
// Scheme for Satisfiability Solvers, SAT 2007 (saving); A. Biere, M. Fleury, Chasing Target Phases,
// Pragmatics of SAT 2020; S. Cai, X. Zhang, Deep Cooperation of CDCL and Local Search, SAT 2021.

// phases are the values that decisions try.
type phases struct {
	saved   []int8 // the last value of each variable, 1 or -1
	target  []int8 // 0: the target has no value for the variable
	best    []int8
	initial []int8 // the phases at the beginning

	targetSize, bestSize int  // number of variables with a value in them
	probing              bool // the trail belongs to a probe, not to the search: keep the phases
}

// addToPhases enters a new variable. drawn is a number from the seed, 0 without one.
func (s *Solver) addToPhases(drawn uint64) {
	first := firstPhase
	if drawn&1 != 0 {
		first = -first
	}
	s.saved, s.initial = append(s.saved, first), append(s.initial, first)
	s.target, s.best = append(s.target, 0), append(s.best, 0)
}

// firstPhase is the first value of all variables without a seed: false, as in MiniSat.
const firstPhase int8 = -1

// choosePhase returns the literal of an unassigned variable to decide.
func (s *Solver) choosePhase(v uint32) lit {
	phase := s.saved[v]
	if s.stable && s.target[v] != 0 {
		phase = s.target[v]
	}
	if phase < 0 {
		return v<<1 | 1
	}
	return v << 1
}

// noteTrail makes the first n literals of the trail, which are without a conflict, the target and
// the best phases, if there are more of them than ever.
func (s *Solver) noteTrail(n int) {
	if !s.stable {
		return
	}
	if n > s.targetSize {
		s.targetSize = n
		s.copyTrail(s.target, n)
	}
	if n > s.bestSize {
		s.bestSize = n
		s.copyTrail(s.best, n)
	}
}

// copyTrail stores the values of the first n literals of the trail.
func (s *Solver) copyTrail(to []int8, n int) {
	clear(to)
	for _, l := range s.trail[:n] {
		to[l>>1] = int8(1 - 2*int32(l&1))
	}
}

// rephase replaces the saved phases and forgets the target.
func (s *Solver) rephase() {
	s.backtrack(0)
	switch s.stats.Rephases % 6 {
	case 0, 4:
		copy(s.saved, s.initial)
	case 1:
		for v, phase := range s.initial {
			s.saved[v] = -phase
		}
	default:
		s.useBest()
	}
	clear(s.target)
	s.targetSize = 0
	s.stats.Rephases++
	s.rephaseAt = s.stats.Conflicts + s.tuning.rephase*(s.stats.Rephases+1)
}

// useBest makes the best phases the saved ones, and forgets them.
func (s *Solver) useBest() {
	for v, phase := range s.best {
		if phase != 0 {
			s.saved[v] = phase
		}
	}
	clear(s.best)
	s.bestSize = 0
}
