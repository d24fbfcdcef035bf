package spmd

import (
	"fmt"
	"strings"

	"treesplit/comm"
)

// history holds a rank's last few messages, for the dump of a run that stands still.
type history struct {
	lines [8]entry
	next  int
}

type entry struct {
	at  comm.Time
	out bool
	m   comm.Message
}

func (h *history) noteMessage(at comm.Time, out bool, m comm.Message) {
	if m.Kind.IsHeartbeat() {
		return // heartbeats continue while no other message moves
	}
	m.Body = nil // the body belongs to the receiver
	h.lines[h.next%len(h.lines)] = entry{at, out, m}
	h.next++
}

// String lists the messages, oldest first.
func (h *history) String() string {
	var s []string
	for i := max(0, h.next-len(h.lines)); i < h.next; i++ {
		e := h.lines[i%len(h.lines)]
		way, peer := "from", e.m.From
		if e.out {
			way, peer = "to", e.m.To
		}
		s = append(s, fmt.Sprintf("%.6fs %v %s %d (tag %d, argument %d)", e.at.Duration().Seconds(), e.m.Kind, way, peer, e.m.Tag, e.m.Arg))
	}
	if s == nil {
		return "none"
	}
	return strings.Join(s, ", ")
}
