package lb

import (
	"treesplit/comm"
	"treesplit/topology"
)

// LifelineRank is a rank under lifeline-based global load balancing (Saraswat, Kambadur,
// Kodali, Grove and Krishnamoorthy, PPoPP 2011), a common reference for current frameworks. A
// rank without work asks a few random ranks one after the other. If all refuse, it asks its
// lifelines, the neighbours in the hypercube, once, and then sends no more requests. A
// lifeline without work to give remembers the requester and gives it a piece as soon as it has
// work again. So no rank polls without success, and when all ranks are silent no message is in
// flight.
type LifelineRank struct {
	rank
	lifelines []int
	asked     []bool  // by index into lifelines: the lifeline remembers a request of this rank
	tries     int     // remaining random requests before the lifelines are asked
	starving  []int32 // ranks whose lifeline requests this rank remembers
}

// randomTries is w of the paper: the number of random requests before the lifelines are asked.
const randomTries = 2

// Tags of a WorkRequest, and of the message that answers it.
const (
	atRandom int32 = iota
	byLifeline
)

// NewLifelineRank returns the given rank of size ranks.
func NewLifelineRank(o Options, rank, size int) *LifelineRank {
	lines := topology.Hypercube{P: size}.Neighbours(rank, nil)
	return &LifelineRank{rank: newRank(o), lifelines: lines, asked: make([]bool, len(lines)), tries: randomTries}
}

// Start begins the search; a rank without work sends a request.
func (r *LifelineRank) Start(env comm.Env) {
	r.beginSearch(env)
	r.seekDonor(env)
}

// Step expands nodes and gives pieces to the remembered requesters.
func (r *LifelineRank) Step(env comm.Env, limit int) int {
	n := r.expandNodes(env, limit)
	for len(r.starving) > 0 && r.grantPiece(env, int(r.starving[0]), byLifeline) {
		r.starving = r.starving[1:]
	}
	r.seekDonor(env)
	return n
}

// seekDonor asks a random rank or, after enough refusals, the lifelines.
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

// requestKey returns a key that distinguishes the request to a lifeline from the requests to
// other lifelines and from the random request.
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

// answerRequest gives a piece, remembers the requester, or refuses.
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

// renewRequests records which rank has sent a piece, and renews the random requests.
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
