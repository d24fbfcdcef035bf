package experiment

import (
	"time"

	"treesplit/lb"
	"treesplit/search"
	"treesplit/sim"
	"treesplit/termination"
)

// RunSim runs the search on a simulated machine, in virtual time. Requesters do
// not rest there: every rank has a processor of its own.
func RunSim(machine sim.Machine, p Plan, w Workload, h Hooks) (*Result, error) {
	if p.Quantum > 0 {
		machine.Quantum = p.Quantum
	}
	if p.Serve > 0 {
		machine.Serve = p.Serve
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	if err := machine.Check(); err != nil {
		return nil, InputError{err}
	}
	problem, err := w.Load()
	if err != nil {
		return nil, InputError{err}
	}
	work := &shares{plan: p, problem: problem}
	makers, err := simulated(machine, p, work)
	if err != nil {
		return nil, err
	}
	r, err := sim.Run(machine, p.Ranks, p.Seed, makers, sim.Options{PerRank: true, Halt: halt(p, h)})
	if err != nil {
		return nil, err
	}
	return simResult(machine, p, work, r), nil
}

// simulated makes the ranks of a simulation. The names in the plan have been
// checked.
func simulated(machine sim.Machine, p Plan, work *shares) (func(rank int) lb.Balancer, error) {
	network, err := machine.Network(p.Ranks)
	if err != nil {
		return nil, InputError{err}
	}
	permutations := new(lb.Permutations)
	return func(rank int) lb.Balancer {
		detector, err := termination.New(p.Termination, rank, p.Ranks)
		if err != nil {
			panic(err)
		}
		o := work.options(rank)
		o.Detector, o.Network, o.Permutations = detector, network, permutations
		if o.Phase == 0 {
			o.Phase = machine.Phase()
		}
		b, err := lb.New(p.Scheme, o, rank, p.Ranks)
		if err != nil {
			panic(err)
		}
		return b
	}, nil
}

// halt ends a simulation by the clock on the wall, or by a person.
func halt(p Plan, h Hooks) func() (lb.Reason, bool) {
	start := time.Now()
	return func() (lb.Reason, bool) {
		switch {
		case h.Interrupted != nil && h.Interrupted():
			return lb.Interrupted, true
		case p.Timeout > 0 && time.Since(start) > p.Timeout:
			return lb.Timeout, true
		}
		return lb.Exhausted, false
	}
}

// simResult gathers what the ranks of a simulation have.
func simResult(machine sim.Machine, p Plan, work *shares, r sim.Result) *Result {
	res := &Result{
		World: "sim", Machine: machine.Name, Ranks: p.Ranks, Scheme: p.Scheme, Termination: p.Termination, Seed: p.Seed,
		Seconds: seconds(r.Time), SequentialSeconds: seconds(r.Sequential), Events: r.Events,
		Audit: "ok", Why: r.Reason, Reason: r.Reason.String(),
	}
	for i, one := range r.Ranks {
		q := RankResult{Rank: i, Stats: one.Stats, Messages: one.Messages, WorkSeconds: seconds(one.Busy), IdleSeconds: seconds(one.Idle)}
		res.add(q)
		res.PerRank = append(res.PerRank, q)
	}
	if r.Time > 0 {
		res.Efficiency = res.SequentialSeconds / (float64(res.Ranks) * res.Seconds)
	}
	work.each(func(w search.Work) {
		res.Counts.add(work.problem.Count(w))
		if res.Witness == nil {
			res.Witness = work.problem.Witness(w)
		}
	})
	return res
}
