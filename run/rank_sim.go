package run

import (
	"time"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/sim"
	"treesplit/termination"
)

// simRanks are all ranks of a simulated machine during a run. It implements ranks.
type simRanks struct {
	machine  sim.Machine
	plan     Plan
	hooks    Hooks
	saver    *saver          // or nil
	observer MachineObserver // or nil
	began    time.Time       // wall-clock time

	clock     comm.Time     // virtual time
	balancers []lb.Balancer // of the current segment
	all       gathered
}

// newSimRanks returns the ranks of a simulation that has not begun.
func newSimRanks(machine sim.Machine, p Plan, h Hooks, saver *saver) *simRanks {
	s := &simRanks{machine: machine, plan: p, hooks: h, saver: saver, began: time.Now()}
	if p.Observer != nil {
		s.observer = p.Observer.ObserveMachine(machine, p.Ranks)
	}
	s.all.perRank = make([]RankResult, p.Ranks)
	for i := range s.all.perRank {
		s.all.perRank[i].Rank = i
	}
	return s
}

func (s *simRanks) now() comm.Time { return s.clock }

// halting implements ranks. A simulation ends early by wall-clock time or by the user.
func (s *simRanks) halting() func() (lb.Reason, bool) {
	return func() (lb.Reason, bool) {
		switch {
		case s.hooks.Interrupted != nil && s.hooks.Interrupted():
			return lb.Interrupted, true
		case s.saver != nil && s.hooks.SaveNow != nil && s.hooks.SaveNow():
			return lb.Paused, true
		case s.plan.Timeout > 0 && time.Since(s.began) > s.plan.Timeout:
			return lb.Timeout, true
		}
		return lb.Exhausted, false
	}
}

// requests implements ranks.
func (s *simRanks) requests(rank int) *lb.Requests {
	if s.observer == nil {
		return nil
	}
	return s.observer.BeginSearch(rank)
}

// search implements ranks.
func (s *simRanks) search(work *shareSet) (segment, error) {
	maker, tally, err := s.rankMakers(work)
	if err != nil {
		return segment{}, err
	}
	s.balancers = nil
	o := sim.Options{PerRank: true, Halt: s.halting(), Watch: s.hooks.meter.watchSimulation(&s.balancers, work.watchedCounts())}
	if every := comm.Time(s.plan.CheckpointEvery); s.saver != nil && every > 0 {
		o.PauseAt = s.saver.interval(every)
	}
	if s.observer != nil {
		s.observer.BeginSegment(&o, &s.balancers)
	}
	out, err := sim.Run(s.machine, s.plan.Ranks, s.plan.Seed, func(rank int) lb.Balancer {
		s.balancers = append(s.balancers, maker(rank))
		return s.balancers[rank]
	}, o)
	if err != nil {
		return segment{}, err
	}
	closing := s.machine.ClosingTime(s.plan.Ranks)
	if s.observer != nil {
		s.observer.EndSegment(&out, closing)
	}
	s.clock += out.Time + closing
	own := segment{reason: out.Reason, tally: tally}
	for i, one := range out.Ranks {
		own.expanded += one.Stats.Expanded
		s.all.perRank[i].addRankResult(RankResult{Stats: one.Stats, Messages: one.Messages, WorkSeconds: toSeconds(one.Busy), IdleSeconds: toSeconds(one.Idle)})
	}
	s.all.sequentialSeconds += toSeconds(out.Sequential)
	s.all.events += out.Events
	s.all.linkWaitSeconds += toSeconds(out.LinkWait)
	return own, nil
}

// rankMakers returns a function that makes the ranks, and a function that returns their counts at
// the end. The names in the plan have been checked.
func (s *simRanks) rankMakers(work *shareSet) (rank func(rank int) lb.Balancer, count func() (*tally, error), err error) {
	machine, p := s.machine, s.plan
	if own, ok := work.problem.(Protocol); ok {
		rank, count = protocolRanks(own)
		return rank, count, nil
	}
	network, err := machine.SchemeNetwork(p.Ranks)
	if err != nil {
		return nil, nil, InputError{err}
	}
	permutations := new(lb.Permutations)
	return func(rank int) lb.Balancer {
		detector, err := termination.New(p.Termination, rank, p.Ranks)
		if err != nil {
			panic(err)
		}
		o := work.rankOptions(rank)
		o.Detector, o.Network, o.Permutations, o.Backoff = detector, network, permutations, machine.Rest
		if o.Phase == 0 {
			o.Phase = machine.PhaseLength()
		}
		b, err := lb.New(p.Scheme, o, rank, p.Ranks)
		if err != nil {
			panic(err)
		}
		return b
	}, work.tallyShares, nil
}

// protocolRanks is rankMakers for a Protocol.
func protocolRanks(own Protocol) (rank func(rank int) lb.Balancer, count func() (*tally, error)) {
	var ends []func() (*tally, error)
	return func(int) lb.Balancer {
			b, end := protocolRank(own)
			ends = append(ends, end)
			return b
		}, func() (*tally, error) {
			all := emptyTally()
			for _, end := range ends {
				one, err := end()
				if err != nil {
					return all, err
				}
				all.Counts.addCounts(one.Counts)
				all.takeFirstWitness(one.witness)
			}
			return all, nil
		}
}

// searchedAlone implements ranks. A search that every rank makes by itself costs the time of its
// nodes.
func (s *simRanks) searchedAlone(_ comm.Time, nodes int64) {
	took := s.machine.TimeOfNodes(nodes, s.plan.Ranks)
	for i := range s.all.perRank {
		q := RankResult{WorkSeconds: toSeconds(took)}
		q.Expanded = nodes
		if i > 0 {
			q.Expanded, q.Redundant = 0, nodes
		}
		s.all.perRank[i].addRankResult(q)
	}
	s.all.sequentialSeconds += toSeconds(s.machine.TimeOfNodes(nodes, 1))
	s.clock += took
	if s.observer != nil {
		s.observer.SearchedAlone(nodes, took)
	}
}

// leftovers implements ranks.
func (s *simRanks) leftovers() []leftover {
	left := make([]leftover, len(s.balancers))
	for i, b := range s.balancers {
		left[i] = leftover{i, takeRemaining(b)}
	}
	return left
}

// counted implements ranks.
func (s *simRanks) counted() (sum RankResult) {
	for _, one := range s.all.perRank {
		sum.addRankResult(one)
	}
	return sum
}

func (s *simRanks) gather(comm.Time) (gathered, error) { return s.all, nil }

// describe implements ranks.
func (s *simRanks) describe(res *Result) error {
	if s.observer != nil {
		s.observer.Describe(res)
	}
	return nil
}
