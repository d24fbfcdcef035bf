package ring

import (
	"math/rand/v2"

	"treesplit/topology"
)

// letter is a message between two ranks of a simulation. What is not a request brings
// tasks, or none: a refusal.
type letter struct {
	from, to int
	request  bool
	tasks    []Task
}

// poller is one rank that asks for tasks when it has none.
type poller struct {
	rand    *rand.Rand
	asked   int  // how often so far
	waiting bool // for an answer
}

// nearest asks the neighbours in turn, the right one first.
func nearest(p *poller, rank, size int) (donor int) {
	if p.asked%2 == 0 {
		return (rank + 1) % size
	}
	return (rank + size - 1) % size
}

// anyone asks any other rank at random.
func anyone(p *poller, rank, size int) (donor int) {
	return (rank + 1 + p.rand.IntN(size-1)) % size
}

// giveHalf gives every other task, from the shallowest on, and keeps the larger half.
func giveHalf(s *stacks, rank int) (given []Task) {
	tasks := s.of[rank]
	kept := tasks[:0]
	for i, t := range tasks {
		if i%2 == 0 && i+1 < len(tasks) {
			given = append(given, t)
		} else {
			kept = append(kept, t)
		}
	}
	s.of[rank] = kept
	return given
}

// giveShallowest gives one task and keeps one at least.
func giveShallowest(s *stacks, rank int) []Task {
	if len(s.of[rank]) < 2 {
		return nil
	}
	return []Task{s.shallowest(rank)}
}

// poll is the receiver-initiated schemes: a rank without tasks asks a donor, which
// answers in the step in which it hears of it, after its own task. A message takes a
// step for each hop of the shorter way, whatever it carries.
func (l *lockstep) poll(donor func(p *poller, rank, size int) int, give func(s *stacks, rank int) []Task) {
	s := newStacks(l)
	pollers := make([]poller, l.p)
	for i := range pollers {
		pollers[i].rand = rand.New(rand.NewPCG(l.options.Seed, uint64(i)))
	}
	ring := topology.Ring{P: l.p}
	mail := make([][]letter, l.p/2+1) // by the step of arrival, modulo the longest way and 1
	send := func(m letter) {
		hops := ring.Distance(m.from, m.to)
		l.message(hops)
		at := (l.now + int64(hops)) % int64(len(mail))
		mail[at] = append(mail[at], m)
	}
	for s.open > 0 {
		today := l.now % int64(len(mail))
		arrived := mail[today]
		mail[today] = nil
		for _, m := range arrived {
			if !m.request {
				pollers[m.to].waiting = false
				for _, t := range m.tasks {
					s.put(m.to, t)
				}
			}
		}
		s.execute()
		for _, m := range arrived {
			if m.request {
				tasks := give(s, m.to)
				if len(tasks) == 0 {
					l.steps.Rejects++
				} else {
					l.steps.Moves++
				}
				send(letter{from: m.to, to: m.from, tasks: tasks})
			}
		}
		for i := range pollers {
			if p := &pollers[i]; len(s.of[i]) == 0 && !p.waiting && l.p > 1 {
				l.steps.Requests++
				send(letter{from: i, to: donor(p, i, l.p), request: true})
				p.waiting = true
				p.asked++
			}
		}
		if !l.next() {
			break
		}
	}
	l.finish(s.processor)
}
