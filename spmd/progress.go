package spmd

import (
	"encoding/binary"
	"math"

	"treesplit/comm"
	"treesplit/lb"
)

// Progress is how far a run is, as far as rank 0 has heard.
type Progress struct {
	Expanded int64 // nodes, by all ranks
	// Closed is the share of the tree that is closed, by weight (search.Sizer), 0 to 1. It
	// never falls: what is in progress is open, and so is what ranks have closed since they
	// last told rank 0. Known says whether ranks know it.
	Closed float64
	Known  bool
	Open   int64     // nodes that ranks have yet to expand, as far as they know them
	Idle   float64   // share of the ranks' time without work, as of their last beats
	Silent []Silence // ranks that have not been heard from for Config.Stall
}

// told is what a rank reports in a Beat.
type told struct {
	expanded, open int64
	closed         float64
	known          bool
	idle           int32 // thousandths of the time since the beat before
}

// always is told.idle of a rank that had no work at all.
const always = 1000

// progressOfRank says how far a rank is that was idle for a time. Its work is looked through only if
// that is wanted.
func progressOfRank(b lb.Balancer, idle int32, closely bool) told {
	t := told{expanded: b.Stats().Expanded, idle: idle}
	if !closely {
		return t
	}
	if b, ok := b.(interface{ Progress() lb.Progress }); ok {
		p := b.Progress()
		t.closed, t.open, t.known = p.Closed, int64(p.Open), true
	}
	return t
}

// ProgressOfRanks is the progress of ranks that are all at hand, as in a simulation; idle are those
// that have no work at the moment.
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

// beatLen is the length of a Beat's Body: the share closed and the number of open nodes, 8
// bytes each.
const beatLen = 16

// beatMessage returns a Beat with a rank's report.
func (t told) beatMessage(moved bool) comm.Message {
	m := comm.Message{To: 0, Kind: comm.Beat, Tag: t.idle << 1, Arg: t.expanded}
	if moved {
		m.Tag |= beatMoved
	}
	if t.known {
		m.Body = binary.BigEndian.AppendUint64(make([]byte, 0, beatLen), math.Float64bits(t.closed))
		m.Body = binary.BigEndian.AppendUint64(m.Body, uint64(t.open))
	}
	return m
}

// updateFromBeat takes in a Beat; a Body that makes no sense says nothing.
func (t *told) updateFromBeat(m comm.Message) {
	t.expanded, t.idle = m.Arg, min(max(m.Tag>>1, 0), always)
	if len(m.Body) != beatLen {
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
