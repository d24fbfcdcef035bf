package spmd

import (
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"treesplit/comm"
)

// watch distinguishes a run that makes progress from a run that stands still. Every rank sends rank
// 0 a Beat with its progress (progress.go), and with whether it has moved since its last Beat:
// expanded a node or taken in a piece. Rank 0 sends every rank a Pulse, which carries whether any
// rank has moved. Both are sent every Stall/heartbeats, and more often only if a user watches the
// progress. A shorter run therefore sends none of them.
//
// Requests and tokens do not count as moves, because in a run that hangs they circulate for ever.
// If no rank moves, every rank notices it within Stall and ends the run with a dump of its state.
// For a rank that sends nothing at all see silence.go.
//
// A rank that hangs inside a node or in the final barrier cannot notice a standstill. A goroutine
// beside the rank notices it, somewhat later.
type watch struct {
	next     comm.Time // next beat, or Never
	interval comm.Time
	last     comm.Time    // the last beat, or the beginning
	idle     comm.Time    // the rank's total time without work at that moment
	alive    comm.Time    // the last moment at which any rank is known to have moved
	sent     comm.Time    // when the rank last sent a Beat or, on rank 0, Pulses
	moves    int64        // own moves at the last beat
	heard    bool         // a rank has moved since the last Pulse that this rank sent
	own      told         // the report in the last beat
	told     []told       // rank 0: by rank, as of their last beats
	silence  silence      // of other ranks
	beacon   atomic.Int64 // the value of alive, for the goroutine
	snapshot atomic.Pointer[string]
	stop     chan struct{}
}

// heartbeats is the number of Beats and Pulses that a rank sends within Stall. A rank from which
// half of them are missing is suspected. This leaves time to continue without rank 0.
const heartbeats = 8

// startWatch starts the watch at the start of the run.
func (w *watch) startWatch(d *driver, now comm.Time) {
	w.next, w.alive = comm.Never, now
	w.interval = d.config.Beat
	if stall := d.config.Stall; stall > 0 && (w.interval == 0 || stall/heartbeats < w.interval) {
		w.interval = max(stall/heartbeats, 1)
	}
	if w.interval > 0 {
		w.next = now + w.interval
	}
	w.last, w.sent, w.own.idle = now, now, always
	if d.Rank() == 0 {
		w.told = slices.Repeat([]told{w.own}, d.Size())
	}
	w.silence.beginTracking(d, now)
	w.beacon.Store(int64(now))
	w.stop = make(chan struct{})
	if d.config.Stall > 0 && d.config.Stuck != nil {
		go w.guardAgainstHang(d.Rank(), d.config)
	}
}

// stopWatch ends the watch.
func (w *watch) stopWatch() { close(w.stop) }

// checkProgress is called at every turn of the loop. At a beat it reports that the rank has moved,
// or returns an error if no rank has moved for Stall.
func (w *watch) checkProgress(d *driver, now comm.Time) error {
	if now < w.next {
		return nil
	}
	w.excuseAbsence(d, now)
	w.next = now + w.interval
	w.sendBeatIfNews(d, now)
	w.silence.warnOfSilence(d, now)
	if d.Rank() == 0 && d.config.Progress != nil {
		p := sumProgress(w.told)
		p.Silent = w.silence.warnedRanks(now)
		d.config.Progress(p)
	}
	if w.silence.coordinator(d, now) == d.Rank() {
		w.sendPulses(d, now)
	}
	dump := d.describeRank()
	w.snapshot.Store(&dump)
	if stall := d.config.Stall; stall > 0 && now-w.alive > stall {
		return fmt.Errorf("no rank has moved for %v%s: %s", roundToMilliseconds(now-w.alive), w.silence.describeSuspects(d, now), dump)
	}
	return nil
}

// excuseAbsence leaves out of account the time for which the rank itself was away: it was stopped,
// got no processor, or has expanded a long node. The messages that it has missed are in its inbox.
// A node that is short compared with Stall is no absence, even if it lasts for several Beats. Otherwise a
// rank with such nodes would notice no silence.
func (w *watch) excuseAbsence(d *driver, now comm.Time) {
	gap := now - w.last
	if stall := d.config.Stall; stall > 0 && gap > stall-2*stall/heartbeats { // for other ranks this may be more than Stall
		d.report.Silent = max(d.report.Silent, gap)
	}
	span := max(w.interval, d.config.Stall/heartbeats)
	if away := gap - span; away > span {
		w.alive += away
		w.silence.addAbsence(away)
	}
}

