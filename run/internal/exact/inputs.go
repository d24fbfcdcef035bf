// Package exact is the suite of exactness. It tests that a search expands exactly the nodes of
// the sequential search, and that its answer is right, for every scheme, detector, number of
// ranks and way of splitting. It runs in any world; the caller passes a function that makes one
// run.
package exact

import (
	"bytes"
	"fmt"
	"math/big"
	"strings"

	"treesplit/run"
	"treesplit/run/workloads"
	"treesplit/sat"
	"treesplit/sat/gen"
	"treesplit/search"
	"treesplit/uts"
)

// Input is a problem with its known results.
type Input struct {
	Name     string
	Open     func() run.Workload // a new workload for each run
	Expanded int64               // nodes of the sequential search; 0: it ends at a witness
	Check    func(w run.Workload, r *run.Result) error
}

// trees are small trees with the results of the reference program (package uts), at least
// one of every type and shape.
var trees = []struct {
	flags  string
	params uts.Params
	want   uts.Result
}{
	{"-t 1 -a 0 -d 6 -b 4 -r 0", uts.Params{Type: uts.Geometric, Shape: uts.Linear, Depth: 6, B0: 4}, uts.Result{Size: 1732, Depth: 6, Leaves: 1050}},
	{"-t 1 -a 1 -d 8 -b 4 -r 0", uts.Params{Type: uts.Geometric, Shape: uts.ExpDec, Depth: 8, B0: 4}, uts.Result{Size: 12958, Depth: 26, Leaves: 6606}},
	{"-t 1 -a 1 -d 10 -b 3 -r 5", uts.Params{Type: uts.Geometric, Shape: uts.ExpDec, Depth: 10, B0: 3, Seed: 5}, uts.Result{Size: 7, Depth: 6, Leaves: 1}},
	{"-t 1 -a 2 -d 10 -b 4 -r 7", uts.Params{Type: uts.Geometric, Shape: uts.Cyclic, Depth: 10, B0: 4, Seed: 7}, uts.Result{Size: 17180, Depth: 51, Leaves: 9850}},
	{"-t 1 -a 3 -d 4 -b 4 -r 19", uts.Params{Type: uts.Geometric, Shape: uts.Fixed, Depth: 4, B0: 4, Seed: 19}, uts.Result{Size: 944, Depth: 4, Leaves: 744}},
	{"-t 1 -a 3 -d 8 -b 4 -r 29", uts.Params{Type: uts.Geometric, Shape: uts.Fixed, Depth: 8, B0: 4, Seed: 29}, uts.Result{Size: 99379, Depth: 8, Leaves: 79695}},
	{"-t 0 -b 2000 -q 0.48 -m 2 -r 5", uts.Params{Type: uts.Binomial, B0: 2000, Q: 0.48, M: 2, Seed: 5}, uts.Result{Size: 44337, Depth: 123, Leaves: 23168}},
	{"-t 0 -b 100 -q 0.24 -m 4 -r 3", uts.Params{Type: uts.Binomial, B0: 100, Q: 0.24, M: 4, Seed: 3}, uts.Result{Size: 1657, Depth: 29, Leaves: 1267}},
	{"-t 2 -a 0 -d 8 -b 4 -q 0.234375 -m 4 -r 0", uts.Params{Type: uts.Hybrid, Shape: uts.Linear, Depth: 8, B0: 4, Q: 0.234375, M: 4, Shift: 0.5}, uts.Result{Size: 8961, Depth: 68, Leaves: 6721}},
	{"-t 3 -d 10 -b 2 -r 0", uts.Params{Type: uts.Balanced, Depth: 10, B0: 2}, uts.Result{Size: 2047, Depth: 10, Leaves: 1024}},
}

// formulas are unsatisfiable and satisfiable formulas. The sizes of the trees of PHP(n) are the
// sizes in the tests of package sat. A size of 0 stands for the count of a sequential search. If
// models is set, the run counts all models too. Another program counted the models once, by
// trying all assignments.
var formulas = []struct {
	family      string
	values      map[string]float64
	seed        uint64
	satisfiable bool
	expanded    int64
	models      int64
}{
	{"php", map[string]float64{"n": 3}, 0, false, 97, 0},
	{"php", map[string]float64{"n": 5}, 0, false, 3261, 0},
	{"php", map[string]float64{"n": 6}, 0, false, 23485, 0},
	{"random", map[string]float64{"n": 30, "ratio": 6}, 2, false, 0, 0},
	{"random", map[string]float64{"n": 24, "ratio": 3}, 4, true, 8891, 849},
	{"parity", map[string]float64{"n": 5}, 0, false, 0, 0},
	{"random", map[string]float64{"n": 40, "ratio": 3.5}, 1, true, 0, 0},
	{"random", map[string]float64{"n": 34, "ratio": 4}, 2, true, 0, 0},
	{"queens", map[string]float64{"n": 5, "colours": 5}, 0, true, 0, 0},
}

