package gen

import "fmt"

// The known answers. Of some formulas a theorem or a published computation gives the answer before
// any search. Each family states in status what is known of its members, with the reason; the file
// of the family names the source. Where nothing is known, the status is the zero value.

// Answer is the answer to a formula as far as it is known.
type Answer int8

// The answers.
const (
	Open          Answer = iota // not known, or not stated here
	Satisfiable                 // the formula has a model
	Unsatisfiable               // the formula has no model
)

// String returns the answer as one word.
func (a Answer) String() string {
	return [...]string{"open", "satisfiable", "unsatisfiable"}[a]
}

// Status is what is known about a formula before a search.
type Status struct {
	Answer Answer
	Reason string // a short clause such as "W(2;3,5) = 22"; empty if the answer is Open
}

// KnownStatus returns the status of the formula that MakeFormula returns for the same parameters,
// for every seed. It returns the errors of MakeFormula for parameters out of range.
func (f *Family) KnownStatus(given map[string]float64) (Status, error) {
	v, err := f.completeValues(given)
	if err != nil {
		return Status{}, fmt.Errorf("%s: %w", f.Name, err)
	}
	return f.statusOf(v), nil
}

// statusOf returns the status for complete values.
func (f *Family) statusOf(v values) Status {
	if f.status == nil {
		return Status{}
	}
	return f.status(v)
}

// always returns a status function for a family of which all members have the same answer.
func always(answer Answer, reason string) func(values) Status {
	return func(values) Status { return Status{answer, reason} }
}

// alwaysUnsatisfiable is always for families without models.
func alwaysUnsatisfiable(reason string) func(values) Status { return always(Unsatisfiable, reason) }

// statusBelow returns the status of member n of a family whose members are satisfiable exactly
// below a limit. The limit 0 means that it is not known.
func statusBelow(n, limit int, name string) Status {
	switch {
	case limit == 0:
		return Status{}
	case n < limit:
		return Status{Satisfiable, fmt.Sprintf("%s = %d", name, limit)}
	default:
		return Status{Unsatisfiable, fmt.Sprintf("%s = %d", name, limit)}
	}
}
