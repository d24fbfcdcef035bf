package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"treesplit/cli/internal/help"
	"treesplit/lb"
	"treesplit/run"
	"treesplit/run/workloads"
	"treesplit/sat/proof"
)

// The exit statuses of the SAT competitions.
const (
	statusSatisfiable   = 10
	statusUnsatisfiable = 20
)

// satResult is the JSON of sat.
type satResult struct {
	*run.Result
	Verdict   string `json:"result"` // SATISFIABLE, UNSATISFIABLE or UNKNOWN
	Model     []int  `json:"model,omitzero"`
	Tautology *bool  `json:"tautology,omitempty"` // of a p dnf input, where known
	Rule      string `json:"rule"`
	Variables int    `json:"variables"`
	Clauses   int    `json:"clauses"`
	Conflicts int64  `json:"conflicts"` // leaves with an empty clause
	Solutions int64  `json:"solutions"` // leaves without open clauses, which are no models if variables are left without a value
	Depth     int64  `json:"depth"`     // decisions above the deepest node

	// With --all: the number of models, or a lower bound of it if the run was stopped.
	Models        *exactCount `json:"models,omitempty"`
	ModelsAtLeast *exactCount `json:"modelsAtLeast,omitempty"`

	Simplified *workloads.Simplified `json:"simplified,omitempty"`
	Picked     *workloads.Picked     `json:"picked,omitempty"` // with --rule auto
	// Of rules that share what they learn between parts of the search: whether another run may have
	// other nodes and conflicts.
	Varies *bool `json:"varies,omitempty"`
	// Under --learn shared, and under rule cdcl without a proof on several ranks: the number of clauses
	// that ranks have taken in from others.
	Taken *int64 `json:"clausesTakenIn,omitempty"`
	*cubesResult
	*attemptsResult
	*proofResult

	counted string // what Models is the number of
}

// attemptsResult is what the JSON says of the attempts of rule cdcl.
type attemptsResult struct {
	Engine   string `json:"engine"`
	Attempts int64  `json:"attempts"`          // that were begun
	Attempt  *int64 `json:"attempt,omitempty"` // that has decided the formula
}

// cubesResult is what the JSON says of rule cubes.
type cubesResult struct {
	Cubes int64              `json:"cubes"`              // that the solver has decided
	Given int64              `json:"cubesSplit"`         // that were given up after their budget, and branched on
	Early int64              `json:"refutedByLookahead"` // nodes that look-ahead has refuted before they were cubes
	Steps int64              `json:"cubeSteps"`          // expanded nodes that are steps of cubes
	How   *workloads.Cutting `json:"cutting"`
}

// proofResult is what the JSON says of a proof that was written.
type proofResult struct {
	Path      string  `json:"proof"`
	Lemmas    int64   `json:"proofLemmas"` // the empty clause too
	Deletions int64   `json:"proofDeletions"`
	Bytes     int64   `json:"proofBytes"` // before compression
	Seconds   float64 `json:"proofSeconds"`
}

// satFlags are the flags of sat besides the flags of all searches.
type satFlags struct {
	searchFlags
	app                *app
	rule, engine       string
	gauss              string
	cubes              workloads.Cubes
	simplify           string
	all, relaxed       bool
	proof, proofFormat string
	cubesFile          string // to write; or ""
}

// satJob is a formula to be decided.
type satJob struct {
	job
	formula   *workloads.SAT
	cubesFile string // to write instead of a search; or ""
}

