package cli

import (
	"fmt"
	"io"
	"math"

	"treesplit/cli/internal/units"
	"treesplit/ksbf"
	"treesplit/run"
)

// ringJSON holds the JSON keys of all commands of ring, in addition to the keys of every run.
type ringJSON struct {
	Computation string `json:"computation"`
	Tasks       int64  `json:"tasks"`
	Leaves      int64  `json:"leaves"`
	Depth       int64  `json:"depth"`
	*integralJSON
}

// integralJSON holds the additional keys of quadrature. Exact and Error belong to complete runs
// only.
type integralJSON struct {
	Function string   `json:"function"`
	From     float64  `json:"from"`
	To       float64  `json:"to"`
	Integral float64  `json:"integral"`
	Exact    *float64 `json:"exact,omitempty"`
	Error    *float64 `json:"error,omitempty"`
}

// ringResult is the JSON of a run on real ranks.
type ringResult struct {
	*run.Result
	ringJSON
}

// newRingJSON describes the counts. The integral of a stopped run is the integral of the intervals
// accepted so far.
func newRingJSON(name string, w ksbf.Workload, t *ksbf.Tally, partial bool) (ringJSON, error) {
	out := ringJSON{Computation: name, Tasks: t.Nodes, Leaves: t.Leaves, Depth: t.Depth}
	q, ok := w.(ksbf.Quadrature)
	if !ok {
		return out, nil
	}
	integral, exact := t.Sum.Float64(), q.ExactIntegral()
	out.integralJSON = &integralJSON{Function: q.Function.Name, From: q.From, To: q.To, Integral: integral}
	if !partial {
		wrong := math.Abs(integral - exact)
		out.Exact, out.Error = &exact, &wrong
	}
	return out, checkIntegral(q, integral)
}

// printText prints the values as lines of text.
func (r *ringJSON) printText(out io.Writer) {
	if q := r.integralJSON; q != nil {
		fmt.Fprintf(out, "integral %.17g\n", q.Integral)
		if q.Exact != nil {
			fmt.Fprintf(out, "exact    %.17g\nerror    %.3g\n", *q.Exact, *q.Error)
		}
	}
	fmt.Fprintf(out, "tasks    %s\nleaves   %s\ndepth    %s\n", units.Count(r.Tasks), units.Count(r.Leaves), units.Count(r.Depth))
}
