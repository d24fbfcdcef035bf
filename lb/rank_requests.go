package lb

import "treesplit/comm"

// Requests records the durations of a rank's work requests, from the request to the piece or
// refusal. The requests are the ones that Stats.Requests counts. Only the scheme knows which
// message answers a request: under SB many donors may refuse before the requester gets its one
// answer, and a request to a lifeline may never be answered.
//
// A nil *Requests records nothing and costs only the comparison with nil.
type Requests struct {
	Granted, Refused Times // several ranks of one goroutine may share them

	open []request // oldest first: at most one, or under lifeline one per neighbour and one more
}

// Times receives durations of requests.
type Times interface {
	// AddNumber takes in a number of nanoseconds. It does not allocate.
	AddNumber(nanoseconds int64)
}

// request is a request without an answer.
type request struct {
	key   int32
	since comm.Time
}

// soleRequest is the key of a request if a rank has at most one.
const soleRequest int32 = -1

// Unanswered returns the number of requests without an answer.
func (q *Requests) Unanswered() int {
	if q == nil {
		return 0
	}
	return len(q.open)
}

// noteRequest counts a request. The key distinguishes the open requests of one rank.
func (r *rank) noteRequest(env comm.Env, key int32) {
	r.stats.Requests++
	if q := r.requests; q != nil {
		q.open = append(q.open, request{key, env.Now()})
	}
}

// noteAnswer ends a request if it is open; a piece may also arrive without a request.
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
