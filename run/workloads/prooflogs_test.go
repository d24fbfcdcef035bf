package workloads_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"treesplit/lb"
	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/run/workloads"
	"treesplit/sat"
	"treesplit/sim"
)

// A search is interrupted many times and resumed under other schemes, on other numbers of ranks
// and in the other world, sometimes from the previous checkpoint. Its proof equals the proof of a
// search made in one run, byte for byte. Under rule cdcl, whose attempts begin again, and if ranks keep or
// exchange learnt clauses, it is a proof.
func TestProofThroughCheckpoints(t *testing.T) {
	holes := 6.0
	if testing.Short() {
		holes = 5
	}
	f := made(t, "php", map[string]float64{"n": holes}, 0)
	chains, runs := 0, 0
	for turn, v := range checkpointed() {
		t.Run(v.rule+v.learn, func(t *testing.T) {
			rule := v.rule
			whole := satOf(t, f, rule)
			whole.Learn = v.learn
			simplify := []string{"off", "on"}[turn%2]
			whole.Proof, whole.Simplify = filepath.Join(t.TempDir(), "proof"), simplify
			if _, err := run.RunOnGoroutines(proofPlan("rp", turn, 1), whole, run.Hooks{}); err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(whole.Proof)
			if err != nil {
				t.Fatal(err)
			}
			seeds := uint64(4)
			if testing.Short() {
				seeds = 1
			}
			for seed := range seeds {
				c := proofChain{rng: rand.New(rand.NewPCG(seed, uint64(turn))), dir: t.TempDir(), formula: f, rule: rule, learn: v.learn, simplify: simplify}
				got := c.run(t)
				if rule == "cdcl" || v.learn != "" {
					checked(t, f, filepath.Join(c.dir, "proof"))
				} else if !bytes.Equal(got, want) {
					t.Errorf("%s: a proof of %d bytes, want %d, and the same", c.told, len(got), len(want))
				}
				chains, runs = chains+1, runs+c.runs
			}
		})
	}
	if t.Logf("%d chains, %d runs", chains, runs); runs < 2*chains {
		t.Errorf("%d chains of %d runs in all: expected more", chains, runs)
	}
}

// learning is a rule with a value of --learn.
type learning struct{ rule, learn string }

// checkpointed returns the rules, and rule cubes with each value of --learn.
func checkpointed() (all []learning) {
	for _, rule := range workloads.RuleNames() {
		all = append(all, learning{rule, ""})
	}
	return append(all, learning{"cubes", workloads.LearnRank}, learning{"cubes", workloads.LearnShared})
}

// proofChain is a search in several runs.
type proofChain struct {
	rng         *rand.Rand
	dir         string
	formula     *sat.Formula
	rule, learn string
	simplify    string
	told        string
	runs        int
}

