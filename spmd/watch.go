package spmd

import (
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"treesplit/comm"
	"treesplit/topology"
)

// watch tells a run that goes on from one that stands still. A rank that has
// moved (expanded a node or taken in a piece) since its last beat tells rank 0,
// with how far it is (progress.go);
// rank 0, if anybody has moved, tells all ranks by a pulse down a binomial tree.
// Requests and tokens do not count: they go round for ever in a run that hangs.
// So where nobody moves, no pulse goes out, and every rank notices within Stall
// and dumps its state, without anybody having to be told.
//
// A rank that hangs inside a node, or in the final barrier, cannot notice; a
// goroutine beside it does, somewhat later.
type watch struct {
	next     comm.Time // next beat, or Never
	interval comm.Time
	last     comm.Time    // the last beat, or the beginning
	idle     comm.Time    // what the rank had been without work then, in all
	alive    comm.Time    // when anybody was last known to move
	moves    int64        // own moves at the last beat
	heard    bool         // rank 0: somebody has moved since the last pulse
	own      told         // of the last beat
	told     []told       // rank 0: by rank, as of their last beats
	beacon   atomic.Int64 // alive, for the goroutine
	snapshot atomic.Pointer[string]
	stop     chan struct{}
}

// begin starts the watch at the start of the run.
func (w *watch) begin(d *driver, now comm.Time) {
	w.next, w.alive = comm.Never, now
	w.interval = d.config.Beat
	if stall := d.config.Stall; stall > 0 && (w.interval == 0 || stall/4 < w.interval) {
		w.interval = max(stall/4, 1)
	}
	if w.interval > 0 {
		w.next = now + w.interval
	}
	w.last, w.own.idle = now, always
	if d.Rank() == 0 {
		w.told = slices.Repeat([]told{w.own}, d.Size())
	}
	w.beacon.Store(int64(now))
	w.stop = make(chan struct{})
	if d.config.Stall > 0 && d.config.Stuck != nil {
		go w.guard(d.Rank(), d.config)
	}
}

// end ends the watch.
func (w *watch) end() { close(w.stop) }

// tick is called at every turn of the loop; at a beat it says that the rank has
// moved, or that nobody has for too long.
func (w *watch) tick(d *driver, now comm.Time) error {
	if now < w.next {
		return nil
	}
	w.next = now + w.interval
	s := d.balancer.Stats()
	moves := s.Expanded + s.Accepted
	moved := moves != w.moves
	if w.moves = moves; moved {
		w.moved(now)
		w.heard = true
	}
	if own := tell(d.balancer, w.idleShare(d, now), d.config.Progress != nil); moved || own != w.own {
		w.own = own
		if d.Rank() == 0 {
			w.told[0] = own
		} else {
			d.Send(own.message(moved))
		}
	}
	if d.Rank() == 0 {
		w.pulse(d)
	}
	dump := d.dump()
	w.snapshot.Store(&dump)
	if stall := d.config.Stall; stall > 0 && now-w.alive > stall {
		return fmt.Errorf("no rank has moved for %v: %s", (now - w.alive).Duration().Round(time.Millisecond), dump)
	}
	return nil
}

// idleShare is the share of the time since the beat before that the rank was without work,
// in thousandths.
func (w *watch) idleShare(d *driver, now comm.Time) int32 {
	share := always * (d.report.Idle - w.idle) / max(now-w.last, 1)
	w.last, w.idle = now, d.report.Idle
	return int32(min(share, always))
}

// pulse is rank 0's beat: it passes on what it has heard.
func (w *watch) pulse(d *driver) {
	if d.config.Progress != nil {
		d.config.Progress(joined(w.told))
	}
	if w.heard && d.config.Stall > 0 {
		w.heard = false
		w.forward(d)
	}
}

func (w *watch) moved(now comm.Time) {
	w.alive = now
	w.beacon.Store(int64(now))
}

// receive handles a Beat or a Pulse.
func (w *watch) receive(d *driver, m comm.Message) {
	if m.Kind == comm.Pulse {
		w.moved(d.Now())
		w.forward(d)
		return
	}
	if m.Tag&beatMoved != 0 {
		w.moved(d.Now())
		w.heard = true
	}
	if int(m.From) < len(w.told) {
		w.told[m.From].hear(m)
	}
}

// forward sends a pulse down the tree.
func (w *watch) forward(d *driver) {
	for _, c := range (topology.Binomial{P: d.Size()}).Children(d.Rank(), nil) {
		d.Send(comm.Message{To: int32(c), Kind: comm.Pulse})
	}
}

// guard ends the run of a rank that has not come round to noticing a standstill.
func (w *watch) guard(rank int, c Config) {
	tick := time.NewTicker(max(c.Stall.Duration()/4, time.Millisecond))
	defer tick.Stop()
	seen, since := w.beacon.Load(), time.Now()
	for {
		select {
		case <-w.stop:
			return
		case <-tick.C:
		}
		if now := w.beacon.Load(); now != seen {
			seen, since = now, time.Now()
		}
		if still := time.Since(since); still > 2*c.Stall.Duration() {
			state := "no state known"
			if s := w.snapshot.Load(); s != nil {
				state = *s
			}
			c.Stuck(fmt.Errorf("rank %d has not moved, nor heard of others that did, for %v and does not answer; when last seen: %s",
				rank, still.Round(time.Millisecond), state))
			return
		}
	}
}
