package workloads

import (
	"fmt"
	"math/big"

	"treesplit/run"
	"treesplit/sat"
)

// Decided is the result of a run of SAT, in terms of the input.
type Decided struct {
	Input      *sat.Formula
	Rule       string      // by which the formula was searched
	Simplified *Simplified // what simplification did; nil: there was none
	Model      []bool      // checked against the input; nil: none was found
	Models     *big.Int    // with All: the number of models found, which are all models after a complete search; else nil
	Proof      *Proof      // nil: none was written
	Picked     *Picked     // the choice of auto; nil: the rule was given
	Attempts   *Attempted  // of rule cdcl; nil: another rule
	Cutting    *Cutting    // of rule cubes; nil: another rule
}

// Attempted describes the attempts of rule cdcl.
type Attempted struct {
	Engine  string
	Count   int64 // number of attempts that were begun
	Decided int64 // 1 plus the number of the attempt that has decided the formula; 0: none has
	// Exchange: attempts of different ranks exchange clauses. Taken is the number of clauses that were taken in.
	Exchange bool
	Taken    int64
}

// ReadResult reads the result of a run, on rank 0, and checks its model.
func (w *SAT) ReadResult(r *run.Result) (d Decided, err error) {
	d = Decided{Input: w.formula, Rule: w.ruleName(), Simplified: w.simplified, Proof: w.proved}
	d.Picked, d.Cutting = w.choice, w.sample
	if e, ok := w.lookUpEngine(); ok == nil && w.ruleName() == cdclRule {
		d.Attempts = &Attempted{e.name, r.Counts.Sums[SATAttempts], r.Counts.Maxima[SATDecider], w.attemptsExchange(), r.Counts.Sums[SATImported]}
	}
	if w.All {
		d.Models = w.countModels(r.Counts)
	}
	if r.Witness != nil {
		d.Model, err = w.decodeModel(r.Witness)
	}
	return d, err
}

// decodeModel decodes the witness of a run, completes it if the formula was simplified, and
// checks it against the input.
func (w *SAT) decodeModel(witness []byte) ([]bool, error) {
	model := unpackModel(witness, w.formula.Variables)
	if w.reduced != nil {
		w.reduced.RestoreModel(model)
	}
	if err := w.formula.CheckModel(model); err != nil {
		return nil, fmt.Errorf("internal error: %w", err)
	}
	return model, nil
}

// countModels returns the number of models of the input in the leaves of a run with All.
func (w *SAT) countModels(c run.Counts) *big.Int {
	variables := w.formula.Variables
	if w.reduced != nil {
		variables -= w.reduced.Determined()
	}
	return sat.Tally(c.Sums[SATTally:]).CountModels(variables)
}
