package workloads

import (
	"fmt"
	"io"
	"iter"
	"sync/atomic"

	"treesplit/internal/outfile"
	"treesplit/run"
	"treesplit/run/proofs"
	"treesplit/sat"
	"treesplit/sat/cubes"
	"treesplit/sat/portfolio"
	"treesplit/sat/proof"
	"treesplit/sat/simplify"
	"treesplit/search"
)

// SATOptions say which formula is searched, and how.
type SATOptions struct {
	Relaxed  func(warning string) // as in sat.ReadOptions
	Path     string               // DIMACS file, or "-" for Stdin
	Stdin    io.Reader            // read on rank 0 only
	Rule     string               // one of RuleNames
	Simplify string               // one of SimplifyNames; "": auto
	All      bool                 // search the whole tree, past solutions, and count the models
	Engine   string               // one of EngineNames, for rule cdcl; "": the first
	Gauss    string               // one of GaussNames, for the project's own solver; "": the first
	Cubes                         // for rule cubes

	Proof       string       // file for a proof of unsatisfiability, or ""
	ProofFormat proof.Format // its encoding
	LRAT        bool         // the proof is written in LRAT instead of DRAT, as text
}

// SAT is the satisfiability workload. ReadResult returns what a run of it has found.
type SAT struct {
	SATOptions

	// The state of a run, on rank 0 alone:
	formula    *sat.Formula       // the input
	reduced    *simplify.Result   // or nil
	simplified *Simplified        // or nil
	proof      *certificate       // until the proof is written or discarded
	proved     *Proof             // once it is written
	choice     *Picked            // of auto; or nil
	sample     *Cutting           // of rule cubes; or nil
	ready      *portfolio.Running // the solver of the try of auto, which becomes attempt 0; or nil

	limits pickLimits
	picked string        // the rule that auto has picked, on all ranks; or ""
	summed bool          // the formula has clauses that the try of auto has found with sums of parities, on all ranks
	cubes  cubes.Options // of rule cubes, on all ranks
	listed *sat.Formula  // the cubes of the file, on all ranks; or nil

	// presearch is the length of the search whose clauses joined the formula of rule cubes, in ticks, on all ranks. It is
	// 0 if there was none, and with auto, whose try serves as one.
	presearch int64

	scratch atomic.Pointer[outfile.Compressed] // the temporary file of the proof
}

// NewSAT returns the workload for one run.
func NewSAT(o SATOptions) *SAT { return &SAT{SATOptions: o, limits: defaultLimits} }

// Places of SAT's numbers in Counts.
const (
	SATConflicts = 0 // in Sums: leaves with an empty clause
	SATSolutions = 1 // in Sums: leaves without open clauses
	SATTally     = 2 // in Sums, with SAT.All: start of a sat.Tally of these leaves
	SATDepth     = 0 // in Maxima: number of decisions above the deepest node

	// Of rule cubes, in place of SATTally:
	SATCubes = 2 // in Sums: number of cubes that the solver has decided
	SATGiven = 3 // in Sums: number of cubes that were given up and branched on
	SATSteps = 4 // in Sums: number of expanded nodes that are steps of cubes
	SATTaken = 5 // in Sums: number of clauses that shares have taken in from other shares
	// SATRefuted is the place in Sums of the number of nodes that look-ahead has refuted before they
	// were cubes.
	SATRefuted = 6

	// Of rule cdcl, in place of SATTally and SATDepth:
	SATAttempts = 2 // in Sums: number of attempts
	SATImported = 3 // in Sums: number of clauses that attempts have taken in from attempts of other ranks
	SATDecider  = 0 // in Maxima: 1 plus the attempt that has decided the formula; 0: none has
)

// Load reads the formula and simplifies it if requested. It first checks that the proof can be
// written.
func (w *SAT) Load() (run.Problem, error) { return w.LoadFor(run.Loading{}) }

// LoadFor is Load for a run, which resumes the cut of its checkpoint, and where the choice of a cut ends
// early if the run does; see run.LongLoading.
func (w *SAT) LoadFor(l run.Loading) (run.Problem, error) {
	if err := w.checkRule(); err != nil {
		return nil, err
	}
	simplifies, techniques, err := w.simplifyOptions()
	if err != nil {
		return nil, err
	}
	if err := w.beginProof(); err != nil {
		return nil, err
	}
	list := new(sat.Formula)
	read := sat.ReadOptions{Relaxed: w.Relaxed, Cubes: list}
	if w.Path == "-" {
		w.formula, err = read.Read(w.Stdin, "stdin")
	} else {
		w.formula, err = read.ReadFile(w.Path)
	}
	if err != nil {
		return nil, err
	}
	f := w.formula
	if list.Len() > 0 {
		if err := w.takeCubes(f, list); err != nil {
			return nil, err
		}
		return w.newProblem(f)
	}
	if simplifies {
		f = w.simplifyFormula(f, techniques)
	}
	if w.Rule == autoRule {
		f = w.pickRule(f, l)
	}
	w.deleteObsolete()
	if w.Rule == cubesRule {
		if !w.resumeCut(l) {
			w.pickCut(f, l)
		}
		f = w.makePresearch(f, l)
	}
	return w.newProblem(f)
}

