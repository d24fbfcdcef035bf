package predict

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"treesplit/internal/parallel"
	"treesplit/lb"
	"treesplit/run"
	"treesplit/sim"
)

// ErrInterrupted ends a prediction that the user has interrupted.
var ErrInterrupted = errors.New("interrupted")

// Cell is the prediction for a scheme on a number of ranks.
type Cell struct {
	Scheme  string  `json:"scheme"`
	Ranks   int     `json:"ranks"`
	Seconds float64 `json:"seconds"` // the median of the runs
	// Least and Most are the range of the times of the runs, if there are several.
	Least      float64 `json:"secondsLeast,omitempty"`
	Most       float64 `json:"secondsMost,omitempty"`
	Efficiency float64 `json:"efficiency"` // relative to one rank alone, without polls
	Requests   int64   `json:"requests"`
	Messages   int64   `json:"messages"`
	// Cutoff is the depth at which a model is cut into subtasks, under the schemes that do so.
	Cutoff int `json:"cutoff,omitempty"`
	// GivenUp reports whether the simulation took too long; then the other results are zero.
	GivenUp bool `json:"givenUp,omitempty"`

	grants int64
}

// Options define the prediction.
type Options struct {
	Machine sim.Machine
	Plan    run.Plan // of the runs, except for scheme and ranks
	Schemes []string // lb.SchemeNames or other names that lb.CheckName accepts
	Ranks   []int    // in increasing order
	// Runs is the number of simulations of which a cell is the median; at least 1. A model that is cut
	// into subtasks is simulated once at each depth.
	Runs int
	// Efficiency is the efficiency of the isoefficiency curve; 0: no curve.
	Efficiency float64
	Patience   time.Duration // the longest time of a simulation; 0: unlimited
	Workers    int           // number of simulations at the same time; at least 1

	Interrupted func() bool              // nil: never
	Progress    func(done, wanted int64) // called with the numbers of simulations, by several goroutines at once; nil: not called
}

// simulator simulates cells and counts them.
type simulator struct {
	Options
	done, wanted atomic.Int64
}

// simulateCell simulates one run. The error is ErrInterrupted, or an error of the plan or the
// input.
func (s *simulator) simulateCell(plan run.Plan, w run.Workload, scheme string, ranks int) (Cell, error) {
	return s.simulateOn(s.Machine, plan, w, scheme, ranks)
}

// simulateOn is simulateCell on a given machine.
func (s *simulator) simulateOn(m sim.Machine, plan run.Plan, w run.Workload, scheme string, ranks int) (Cell, error) {
	if s.Interrupted != nil && s.Interrupted() { // a short simulation does not notice it
		return Cell{}, ErrInterrupted
	}
	plan.Scheme, plan.Ranks, plan.Timeout = scheme, ranks, s.Patience
	r, err := run.RunSimulation(m, plan, w, run.Hooks{Interrupted: s.Interrupted})
	if err != nil {
		return Cell{}, err
	}
	s.done.Add(1)
	if s.Progress != nil {
		s.Progress(s.done.Load(), s.wanted.Load())
	}
	switch r.Why {
	case lb.Interrupted:
		return Cell{}, ErrInterrupted
	case lb.Timeout:
		return Cell{Scheme: scheme, Ranks: ranks, GivenUp: true}, nil
	}
	return Cell{
		Scheme: scheme, Ranks: ranks, Seconds: r.Seconds, Efficiency: r.Efficiency,
		Requests: r.Requests, Messages: r.Messages, grants: r.Grants,
	}, nil
}

// simulateGrid simulates every scheme on every number of ranks, several times each. The cells of one
// scheme are adjacent.
func (s *simulator) simulateGrid(t Tree) ([]Cell, error) {
	n := len(s.Schemes)
	for _, scheme := range s.Schemes {
		runs := s.Runs
		if t.Kind == Model && lb.CutsSubtasks(scheme) {
			runs = 1
		}
		s.wanted.Add(int64(runs * len(s.Ranks)))
	}
	// Small numbers of ranks come first: they are quick, and errors appear early.
	cells, err := parallel.SideBySide(context.Background(), s.Workers, n*len(s.Ranks), func(_ context.Context, i int) (Cell, error) {
		scheme, ranks, w := s.Schemes[i%n], s.Ranks[i/n], t.workload
		if t.Kind == Model {
			if lb.CutsSubtasks(scheme) {
				return s.simulateModel(t.Nodes, evenSigma, scheme, ranks)
			}
			w = halvingWorkload(t.Nodes, evenSigma)
		}
		return s.simulateRuns(s.Machine.DivideNodes(t.parts), w, scheme, ranks)
	})
	if err != nil {
		return nil, err
	}
	ordered := make([]Cell, 0, len(cells))
	for scheme := range n {
		for i := scheme; i < len(cells); i += n {
			ordered = append(ordered, cells[i])
		}
	}
	return ordered, nil
}
