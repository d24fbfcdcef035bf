package sat

import "fmt"

// CheckModel returns nil if model satisfies every clause. Otherwise the error names the first
// clause that is false. model[v-1] is the value of variable v; len(model) must be Variables. The
// time is proportional to the size of the formula. CheckModel shares no code with the engines,
// because its purpose is to find their errors.
func (f *Formula) CheckModel(model []bool) error {
	if len(model) != f.Variables {
		return fmt.Errorf("the model has %d variables, but the formula has %d", len(model), f.Variables)
	}
	for i, clause := range f.Clauses() {
		if !isSatisfied(clause, model) {
			return fmt.Errorf("the model does not satisfy clause %d of %d: %d", i+1, f.Len(), clause)
		}
	}
	return nil
}

// isSatisfied reports whether a literal of the clause is true under the model.
func isSatisfied(clause []int32, model []bool) bool {
	for _, l := range clause {
		if l > 0 && model[l-1] || l < 0 && !model[-l-1] {
			return true
		}
	}
	return false
}
