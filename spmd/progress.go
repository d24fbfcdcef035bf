package spmd

import (
	"encoding/binary"
	"math"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/search"
)

// Progress is the progress of a run as rank 0 knows it from the messages received so far.
type Progress struct {
	Expanded int64 // nodes, by all ranks
	// Closed is the part of the tree that is closed, by weight (search.Sizer), 0 to 1. It never
	// falls: nodes in progress are open, and so are nodes that ranks have closed since their last
	// report to rank 0. Known reports whether ranks know this weight.
	Closed float64
	Known  bool
	Open   int64   // nodes that ranks still have to expand, as far as the ranks know them
	Idle   float64 // the part of the ranks' time without work, as of their last beats
	// Bound is the least value of a solution that rank 0 knows, or search.NoBound.
	Bound  int64
	Silent []Silence // ranks from which no message has arrived for Config.Stall
}

// told is what a rank reports in a Beat.
type told struct {
	expanded, open int64
	closed         float64
	known          bool
	idle           int32 // thousandths of the time since the beat before
	bound          int64 // the least value that the rank knows, or search.NoBound
}

// always is the value of told.idle of a rank that had no work at all.
const always = 1000

// progressOfRank returns the progress of a rank that was idle for the given time. It examines the
// rank's work only if closely is set.
func progressOfRank(b lb.Balancer, idle int32, closely bool) told {
	t := told{expanded: b.Stats().Expanded, idle: idle, bound: search.NoBound}
	if !closely {
		return t
	}
	if b, ok := b.(interface{ Progress() lb.Progress }); ok {
		p := b.Progress()
		t.closed, t.open, t.known, t.bound = p.Closed, int64(p.Open), true, p.Bound
	}
	return t
}

// ProgressOfRanks returns the progress of ranks that are all in this process, as in a simulation.
// Idle is the share of the ranks that have no work at the moment.
func ProgressOfRanks(ranks []lb.Balancer) Progress {
	all := make([]told, len(ranks))
	for i, b := range ranks {
		idle := int32(0)
		if b.State() != lb.Busy {
			idle = always
		}
		all[i] = progressOfRank(b, idle, true)
	}
	return sumProgress(all)
}

// beatMoved is the lowest bit of a Beat's Tag, before told.idle.
const beatMoved = 1

// beatLen is the length of the progress in a Beat's Body: the closed part and the number of open
// nodes, 8 bytes each. A report may follow.
const beatLen = 16

// beatMessage returns a Beat with a rank's progress, and with its report if there is one.
func (t told) beatMessage(moved bool, report []byte) comm.Message {
	m := comm.Message{To: 0, Kind: comm.Beat, Tag: t.idle << 1, Arg: t.expanded}
	if moved {
		m.Tag |= beatMoved
	}
	closed := t.closed
	switch {
	case !t.known && len(report) == 0:
		return m
	case !t.known:
		closed = math.NaN()
	}
	m.Body = binary.BigEndian.AppendUint64(make([]byte, 0, beatLen+len(report)), math.Float64bits(closed))
	m.Body = binary.BigEndian.AppendUint64(m.Body, uint64(t.open))
	m.Body = append(m.Body, report...)
	return m
}

// MaxReport is the length of the longest report in a Beat, in bytes. A Beat with it is a short
// message under MPI.
const MaxReport = 480

// reportInBeat returns the report in a Beat, or nothing. Longer reports are invalid.
func reportInBeat(m comm.Message) []byte {
	if len(m.Body) <= beatLen || len(m.Body) > beatLen+MaxReport {
		return nil
	}
	return m.Body[beatLen:]
}

// passReport passes the report of a rank to the user's function, if there is one.
func (d *driver) passReport(rank int, report []byte) {
	if d.config.TakeReport != nil && len(report) > 0 {
		d.config.TakeReport(rank, report)
	}
}

// updateFromBeat updates the progress from a Beat. It ignores an invalid Body, and an unknown
// weight, which is not a number.
func (t *told) updateFromBeat(m comm.Message) {
	t.expanded, t.idle = m.Arg, min(max(m.Tag>>1, 0), always)
	if len(m.Body) < beatLen {
		return
	}
	closed := math.Float64frombits(binary.BigEndian.Uint64(m.Body))
	if closed >= t.closed && closed <= 1 {
		t.closed, t.known = closed, true
	}
	t.open = int64(binary.BigEndian.Uint64(m.Body[8:]))
}

// sumProgress adds up the reports of all ranks.
func sumProgress(all []told) (p Progress) {
	p.Bound = all[0].bound
	idle := int64(0)
	for _, t := range all {
		p.Expanded += t.expanded
		p.Closed += t.closed
		p.Open += t.open
		p.Known = p.Known || t.known
		idle += int64(t.idle)
	}
	p.Closed = min(p.Closed, 1)
	p.Idle = float64(idle) / float64(always*len(all))
	return p
}
