package spmd

import (
	"treesplit/comm"
	"treesplit/search"
)

// Pace is the speed of the processors that ranks emulate. Package pace has one; this interface keeps
// programs without it small.
type Pace interface {
	// Check returns an error and the name of the flag that is wrong, for a run on the given number of
	// ranks.
	Check(ranks int) (flag string, err error)
	// MeanNodeTime returns the mean time of a node on a rank that is not slow.
	MeanNodeTime() comm.Time
	// SlowestNodeTime returns the mean time of a node on the slowest rank.
	SlowestNodeTime() comm.Time
	// MessageTime returns the time for which a message occupies its sender and its receiver, in all.
	MessageTime() comm.Time
	// QuantumSize returns the number of nodes, at least 1, that a rank expands between two polls if a
	// quantum lasts for the given time.
	QuantumSize(rank int, span comm.Time) int
	// Begin begins the pace of a rank. stop reports whether waits must end early.
	Begin(rank int, seed uint64, t comm.Transport, stop func() bool) Pacer
}

// Pacer paces one rank.
type Pacer interface {
	// PaceShare returns a share whose nodes take their time.
	PaceShare(w search.Work) search.Work
	// Coast makes a rank with work wait for the time of a number of quanta of the given size, but at most until
	// the given moment, and only until a message arrives. The rank expands the nodes of this time afterwards, so
	// that it needs no core for each quantum. Coast returns the number of quanta, at least 1, up to the poll at
	// which the rank finds the message. It returns 1 at once if the transport or the pace does not allow this.
	Coast(size int, quanta int64, until comm.Time) int64
	// Settle makes the nodes of a step that began at since last for their time.
	Settle(nodes int, since comm.Time)
	// Rest notes that the rank is going to wait for a message without work.
	Rest()
	// PaceSend makes the sending of a message last for its time. The message leaves after it.
	PaceSend()
	// PaceReceive makes the receiving of a message last for its time. The message is handled after it.
	PaceReceive()
	// Forgive drops the time by which the rank is behind its pace. Later waits are not shorter by it.
	Forgive()
	// Honesty returns the measurements of the rank so far.
	Honesty() Honesty
	// MeanQueue returns the mean time since Begin for which a goroutine of this process that could
	// run waited for a core.
	MeanQueue() comm.Time
}

// Honesty measures how far ranks were from the processors that they emulate.
type Honesty struct {
	Waits     int64     // number of waits, without the waits that a message has ended
	Overshoot comm.Time // the sum of the times by which waits ended late
	Largest   comm.Time // the largest of these times
	Behind    comm.Time // the time by which the ranks are behind their pace at the end
	CoreWait  comm.Time // the time for which the ranks could run and waited for a core
	Unpaid    comm.Time // the time of expanded nodes for which the ranks did not wait, because the run was stopped; of ranks that are not slow
}

// AddRank adds the measurements of another rank.
func (h *Honesty) AddRank(o Honesty) {
	h.Waits += o.Waits
	h.Overshoot += o.Overshoot
	h.Largest = max(h.Largest, o.Largest)
	h.Behind += o.Behind
	h.CoreWait += o.CoreWait
	h.Unpaid += o.Unpaid
}

// MeanOvershoot returns the mean time by which a wait ended late.
func (h Honesty) MeanOvershoot() comm.Time { return h.Overshoot / comm.Time(max(h.Waits, 1)) }
