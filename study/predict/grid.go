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

// ErrInterrupted ends a prediction that a person has interrupted.
var ErrInterrupted = errors.New("interrupted")

// Cell is what is predicted of a scheme on a number of ranks.
type Cell struct {
	Scheme     string  `json:"scheme"`
	Ranks      int     `json:"ranks"`
	Seconds    float64 `json:"seconds"`
	Efficiency float64 `json:"efficiency"` // against one rank alone, without polls
	Requests   int64   `json:"requests"`
	Messages   int64   `json:"messages"`
	// GivenUp says that the simulation took too long; then the others are zero.
	GivenUp bool `json:"givenUp,omitempty"`
}

// Options say what is predicted.
type Options struct {
	Machine sim.Machine
	Plan    run.Plan // of the runs, except for scheme and ranks
	Schemes []string // lb.SchemeNames or others that lb.CheckName knows
	Ranks   []int    // in increasing order
	// Efficiency is what the isoefficiency is of; 0: none is wanted.
	Efficiency float64
	Patience   time.Duration // that a simulation may take; 0: any
	Workers    int           // simulations side by side; at least 1

	Interrupted func() bool              // nil: never
	Progress    func(done, wanted int64) // told of simulations; may be called by several at once; nil: nobody is
}

// simulator simulates cells and counts them.
type simulator struct {
	Options
	done, wanted atomic.Int64
}

// schemeFits reports whether a scheme can work on a kind of tree: models have no subtasks.
func schemeFits(scheme, kind string) bool { return kind != Model || !lb.CutsSubtasks(scheme) }

// simulateCell simulates one run. The error is ErrInterrupted, or one of the plan or the input.
func (s *simulator) simulateCell(w run.Workload, scheme string, ranks int) (Cell, error) {
	plan := s.Plan
	plan.Scheme, plan.Ranks, plan.Timeout = scheme, ranks, s.Patience
	r, err := run.RunSimulation(s.Machine, plan, w, run.Hooks{Interrupted: s.Interrupted})
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
		Requests: r.Requests, Messages: r.Messages,
	}, nil
}

// simulateGrid simulates every scheme that the tree has a use for on every number of ranks, the
// ranks of one scheme in a row.
func (s *simulator) simulateGrid(t Tree) ([]Cell, error) {
	var schemes []string
	for _, scheme := range s.Schemes {
		if schemeFits(scheme, t.Kind) {
			schemes = append(schemes, scheme)
		}
	}
	n := len(schemes)
	s.wanted.Add(int64(n * len(s.Ranks)))
	// Few ranks first: that is quick, and errors show early.
	cells, err := parallel.SideBySide(context.Background(), s.Workers, n*len(s.Ranks), func(_ context.Context, i int) (Cell, error) {
		return s.simulateCell(t.workload, schemes[i%n], s.Ranks[i/n])
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
