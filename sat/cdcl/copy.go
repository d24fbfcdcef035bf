package cdcl

// Copies. A search that needs many solvers of the same formula adds the formula once, and copies
// the solver. That takes one pass over its memory, without new watches, and no allocation if the
// target has been used before. This is possible because clauses and watches have no pointers; it is an idea of
// this program.

// CopyFrom makes the solver equal to another one, except for its Options.Proof. Both must have the
// same Options.Hints. It takes time proportional to the size of the other solver.
func (s *Solver) CopyFrom(o *Solver) {
	if s.extra != o.extra {
		panic("cdcl: a copy needs the same Options.Hints")
	}
	own := *s
	*s = *o
	s.options.Proof = own.options.Proof
	s.copyClauses(&own, o)
	s.copyAssignment(&own, o)
	s.copyOrder(&own, o)
	s.copyBuffers(&own, o)
	s.copyGauss(&own, o)
}

// copyClauses copies the clauses and their watches.
func (s *Solver) copyClauses(own, o *Solver) {
	s.arena = append(own.arena[:0], o.arena...)
	s.lists = append(own.lists[:0], o.lists...)
	s.pool = append(own.pool[:0], o.pool...)
	s.names = append(own.names[:0], o.names...)
	s.number = append(own.number[:0], o.number...)
}

// copyAssignment copies the trail and the assumptions.
func (s *Solver) copyAssignment(own, o *Solver) {
	s.values = append(own.values[:0], o.values...)
	s.vars = append(own.vars[:0], o.vars...)
	s.trail = append(own.trail[:0], o.trail...)
	s.control = append(own.control[:0], o.control...)
	s.assumed = append(own.assumed[:0], o.assumed...)
	s.failed = append(own.failed[:0], o.failed...)
	s.model = append(own.model[:0], o.model...)
}

// copyOrder copies what guides decisions.
func (s *Solver) copyOrder(own, o *Solver) {
	s.scores = append(own.scores[:0], o.scores...)
	s.heap = append(own.heap[:0], o.heap...)
	s.place = append(own.place[:0], o.place...)
	s.saved = append(own.saved[:0], o.saved...)
	s.target = append(own.target[:0], o.target...)
	s.best = append(own.best[:0], o.best...)
	s.initial = append(own.initial[:0], o.initial...)
}

// copyBuffers copies the memory of analyses and logs. Most of it is empty between calls.
func (s *Solver) copyBuffers(own, o *Solver) {
	s.lemma = append(own.lemma[:0], o.lemma...)
	s.marks = append(own.marks[:0], o.marks...)
	s.touched = append(own.touched[:0], o.touched...)
	s.bumped = append(own.bumped[:0], o.bumped...)
	s.levelStamp = append(own.levelStamp[:0], o.levelStamp...)
	s.scratch, s.short = own.scratch[:0], own.short[:0]
	s.candidates, s.occurrences = own.candidates[:0], own.occurrences
	s.line, s.hints = own.line[:0], own.hints[:0]
	s.unitID = append(own.unitID[:0], o.unitID...)
	s.binaries = append(own.binaries[:0], o.binaries...)
}
