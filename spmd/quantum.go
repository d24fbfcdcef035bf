package spmd

import (
	"cmp"

	"treesplit/comm"
)

// quantum is the number of expansions between two polls. Unless it is fixed, it adapts so that a
// quantum lasts for a given time, or longer if a poll is expensive: with more ranks than cores, a
// poll of MPI can take 100 times as long as with one rank per core.
type quantum struct {
	size  int
	fixed bool
	least comm.Time // the least duration of a quantum
	poll  comm.Time // the smoothed time of an empty poll
	long  bool      // the last quantum took too long
}

const (
	usual      comm.Time = 75 * 1000 // of work in a quantum
	longestRun comm.Time = 1e6       // bounds how long a request waits for a busy rank, unless the least time is longer
	pollShare            = 50        // a poll may cost 1/50 of a quantum
	maxQuantum           = 1 << 24
	// longestTransfer bounds a quantum that lasts long because its nodes are sent to another program.
	longestTransfer comm.Time = 1e9
)

// newQuantum returns a quantum of a fixed size. If fixed is 0, it returns a quantum that adapts and
// lasts for the given least time; least = 0 stands for the usual time.
func newQuantum(fixed int, least comm.Time) quantum {
	if fixed > 0 {
		return quantum{size: fixed, fixed: true}
	}
	size := 16
	if least > longestRun { // nodes that need so long a quantum may take long themselves
		size = 1
	}
	return quantum{size: size, least: cmp.Or(least, usual)}
}

// adaptSize adapts the size to a measurement: n expansions took span, and an empty poll after them
// took poll. transfer is the part of span in which nodes were sent to another program and back: it
// may cost as much of a quantum as a poll. The size changes by at most a factor of two at a time. It becomes smaller only if two
// consecutive quanta took too long: a single one may have lost its core for a while.
func (q *quantum) adaptSize(n int, span, poll, transfer comm.Time) {
	if q.fixed || n < q.size {
		return
	}
	if poll < q.poll {
		q.poll = (q.poll + poll) / 2
	} else { // a poll during which the rank lost its core is no measure of polls
		q.poll = min(poll, q.poll+q.poll/8+50)
	}
	want := max(QuantumTime(q.least, q.poll), min(pollShare*transfer, longestTransfer))
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

// QuantumTime returns how long a quantum that adapts lasts, if an empty poll takes poll. least is
// the least duration; 0 stands for the usual one.
func QuantumTime(least, poll comm.Time) comm.Time {
	return min(max(cmp.Or(least, usual), pollShare*poll), max(longestRun, least))
}
