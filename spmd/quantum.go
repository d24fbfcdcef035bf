package spmd

import (
	"cmp"

	"treesplit/comm"
)

// quantum is the number of expansions between two polls. Unless it is fixed it
// adapts so that a quantum lasts as long as it is to, or longer where a poll is dear: with
// more ranks than cores one poll of MPI can take 100 times what it takes alone.
type quantum struct {
	size  int
	fixed bool
	least comm.Time // that it is to last
	poll  comm.Time // what an empty poll costs, smoothed
	long  bool      // the last one took too long
}

const (
	usual      comm.Time = 75 * 1000 // of work in a quantum
	longestRun comm.Time = 1e6       // bounds how long a request waits for a busy rank
	pollShare            = 50        // a poll may cost 1/50 of a quantum
	maxQuantum           = 1 << 24
)

// newQuantum returns a quantum of a fixed size, or, where that is 0, one that lasts at
// least so long; 0 is the usual.
func newQuantum(fixed int, least comm.Time) quantum {
	if fixed > 0 {
		return quantum{size: fixed, fixed: true}
	}
	return quantum{size: 16, least: cmp.Or(least, usual)}
}

// adaptSize takes in that n expansions took span and an empty poll after them poll.
// A quantum changes by no more than a factor of two at a time, and becomes smaller only
// if two in turn took too long: one may have lost its core for a while.
func (q *quantum) adaptSize(n int, span, poll comm.Time) {
	if q.fixed || n < q.size {
		return
	}
	if poll < q.poll {
		q.poll = (q.poll + poll) / 2
	} else { // a poll in which the core was taken away says nothing of polls
		q.poll = min(poll, q.poll+q.poll/8+50)
	}
	want := QuantumTime(q.least, q.poll)
	size := int64(2 * q.size)
	if span > 0 {
		size = int64(q.size) * int64(want) / int64(span)
	}
	before := q.long
	if q.long = size < int64(q.size); q.long && !before {
		return
	}
	q.size = int(min(max(size, int64(q.size)/2, 1), int64(q.size)*2, maxQuantum))
}

// QuantumTime is how long a quantum that adapts lasts where it is to last at least so long,
// 0 being the usual, and an empty poll takes so long.
func QuantumTime(least, poll comm.Time) comm.Time {
	return min(max(cmp.Or(least, usual), pollShare*poll), longestRun)
}
