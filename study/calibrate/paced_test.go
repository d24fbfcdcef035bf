package calibrate

import (
	"testing"

	"treesplit/comm"
	"treesplit/pace"
	"treesplit/run/workloads"
	"treesplit/uts"
)

// lateHost is a transport and a clock whose waits end late by a given time. Every poll finds a message.
type lateHost struct {
	comm.Transport
	now, late comm.Time
}

func (h *lateHost) Now() comm.Time                      { return h.now }
func (h *lateHost) Sleep(until comm.Time)               { h.now = until + h.late }
func (h *lateHost) Send(comm.Message)                   {}
func (h *lateHost) TryRecv() (comm.Message, bool)       { return comm.Message{}, true }
func (h *lateHost) Recv(comm.Time) (comm.Message, bool) { return comm.Message{}, true }
func (h *lateHost) Err() error                          { return nil }
func (h *lateHost) work(until comm.Time)                { h.now = max(h.now, until) }

// Waits that ended late before a sample make the next waits shorter, but no measured cost lower. Waits
// that end late in a sample make no cost higher.
func TestLateWaitsAreNotInSamples(t *testing.T) {
	const ms = 1_000_000
	params, _, _ := uts.FindSample("T1")
	tree, err := (&workloads.UTS{Params: params}).Load()
	if err != nil {
		t.Fatal(err)
	}
	rate := pace.Rate{Node: 2 * ms, Send: ms / 2, Receive: ms / 4}
	for _, late := range []struct{ before, during comm.Time }{{0, 0}, {5 * ms, 0}, {0, 5 * ms}, {5 * ms, 5 * ms}} {
		host := &lateHost{}
		on := paced{host, pace.New(rate, 0, 1, host, nil)}
		p := pair{t: on, pacer: on.pacer, work: host.work, halt: func() bool { return false }}
		host.late = late.before
		on.Send(comm.Message{})
		host.late = late.during
		if got := p.measureSend(); got != ms/2 {
			t.Errorf("waits that end late by %+v: a Send takes %v ns, want %d", late, got, ms/2)
		}
		host.late = late.before
		on.Send(comm.Message{})
		host.late = 0
		w := walker{t: on, problem: tree, pacer: on.pacer, first: 1, limit: 20 * ms, halt: p.halt, clock: host.Now}
		if _, each, _ := w.measureNodeTime(); each != 2*ms {
			t.Errorf("waits that end late by %+v: a node takes %v ns, want %d", late, each, 2*ms)
		}
		host.late = late.before
		on.Send(comm.Message{})
		host.late = late.during
		if few, many := p.measureReceive(1), p.measureReceive(9); many-few != 8*ms/4 {
			t.Errorf("waits that end late by %+v: 8 more messages take %v ns, want %d", late, many-few, 8*ms/4)
		}
	}
}
