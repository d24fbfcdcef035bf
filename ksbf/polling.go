package ksbf

import (
	"math/rand/v2"

	"treesplit/topology"
)

// letter is a message between two ranks of a simulation. A letter that is no request brings
// tasks, or none, which is a refusal.
type letter struct {
	from, to int
	request  bool
	tasks    []Task
}

// poller is one rank that asks for tasks when it has none.
type poller struct {
	rand    *rand.Rand
	asked   int  // number of requests so far
	waiting bool // a request is not answered
}

// pickNeighbour returns the neighbours in turn, the right one first.
func pickNeighbour(p *poller, rank, size int) (donor int) {
	if p.asked%2 == 0 {
		return (rank + 1) % size
	}
	return (rank + size - 1) % size
}

// pickRandomDonor returns a random other rank.
func pickRandomDonor(p *poller, rank, size int) (donor int) {
	return (rank + 1 + p.rand.IntN(size-1)) % size
}

// giveEveryOther gives every other task, beginning with the shallowest, and keeps the larger
// half.
func giveEveryOther(s *stacks, rank int) (given []Task) {
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

// giveShallowest gives one task and keeps at least one.
func giveShallowest(s *stacks, rank int) []Task {
	if len(s.of[rank]) < 2 {
		return nil
	}
	return []Task{s.takeShallowest(rank)}
}

// polling is a simulation of a scheme whose idle ranks send requests.
type polling struct {
	*stacks
	pollers []poller
	mail    [][]letter // by the step of arrival, modulo len(mail)
	donor   func(p *poller, rank, size int) int
}

// runPolling simulates the receiver-initiated schemes. A rank without tasks asks a donor. The
// donor answers in the step in which the request arrives, after its own task. Any message
// takes one step for each hop of the shorter path.
func (l *lockstep) runPolling(donor func(p *poller, rank, size int) int, give func(s *stacks, rank int) []Task) {
	s := polling{stacks: newStacks(l), pollers: make([]poller, l.p), mail: make([][]letter, l.p/2+1), donor: donor}
	for i := range s.pollers {
		s.pollers[i].rand = rand.New(rand.NewPCG(l.options.Seed, uint64(i)))
	}
	for s.open > 0 {
		arrived := s.receiveLetters()
		s.executeDeepest()
		for _, m := range arrived {
			if m.request {
				s.sendLetter(letter{from: m.to, to: m.from, tasks: give(s.stacks, m.to)})
			}
		}
		s.askDonors()
		if !l.advanceStep() {
			break
		}
	}
	l.sumUpCounts(s.processor)
}

// sendLetter counts a message and stores it until the step of its arrival.
func (s *polling) sendLetter(m letter) {
	hops := topology.Ring{P: s.p}.Distance(m.from, m.to)
	switch t := s.countMessage(m.from, hops); {
	case m.request:
		t.Requests++
	case len(m.tasks) > 0:
		t.Moves++
	default:
		t.Rejects++
	}
	at := (s.now + int64(hops)) % int64(len(s.mail)) // no path is longer than p/2
	s.mail[at] = append(s.mail[at], m)
}

// receiveLetters returns the messages that arrive in this step, and inserts the tasks in them.
func (s *polling) receiveLetters() []letter {
	today := s.now % int64(len(s.mail))
	arrived := s.mail[today]
	s.mail[today] = nil
	for _, m := range arrived {
		if m.request {
			continue
		}
		s.pollers[m.to].waiting = false
		for _, t := range m.tasks {
			s.insertTask(m.to, t)
		}
	}
	return arrived
}

// askDonors makes every rank send a request that has no task and waits for no answer.
func (s *polling) askDonors() {
	for i := range s.pollers {
		if p := &s.pollers[i]; len(s.of[i]) == 0 && !p.waiting && s.p > 1 {
			s.sendLetter(letter{from: i, to: s.donor(p, i, s.p), request: true})
			p.waiting = true
			p.asked++
		}
	}
}