// satLong describes sat.
const satLong = `sat decides whether a formula has a model.

It reads a formula in DIMACS format, plain or compressed (gzip, zstd, xz, bzip2); - is standard
input. Each rank searches a part of one tree. Under the rule cdcl each rank has its own solver of the
whole formula.

It prints "s SATISFIABLE" and the model in "v" lines, or "s UNSATISFIABLE". Every model is checked
against the input before it is printed. After --timeout or Ctrl-C it prints "s UNKNOWN".

Search rules (--rule):

  lookahead	tries variables both ways before it branches; the fastest on random formulas
  plain	propagates units and weighs clauses; faster on some structured formulas
  paper	as in the papers: no unit propagation; large trees that are the same in every program
  paper-static	as paper, but branches in the order of the variables
  unit	as paper, with unit propagation
  cdcl	learns clauses from conflicts; for circuits, planning, model checking
  cubes	splits by look-ahead, then learns clauses; for hard combinatorial formulas
  auto	looks at the formula and picks plain, lookahead, cdcl or cubes

Under cdcl every rank makes an attempt of its own, with other first decisions; the first that ends
decides. Ranks send each other short clauses that they have learnt, except with --proof or --engine
cadical. A node is a part of an attempt with one conflict at most. On more than one rank the numbers
of nodes and conflicts differ between runs. After --resume the attempts begin again.

Under cubes a node is a cube if a measure of it reaches a bound (--cut): assigned=N, at least N
variables have a value beyond those at the root; free=N, at most N variables have no value;
difficulty=X, assigned variables times squared depth over all variables is at least X. auto tries
some cubes of several cuts and takes the cheapest cut. Except with --simplify off, clause learning then
searches the whole formula for about 5 % of the expected time, and its shortest clauses join the formula.
A cube that takes more conflicts than --budget is split further; each split doubles the budget. A step
of a cube counts as a node.
--learn path begins a new solver for every 20 to 200 cubes, so that all ranks together do the same
work as one. With --learn rank a solver stays on its rank, smaller parts can move between ranks,
and the number of nodes differs between runs. With --learn shared ranks also send each other units
and short clauses that they have learnt.

--cubes FILE writes the cubes of rule cubes to FILE in incremental CNF ("p inccnf") and ends. Cubes that
look-ahead has refuted are written too: together the cubes cover all assignments. The formula is not
simplified. If the input is such a file, rule cubes takes the cubes from it and does not look ahead above
these cubes. The verdict is right even if the cubes of the file do not cover all assignments.

auto simplifies the formula, estimates the trees of plain and lookahead by random descents, and lets
the solver of cdcl try for a short time. If no tree is small, it also
samples cubes. The choice depends on the formula and the flags alone.

` + simplifyHelp + `
--all searches the whole tree and prints the exact number of models. It switches off pure literals,
elimination and autarkies, which lose models. In the JSON, "models" is the number of models (a string of digits
above 2^53) and "solutions" is the number of leaves at which all clauses are true: a leaf at which
k variables have no value stands for 2^k models. If the search is stopped, "modelsAtLeast" is the
number found so far. cdcl and cubes cannot count.

--proof FILE writes a proof of UNSATISFIABLE in DRAT format, to which all ranks contribute. treesplit
check and other checkers read it. If FILE ends in .lrat, or with --proof-format lrat, the proof is checked
backward at the end, and written in LRAT: with the lemmas that are needed and the hints of each. FILE
exists only if the proof is complete. During the search the ranks keep their parts in files in
$TMPDIR: about 4 bytes per node, under cdcl and cubes some megabytes per second and rank.

A formula in disjunctive normal form ("p dnf") is negated, and its negation is searched:
UNSATISFIABLE means that the input is a tautology, the proof refutes the negation, and --all counts
the assignments that make the input false.`

func (a *app) satCommand() searchCommand {
	f := satFlags{searchFlags: newSearchFlags(), app: a}
	cmd := &cobra.Command{
		Use:   "sat FILE|-",
		Short: "Decide whether a formula is satisfiable",
		Long:  satLong,
		Example: `  treesplit sat testdata/php6.cnf
  treesplit gen random --n 50 --ratio 4.3 --seed 7 | treesplit sat - -n 4 --scheme grr-m
  treesplit sat testdata/php6.cnf --rule paper --json --scheme nn --termination credit
  treesplit sat testdata/php6.cnf --proof php6.drat.zst
  treesplit sat testdata/random50-sat.cnf --all
  treesplit sat testdata/php6.cnf --rule cubes --cut assigned=8 --cubes php6.icnf && treesplit sat php6.icnf
  mpirun -n 4 treesplit sat testdata/php6.cnf`,
		Args: exactArguments(1, "one DIMACS file, or - for standard input"),
		RunE: twoSteps(a, f.parse, a.runSAT),
	}
	flags := cmd.Flags()
	flags.StringVar(&f.rule, "rule", "auto", "search `rule`: "+strings.Join(workloads.RuleNames(), ", "))
	flags.StringVar(&f.engine, "engine", workloads.EngineNames()[0], "`solver` of the rule cdcl: "+strings.Join(workloads.EngineNames(), ", ")+"; cadical only if the program was built with -tags cadical")
	flags.StringVar(&f.cubes.Cut, "cut", "auto", "which nodes are `cubes` under the rule cubes: auto, or a bound, such as free=120; see above")
	flags.Int64Var(&f.cubes.Budget, "budget", 0, "`conflicts` after which the first try of a cube is given up; 0: from samples, or 10,000 for a given cut")
	flags.StringVar(&f.cubes.Learn, "learn", workloads.LearnPath, "`where` the rule cubes keeps learnt clauses: "+strings.Join(workloads.LearnNames(), ", "))
	flags.StringVar(&f.cubesFile, "cubes", "", "write the cubes of the rule cubes to a `file` instead of searching, compressed if it ends in .gz or .zst")
	flags.StringVar(&f.gauss, "gauss", workloads.GaussAuto, "`whether` clause learning sums parities: "+strings.Join(workloads.GaussNames(), ", "))
	flags.StringVar(&f.simplify, "simplify", "auto", "`how` to simplify the formula first: "+strings.Join(workloads.SimplifyNames(), ", "))
	flags.BoolVar(&f.all, "all", false, "search the whole tree and count the models exactly")
	flags.StringVar(&f.proof, "proof", "", "write a proof of unsatisfiability to a `file`, compressed if it ends in .gz or .zst")
	flags.StringVar(&f.proofFormat, "proof-format", proof.Text.String(), "`format` of the proof: text, binary (DRAT, about half the size), or lrat (with hints, as text)")
	flags.BoolVar(&f.relaxed, "relaxed", false, relaxedHelp)
	f.addFlags(cmd)
	help.SetGroup(flags, help.Expert, "relaxed")
	help.SetCommon(flags, "rule", "simplify", "all", "proof")
	setExit(cmd, "the file of --cubes is written; under mpirun or srun: satisfiable or unsatisfiable", exitStopped,
		help.Status{Code: statusSatisfiable, Meaning: "satisfiable"}, help.Status{Code: statusUnsatisfiable, Meaning: "unsatisfiable"})
	setSearchFiles(cmd, [2]string{"FILE", "a formula in DIMACS format, or in incremental CNF"}, [2]string{"FILE of --proof", "a proof in DRAT or LRAT format"}, [2]string{"FILE of --cubes", "the formula and its cubes in incremental CNF"}, [2]string{"$TMPDIR", "parts of the proof during the search"})
	return searchCommand{cmd, func(args []string) (*job, error) {
		j, err := f.parse(args)
		return &j.job, err
	}}
}

