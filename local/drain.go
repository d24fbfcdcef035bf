package local

import "treesplit/comm"

// Drain is comm.Endpoint's. A rank brings what it has sent less what it has
// received when it enters; from then on each send adds one to the shared count
// of outstanding messages before it can be seen, and each message takes one away
// after it has been served. Once every rank is inside, the count is exact, and
// zero is final: nobody serves, so nobody will send.
//
// Entries are numbered on from drain to drain, so no counter is ever reset and a
// rank may be in the next drain before another has left this one.
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

// serveNextMessage serves the next message of the inbox, which must not be empty, unless
// the drain is over: then all its messages have been served, and the next was sent
// by a rank that has left. It belongs to what comes after, and is left there.
func (e *Endpoint) serveNextMessage(turn int64, serve func(m comm.Message)) (served bool) {
	m := e.inbox.takeMessage()
	if e.world.drained.Load() != turn { // cannot be told before: it may end in between
		e.inbox.untakeMessage(m)
		return false
	}
	serve(m)
	e.world.outstanding.Add(-1)
	e.world.endDrainIfDone(turn)
	return true
}

// endDrainIfDone ends the drain of the given number if all ranks are inside and nothing
// is outstanding. The order of the two looks matters: the count is exact only
// once all are inside.
func (w *World) endDrainIfDone(turn int64) {
	all := int64(len(w.ranks)) * (turn + 1)
	if w.entered.Load() == all && w.outstanding.Load() == 0 && w.drained.CompareAndSwap(turn, turn+1) {
		w.wakeAllRanks()
	}
}
