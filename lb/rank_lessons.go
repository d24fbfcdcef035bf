package lb

import (
	"bytes"
	"fmt"

	"treesplit/comm"
	"treesplit/search"
)

// lessons is a rank's part in the exchange of what shares learn, if the work is a search.Exchanger. From
// time to time a rank sends new facts to its neighbours in the binomial tree of ranks, which send
// them on. So a message reaches all ranks, P−1 messages in all.
//
// The rate is bounded: a rank sends at most one message per share and interval. The interval grows
// with the number of ranks, so that a rank receives at most about 500 messages and 500 KiB per second
// in schemes without generators.
//
// Lessons carry no work. So detectors are not informed of them. After the end of the run they are
// dropped.
type lessons struct {
	shares []search.Exchanger
	next   comm.Time // of the next message
}

// Bounds of lessons.
const (
	lessonBytes            = 1 << 10 // in a message
	lessonTime   comm.Time = 20 * 1000 * 1000
	lessonByRank comm.Time = 2 * 1000 * 1000 // for each rank
)

// lessonInterval returns the time between two messages of a rank.
func lessonInterval(size int) comm.Time {
	return max(lessonTime, lessonByRank*comm.Time(size))
}

// trackExchanger adds a share to the shares that exchange facts, if it is a search.Exchanger.
func (r *rank) trackExchanger(w search.Work) {
	if e, ok := search.As[search.Exchanger](w); ok && e.Exchanges() {
		r.lessons.shares = append(r.lessons.shares, e)
	}
}

// spreadLessons sends what the shares of this rank have learnt, if it is time.
func (r *rank) spreadLessons(env comm.Env) {
	if len(r.lessons.shares) == 0 || env.Size() == 1 {
		return
	}
	now := env.Now()
	if now < r.lessons.next {
		return
	}
	r.lessons.next = now + lessonInterval(env.Size())
	for _, e := range r.lessons.shares {
		if facts := e.Export(nil, lessonBytes); len(facts) > 0 {
			r.passLessons(env, facts, env.Rank())
		}
	}
}

// takeLessons handles what another rank has learnt.
func (r *rank) takeLessons(env comm.Env, m comm.Message) {
	if len(r.lessons.shares) == 0 {
		r.failUnexpected(m)
		return
	}
	if r.state == Done {
		return
	}
	if len(m.Body) > lessonBytes {
		r.recordError(fmt.Errorf("rank %d sent %d bytes of clauses: expected at most %d", m.From, len(m.Body), lessonBytes))
		return
	}
	for _, e := range r.lessons.shares {
		if err := e.Import(m.Body); err != nil {
			r.recordError(fmt.Errorf("rank %d sent invalid clauses: %w", m.From, err))
			return
		}
	}
	r.passLessons(env, m.Body, int(m.From))
}

// passLessons sends facts to all neighbours except the rank from.
func (r *rank) passLessons(env comm.Env, facts []byte, from int) {
	var room [65]int
	for _, to := range neighboursInTree(env, room[:0]) {
		if to != from {
			env.Send(comm.Message{To: int32(to), Kind: comm.Lessons, Body: bytes.Clone(facts)})
		}
	}
}
