package drat

// Mode is the order in which the lemmas of a proof are checked.
type Mode string

const (
	// Forward checks every lemma, in the order of the proof, in memory for the clauses that exist
	// at one time.
	Forward Mode = "forward"
	// Backward reads the whole proof and checks the lemmas that the refutation needs, from the
	// last to the first. A proof is verified even if a lemma that is not needed does not hold.
	Backward Mode = "backward"
	// Auto checks backward. It checks forward if the proof takes more memory than backward
	// checking may use, or if its lemmas are those of a tree search.
	Auto Mode = "auto"
)

// Options control a Check. The zero value suits most callers.
type Options struct {
	// Mode is the order in which lemmas are checked. The empty string means Forward.
	Mode Mode
	// Progress, if not nil, is called every ProgressSteps steps with the counts so far.
	Progress func(Report)
}

// ProgressSteps is the number of steps of a proof between two calls of Progress.
const ProgressSteps = 1 << 12

// Report is the result of a check.
type Report struct {
	// Verified means that the empty clause was derived: the formula is unsatisfiable.
	Verified bool
	// Refusal gives the place and the reason of a refusal, as "line 12: ..." or "step 5 (byte
	// 31): ...". It is empty for a verified proof.
	Refusal string
	// Step is the number of the step, from 1, that derived the empty clause or was refused. It is
	// 0 if unit propagation alone refutes the formula. A proof that ends too early is refused at
	// its last step.
	Step int64
	// Line is the line of that step, from 1, in a text proof, and 0 in a binary one.
	Line int64
	// Offset is the position of the step's first byte in the plain proof.
	Offset int64
	// Binary means that the proof is in the binary format.
	Binary bool

	// Backward means that the proof was read to its end and then checked backward.
	Backward bool

	Lemmas    int64 // lemmas up to the last step that was applied
	Checked   int64 // lemmas checked, including the last
	RAT       int64 // lemmas that are not implied by unit propagation
	Deletions int64 // deletions read, up to Step
	Ignored   int64 // deletions of clauses that are unit at the top level
	Missing   int64 // deletions of missing clauses
	// CoreClauses is the number of clauses of the formula that a backward check marked. They are
	// unsatisfiable.
	CoreClauses int64
	Undone      int64 // steps that a backward check has undone so far
	Unused      int64 // steps after the one that derived the empty clause
	// Extensions is the number of variables that occur in the steps but not in the clauses of the
	// formula.
	Extensions int
}