// Decode reads what Encode of the problem has written on rank 0.
func (w *SAT) Decode(data []byte) (run.Problem, error) {
	data, err := w.takeTag(data)
	if err != nil {
		return nil, err
	}
	if w.ruleName() == cubesRule {
		if data, err = w.takeCut(data); err != nil {
			return nil, err
		}
	}
	f := new(sat.Formula)
	if err := f.UnmarshalBinary(data); err != nil {
		return nil, err
	}
	if err := w.plantCubes(f); err != nil {
		return nil, err
	}
	return w.newProblem(f)
}

func (w *SAT) newProblem(f *sat.Formula) (run.Problem, error) {
	r, err := w.lookUpRule()
	if err != nil {
		return nil, err
	}
	common := satFormula{formula: f, name: r.name, tree: r.tree, tag: w.ruleTag(), all: w.All, logged: w.Proof != ""}
	if w.summed {
		common.addField(w.paritiesField())
	}
	switch r.name {
	case cubesRule:
		return w.newCubes(common)
	case cdclRule:
		return w.newAttempts(common)
	}
	compile := r.compile
	if w.All && r.counting != nil {
		compile = r.counting
	}
	return satProblem{common, compile(f)}, nil
}

// satFormula is the common part of all problems that search a formula.
type satFormula struct {
	formula *sat.Formula
	name    string // name of the rule
	fields  string // more fields of the Identity, each after ", "
	tree    int    // version of the tree; 0: none
	tag     []byte // says, in the encoding, which rule auto has picked
	all     bool
	logged  bool
}

// addField adds a field to the Identity. Flags must have the name, and the value must be one word.
func (p *satFormula) addField(name, value string) { p.fields += ", " + name + " " + value }

// Encode writes the tag and the formula.
func (p satFormula) Encode() ([]byte, error) {
	data, err := p.formula.MarshalBinary()
	return append(p.tag[:len(p.tag):len(p.tag)], data...), err
}

// Identity returns the rule, the version of its tree, and a digest of the searched formula.
func (p satFormula) Identity() string {
	p.tag = nil // a rule that auto has picked is the same rule
	rule := p.name + p.fields
	if p.tree > 0 {
		rule += fmt.Sprintf(", tree %d", p.tree)
	}
	return fmt.Sprintf("sat, rule %s, all %v, formula %s", rule, p.all, run.ProblemDigest(satProblem{satFormula: p}))
}

// Flags returns the flags of the command line that define the search.
func (p satFormula) Flags() map[string]string {
	return map[string]string{
		"rule": "--rule", "tree": "the version of the rule's tree", "all": "--all", "formula": "the formula, or what --simplify leaves of it,",
		"cut": "--cut or --budget", "learn": "--learn", paritiesName: "--proof or --gauss",
	}
}

// FlagValue returns the cut and the budget of a tag in an Identity of rule cubes, and describes sums of parities.
func (p satFormula) FlagValue(field, value string) string {
	switch field {
	case "cut":
		return describeCutTag(value)
	case paritiesName:
		return describeParities(value)
	}
	return value
}

// Logged reports whether a proof is requested.
func (p satFormula) Logged() bool { return p.logged }

// OpenSpool returns a new spool.
func (p satFormula) OpenSpool(alone bool) (run.Spool, error) { return proofs.Open(alone) }

// satProblem is the search of a tree of a formula by a rule.
type satProblem struct {
	satFormula
	rule sat.Rule
}

var (
	_ run.Certified = satProblem{}
	_ run.Timed     = satProblem{}
)

func (p satProblem) Share(split search.Splitting, root bool) search.Work {
	return sat.NewSearch(p.rule, sat.Options{Splitting: split, Root: root, All: p.all})
}

func (p satProblem) LogTo(w search.Work, sink func(block []byte)) (flush func()) {
	log := proof.NewLog(sink)
	w.(*sat.Search).LogTo(log)
	return log.Flush
}

func (p satProblem) Count(w search.Work) run.Counts {
	s := w.(*sat.Search)
	c := s.Counts()
	sums := []int64{c.Conflicts, c.Solutions}
	if p.all {
		sums = append(sums, make([]int64, p.rule.MaxDepth()+1)...)
		copy(sums[SATTally:], s.SolutionTally())
	}
	return run.Counts{Sums: sums, Maxima: []int64{c.MaxDepth}}
}

// Shape returns the tree of rule paper, with the nodes below solutions.
func (p satProblem) Shape() (s search.Shape, ok bool) {
	if rule, paper := p.rule.(*sat.Paper); paper {
		return rule.Shape(), true
	}
	return s, false
}

// TimedNodes yields the nodes of rules lookahead and cubes, which try literals and solve cubes at a node.
func (p satProblem) TimedNodes(share search.Work, clock func() int64, halt func() bool) iter.Seq[search.TimedNode] {
	if p.name != lookaheadRule && p.name != cubesRule {
		return nil
	}
	return share.(*sat.Search).TimedNodes(clock, halt)
}

func (p satProblem) Witness(w search.Work) []byte {
	model := w.(*sat.Search).Model()
	if model == nil {
		return nil
	}
	return packModel(model)
}

// packModel encodes a model with one bit per variable. The witness of a formula without variables
// has one byte.
func packModel(model []bool) []byte {
	data := make([]byte, len(model)/8+1)
	for i, v := range model {
		if v {
			data[i/8] |= 1 << (i % 8)
		}
	}
	return data
}

// unpackModel decodes the output of packModel.
func unpackModel(data []byte, variables int) []bool {
	model := make([]bool, variables)
	for i := range model {
		model[i] = i/8 < len(data) && data[i/8]>>(i%8)&1 == 1
	}
	return model
}
