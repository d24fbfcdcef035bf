package local

import "treesplit/comm"

// Drain implements comm.Endpoint. On entry a rank adds its messages sent minus its messages received to
// the shared count of outstanding messages. From then on each send adds one to the count before the
// message can be seen, and each message subtracts one after it has been served. When every rank is
// inside, the count is exact, and zero is final: no rank serves a message, so no rank will send
// one.
//
// The numbering of entries continues from drain to drain. No counter is ever reset, and a rank may
// be in the next drain before another rank has left this one.
func (e *Endpoint) Drain(serve func(m comm.Message)) error {
	w, turn := e.world, e.drains
	e.drains++
	e.draining = true
	w.outstanding.Add(e.balance)
	e.balance = 0
	w.entered.Add(1)
	w.endDrainIfDone(turn)
	for looks := 0; w.drained.Load() == turn && w.Err() == nil; looks++ {
		if e.inbox.hasNoMessage() {
			e.restBetweenLooks(looks, comm.Never)
		} else if e.serveNextMessage(turn, serve) {
			looks = 0
		}
	}
	e.draining = false
	return w.Err()
}

// serveNextMessage serves the next message of the inbox, which must not be empty, unless the drain
// is over. If it is over, all its messages have been served, and the next message was sent by a
// rank that has left the drain. This message belongs to the time after the drain and stays in the
// inbox.
func (e *Endpoint) serveNextMessage(turn int64, serve func(m comm.Message)) (served bool) {
	m := e.inbox.takeMessage()
	if e.world.drained.Load() != turn { // must follow the take: the drain may end in between
		e.inbox.untakeMessage(m)
		return false
	}
	serve(m)
	e.world.outstanding.Add(-1)
	e.world.endDrainIfDone(turn)
	return true
}

// endDrainIfDone ends the drain of the given number if all ranks are inside and no message is
// outstanding. The order of the two loads matters: the count is exact only when all ranks are
// inside.
func (w *World) endDrainIfDone(turn int64) {
	all := int64(len(w.ranks)) * (turn + 1)
	if w.entered.Load() == all && w.outstanding.Load() == 0 && w.drained.CompareAndSwap(turn, turn+1) {
		w.wakeAllRanks()
	}
}
