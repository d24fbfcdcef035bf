package exact

import (
	"fmt"
	"time"

	"treesplit/lb"
	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/search"
	"treesplit/spmd"
	"treesplit/termination"
)

// Run makes one run in some world. The Result is nil on ranks other than 0.
type Run func(p run.Plan, w run.Workload) (*run.Result, error)

// variant is a way to run a search that must not change the tree.
type variant struct {
	name string
	set  func(p *run.Plan)
}

// usual is the variant that every scheme must accept.
const usual = "as usual"

// variants are tried in turn, so that every scheme, detector and input is combined with every
// variant.
var variants = []variant{
	{usual, func(p *run.Plan) { p.Quantum = 0 }},
	{"--split bottom", func(p *run.Plan) { p.Splitting.Rule = search.Bottom }},
	{"--topology ring", func(p *run.Plan) { p.Topology = "ring" }},
	{"--damage 0.1", func(p *run.Plan) { p.Damage = 0.1 }},
	{"--cutoff 4", func(p *run.Plan) { p.Splitting.Cutoff = 4 }},
	{"--route-through-scheduler --equal-targets --arity 3 --quantum 20", func(p *run.Plan) {
		p.RouteThroughScheduler, p.EqualTargets, p.Arity, p.Quantum = true, true, 3, 20
	}},
	{"--topology mesh --min-split 1", func(p *run.Plan) { p.Topology, p.Splitting.MinOpen = "mesh", 1 }},
	{"--delay 0 --quantum 1", func(p *run.Plan) { p.Delay, p.Quantum = 0, 1 }},
	{"--damage 0.02 --split bottom --serve 1", func(p *run.Plan) {
		p.Damage, p.Splitting.Rule, p.Serve = 0.02, search.Bottom, 1
	}},
	{"--route-through-scheduler --cutoff 2", func(p *run.Plan) { p.RouteThroughScheduler, p.Splitting.Cutoff = true, 2 }},
	{"--splits auto --phase 50 --trigger always", func(p *run.Plan) {
		p.Splits, p.PhaseNodes, p.Trigger = lb.AutoSplits, 50, lb.TriggerAlways
	}},
	{"--splits 9 --permutation exact --cluster 2", func(p *run.Plan) {
		p.Splits, p.Permutation, p.Cluster = 9, lb.ShufflePermutations[1], 2
	}},
	{"--splits 14 --phase 20us --trigger notify --topology mesh --trigger-at 0.5", func(p *run.Plan) {
		p.Splits, p.Phase, p.Trigger, p.Topology, p.TriggerAt = 14, 20*time.Microsecond, lb.TriggerNotify, "mesh", 0.5
	}},
	{"--quantum 7 --min-split 5", func(p *run.Plan) { p.Quantum, p.Splitting.MinOpen = 7, 5 }},
}

// plan returns the plan that the variants change. The quantum is small because the trees are
// small. The watchdog ends a run that hangs.
func plan(scheme, detector string, seed uint64, ranks int) run.Plan {
	return run.Plan{
		Ranks: ranks, Scheme: scheme, Termination: detector, Topology: "hypercube", Seed: seed,
		Quantum: 64, Serve: spmd.DefaultServe, Delay: 100 * time.Microsecond, Splitting: search.DefaultSplitting, Stall: 20 * time.Second,
		Store: checkpoint.Files{},
	}
}

// Totals count the runs of a suite.
type Totals struct {
	Runs   int
	Grants int64    // pieces sent between ranks, as far as this rank knows
	Idle   []string // schemes without a grant in all runs whose Result is known

	answered int // runs with a Result
}

// Each makes every step-th run of all combinations of scheme, detector, input and variant, on the
// given number of ranks. If step has no common factor with the number of variants, schemes,
// detectors and inputs, every pair of values occurs. Each stops at the first error. The error
// names the flags that repeat the run.
func Each(inputs []Input, step int, ranks int, run Run) (Totals, error) {
	var all Totals
	turn := 0
	for _, scheme := range lb.SchemeNames() {
		var t Totals
		for _, detector := range termination.DetectorNames() {
			for _, in := range inputs {
				for _, v := range variants {
					if turn++; turn%step != 0 {
						continue
					}
					if err := t.add(in, v, plan(scheme, detector, uint64(turn), ranks), run); err != nil {
						return all, err
					}
				}
			}
		}
		if ranks > 1 && t.answered > 0 && t.Grants == 0 {
			all.Idle = append(all.Idle, scheme)
		}
		all.Runs += t.Runs
		all.Grants += t.Grants
	}
	return all, nil
}

// add makes one run and counts it.
func (t *Totals) add(in Input, v variant, p run.Plan, run Run) error {
	v.set(&p)
	if v.name != usual && p.Check() != nil {
		return nil // not every scheme accepts every flag
	}
	r, err := in.check(p, run)
	if err != nil {
		return fmt.Errorf("%s --scheme %s --termination %s %s --seed %d on %d ranks: %w",
			in.Name, p.Scheme, p.Termination, v.name, p.Seed, p.Ranks, err)
	}
	t.Runs++
	if r != nil {
		t.answered++
		t.Grants += r.Grants
	}
	return nil
}

// check makes one run of the input and checks its result, if it is known on this rank.
func (in Input) check(p run.Plan, run Run) (*run.Result, error) {
	w := in.Open()
	r, err := run(p, w)
	if err != nil || r == nil {
		return nil, err
	}
	if in.Expanded != 0 && r.Expanded != in.Expanded {
		return nil, fmt.Errorf("the run expanded %d nodes, the sequential search %d", r.Expanded, in.Expanded)
	}
	var sum int64
	for _, q := range r.PerRank {
		sum += q.Expanded
	}
	if r.Audit != "ok" || r.Ranks != p.Ranks || len(r.PerRank) != p.Ranks || sum != r.Expanded {
		return nil, fmt.Errorf("audit %q, %d ranks, %d nodes on %d ranks, want %d", r.Audit, r.Ranks, sum, len(r.PerRank), r.Expanded)
	}
	return r, in.Check(w, r)
}
