package ksbf

// diffuse is two-sided diffusion: in every step, after its task, a rank that has at
// least two tasks more than a neighbour gives it one, the shallowest. A link carries
// one task a step, and a rank keeps one at least. Neighbours know each other's loads
// without a message, as if these came along with the tasks.
func (l *lockstep) diffuse() {
	s := newStacks(l)
	links := l.p
	if l.p <= 2 {
		links = l.p - 1
	}
	loads, moves := make([]int, l.p), make([]Task, l.p) // moves by link; a level of −1: none
	for s.open > 0 {
		s.execute()
		for i := range s.of {
			loads[i] = len(s.of[i])
		}
		for i := range links {
			from, to := ends(i, l.p, loads)
			moves[i].Level = -1
			if loads[from]-loads[to] >= 2 && len(s.of[from]) > 1 {
				moves[i] = s.shallowest(from)
			}
		}
		for i := range links {
			if moves[i].Level >= 0 {
				from, to := ends(i, l.p, loads)
				s.put(to, moves[i])
				l.message(from, 1).Moves++
			}
		}
		if !l.next() {
			break
		}
	}
	l.finish(s.processor)
}

// ends are the ranks at link i, the one with more tasks first.
func ends(i, p int, loads []int) (from, to int) {
	from, to = i, (i+1)%p
	if loads[from] < loads[to] {
		from, to = to, from
	}
	return from, to
}