// sendBeatIfNews sends the rank's progress to the coordinator, if it has changed or a heartbeat is due.
func (w *watch) sendBeatIfNews(d *driver, now comm.Time) {
	s := d.balancer.Stats()
	moves := s.Expanded + s.Redundant + s.Accepted // nodes of samples and repetitions are redundant
	moved := moves != w.moves
	w.moves = moves
	if moved {
		w.noteMovement(now)
		w.heard = true
	}
	own := progressOfRank(d.balancer, w.idleShare(d, now), d.config.Progress != nil)
	if d.config.Counts != nil {
		own.counts = makeWatched(d.config.Counts())
	}
	to := w.silence.coordinator(d, now)
	var report []byte
	if d.config.Report != nil && to == 0 { // only rank 0 takes reports; a later report has the same activity
		report = d.config.Report(nil)
	}
	news := moved || own != w.own || len(report) > 0
	w.own = own
	switch {
	case d.Rank() == 0:
		w.told[0] = own
		d.passReport(0, report)
	case to != d.Rank() && (news || w.isHeartbeatDue(d, now)):
		w.sent = now
		m := own.beatMessage(moved, report)
		m.To = int32(to)
		d.Send(m)
	}
}

// isHeartbeatDue reports whether a heartbeat is due.
func (w *watch) isHeartbeatDue(d *driver, now comm.Time) bool {
	stall := d.config.Stall
	return stall > 0 && now-w.sent >= stall/heartbeats
}

// idleShare returns the part of the time since the last beat for which the rank was without work,
// in thousandths.
func (w *watch) idleShare(d *driver, now comm.Time) int32 {
	share := always * (d.report.Idle - w.idle) / max(now-w.last, 1)
	w.last, w.idle = now, d.report.Idle
	return int32(min(share, always))
}

// pulseMoved is the Tag of a Pulse if some rank has moved since the last one.
const pulseMoved = 1

// sendPulses informs every rank whether any rank has moved, and which rank is silent. It does not
// use a tree, because in a tree a stopped rank would cut off the ranks below it.
func (w *watch) sendPulses(d *driver, now comm.Time) {
	if !w.isHeartbeatDue(d, now) {
		return
	}
	w.sent = now
	m := comm.Message{Kind: comm.Pulse, Arg: w.silence.longestSilent(d, now)}
	if w.heard {
		m.Tag = pulseMoved
	}
	w.heard = false
	for r := range d.Size() {
		m.To = int32(r)
		if r != d.Rank() {
			d.Send(m)
		}
	}
}

func (w *watch) noteMovement(now comm.Time) {
	w.alive = now
	w.beacon.Store(int64(now))
}

// handleHeartbeat handles a Beat or a Pulse.
func (w *watch) handleHeartbeat(d *driver, m comm.Message) {
	now := d.Now()
	w.silence.noteHeard(d, m, now)
	if m.Tag&beatMoved != 0 { // pulseMoved has the same value
		w.noteMovement(now)
		w.heard = w.heard || m.Kind == comm.Beat
	}
	if m.Kind == comm.Beat && int(m.From) < len(w.told) {
		w.told[m.From].updateFromBeat(m)
		d.passReport(int(m.From), reportInBeat(m))
	}
}

// patience is the number of quarters of Stall for which the goroutine beside a rank waits. It
// counts ticks instead of time: a process that is stopped gets no ticks.
const patience = 8

// guardAgainstHang ends the run if the rank has not noticed a standstill itself.
func (w *watch) guardAgainstHang(rank int, c Config) {
	tick := time.NewTicker(max(c.Stall.Duration()/4, time.Millisecond))
	defer tick.Stop()
	seen, since, ticks := w.beacon.Load(), time.Now(), 0
	for {
		select {
		case <-w.stop:
			return
		case <-tick.C:
			ticks++
		}
		if now := w.beacon.Load(); now != seen {
			seen, since, ticks = now, time.Now(), 0
		}
		if ticks > patience {
			state := "no state known"
			if s := w.snapshot.Load(); s != nil {
				state = *s
			}
			c.Stuck(fmt.Errorf("rank %d has not moved for %v, has not learned of a rank that moved, and does not answer; its last known state: %s",
				rank, time.Since(since).Round(time.Millisecond), state))
			return
		}
	}
}

func roundToMilliseconds(t comm.Time) time.Duration { return t.Duration().Round(time.Millisecond) }
