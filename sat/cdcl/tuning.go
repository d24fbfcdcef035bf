package cdcl

// tuning holds the intervals of all techniques, in one place. Callers cannot change them: tests
// make them short, so that formulas that a truth table decides reach every technique. Most values are the defaults of
// CaDiCaL (A. Biere and others); docs/lab-notes.md has the measurements behind the others.
type tuning struct {
	firstMode   int64 // conflicts before the first change of the mode
	luby        int64 // conflicts of the shortest interval in stable mode
	rephase     int64 // conflicts between rephasings, grows by as much each time
	reduce      int64 // conflicts between reductions, grows by as much each time
	vivifyShare int64 // percent of the ticks of the search that vivification may take
	freeSteps   int64 // steps of a matrix of parities after its elimination before it must have been used
	garbage     int   // words of former reasons in the arena before they are removed
}

var defaultTuning = tuning{
	firstMode:   1000,
	luby:        1024,
	rephase:     1000,
	reduce:      150,
	vivifyShare: 10,
	freeSteps:   1 << 18,
	garbage:     1 << 18,
}

// stage is a moment at which tests damage the solver, to see that they notice.
type stage int8

const (
	beginning stage = iota // of a search
	minimized              // the lemma is complete, except for strengthening
	learnt                 // the lemma is logged, entered and has forced its literal
)

// inject calls the function that a test has set.
func (s *Solver) inject(at stage) {
	if s.fault != nil {
		s.fault(at)
	}
}