// parse makes the job of the flags and a file.
func (f *satFlags) parse(args []string) (satJob, error) {
	path := args[0]
	if err := f.checkCubes(); err != nil {
		return satJob{}, err
	}
	format, withHints, err := f.parseProofFormat()
	if err != nil {
		return satJob{}, flagError("proof-format", err)
	}
	w := workloads.NewSAT(workloads.SATOptions{
		Path: path, Stdin: f.app.stdin, Relaxed: f.app.relaxedWarnings(f.relaxed), Rule: f.rule, Engine: f.givenEngine(), Gauss: f.gauss, Cubes: f.cubes, Simplify: f.simplify, All: f.all,
		Proof: f.proof, ProofFormat: format, LRAT: withHints,
	})
	j, err := f.newJob(f.plan, w, input("", path), output("proof", f.proof), output("cubes", f.cubesFile))
	return satJob{j, w, f.cubesFile}, err
}

// givenEngine returns the solver that the user has named, or "". A file with cubes refuses any.
func (f *satFlags) givenEngine() string {
	if !f.cmd.Flags().Changed("engine") {
		return ""
	}
	return f.engine
}

// lratFormat is the value of --proof-format for LRAT. It is the default for names that end in it.
const lratFormat = "lrat"

// parseProofFormat returns the format of the proof. lrat means that it has hints.
func (f *satFlags) parseProofFormat() (format proof.Format, lrat bool, err error) {
	named := strings.HasSuffix(strings.TrimSuffix(strings.TrimSuffix(f.proof, ".gz"), ".zst"), "."+lratFormat)
	switch {
	case f.proofFormat == lratFormat || named && f.proofFormat == proof.Text.String():
		return proof.Text, true, nil
	case named:
		return 0, false, fmt.Errorf("%s: %s is an LRAT proof by its name, which is written as text: expected %s, or another name", f.proofFormat, f.proof, lratFormat)
	}
	if format, err = proof.ParseFormat(f.proofFormat); err != nil {
		err = fmt.Errorf("unknown format %q: expected %s or %s", f.proofFormat, strings.Join(proof.FormatNames(), ", "), lratFormat)
	}
	return format, false, err
}

// runSAT decides the formula and prints the verdict.
func (a *app) runSAT(j satJob) (outcome, error) {
	defer j.close()
	if j.cubesFile != "" {
		return a.writeCubes(j)
	}
	r, o, err := a.runSearch(&j.job, follower{verdict: satVerdict})
	if err != nil || r == nil {
		return o, err
	}
	found, err := j.formula.ReadResult(r)
	if err != nil {
		return o, err
	}
	s := newSATResult(r, found)
	o.status = s.exitStatus()
	if j.formula.Proof != "" && found.Proof == nil {
		a.reportNoProof(s.Verdict, j.plan.Checkpoint == "" && r.Why == lb.Exhausted, &o)
	}
	if j.json {
		return o, a.printJSON(s)
	}
	return o, a.printSAT(s)
}