// Inputs returns all inputs. It searches the tree of each unsatisfiable input once, sequentially,
// and does not search the trees of the satisfiable ones.
func Inputs() ([]Input, error) {
	var inputs []Input
	for _, t := range trees {
		t.params.Granularity = 1
		inputs = append(inputs, Input{
			Name:     "uts " + t.flags,
			Open:     func() run.Workload { return &workloads.UTS{Params: t.params} },
			Expanded: t.want.Size,
			Check:    func(_ run.Workload, r *run.Result) error { return checkTree(r, t.want) },
		})
	}
	for _, f := range formulas {
		family, err := gen.FindFamily(f.family)
		if err != nil {
			return nil, err
		}
		formula, comment, err := family.MakeFormula(f.values, f.seed)
		if err != nil {
			return nil, err
		}
		var text bytes.Buffer
		if err := formula.WriteDIMACS(&text, strings.Split(comment, "\n")...); err != nil {
			return nil, err
		}
		name, _, _ := strings.Cut(comment, "\n")
		in := Input{
			Name: name,
			Open: func() run.Workload {
				return workloads.NewSAT(workloads.SATOptions{Path: "-", Stdin: bytes.NewReader(text.Bytes()), Rule: "paper", All: f.models > 0})
			},
			Check: func(w run.Workload, r *run.Result) error {
				found, err := w.(*workloads.SAT).ReadResult(r)
				if err != nil {
					return err
				}
				if err := checkModels(found.Models, f.models); err != nil {
					return err
				}
				return checkFormula(found.Model, formula, f.satisfiable)
			},
		}
		if in, err = counted(in, f.satisfiable && f.models == 0, f.expanded); err != nil {
			return nil, err
		}
		inputs = append(inputs, in)
	}
	boards, err := puzzles()
	if err != nil {
		return nil, err
	}
	maps, err := mappings()
	return append(append(inputs, boards...), maps...), err
}

// counted searches the tree in one plain loop, unless the search is decided before its end.
func counted(in Input, decided bool, want int64) (Input, error) {
	if decided {
		return in, nil
	}
	problem, err := in.Open().Load()
	if err != nil {
		return in, err
	}
	for w := problem.Share(search.DefaultSplitting, true); !w.Empty(); {
		in.Expanded += int64(w.Expand(1000))
	}
	if want != 0 && in.Expanded != want {
		return in, fmt.Errorf("%s: the sequential search has %d nodes, want %d", in.Name, in.Expanded, want)
	}
	return in, nil
}

func checkTree(r *run.Result, want uts.Result) error {
	if got := workloads.UTSResult(r.Counts); got != want {
		return fmt.Errorf("size, depth and leaves %v, want %v", got, want)
	}
	return nil
}

// checkModels checks the number of models, if they were counted.
func checkModels(got *big.Int, want int64) error {
	if want == 0 {
		return nil
	}
	if !got.IsInt64() || got.Int64() != want {
		return fmt.Errorf("%v models, want %d", got, want)
	}
	return nil
}

// checkFormula checks the answer. It checks a model by evaluating every clause here.
func checkFormula(model []bool, f *sat.Formula, satisfiable bool) error {
	if found := model != nil; found != satisfiable {
		return fmt.Errorf("satisfiable %v, want %v", found, satisfiable)
	}
	if !satisfiable {
		return nil
	}
	for i := range f.Len() {
		if !satisfied(f.Clause(i), model) {
			return fmt.Errorf("clause %d, %v, is false in the model", i+1, f.Clause(i))
		}
	}
	return nil
}

func satisfied(clause []int32, model []bool) bool {
	for _, l := range clause {
		if v := max(l, -l); model[v-1] == (l > 0) {
			return true
		}
	}
	return false
}
