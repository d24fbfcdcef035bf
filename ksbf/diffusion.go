package ksbf

// runDiffusion simulates two-sided diffusion. In every step, after its task, a rank with at
// least two tasks more than a neighbour gives the neighbour its shallowest task. A link
// carries at most one task per step, and a rank keeps at least one task. Neighbours know each
// other's loads without messages, as if the loads were sent along with the tasks.
func (l *lockstep) runDiffusion() {
	s := newStacks(l)
	links := l.p
	if l.p <= 2 {
		links = l.p - 1
	}
	loads, moves := make([]int, l.p), make([]Task, l.p) // moves by link; level −1: none
	for s.open > 0 {
		s.executeDeepest()
		for i := range s.of {
			loads[i] = len(s.of[i])
		}
		for i := range links {
			from, to := orderLinkEnds(i, l.p, loads)
			moves[i].Level = -1
			if loads[from]-loads[to] >= 2 && len(s.of[from]) > 1 {
				moves[i] = s.takeShallowest(from)
			}
		}
		for i := range links {
			if moves[i].Level >= 0 {
				from, to := orderLinkEnds(i, l.p, loads)
				s.insertTask(to, moves[i])
				l.countMessage(from, 1).Moves++
			}
		}
		if !l.advanceStep() {
			break
		}
	}
	l.sumUpCounts(s.processor)
}

// orderLinkEnds returns the ranks at the ends of link i, the one with more tasks first.
func orderLinkEnds(i, p int, loads []int) (from, to int) {
	from, to = i, (i+1)%p
	if loads[from] < loads[to] {
		from, to = to, from
	}
	return from, to
}