// satVerdict returns the verdict for the live page, before the model is checked.
func satVerdict(r *run.Result) string {
	switch {
	case r.Witness != nil || r.Counts.Sums[workloads.SATSolutions] > 0:
		return "SATISFIABLE"
	case isStoppedEarly(r.Why):
		return "UNKNOWN"
	}
	return "UNSATISFIABLE"
}

// newSATResult makes the JSON of what a run has found.
func newSATResult(r *run.Result, found workloads.Decided) satResult {
	s := satResult{
		Result: r, Rule: found.Rule, Simplified: found.Simplified, Variables: found.Input.Variables, Clauses: found.Input.Len(),
		Conflicts:   r.Counts.Sums[workloads.SATConflicts],
		Solutions:   r.Counts.Sums[workloads.SATSolutions],
		Picked:      found.Picked,
		proofResult: (*proofResult)(found.Proof),
	}
	if found.Attempts == nil {
		s.Depth = r.Counts.Maxima[workloads.SATDepth]
	}
	s.takeAttempts(found)
	s.takeCubes(found)
	s.takeModels(found)
	switch {
	case found.Model != nil:
		s.Verdict, s.Model = "SATISFIABLE", modelLiterals(found.Model)
	case isStoppedEarly(r.Why):
		s.Verdict = "UNKNOWN"
	default:
		s.Verdict = "UNSATISFIABLE"
	}
	if found.Input.DNF && s.Verdict != "UNKNOWN" {
		tautology := s.Verdict == "UNSATISFIABLE"
		s.Tautology = &tautology
	}
	return s
}

// takeAttempts takes over what was found by rule cdcl.
func (s *satResult) takeAttempts(found workloads.Decided) {
	a := found.Attempts
	if a == nil {
		return
	}
	s.attemptsResult = &attemptsResult{Engine: a.Engine, Attempts: a.Count}
	decided := found.Picked != nil && found.Picked.Decided // before the search
	s.Varies = new(s.isParallel() && !decided)
	if a.Exchange && s.Ranks > 1 {
		s.Taken = &a.Taken
	}
	if a.Decided > 0 {
		attempt := a.Decided - 1
		s.Attempt = &attempt
	}
}

// takeCubes takes over what was found by rule cubes.
func (s *satResult) takeCubes(found workloads.Decided) {
	if found.Cutting == nil {
		return
	}
	n := s.Counts.Sums
	s.cubesResult = &cubesResult{n[workloads.SATCubes], n[workloads.SATGiven], n[workloads.SATRefuted], n[workloads.SATSteps], found.Cutting}
	if found.Cutting.Learn == workloads.LearnShared {
		s.Taken = &n[workloads.SATTaken]
	}
	s.Varies = new(found.Cutting.Learn != workloads.LearnPath && s.isParallel())
}

// isParallel reports whether the order of the messages can differ between runs. Simulated ranks have a fixed order.
func (s *satResult) isParallel() bool { return s.Ranks > 1 && s.World != simWorld }

// exitStatus returns the exit status of a verdict. A launcher takes any status but 0 for a failure.
func (s *satResult) exitStatus() int {
	switch {
	case s.Verdict == "UNKNOWN", s.ModelsAtLeast != nil:
		return statusStopped
	case underLauncher():
		return statusDone
	case s.Verdict == "SATISFIABLE":
		return statusSatisfiable
	}
	return statusUnsatisfiable
}

// reportNoProof reports why there is no proof after a verdict, unless the trouble is the reason. If the writing
// of the proof was interrupted, the run has stopped early. savable means that a checkpoint would have saved the
// complete search.
func (a *app) reportNoProof(verdict string, savable bool, o *outcome) {
	why := ""
	switch {
	case verdict == "SATISFIABLE":
		why = "the formula is satisfiable"
	case verdict == "UNKNOWN":
		why = "the search was not completed"
	case o.trouble != nil:
		return
	default:
		why, o.status = "its writing was interrupted", statusStopped
		if savable {
			why += "; with --checkpoint FILE, the complete search is saved, and a resumed run only writes the proof"
		}
	}
	fmt.Fprintf(a.stderr, "treesplit: no proof was written: %s\n", why)
}

// modelLiterals writes a model as DIMACS numbers.
func modelLiterals(model []bool) []int {
	l := make([]int, len(model))
	for i, v := range model {
		l[i] = i + 1
		if !v {
			l[i] = -l[i]
		}
	}
	return l
}