// run makes the chain and returns its proof.
func (c *proofChain) run(t *testing.T) []byte {
	t.Helper()
	machine, err := sim.FindMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(c.dir, "checkpoint")
	for runs := 0; ; runs++ {
		schemes := lb.SchemeNames()
		p := proofPlan(schemes[c.rng.IntN(len(schemes))], c.rng.IntN(100), 1+c.rng.IntN(5))
		p.Checkpoint, p.CheckpointEvery = file, time.Duration(c.rng.IntN(3))*time.Millisecond
		if _, err := os.Stat(file); err == nil {
			p.Resume = file
		}
		if c.rng.IntN(4) == 0 { // continue in another file
			p.Checkpoint = filepath.Join(c.dir, fmt.Sprint("checkpoint", runs))
			file = p.Checkpoint
		}
		w := satOf(t, c.formula, c.rule)
		w.Proof, w.Simplify, w.Learn = filepath.Join(c.dir, "proof"), c.simplify, c.learn
		left := atomic.Int64{}
		left.Store(int64(c.rng.IntN(4 << min(runs, 20))))
		hooks := run.Hooks{Interrupted: func() bool { return left.Add(-1) < 0 }}
		if c.rule == "cdcl" && !lb.CanKeepWork(p.Scheme) && p.CheckpointEvery > 0 { // only on request
			polls := 0
			p.CheckpointEvery, hooks.SaveNow = 0, func() bool { polls++; return polls%8 == 0 }
		}
		var r *run.Result
		c.told += fmt.Sprintf(" %s on %d;", p.Scheme, p.Ranks)
		if c.rng.IntN(2) == 0 {
			p.CheckpointEvery *= 100
			r, err = run.RunSimulation(machine, p, w, hooks)
		} else {
			r, err = run.RunOnGoroutines(p, w, hooks)
		}
		w.Close()
		if err != nil {
			t.Fatalf("%s: %v", c.told, err)
		}
		if !r.StoppedEarly() && proofOf(t, w, r) != nil {
			c.runs = runs + 1
			break
		}
		if _, err := os.Stat(checkpoint.Previous(file)); err == nil && c.rng.IntN(3) == 0 {
			if err := os.Truncate(file, 5); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := os.Stat(file); err != nil && p.Resume != "" {
			file = p.Resume // no piece remained to be saved, and the search was not proved
		}
	}
	proof, err := os.ReadFile(filepath.Join(c.dir, "proof"))
	if err != nil {
		t.Fatal(err)
	}
	return proof
}

// A search with a proof resumes only a checkpoint of a search with a proof, and only with
// unchanged logs.
func TestProofNeedsItsLogs(t *testing.T) {
	f := made(t, "php", map[string]float64{"n": 7}, 0)
	dir := t.TempDir()
	try := func(file, resume string, proved bool) (*run.Result, error) {
		w := satOf(t, f, "paper")
		if w.Simplify = "off"; proved {
			w.Proof = filepath.Join(dir, "proof")
		}
		defer w.Close()
		p := proofPlan("rp", 0, 2)
		p.Checkpoint, p.Resume = file, resume
		asked := atomic.Int64{}
		return run.RunOnGoroutines(p, w, run.Hooks{Interrupted: func() bool { return resume == "" && asked.Add(1) > 20 }})
	}
	with, without := filepath.Join(dir, "with"), filepath.Join(dir, "without")
	for file, proved := range map[string]bool{with: true, without: false} {
		if r, err := try(file, "", proved); err != nil || r.Saved == nil {
			t.Fatalf("%+v, %v: expected a checkpoint", r, err)
		}
	}
	if _, err := try("", without, true); err == nil || !errors.As(err, &run.InputError{}) {
		t.Errorf("%v: expected that logs are missed", err)
	}
	if r, err := try("", with, false); err != nil || r.Why != lb.Exhausted {
		t.Errorf("%+v, %v: expected to go on without a proof", r, err)
	}
	logs, err := os.ReadFile(checkpoint.LogsOf(with))
	if err != nil {
		t.Fatal(err)
	}
	spoilt := slices.Clone(logs)
	spoilt[len(logs)/2] ^= 1
	for name, data := range map[string][]byte{"spoilt": spoilt, "cut": logs[:len(logs)-1], "empty": nil} {
		if err := os.WriteFile(checkpoint.LogsOf(with), data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := try("", with, true); err == nil || !errors.As(err, &run.InputError{}) {
			t.Errorf("%s: %v: expected an error of the input", name, err)
		}
	}
}

// A search that is resumed takes the cut of its checkpoint, and chooses none. Another cut is refused.
func TestResumedCut(t *testing.T) {
	f := made(t, "php", map[string]float64{"n": 7}, 0)
	file := filepath.Join(t.TempDir(), "checkpoint")
	search := func(cut, resume string) (d workloads.Decided, err error) {
		w := satOf(t, f, "cubes")
		w.Cut, w.Simplify = cut, "off"
		defer w.Close()
		p := proofPlan("rp", 0, 2)
		p.Checkpoint, p.Resume = file, resume
		asked := atomic.Int64{}
		r, err := run.RunOnGoroutines(p, w, run.Hooks{Interrupted: func() bool { return resume == "" && asked.Add(1) > 20 }})
		if err != nil {
			return d, err
		}
		return w.ReadResult(r)
	}
	if _, err := search("assigned=9", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := search("assigned=5", file); err == nil || !strings.Contains(err.Error(), "--cut or --budget is") {
		t.Errorf("%v: expected that another cut is refused", err)
	}
	found, err := search("auto", file)
	if err != nil {
		t.Fatal(err)
	}
	if c := found.Cutting; c.Cut != "assigned=9" || c.Sampling > 0 {
		t.Errorf("%+v: expected the cut of the checkpoint, without samples", c)
	}
}
