package run

import (
	"treesplit/lb"
)

// resume takes in what the runs before have counted and returns the problem to go on with.
func (s *simulation) resume(h Hooks) Problem {
	s.logs.goOn(s.from)
	s.earlier = s.from.Totals.Expanded
	s.meter.resume(s.earlier)
	for i, saved := range s.from.Steps {
		step := restored(saved, s.from.bounds[i])
		s.Steps = append(s.Steps, step)
		s.Counts.add(step.Counts)
		h.stepped(step, s.earlier, lb.Exhausted)
	}
	return s.from.problem
}

// pause takes what is left of a halted search out of all ranks and saves it, as runner does.
func (s *simulation) pause(work *shares, ranks []lb.Balancer, step Step) (*past, error) {
	if work.settled() {
		s.Why = lb.Decided
		return nil, nil
	}
	next := &past{problem: work.problem}
	next.Bound = step.Bound // for keep, which makes shares
	for i, b := range ranks {
		own := leftOn(b)
		next.Pieces = append(next.Pieces, own...)
		if s.Why == lb.Paused && lb.Keeps(s.plan.Scheme) {
			if err := next.keep(s.plan, i, own); err != nil {
				return nil, err
			}
		}
	}
	if len(next.Pieces) == 0 {
		s.Why = lb.Exhausted
		return nil, nil
	}
	sum := RankResult{}
	for _, one := range s.PerRank {
		sum.add(one)
	}
	next.Header = s.saver.header(s.Steps, step, sum.numbers(), s.Seconds+step.Seconds-s.before)
	if err := next.weigh(s.plan); err != nil {
		return nil, err
	}
	s.saver.try(next, s.logs, s.hooks, stopsAt(s.Why))
	return next, nil
}
