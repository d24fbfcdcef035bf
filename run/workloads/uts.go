package workloads

import (
	"fmt"

	"treesplit/run"
	"treesplit/search"
	"treesplit/uts"
)

// UTS is the Unbalanced Tree Search workload. The problem consists of the parameters, which every
// rank has from the command line.
type UTS struct{ Params uts.Params }

// Load checks the parameters.
func (w *UTS) Load() (run.Problem, error) { return w.Decode(nil) }

// Decode checks the parameters. It ignores the data.
func (w *UTS) Decode([]byte) (run.Problem, error) {
	if err := w.Params.Validate(); err != nil {
		return nil, err
	}
	return utsProblem{w.Params}, nil
}

// UTSResult returns the counts of a run as a Result.
func UTSResult(c run.Counts) uts.Result {
	return uts.Result{Size: c.Sums[0], Leaves: c.Sums[1], Depth: c.Maxima[0]}
}

type utsProblem struct{ params uts.Params }

func (p utsProblem) Encode() ([]byte, error) { return nil, nil }

// Identity returns all parameters.
func (p utsProblem) Identity() string { return fmt.Sprintf("uts %+v", p.params) }

// Flags returns the flags of the command line that define the search.
func (p utsProblem) Flags() map[string]string {
	return map[string]string{
		"Type": "--type", "B0": "--branching", "Seed": "--root-seed", "Shape": "--shape", "Depth": "--depth",
		"Q": "--probability", "M": "--children", "Shift": "--shift", "Granularity": "--granularity",
	}
}

func (p utsProblem) Share(split search.Splitting, root bool) search.Work {
	t, err := uts.New(p.params, split, root)
	if err != nil {
		panic(err) // Decode has validated the parameters
	}
	return t
}

func (p utsProblem) Count(w search.Work) run.Counts {
	r := w.(*uts.Tree).Result()
	return run.Counts{Sums: []int64{r.Size, r.Leaves}, Maxima: []int64{r.Depth}}
}

// Nodes returns the published size of the tree, if there is one.
func (p utsProblem) Nodes() (n int64, known bool) {
	published, ok := uts.Published(p.params)
	return published.Size, ok
}

// Shape returns the tree without its hashes.
func (p utsProblem) Shape() (s search.Shape, ok bool) {
	s, err := uts.TreeShape(p.params)
	return s, err == nil
}

func (p utsProblem) Witness(search.Work) []byte { return nil }
