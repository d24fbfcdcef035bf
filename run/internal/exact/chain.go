package exact

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"treesplit/lb"
	"treesplit/run"
	"treesplit/termination"
)

// RunHooked is a Run with hooks, which can interrupt it.
type RunHooked func(p run.Plan, w run.Workload, h run.Hooks) (*run.Result, error)

// Chain makes a search in several runs. Each run resumes the checkpoint of the previous run: on
// another number of ranks, under another scheme and detector, with another variant, in another
// world. A run is interrupted after a number of calls of Interrupted, and it is saved in between
// too. The number grows from run to run, so that the chain ends. seed determines all choices.
func Chain(in Input, seed uint64, dir string, worlds []RunHooked) (runs, checkpoints int, err error) {
	rng := rand.New(rand.NewPCG(seed, 6))
	file := filepath.Join(dir, fmt.Sprint("chain", seed))
	told := ""
	for ; ; runs++ {
		p := chained(rng, seed)
		p.Checkpoint = file
		p.CheckpointEvery = 0
		if rng.IntN(3) == 0 {
			p.CheckpointEvery = time.Duration(1+rng.IntN(4)) * 20 * time.Millisecond
		}
		if _, err := os.Stat(file); err == nil {
			p.Resume = file
		}
		left := atomic.Int64{}
		left.Store(int64(rng.IntN(4 << min(runs, 20))))
		interrupted := func() bool { return left.Add(-1) < 0 }
		told += fmt.Sprintf("; %s, %s, %d ranks", p.Scheme, p.Termination, p.Ranks)
		w := in.Open()
		r, err := worlds[rng.IntN(len(worlds))](p, w, run.Hooks{Interrupted: interrupted})
		if err != nil {
			return runs, checkpoints, fmt.Errorf("%s, chain %d%s: %w", in.Name, seed, told, err)
		}
		if r.Saved != nil {
			checkpoints += r.Saved.Count
		}
		if r.Why > lb.Decided {
			continue
		}
		if err := in.chained(w, r); err != nil {
			return runs, checkpoints, fmt.Errorf("%s, chain %d%s: %w", in.Name, seed, told, err)
		}
		return runs + 1, checkpoints, nil
	}
}

// chained returns the plan of one run of a chain.
func chained(rng *rand.Rand, seed uint64) run.Plan {
	for {
		schemes, detectors := lb.SchemeNames(), termination.DetectorNames()
		p := plan(schemes[rng.IntN(len(schemes))], detectors[rng.IntN(len(detectors))], seed, 1+rng.IntN(6))
		variants[rng.IntN(len(variants))].set(&p)
		if p.Check() == nil {
			return p
		}
	}
}

// chained checks the result of the last run of a chain.
func (in Input) chained(w run.Workload, r *run.Result) error {
	if in.Expanded != 0 && r.Expanded != in.Expanded {
		return fmt.Errorf("the run expanded %d nodes, the sequential search %d", r.Expanded, in.Expanded)
	}
	return in.Check(w, r)
}
