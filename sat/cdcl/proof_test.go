package cdcl

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"treesplit/sat"
	"treesplit/sat/drat"
)

// record keeps the lines of a proof as text, and checks the hints of each lemma.
type record struct {
	text    bytes.Buffer
	clauses map[uint64][]int32 // by id; nil: hints are not checked
	deleted int
	err     error // the first lemma whose hints do not prove it
}

// newRecord returns a record that checks hints.
func newRecord() *record { return &record{clauses: map[uint64][]int32{}} }

// addFormula gives the clauses of a formula the ids that a new solver gives them.
func (r *record) addFormula(f *sat.Formula) {
	for i, c := range f.Clauses() {
		r.clauses[uint64(i+1)] = c
	}
}

func (r *record) AddLemma(id uint64, clause []int32, hints []uint64) {
	r.writeLine("", clause)
	if r.clauses == nil {
		return
	}
	if err := r.checkHints(clause, hints); err != nil && r.err == nil {
		r.err = fmt.Errorf("lemma %d, %d, by %d: %w", id, clause, hints, err)
	}
	if r.clauses[id] != nil && r.err == nil {
		r.err = fmt.Errorf("lemma %d has the id of another clause", id)
	}
	r.clauses[id] = slices.Clone(clause)
}

func (r *record) DeleteClause(id uint64, clause []int32) {
	r.deleted++
	r.writeLine("d ", clause)
	if r.clauses == nil {
		return
	}
	if !sameLiterals(r.clauses[id], clause) && r.err == nil {
		r.err = fmt.Errorf("clause %d is deleted as %d, but it is %d", id, clause, r.clauses[id])
	}
	delete(r.clauses, id)
}

func (r *record) writeLine(kind string, clause []int32) {
	r.text.WriteString(kind)
	for _, l := range clause {
		fmt.Fprint(&r.text, l, " ")
	}
	r.text.WriteString("0\n")
}

// checkHints makes the lemma false and takes the hints in their order: each must be unit, and the
// last one false.
func (r *record) checkHints(clause []int32, hints []uint64) error {
	value := map[int32]bool{}
	for _, l := range clause {
		value[-l] = true
	}
	for i, id := range hints {
		c, known := r.clauses[id]
		if !known {
			return fmt.Errorf("hint %d is not a clause", id)
		}
		free := slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(c))), func(l int32) bool { return value[-l] })
		switch {
		case len(free) == 0 && i == len(hints)-1:
			return nil
		case len(free) != 1 || value[free[0]]:
			return fmt.Errorf("hint %d, %d, is not unit", id, c)
		}
		value[free[0]] = true
	}
	return fmt.Errorf("no hint is false")
}

func sameLiterals(a, b []int32) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// check returns an error unless the lines refute the formula with the assumptions as units.
func (r *record) check(f *sat.Formula, units ...int32) error {
	with := &sat.Formula{Variables: f.Variables}
	for _, c := range f.Clauses() {
		with.AddClause(c...)
	}
	for _, l := range units {
		with.AddClause(l)
	}
	report, err := drat.Check(with.Clauses(), strings.NewReader(r.text.String()+"0\n"), "proof", drat.Options{})
	switch {
	case err != nil:
		return err
	case !report.Verified || report.RAT > 0 || report.Missing > 0:
		return fmt.Errorf("the proof is not accepted: %+v", report)
	}
	return r.err
}
