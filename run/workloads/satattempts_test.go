package workloads_test

import (
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"treesplit/local"
	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/run/workloads"
	"treesplit/sat/ruletest"
)

// watchedSAT keeps the problem that a rank searches.
type watchedSAT struct {
	*workloads.SAT
	problem run.Problem
}

// LoadFor loads the problem on rank 0.
func (w *watchedSAT) LoadFor(l run.Loading) (p run.Problem, err error) {
	w.problem, err = w.SAT.LoadFor(l)
	return w.problem, err
}

// Decode loads the problem on another rank.
func (w *watchedSAT) Decode(data []byte) (p run.Problem, err error) {
	w.problem, err = w.SAT.Decode(data)
	return w.problem, err
}

// pigeons is a formula that rule cdcl does not decide in these tests.
func pigeons(t *testing.T) *workloads.SAT {
	return satOf(t, ruletest.MakeFamily(t, "php", 0, "n=10"), "cdcl")
}

// savedPlan is a plan that saves checkpoints.
func savedPlan(t *testing.T, scheme string) run.Plan {
	p := run.DefaultPlan(3)
	p.Scheme, p.Quantum, p.Store = scheme, 5, checkpoint.Files{}
	p.Checkpoint = filepath.Join(t.TempDir(), "checkpoint")
	return p
}

// After a checkpoint a process keeps no solver of an attempt that another process continues. The ranks have
// nothing in common here, as under MPI.
func TestCheckpointsLeaveNoSolvers(t *testing.T) {
	const most = 12 // checkpoints
	for _, scheme := range []string{"rp", "sl", "shuffle"} {
		p, polls, saves, pieces := savedPlan(t, scheme), 0, atomic.Int64{}, 0
		h := run.Hooks{
			SaveNow:     func() bool { polls++; return polls%10 == 0 },
			Saved:       func(s run.Saved, _ error) { saves.Add(1); pieces = s.Pieces },
			Interrupted: func() bool { return saves.Load() >= most },
		}
		solvers := atomic.Int64{}
		var wg sync.WaitGroup
		for _, e := range local.New(p.Ranks) {
			w := &watchedSAT{SAT: pigeons(t)}
			wg.Add(1)
			go func() {
				defer wg.Done()
				if _, err := run.RunOn(e, p, w, h, e.World().FailAllRanks); err != nil {
					e.World().FailAllRanks(err)
					t.Errorf("%s: %v", scheme, err)
					return
				}
				solvers.Add(int64(workloads.CountDeposits(w.problem)))
			}()
		}
		wg.Wait()
		// Since the last checkpoint each rank may have continued one attempt of another rank.
		if most := int64(pieces + p.Ranks); solvers.Load() > most {
			t.Errorf("%s: %d solvers remain for %d pieces after %d checkpoints: expected at most %d", scheme, solvers.Load(), pieces, saves.Load(), most)
		}
	}
}

// Periodic checkpoints are refused if the attempts would not continue after them.
func TestCheckpointsKeepAttempts(t *testing.T) {
	for scheme, refused := range map[string]bool{
		"sl": true, "ml": true, "ra": true, "ranade": true, "rp": false, "sb": false, "static": false, "shuffle": false,
	} {
		p := savedPlan(t, scheme)
		interrupted := run.Hooks{Interrupted: func() bool { return true }}
		for _, every := range []time.Duration{0, time.Hour} {
			p.CheckpointEvery = every
			_, err := run.RunOnGoroutines(p, pigeons(t), interrupted)
			p.Restart = true
			if !refused || every == 0 {
				if err != nil {
					t.Errorf("%s, every %v: %v", scheme, every, err)
				}
			} else if !errors.As(err, &run.InputError{}) || !strings.HasPrefix(err.Error(), "--checkpoint-every: after a checkpoint scheme "+scheme) {
				t.Errorf("%s: %v, want an error about --checkpoint-every", scheme, err)
			}
		}
	}
}
