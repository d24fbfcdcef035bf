package experiment

import (
	"time"

	"treesplit/lb"
	"treesplit/sim"
	"treesplit/termination"
)

// RunSim runs the search on a simulated machine, in virtual time. Requesters rest only
// where the machine says so, as those of real ones do: in the papers every rank has a
// processor of its own.
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
	if s, ok := problem.(Settled); ok {
		problem = s.OnMachine(machine)
	}
	if own, ok := problem.(Protocol); ok {
		p.Scheme, p.Termination = own.Names()
		machine.Work = sim.WorkSize{} // its messages are no pieces of a tree
	}
	logs, err := openSpool(problem)
	if err != nil {
		return nil, err
	}
	defer logs.close()
	h = logs.watch(h)
	res := &Result{
		World: "sim", Machine: machine.Name, Ranks: p.Ranks, Scheme: p.Scheme, Termination: p.Termination, Seed: p.Seed,
		Audit: "ok", PerRank: make([]RankResult, p.Ranks),
	}
	for i := range res.PerRank {
		res.PerRank[i].Rank = i
	}
	for stop := halt(p, h); problem != nil && !stopsAt(res.Why); problem = following(problem, res.Steps[len(res.Steps)-1].Counts) {
		if err := res.simulate(machine, p, problem, logs, stop); err != nil {
			return nil, err
		}
		h.stepped(res.Steps[len(res.Steps)-1], res.Expanded)
	}
	res.Reason = res.Why.String()
	if res.Seconds > 0 {
		res.Efficiency = res.SequentialSeconds / (float64(res.Ranks) * res.Seconds)
	}
	if err := logs.failed(); err != nil {
		return nil, err
	}
	return res, logs.certify(w, res, h)
}

// simulate adds one step to a result. The costs of a step that every rank makes by
// itself are those of its nodes.
func (r *Result) simulate(machine sim.Machine, p Plan, problem Problem, logs *spool, stop func() (lb.Reason, bool)) error {
	if small(problem) {
		r.simulateAlone(machine, problem)
		return nil
	}
	work := &shares{plan: p, problem: problem, logs: logs}
	makers, count, err := simulated(machine, p, work)
	if err != nil {
		return err
	}
	out, err := sim.Run(machine, p.Ranks, p.Seed, makers, sim.Options{PerRank: true, Halt: stop})
	if err != nil {
		return err
	}
	work.flush()
	step := Step{Seconds: seconds(out.Time + machine.ClosingTime(p.Ranks))}
	count(&step)
	for i, one := range out.Ranks {
		q := RankResult{Rank: i, Stats: one.Stats, Messages: one.Messages, WorkSeconds: seconds(one.Busy), IdleSeconds: seconds(one.Idle)}
		r.add(q)
		r.PerRank[i].add(q)
	}
	r.SequentialSeconds += seconds(out.Sequential)
	r.Events += out.Events
	r.Why = out.Reason
	r.close(step)
	return nil
}

// simulateAlone adds a step that every rank makes by itself.
func (r *Result) simulateAlone(machine sim.Machine, problem Problem) {
	w, nodes := solo(problem)
	took := seconds(machine.NodeTime(nodes, len(r.PerRank)))
	for i := range r.PerRank {
		q := RankResult{Rank: i, WorkSeconds: took}
		if q.Expanded = nodes; i > 0 {
			q.Expanded, q.Redundant = 0, nodes
		}
		r.add(q)
		r.PerRank[i].add(q)
	}
	r.SequentialSeconds += seconds(machine.NodeTime(nodes, 1))
	step := Step{problem.Count(w), took, problem.Witness(w)}
	if r.Why = lb.Exhausted; step.Witness != nil {
		r.Why = lb.Decided
	}
	r.close(step)
}

// close ends a step.
func (r *Result) close(s Step) {
	r.Steps = append(r.Steps, s)
	r.Counts.add(s.Counts)
	r.Seconds += s.Seconds
	r.Witness = s.Witness
}

// simulated makes the ranks of a simulation, and what adds up in the end what they have
// counted. The names in the plan have been checked.
func simulated(machine sim.Machine, p Plan, work *shares) (makers func(rank int) lb.Balancer, count func(*Step), err error) {
	if own, ok := work.problem.(Protocol); ok {
		makers, count = protocolRanks(own)
		return makers, count, nil
	}
	network, err := machine.Network(p.Ranks)
	if err != nil {
		return nil, nil, InputError{err}
	}
	permutations := new(lb.Permutations)
	return func(rank int) lb.Balancer {
		detector, err := termination.New(p.Termination, rank, p.Ranks)
		if err != nil {
			panic(err)
		}
		o := work.options(rank)
		o.Detector, o.Network, o.Permutations, o.Rest = detector, network, permutations, machine.Rest
		if o.Phase == 0 {
			o.Phase = machine.Phase()
		}
		b, err := lb.New(p.Scheme, o, rank, p.Ranks)
		if err != nil {
			panic(err)
		}
		return b
	}, work.count, nil
}

// protocolRanks is simulated for a Protocol.
func protocolRanks(own Protocol) (makers func(rank int) lb.Balancer, count func(*Step)) {
	var ends []func(*Step)
	return func(int) lb.Balancer {
			b, end := protocolRank(own)
			ends = append(ends, end)
			return b
		}, func(s *Step) {
			for _, end := range ends {
				end(s)
			}
		}
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
