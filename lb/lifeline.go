package lb

import (
	"treesplit/comm"
	"treesplit/topology"
)

// LifelineRank is a rank under lifeline-based global load balancing (Saraswat,
// Kambadur, Kodali, Grove and Krishnamoorthy, PPoPP 2011), the scheme that
// today's frameworks are measured by. A rank out of work asks a few ranks at
// random, one after the other. Refused by all of them it asks its lifelines, the
// neighbours in the hypercube, once, and falls silent: a lifeline that has
// nothing to give remembers the requester, and gives it a share as soon as it has
// work again. So nobody polls in vain, and when all ranks are silent no message
// is on its way.
type LifelineRank struct {
	rank
	lifelines []int
	asked     []bool // by index into lifelines: the request is remembered there
	tries     int    // random requests left before the lifelines
	starving  []int32
}

// randomTries is w of the paper: random requests before the lifelines.
const randomTries = 2

// Tags of a WorkRequest, and of the Reject that answers it.
const (
	atRandom int32 = iota
	byLifeline
)

// NewLifelineRank returns the given rank of size.
func NewLifelineRank(o Options, rank, size int) *LifelineRank {
	lines := topology.Hypercube{P: size}.Neighbours(rank, nil)
	return &LifelineRank{rank: newRank(o), lifelines: lines, asked: make([]bool, len(lines)), tries: randomTries}
}

// Start takes stock; a rank without work asks.
func (r *LifelineRank) Start(env comm.Env) {
	r.begin(env)
	r.seek(env)
}

// Step works, and feeds those that wait for this rank.
func (r *LifelineRank) Step(env comm.Env, limit int) int {
	n := r.expand(env, limit)
	for len(r.starving) > 0 && r.give(env, int(r.starving[0]), byLifeline) {
		r.starving = r.starving[1:]
	}
	r.seek(env)
	return n
}

// seek asks a rank at random, or, once that has failed, the lifelines.
func (r *LifelineRank) seek(env comm.Env) {
	if r.state != Seeking || env.Size() == 1 {
		return
	}
	r.state = Waiting
	if r.tries > 0 {
		r.tries--
		donor, _ := RandomPolling{}.Next(env)
		r.request(env, donor, atRandom)
		return
	}
	for i, line := range r.lifelines {
		if !r.asked[i] {
			r.asked[i] = true
			r.request(env, line, byLifeline)
		}
	}
}

func (r *LifelineRank) request(env comm.Env, donor int, tag int32) {
	r.requested(env, requestKey(int32(donor), tag))
	env.Send(comm.Message{To: int32(donor), Kind: comm.WorkRequest, Tag: tag})
}

// requestKey tells the request of a lifeline from those of the others, and from the one
// made at random.
func requestKey(donor, tag int32) int32 {
	if tag == byLifeline {
		return donor
	}
	return soleRequest
}

// Deliver handles a message.
func (r *LifelineRank) Deliver(env comm.Env, m comm.Message) {
	if r.control(env, m) {
		return
	}
	switch m.Kind {
	case comm.WorkRequest:
		r.answer(env, m)
	case comm.Grant:
		r.answered(env, requestKey(m.From, m.Tag), true)
		r.fed(int(m.From), m.Tag)
		r.receive(m)
	case comm.Reject:
		r.answered(env, soleRequest, false)
		if r.state == Waiting && !r.halting {
			r.state = Seeking
			r.seek(env)
		}
	default:
		r.unexpected(m)
	}
}

// answer gives, or refuses, or remembers.
func (r *LifelineRank) answer(env comm.Env, m comm.Message) {
	switch {
	case r.give(env, int(m.From), m.Tag):
	case m.Tag == byLifeline:
		r.starving = append(r.starving, m.From)
	default:
		r.stats.Rejects++
		env.Send(comm.Message{To: m.From, Kind: comm.Reject})
	}
}

// fed notes where a piece came from, and renews the random requests.
func (r *LifelineRank) fed(from int, tag int32) {
	r.tries = randomTries
	for i, line := range r.lifelines {
		if line == from && tag == byLifeline {
			r.asked[i] = false
		}
	}
}

// Wake does nothing: the scheme sets no alarm.
func (r *LifelineRank) Wake(comm.Env) {}
