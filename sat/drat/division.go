package drat

// division tells how a proof is divided into parts that several workers check.
type division struct {
	alone     int64 // plain bytes of the proof that one worker checks before the others begin
	partSteps int   // the most steps of a part
	partSize  int   // a part ends after the step with which it has this many literals and hints
	waiting   int   // parts are read as long as those in the queue have fewer literals and hints
}

// usualDivision is right for most proofs. A worker takes a few microseconds for a part that it does
// not check, and milliseconds for one that it checks. A proof that ends within the first bytes takes
// less than 10 ms on one core.
var usualDivision = division{alone: 1 << 18, partSteps: 1 << 10, partSize: 1 << 16, waiting: 1 << 24}

// part is a number of consecutive steps of a proof, with the result of their check.
type part struct {
	options  Options
	steps    []partStep
	literals []literal // of all steps, without repetitions
	numbers  []int32   // the same as in the proof
	hints    []int64   // of all steps, in LRAT
	clauses  []ref     // the clauses of the hints, or none
	arena    []int32   // of these clauses
	before   int32     // variables of the formula and of the steps before the part
	seen     int32     // and of the steps of the part
	binary   bool

	// What ends the check at the last step, if it does not end earlier.
	refusal string // the reason for refusing the step; LRAT
	err     error  // the step cannot be applied
	late    bool   // err comes after the check of the step

	// The result. The report has the counts of the part alone.
	report   Report
	failure  error
	refuted  bool
	at       int   // the step with which the check ended, otherwise the last one
	lastSeen int32 // variables of the formula and of the steps up to this one
}

// partStep is a step of a part.
type partStep struct {
	place
	end      int64 // the last line, in a binary proof the byte after the step
	deletion bool
	literals int32 // where its literals end
	numbers  int32
	hash     uint32
	mate     int32 // the deletion, in the same part, of this lemma, or the lemma of this deletion; or none

	id      int64 // of a lemma in LRAT
	hints   int32 // where its hints end
	occurs  int32 // clauses with the negation of the first literal
	deleted int32 // numbers of a deletion in LRAT
	missing int32 // deletions of clauses that do not exist
}

// clause returns the literals of step i.
func (k *part) clause(i int) []literal {
	if i == 0 {
		return k.literals[:k.steps[0].literals]
	}
	return k.literals[k.steps[i-1].literals:k.steps[i].literals]
}

// line returns the literals of step i as in the proof.
func (k *part) line(i int) []int32 {
	if i == 0 {
		return k.numbers[:k.steps[0].numbers]
	}
	return k.numbers[k.steps[i-1].numbers:k.steps[i].numbers]
}

// size returns the number of literals and hints.
func (k *part) size() int { return len(k.numbers) + len(k.hints) }

// isFull reports whether the part ends here.
func (k *part) isFull(d division) bool { return len(k.steps) >= d.partSteps || k.size() >= d.partSize }

// addStep adds the step that a parser has read last, with the current clause of a normaliser.
func (k *part) addStep(p *parser, n *normaliser) *partStep {
	k.literals = append(k.literals, n.clause...)
	k.numbers = append(k.numbers, p.literals...)
	k.steps = append(k.steps, partStep{
		place: p.stepPlace(), end: p.lastPlace(), deletion: p.deletion, hash: n.hash, mate: none,
		literals: int32(len(k.literals)), numbers: int32(len(k.numbers)),
	})
	return &k.steps[len(k.steps)-1]
}

// stepHints returns the hints of step i and their clauses.
func (k *part) stepHints(i int) ([]int64, []ref) {
	start := int32(0)
	if i > 0 {
		start = k.steps[i-1].hints
	}
	return k.hints[start:k.steps[i].hints], k.clauses[start:k.steps[i].hints]
}

// lastVariable returns the number of variables after a clause, if there were some before.
func lastVariable(before int32, clause []literal) int32 {
	for _, l := range clause {
		before = max(before, l>>1)
	}
	return before
}

// isInterrupted asks, at some steps, whether to end the check. The part then fails. So the check ends at the
// first part that is not complete, and not after all parts that were read.
func (k *part) isInterrupted() bool {
	if k.options.interruptedAt(int64(k.at)) {
		k.failure = ErrInterrupted
	}
	return k.failure != nil
}

// hasEnded reports whether the check ends with this part.
func (k *part) hasEnded() bool { return k.refuted || k.failure != nil || k.report.Refusal != "" }
