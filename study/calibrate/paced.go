package calibrate

import (
	"treesplit/comm"
	"treesplit/search"
	"treesplit/spmd"
)

// paced is a transport whose messages occupy the emulated processors of paced ranks for their time,
// as in a run (spmd.DriveRank). Machine files of such ranks describe the emulated processors: predict
// can then be compared with real ranks that are more than the cores of the host.
type paced struct {
	comm.Transport
	pacer spmd.Pacer
}

// Send sends a message after the time that it takes of its sender.
func (p paced) Send(m comm.Message) {
	p.pacer.PaceSend()
	p.Transport.Send(m)
}

// TryRecv returns a message after the time that it takes of its receiver.
func (p paced) TryRecv() (comm.Message, bool) { return p.receive(p.Transport.TryRecv()) }

// Recv waits for a message and returns it after the time that it takes of its receiver.
func (p paced) Recv(until comm.Time) (comm.Message, bool) {
	p.pacer.Rest()
	return p.receive(p.Transport.Recv(until))
}

func (p paced) receive(m comm.Message, ok bool) (comm.Message, bool) {
	if ok {
		p.pacer.PaceReceive()
	}
	return m, ok
}

// paceShare makes the nodes of a share last for their time, if ranks are paced.
func (w *walker) paceShare(share search.Work) search.Work {
	if w.pacer == nil {
		return share
	}
	return w.pacer.PaceShare(share)
}

// beginSample begins a measurement on a rank that may be paced. It returns the time on the rank's
// processor. Waits that ended late before it make no wait in the sample shorter.
func beginSample(t comm.Transport, pacer spmd.Pacer) comm.Time {
	if pacer != nil {
		pacer.Forgive()
	}
	return t.Now()
}

// endSample returns the time on the rank's processor since the start of a sample of messages. The time
// by which the last wait ended late is not in it: on the emulated processor a wait ends at its moment.
func endSample(t comm.Transport, pacer spmd.Pacer, start comm.Time) float64 {
	return float64(t.Now() - start - lateness(pacer))
}

// lateness returns the time by which the last wait of a rank ended late, or 0 if the rank is not paced.
func lateness(pacer spmd.Pacer) comm.Time {
	if pacer == nil {
		return 0
	}
	return pacer.Honesty().Behind
}

// endWork notes that the rank expands no nodes for a while.
func (w *walker) endWork() {
	if w.pacer != nil {
		w.pacer.Rest()
	}
}
