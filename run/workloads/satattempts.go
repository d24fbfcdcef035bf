package workloads

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"treesplit/run"
	"treesplit/sat/cadical"
	"treesplit/sat/portfolio"
	"treesplit/sat/proof"
	"treesplit/search"
)

// Rule cdcl is a portfolio: every rank has a clause-learning solver of the whole formula, and the
// first that ends decides the formula (package portfolio). A verdict "unsatisfiable" has no witness.
// The shares say by their counts which attempt has decided.

// engine is a solver that rule cdcl can use.
type engine struct {
	name string
	make portfolio.Maker
}

// engines lists the solvers. Only a program that is built with the tag cadical has the second one.
var engines = []engine{{"cdcl", portfolio.NewSummingSolver}, {"cadical", newCaDiCaL}}

// EngineNames lists the values of SAT.Engine.
func EngineNames() (names []string) {
	for _, e := range engines {
		names = append(names, e.name)
	}
	return names
}

// lookUpEngine returns the solver that rule cdcl uses, or an error: the program lacks it, or no
// solver has the name.
func (w *SAT) lookUpEngine() (engine, error) {
	if w.Engine == "cadical" && !cadical.Available() {
		return engine{}, run.FlagError("engine", cadical.ErrAbsent)
	}
	for _, e := range engines {
		if e.name == w.Engine || w.Engine == "" {
			return e, nil
		}
	}
	return engine{}, run.FlagError("engine", fmt.Errorf("unknown solver %q: expected one of %s", w.Engine, strings.Join(EngineNames(), ", ")))
}

// engineIsOwn reports whether rule cdcl uses the project's own solver.
func (w *SAT) engineIsOwn() bool { return w.Engine == "" || w.Engine == engines[0].name }

// attemptsExchange reports whether attempts exchange clauses. For a proof they do not, because the lemmas of one
// attempt must prove the verdict.
func (w *SAT) attemptsExchange() bool { return w.engineIsOwn() && w.Proof == "" }

// attemptsProblem is the search of a formula by rule cdcl.
type attemptsProblem struct {
	satFormula
	maker     portfolio.Maker
	portfolio *portfolio.Portfolio
	depot     *depot // of the portfolio
	exchange  bool   // attempts exchange clauses
}

var (
	_ run.Certified  = attemptsProblem{}
	_ run.Begun      = attemptsProblem{}
	_ run.Depositing = attemptsProblem{}
)

// newAttempts returns the search of a formula by rule cdcl.
func (w *SAT) newAttempts(f satFormula) (run.Problem, error) {
	e, err := w.lookUpEngine()
	if err != nil {
		return nil, err
	}
	p := attemptsProblem{satFormula: f, maker: w.makerOf(e), exchange: w.attemptsExchange()}
	return p.with(w.ready), nil
}

// with returns the search with an engine that has begun attempt 0, or nil.
func (p attemptsProblem) with(ready *portfolio.Running) attemptsProblem {
	d := &depot{engines: map[portfolio.Key]*portfolio.Running{}}
	if ready != nil {
		d.Leave(portfolio.Key{}, ready)
	}
	p.portfolio, p.depot = portfolio.New(p.formula, p.maker, d), d
	return p
}

// Afresh returns the search without the try of rule auto.
func (p attemptsProblem) Afresh() run.Problem { return p.with(nil) }

// Share returns a share.
func (p attemptsProblem) Share(split search.Splitting, root bool) search.Work {
	return p.portfolio.NewShare(portfolio.Options{Splitting: split, Root: root, Exchange: p.exchange})
}

// LogTo lets a share keep a log.
func (p attemptsProblem) LogTo(w search.Work, sink func(block []byte)) (flush func()) {
	log := proof.NewAttemptLog(sink)
	w.(*portfolio.Share).LogTo(log)
	return log.Flush
}

// Count returns the counts of a share.
func (p attemptsProblem) Count(w search.Work) run.Counts {
	s := w.(*portfolio.Share)
	c := s.Counts()
	solutions := int64(0)
	if s.Model() != nil {
		solutions = 1
	}
	return run.Counts{Sums: []int64{SATConflicts: c.Conflicts, SATSolutions: solutions, SATAttempts: c.Attempts, SATImported: c.Taken}, Maxima: []int64{SATDecider: c.Decided}}
}

// Witness returns the model of a share.
func (p attemptsProblem) Witness(w search.Work) []byte {
	model := w.(*portfolio.Share).Model()
	if model == nil {
		return nil
	}
	return packModel(model)
}

// CheckStep checks the counts. A search that has decided the formula is not saved.
func (p attemptsProblem) CheckStep(c run.Counts, witness []byte, _ bool) error {
	if err := checkNotNegative(slices.Concat(c.Sums, c.Maxima)); err != nil {
		return err
	}
	if witness != nil || c.Sums[SATSolutions] > 0 || c.Maxima[SATDecider] > 0 {
		return errors.New("the search has decided the formula: expected one that can be resumed")
	}
	return nil
}

// IsPicked reports whether rule auto has picked cdcl.
func (p attemptsProblem) IsPicked() bool { return len(p.tag) > 0 }

// KeepDeposits removes the engines of attempts that now belong to other processes. It keeps the engine of the
// try of auto, which waits under part 0 of its attempt: a share that leaves an engine begins another part. The
// attempt may be in a range of parts of a static start, which names no attempts.
func (p attemptsProblem) KeepDeposits(pieces [][]byte) {
	keep := map[portfolio.Key]bool{}
	for _, piece := range pieces {
		if key, err := portfolio.KeyOf(piece); err == nil {
			keep[key] = true
		}
	}
	p.depot.keepOnly(keep)
}

// depot keeps the engines of attempts that move between the shares of this process. It is a
// portfolio.Depot.
type depot struct {
	mu      sync.Mutex
	engines map[portfolio.Key]*portfolio.Running
}

// Leave stores an engine.
func (d *depot) Leave(key portfolio.Key, e *portfolio.Running) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.engines[key] = e
}

// Fetch removes and returns an engine, or nil.
func (d *depot) Fetch(key portfolio.Key) *portfolio.Running {
	d.mu.Lock()
	defer d.mu.Unlock()
	e := d.engines[key]
	delete(d.engines, key)
	return e
}

// keepOnly removes all engines except some, and except engines under part 0.
func (d *depot) keepOnly(keep map[portfolio.Key]bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	maps.DeleteFunc(d.engines, func(key portfolio.Key, _ *portfolio.Running) bool { return !keep[key] && key.Part > 0 })
}
