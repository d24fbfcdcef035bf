package cdcl

// Restarts and modes. In focused mode the solver restarts as soon as the LBD of the recent lemmas
// is larger than the average of all: a sign that the trail is bad. Each mode has its own
// averages, because lemmas of stable mode have larger LBD: with one average for both modes, restarts became rare and
// some searches took ten times as long. In stable mode the solver restarts
// rarely, after Luby's sequence (1 1 2 1 1 2 4 …) times a unit. The modes alternate. The
// first change is after 1000 conflicts; then each phase has as many ticks as the first one, times
// the square of its number, so that both modes get the same number of steps. Sources: M. Luby, A. Sinclair, D.
// Zuckerman 1993; D. Knuth, TAOCP 7.2.2.2 (reluctant doubling); Audemard, Simon, Refining
// Restarts Strategies for SAT and UNSAT, CP 2012; C. Oh, Between SAT and UNSAT, SAT 2015; A.
// Biere, CaDiCaL at the SAT Race 2019.

const (
	restartMargin   = 1.10 // recent LBD over the average LBD that causes a restart
	restartInterval = 2    // conflicts between restarts in focused mode, at least
)

// pace decides when to restart, change the mode, rephase, reduce and vivify.
type pace struct {
	stable bool

	recent, overall average    // LBD of lemmas in this mode
	other           [2]average // recent and overall of the other mode

	restartAt int64 // conflicts, in focused mode
	luby      reluctant

	modeChanges int64
	modeAt      int64 // ticks of the next change; before the first change, unused
	modeLength  int64 // ticks of the first phase

	rephaseAt  int64 // conflicts
	reduceAt   int64 // conflicts
	vivifyDone int64 // ticks spent on vivification
}

// reluctant is Knuth's generator of Luby's sequence.
type reluctant struct {
	u, v  int64
	count int64 // conflicts until the next restart
}

// beginPace sets the first limits.
func (s *Solver) beginPace() {
	s.recent, s.overall = average{weight: 1.0 / 33}, average{weight: 1e-5}
	s.other = [2]average{s.recent, s.overall}
	s.luby = reluctant{1, 1, s.tuning.luby}
	s.rephaseAt, s.reduceAt = s.tuning.rephase, s.tuning.reduce
}

// noteConflict updates the averages by the LBD of a lemma.
func (s *Solver) noteConflict(lbd uint32) {
	s.recent.add(float64(lbd))
	s.overall.add(float64(lbd))
	s.luby.count--
}

// isRestartDue reports whether the trail should be given up.
func (s *Solver) isRestartDue() bool {
	switch {
	case s.level() <= len(s.assumed):
		return false
	case s.stable:
		return s.luby.count <= 0
	}
	return s.stats.Conflicts >= s.restartAt && s.recent.value > float64(restartMargin*s.overall.value)
}

// restart gives up the trail, except the assumptions and the decisions that would come again.
func (s *Solver) restart() {
	s.stats.Restarts++
	s.noteTrail(s.assigned)
	s.restartAt = s.stats.Conflicts + restartInterval
	if s.luby.count <= 0 {
		s.luby.advance(s.tuning.luby)
	}
	s.backtrack(s.reusableLevel())
	if s.isModeOver() {
		s.changeMode()
	}
}

// reusableLevel returns the level up to which all decisions precede the next variable. Source: P.
// van der Tak, A. Ramos, M. Heule, Reusing the Assignment Trail in CDCL Solvers, JSAT 7 (2011).
func (s *Solver) reusableLevel() int {
	level := min(len(s.assumed), s.level())
	if s.assigned == len(s.names) {
		return level
	}
	next := s.nextVariable()
	for level < s.level() && s.scores[s.trail[s.control[level]]>>1] > s.scores[next] {
		level++
	}
	return level
}

// isModeOver reports whether the other mode should begin.
func (s *Solver) isModeOver() bool {
	if s.modeChanges == 0 {
		return s.stats.Conflicts >= s.tuning.firstMode
	}
	return s.stats.Ticks >= s.modeAt
}

// changeMode begins the other mode.
func (s *Solver) changeMode() {
	if s.modeChanges == 0 {
		s.modeLength = s.stats.Ticks
	}
	s.modeChanges++
	n := s.modeChanges/2 + 1
	s.modeAt = s.stats.Ticks + s.modeLength*n*n
	s.stable = !s.stable
	s.recent, s.overall, s.other = s.other[0], s.other[1], [2]average{s.recent, s.overall}
	s.luby = reluctant{1, 1, s.tuning.luby}
	s.backtrack(0)
	clear(s.target)
	s.targetSize = 0
}

// advance begins the next interval.
func (r *reluctant) advance(unit int64) {
	if r.u&-r.u == r.v {
		r.u, r.v = r.u+1, 1
	} else {
		r.v *= 2
	}
	r.count = r.v * unit
}

// average is an exponential moving average. Its first values count more, so that it does not
// depend on where it begins.
type average struct {
	value  float64
	weight float64 // of a new value, at the end
	count  float64
}

// add takes a value into the average.
func (a *average) add(x float64) {
	a.count++
	a.value += float64(max(a.weight, 1/a.count) * (x - a.value))
}
