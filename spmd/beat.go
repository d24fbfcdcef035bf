package spmd

import (
	"encoding/binary"
	"math"

	"treesplit/comm"
)

// beatMoved is the lowest bit of a Beat's Tag, before told.idle.
const beatMoved = 1

// beatLen is the length of the progress in a Beat's Body without counts: the closed part and the
// number of open nodes, 8 bytes each, and the number of counts, 1 byte. The counts follow, 8 bytes each,
// and after them a report, if there is one.
const beatLen = 17

// beatMessage returns a Beat with a rank's progress, and with its report if there is one.
func (t told) beatMessage(moved bool, report []byte) comm.Message {
	m := comm.Message{To: 0, Kind: comm.Beat, Tag: t.idle << 1, Arg: t.expanded}
	if moved {
		m.Tag |= beatMoved
	}
	closed := t.closed
	switch {
	case !t.known && len(report) == 0 && t.counts.n == 0:
		return m
	case !t.known:
		closed = math.NaN()
	}
	m.Body = binary.BigEndian.AppendUint64(make([]byte, 0, beatLen+8*t.counts.n+len(report)), math.Float64bits(closed))
	m.Body = binary.BigEndian.AppendUint64(m.Body, uint64(t.open))
	m.Body = append(t.counts.appendTo(m.Body), report...)
	return m
}

// MaxReport is the length of the longest report in a Beat, in bytes. A Beat with it is a short
// message under MPI.
const MaxReport = 440

// reportInBeat returns the report in a Beat, or nothing. Longer reports are invalid.
func reportInBeat(m comm.Message) []byte {
	_, report, ok := splitBody(m.Body)
	if !ok || len(report) > MaxReport {
		return nil
	}
	return report
}

// splitBody returns the counts and the report in the Body of a Beat. ok is false if the Body is invalid.
func splitBody(body []byte) (c watched, report []byte, ok bool) {
	if len(body) < beatLen {
		return c, nil, false
	}
	return decodeCounts(body[beatLen-1:])
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
	counts, _, ok := splitBody(m.Body)
	if !ok {
		return
	}
	t.counts = counts
	closed := math.Float64frombits(binary.BigEndian.Uint64(m.Body))
	if closed >= t.closed && closed <= 1 {
		t.closed, t.known = closed, true
	}
	t.open = int64(binary.BigEndian.Uint64(m.Body[8:]))
}
