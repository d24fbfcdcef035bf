package simplify

// A formula can be simplified in two steps: first by the techniques that help any search, and
// later, if a solver that learns clauses is chosen, by the others.

// SimplifyMore simplifies the formula of r by further techniques. The result leads back to the
// input of r, and its counts include the counts of r. opt.Lemma continues the proof of r. r does
// not change.
func (r *Result) SimplifyMore(opt Options) *Result {
	if r.Refuted {
		return r
	}
	opt.MaxVariable = max(opt.MaxVariable, r.MaxVariable)
	next := Run(r.Formula, opt)
	next.steps = append(r.steps[:len(r.steps):len(r.steps)], next.steps...)
	for i, s := range next.steps[len(r.steps):] {
		if s.r < always {
			next.steps[len(r.steps)+i].r -= lit(len(r.kept))
		}
	}
	next.kept = append(r.kept[:len(r.kept):len(r.kept)], next.kept...)
	next.Stats.add(r.Stats)
	return next
}

// add adds earlier counts. XORs stays the number of the last search for parities.
func (s *Stats) add(earlier Stats) {
	s.Rounds += earlier.Rounds
	s.Tautologies += earlier.Tautologies
	s.Units += earlier.Units
	s.Pure += earlier.Pure
	s.Subsumed += earlier.Subsumed
	s.Strengthened += earlier.Strengthened
	s.Failed += earlier.Failed
	s.Equivalent += earlier.Equivalent
	s.Sums += earlier.Sums
	s.XORUnits += earlier.XORUnits
	s.XORPairs += earlier.XORPairs
	s.XORTriples += earlier.XORTriples
	s.Skipped += earlier.Skipped
	s.Eliminated += earlier.Eliminated
	s.Gates += earlier.Gates
	s.Resolvents += earlier.Resolvents
	s.Vivified += earlier.Vivified
	s.Lemmas += earlier.Lemmas
}
