package run

import (
	"cmp"
	"time"

	"treesplit/comm"
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
	if err := machine.Check(); err != nil {
		return nil, InputError{err}
	}
	own, err := openProcess(&p, w, h, func(problem Problem) Problem {
		if s, ok := problem.(Settled); ok {
			problem = s.OnMachine(machine)
		}
		if protocol, ok := problem.(Protocol); ok {
			p.Scheme, p.Termination = protocol.Names()
			machine.Work = sim.WorkSize{} // its messages are no pieces of a tree
		}
		return problem
	})
	if err != nil {
		return nil, err
	}
	defer own.close()
	problem, from, logs, h := own.problem, own.from, own.logs, own.hooks
	h.meter = newMeter(h.Progress)
	res := newSimResult(machine, p)
	s := &simulation{machine: machine, plan: p, hooks: h, logs: logs, halt: halt(p, h), saver: newSaver(p, problem, from, 0), from: from, observer: newSimObserver(p, machine), meter: h.meter, Result: res}
	if from != nil {
		problem = s.resume(h)
	}
	for problem != nil && !stopsAt(res.Why) {
		if err := s.step(problem); err != nil {
			return nil, err
		}
		last := res.Steps[len(res.Steps)-1]
		h.stepped(last, s.earlier+res.Expanded, res.Why)
		problem = following(problem, last.Counts)
	}
	res.chain(from, s.saver)
	s.observer.result(p, res)
	res.Reason = res.Why.String()
	if res.Seconds > 0 {
		res.Efficiency = res.SequentialSeconds / (float64(res.Ranks) * res.Seconds)
	}
	logs.conclude(w, res, h)
	return res, nil
}

// newSimResult is the Result of a simulation that has not begun.
func newSimResult(machine sim.Machine, p Plan) *Result {
	res := &Result{
		World: "sim", Machine: machine.Name, Ranks: p.Ranks, Scheme: p.Scheme, Termination: p.Termination, Seed: p.Seed,
		Audit: "ok", PerRank: make([]RankResult, p.Ranks),
	}
	for i := range res.PerRank {
		res.PerRank[i].Rank = i
	}
	return res
}

// simulation is a run on a simulated machine, whose Result grows.
type simulation struct {
	machine  sim.Machine
	plan     Plan
	hooks    Hooks
	logs     *spool
	halt     func() (lb.Reason, bool)
	from     *past        // what the next search goes on from; or nil
	saver    *saver       // or nil
	before   float64      // seconds of the step at hand, in other runs
	earlier  int64        // nodes expanded in other runs
	observer *simObserver // or nil
	meter    *meter       // or nil
	*Result
}

// step adds one step to the result. The costs of a step that every rank makes by itself are
// those of its nodes.
func (s *simulation) step(problem Problem) error {
	if small(problem) && s.from == nil {
		nodes, took, err := s.simulateAlone(s.machine, problem)
		s.observer.alone(nodes, took)
		return err
	}
	step := newStep()
	if s.from != nil {
		step = restored(s.from.Step, s.from.Bound)
	}
	s.before = step.Seconds
	for {
		work := &shares{plan: s.plan, problem: problem, from: s.from, logs: s.logs, requests: s.observer.requests}
		ranks, err := s.leg(work, &step)
		s.from = nil
		if err != nil {
			return err
		}
		if s.saver != nil && halted(s.Why) {
			if s.from, err = s.pause(work, ranks, step); err != nil {
				return err
			}
		}
		if s.from == nil || stopsAt(s.Why) {
			break
		}
	}
	s.Seconds -= s.before // it was not in this run
	s.close(step)
	return nil
}

// leg simulates until the end or until the run is halted.
func (s *simulation) leg(work *shares, step *Step) (ranks []lb.Balancer, err error) {
	makers, count, err := simulated(s.machine, s.plan, work)
	if err != nil {
		return nil, err
	}
	o := sim.Options{PerRank: true, Halt: s.halt, Watch: s.meter.watch(&ranks)}
	s.meter.begin(s.earlier+s.Expanded, work.problem, s.plan, work.from)
	if s.saver != nil {
		o.PauseAt = comm.Time(s.plan.CheckpointEvery)
	}
	s.observer.begin(&o, &ranks)
	out, err := sim.Run(s.machine, s.plan.Ranks, s.plan.Seed, func(rank int) lb.Balancer {
		ranks = append(ranks, makers(rank))
		return ranks[rank]
	}, o)
	if err != nil {
		return nil, err
	}
	work.flush()
	closing := s.machine.ClosingTime(s.plan.Ranks)
	s.observer.end(&out, closing)
	counted, err := count()
	if err = cmp.Or(err, counted.settle()); err != nil {
		return nil, err
	}
	step.join(counted)
	step.Seconds += seconds(out.Time + closing)
	for i, one := range out.Ranks {
		q := RankResult{Rank: i, Stats: one.Stats, Messages: one.Messages, WorkSeconds: seconds(one.Busy), IdleSeconds: seconds(one.Idle)}
		s.add(q)
		s.PerRank[i].add(q)
	}
	s.SequentialSeconds += seconds(out.Sequential)
	s.Events += out.Events
	s.Why = out.Reason
	return ranks, nil
}

// simulateAlone adds a step that every rank makes by itself.
func (r *Result) simulateAlone(machine sim.Machine, problem Problem) (nodes int64, took comm.Time, err error) {
	w, nodes := solo(problem)
	took = machine.NodeTime(nodes, len(r.PerRank))
	for i := range r.PerRank {
		q := RankResult{Rank: i, WorkSeconds: seconds(took)}
		q.Expanded = nodes
		if i > 0 {
			q.Expanded, q.Redundant = 0, nodes
		}
		r.add(q)
		r.PerRank[i].add(q)
	}
	r.SequentialSeconds += seconds(machine.NodeTime(nodes, 1))
	t, err := soloTally(problem, w)
	r.Why = t.soloReason()
	step := newStep()
	step.join(t)
	step.Seconds = seconds(took)
	r.close(step)
	return nodes, took, err
}

// close ends a step.
func (r *Result) close(s Step) {
	r.Steps = append(r.Steps, s)
	r.Counts.add(s.Counts)
	r.Seconds += s.Seconds
	r.Witness, r.Bound = s.Witness, s.Bound
}

// simulated makes the ranks of a simulation, and what adds up in the end what they have
// counted. The names in the plan have been checked.
func simulated(machine sim.Machine, p Plan, work *shares) (makers func(rank int) lb.Balancer, count func() (*tally, error), err error) {
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
	}, work.tally, nil
}

// protocolRanks is simulated for a Protocol.
func protocolRanks(own Protocol) (makers func(rank int) lb.Balancer, count func() (*tally, error)) {
	var ends []func() (*tally, error)
	return func(int) lb.Balancer {
			b, end := protocolRank(own)
			ends = append(ends, end)
			return b
		}, func() (*tally, error) {
			all := noTally()
			for _, end := range ends {
				one, err := end()
				if err != nil {
					return all, err
				}
				all.Counts.add(one.Counts)
				all.first(one.witness)
			}
			return all, nil
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
