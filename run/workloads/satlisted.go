package workloads

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"

	"treesplit/run"
	"treesplit/sat"
	"treesplit/sat/cubes"
)

// A file of incremental CNF has the cubes of the search. Rule cubes follows the tree of these cubes
// instead of looking ahead. The formula is not simplified, because simplification may remove the
// variables of the cubes.

// listFlag marks, in the measure of the tag, that the cubes of a file follow.
const listFlag = 0x80

// fileCut is the name of the cut that the cubes of a file make.
const fileCut = "file"

// Place describes where the cubes are.
func (c *Cutting) Place() string {
	if c.Cut == fileCut {
		return "of the tree in the file"
	}
	return "at " + c.Cut
}

// takeCubes makes the cubes of a file the cubes of the search.
func (w *SAT) takeCubes(f, list *sat.Formula) error {
	if err := w.checkListed(); err != nil {
		return err
	}
	if w.Rule == autoRule {
		w.picked = cubesRule
	}
	w.listed = list
	w.cubes = cubes.Options{Budget: cmp.Or(w.Budget, cubes.DefaultBudget)}
	w.setLearning()
	w.sample = &Cutting{Cut: fileCut, Learn: cmp.Or(w.Learn, LearnPath), Budget: w.cubes.Budget, Expected: float64(list.Len())}
	if err := w.plantCubes(f); err != nil {
		return fmt.Errorf("%s: %w", w.inputName(), err)
	}
	return nil
}

// inputName returns the name of the input in errors.
func (w *SAT) inputName() string {
	if w.Path == "-" {
		return "stdin"
	}
	return w.Path
}

// checkListed returns an error unless the options suit a file with cubes.
func (w *SAT) checkListed() error {
	switch {
	case w.Rule != autoRule && w.Rule != cubesRule:
		return run.FlagError("rule", fmt.Errorf("rule %s does not use the cubes of %s: expected cubes or auto", w.Rule, w.inputName()))
	case w.All:
		return run.FlagError("all", fmt.Errorf("rule cubes finds one model and cannot count: expected a file without cubes, not %s", w.inputName()))
	case w.Engine != "":
		return run.FlagError("engine", fmt.Errorf("it has no effect on the cubes of %s: expected no --engine: cubes has a solver of its own", w.inputName()))
	case w.Cut != "" && w.Cut != autoCut:
		return run.FlagError("cut", fmt.Errorf("%s has cubes already: expected no --cut", w.inputName()))
	}
	return w.checkUnsimplified(w.inputName() + " has cubes")
}

// checkUnsimplified returns an error if simplification was requested. auto means off.
func (w *SAT) checkUnsimplified(reason string) error {
	switch w.Simplify {
	case "", "auto", simplifyOff:
		return nil
	}
	return run.FlagError("simplify", fmt.Errorf("%s, and simplification removes variables: expected off", reason))
}

// plantCubes makes the tree of the cubes of the file, if there are any.
func (w *SAT) plantCubes(f *sat.Formula) (err error) {
	if w.listed != nil {
		w.cubes.Tree, err = cubes.NewTree(f, w.listed)
	}
	return err
}

// appendList appends the cubes of the file, if there are any, to the tag.
func (w *SAT) appendList(tag []byte) []byte {
	if w.listed == nil {
		return tag
	}
	data, _ := w.listed.MarshalBinary() // the error is always nil
	return append(binary.BigEndian.AppendUint64(tag, uint64(len(data))), data...)
}

// takeList reads the cubes of the file and returns the data after them.
func (w *SAT) takeList(data []byte) ([]byte, error) {
	if len(data) < 8 || binary.BigEndian.Uint64(data) > uint64(len(data)-8) {
		return nil, errors.New("the encoded formula has cubes that are cut short")
	}
	end := 8 + int(binary.BigEndian.Uint64(data))
	w.listed = new(sat.Formula)
	return data[end:], w.listed.UnmarshalBinary(data[8:end])
}
