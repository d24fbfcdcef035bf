package lb

import "treesplit/comm"

// Requests keeps how long the work requests of a rank take: from the moment at which it
// asks until a piece or a refusal is there. What counts as one request is what
// Stats.Requests counts, and only the scheme knows which message answers it. A donor's
// counts are another matter: under SB it takes many refusals of donors until the requester
// has its one answer, and of a lifeline's there may be none.
//
// A nil *Requests keeps nothing and costs nothing but the look at it.
type Requests struct {
	Granted, Refused Times // several ranks of one goroutine may share them

	open []request // oldest first: one, or under lifeline one for each neighbour and one more
}

// Times takes in how long requests took.
type Times interface {
	// AddNumber takes in a number of nanoseconds. It does not allocate.
	AddNumber(nanoseconds int64)
}

// request is one that is not answered.
type request struct {
	key   int32
	since comm.Time
}

// soleRequest is the key of a request where a rank has no more than one.
const soleRequest int32 = -1

// Unanswered is the number of requests that are not answered.
func (q *Requests) Unanswered() int {
	if q == nil {
		return 0
	}
	return len(q.open)
}

// noteRequest counts a request. The key tells apart those of one rank that are open.
func (r *rank) noteRequest(env comm.Env, key int32) {
	r.stats.Requests++
	if q := r.requests; q != nil {
		q.open = append(q.open, request{key, env.Now()})
	}
}

// noteAnswer ends a request, if it is open: a piece may also come unasked.
func (r *rank) noteAnswer(env comm.Env, key int32, granted bool) {
	q := r.requests
	if q == nil {
		return
	}
	for i, one := range q.open {
		if one.key != key {
			continue
		}
		times := q.Refused
		if granted {
			times = q.Granted
		}
		times.AddNumber(int64(env.Now() - one.since))
		q.open = append(q.open[:i], q.open[i+1:]...)
		return
	}
}
