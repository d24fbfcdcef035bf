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
// work again. So nobody polls without success, and when all ranks are silent no message
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
	r.beginSearch(env)
	r.seekDonor(env)
}

// Step works, and feeds those that wait for this rank.
func (r *LifelineRank) Step(env comm.Env, limit int) int {
	n := r.expandNodes(env, limit)
	for len(r.starving) > 0 && r.grantPiece(env, int(r.starving[0]), byLifeline) {
		r.starving = r.starving[1:]
	}
	r.seekDonor(env)
	return n
}

// seekDonor asks a rank at random, or, once that has failed, the lifelines.
func (r *LifelineRank) seekDonor(env comm.Env) {
	if r.state != Seeking || env.Size() == 1 {
		return
	}
	r.state = Waiting
	if r.tries > 0 {
		r.tries--
		donor, _ := RandomPolling{}.Next(env)
		r.sendRequest(env, donor, atRandom)
		return
	}
	for i, line := range r.lifelines {
		if !r.asked[i] {
			r.asked[i] = true
			r.sendRequest(env, line, byLifeline)
		}
	}
}

func (r *LifelineRank) sendRequest(env comm.Env, donor int, tag int32) {
	r.noteRequest(env, requestKey(int32(donor), tag))
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
	if r.handleControl(env, m) {
		return
	}
	switch m.Kind {
	case comm.WorkRequest:
		r.answerRequest(env, m)
	case comm.Grant:
		r.noteAnswer(env, requestKey(m.From, m.Tag), true)
		r.renewRequests(int(m.From), m.Tag)
		r.takeOrQueueGrant(m)
	case comm.Reject:
		r.noteAnswer(env, soleRequest, false)
		if r.state == Waiting && !r.halting {
			r.state = Seeking
			r.seekDonor(env)
		}
	default:
		r.failUnexpected(m)
	}
}

// answerRequest gives, or refuses, or remembers.
func (r *LifelineRank) answerRequest(env comm.Env, m comm.Message) {
	switch {
	case r.grantPiece(env, int(m.From), m.Tag):
	case m.Tag == byLifeline:
		r.starving = append(r.starving, m.From)
	default:
		r.stats.Rejects++
		env.Send(comm.Message{To: m.From, Kind: comm.Reject})
	}
}

// renewRequests notes where a piece came from, and renews the random requests.
func (r *LifelineRank) renewRequests(from int, tag int32) {
	r.tries = randomTries
	for i, line := range r.lifelines {
		if line == from && tag == byLifeline {
			r.asked[i] = false
		}
	}
}

// Wake does nothing: the scheme sets no alarm.
func (r *LifelineRank) Wake(comm.Env) {}
