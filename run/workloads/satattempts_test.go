package workloads_test

import (
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"treesplit/lb"
	"treesplit/local"
	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/run/workloads"
	"treesplit/sat/ruletest"
	"treesplit/search"
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
		p, polls, saves, pieces, warned := savedPlan(t, scheme), 0, atomic.Int64{}, 0, 0
		h := run.Hooks{
			SavesLose:   func(string) { warned++ },
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
		if (warned == 1) != (scheme == "sl") {
			t.Errorf("%s: the program learned %d times that checkpoints lose work", scheme, warned)
		}
		// Since the last checkpoint each rank may have continued one attempt of another rank.
		if most := int64(pieces + p.Ranks); solvers.Load() > most {
			t.Errorf("%s: %d solvers remain for %d pieces after %d checkpoints: expected at most %d", scheme, solvers.Load(), pieces, saves.Load(), most)
		}
	}
}

// Periodic checkpoints are refused if the attempts would not continue after them. A program that saves on request
// learns it.
func TestCheckpointsKeepAttempts(t *testing.T) {
	for scheme, refused := range map[string]bool{
		"sl": true, "ml": true, "ra": true, "ranade": true, "rp": false, "sb": false, "static": false, "shuffle": false,
	} {
		p := savedPlan(t, scheme)
		why := ""
		interrupted := run.Hooks{Interrupted: func() bool { return true }, SavesLose: func(text string) { why = text }}
		for _, every := range []time.Duration{0, time.Hour} {
			p.CheckpointEvery = every
			_, err := run.RunOnGoroutines(p, pigeons(t), interrupted)
			p.Restart = true
			if strings.HasPrefix(why, "after a checkpoint scheme "+scheme) != refused {
				t.Errorf("%s, every %v: a checkpoint on request loses work: %q", scheme, every, why)
			}
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

// If auto picks cdcl, periodic checkpoints that would begin other attempts are left out, with one warning.
func TestPickedAttemptsAreNotPaused(t *testing.T) {
	schemes := map[string]bool{"sl": true, "ml": true, "ra": true, "ranade": true, "rp": false}
	if testing.Short() {
		schemes = map[string]bool{"sl": true, "rp": false}
	}
	for scheme, warns := range schemes {
		for _, together := range []bool{true, false} { // or as under MPI
			p, warnings, saves := savedPlan(t, scheme), atomic.Int64{}, atomic.Int64{}
			p.CheckpointEvery = 1
			h := run.Hooks{
				Saved: func(run.Saved, error) { saves.Add(1) },
				Warn: func(_ int, text string) {
					if warnings.Add(1); !strings.HasPrefix(text, "--checkpoint-every has no effect: after a checkpoint scheme "+scheme) {
						t.Errorf("the warning is %q", text)
					}
				},
			}
			rule := ""
			if together {
				w := undecided(t)
				if _, err := run.RunOnGoroutines(p, w, h); err != nil {
					t.Fatalf("%s: %v", scheme, err)
				}
				rule, _ = w.PickedRule()
			} else {
				var wg sync.WaitGroup
				for _, e := range local.New(p.Ranks) {
					w := undecided(t)
					wg.Go(func() {
						if _, err := run.RunOn(e, p, w, h, e.World().FailAllRanks); err != nil {
							e.World().FailAllRanks(err)
							t.Errorf("%s: %v", scheme, err)
						}
						if e.Rank() == 0 {
							rule, _ = w.PickedRule()
						}
					})
				}
				wg.Wait()
			}
			if rule != "cdcl" || (warnings.Load() == 1) != warns || (saves.Load() == 0) != warns {
				t.Errorf("%s, together %v: rule %s, %d warnings, %d checkpoints; want a warning and no checkpoint: %v", scheme, together, rule, warnings.Load(), saves.Load(), warns)
			}
		}
	}
}

// undecided is a formula for which auto picks cdcl, after a try that does not decide it.
func undecided(t *testing.T) *workloads.SAT {
	w := satOf(t, ruletest.MakeFamily(t, "adder", 1, "n=24"), "auto")
	w.SetLimits(0, 5000)
	w.ShortenDives()
	t.Cleanup(w.Close)
	return w
}

// A checkpoint keeps the solver of the try of auto while attempt 0 waits in a range of parts of a static start. The
// attempt then continues the try.
func TestTryWaitsInParts(t *testing.T) {
	conflicts := func(piece []byte) int64 {
		w := undecided(t)
		p, err := w.Load()
		if err != nil {
			t.Fatal(err)
		}
		if rule, choice := w.PickedRule(); rule != "cdcl" || choice.Decided {
			t.Fatalf("%s, %+v; want cdcl after a try", rule, choice)
		}
		inner := p.Share(search.DefaultSplitting, piece == nil)
		share := lb.AcceptParts(inner)
		if piece != nil {
			p.(run.Depositing).KeepDeposits([][]byte{piece})
			if n := workloads.CountDeposits(p); n != 1 {
				t.Errorf("%d solvers wait, want the solver of the try", n)
			}
			if err := share.Accept(piece); err != nil {
				t.Fatal(err)
			}
		}
		for !search.Decided(share) {
			share.Expand(1000)
		}
		if n := workloads.CountDeposits(p); n != 0 {
			t.Errorf("%d solvers wait after the search, want none", n)
		}
		return p.Count(inner).Sums[workloads.SATConflicts]
	}
	parts := append([]byte{search.MarkParts, 0}, make([]byte, 24)...) // 2^0 parts, of which number 0
	parts[len(parts)-1] = 1                                           // and no other waits
	if want, got := conflicts(nil), conflicts(parts); got != want {
		t.Errorf("%d conflicts after a checkpoint, %d without; want the same", got, want)
	}
}
