package pace

import (
	"math"
	"math/rand/v2"
	"time"

	"treesplit/comm"
	"treesplit/search"
	"treesplit/spmd"
)

// Clock is the clock of a rank: its endpoint.
type Clock interface {
	comm.Sleeper
	Now() comm.Time
}

// rankClock is the clock of a rank whose transport cannot sleep.
type rankClock struct{ comm.Transport }

// Sleep waits until a moment by Go's timers.
func (c rankClock) Sleep(until comm.Time) { time.Sleep((until - c.Now()).Duration()) }

// clockOf returns the clock of a rank.
func clockOf(t comm.Transport) Clock {
	if c, ok := t.(Clock); ok {
		return c
	}
	return rankClock{t}
}

// leastWait is the shortest wait. Timers of Linux wake a thread about 50 µs late, so that a shorter
// wait would last twice as long. A shorter debt is carried to the next nodes.
const leastWait comm.Time = 50 * 1000

// longestNap bounds the time for which a waiting rank does not check whether it must stop.
const longestNap comm.Time = 100 * 1e6

// Pacer paces one rank. It keeps the rank's debt: the time that its nodes would have taken so far on
// the emulated processor, minus the time that they took, with all waits, polls and messages between
// them. Each wait pays the debt. A wait that ends late makes the debt negative, and later waits are
// shorter by that time. So the mean time of a node is exact, however late single waits end. The rank
// calls the methods.
type Pacer struct {
	clock               Clock
	stop                func() bool // reports whether waits must end; or nil
	node, mean          float64     // nanoseconds, on this rank and on a rank that is not slow
	stopped             bool        // a wait ended early
	jitter              float64
	random              *rand.Rand
	send, receive, poll comm.Time

	debt     comm.Time
	fraction float64   // of a nanosecond that is not in debt yet
	busy     bool      // the rank has had work since from
	from     comm.Time // until then the time of the busy rank is in the debt
	paid     int       // nodes that were paced since the last Settle
	honesty  spmd.Honesty
	queue    queue // of the process since the beginning
}

// New returns the pacer of a rank. stop reports whether waits must end early; nil: never.
func New(r Rate, rank int, seed uint64, clock Clock, stop func() bool) *Pacer {
	const stream = 0x70616365 << 32 // apart from the streams of protocols
	return &Pacer{
		clock: clock, stop: stop, node: r.NodeTime(rank), mean: float64(r.MeanNodeTime()), jitter: r.Jitter,
		send: r.Send, receive: r.Receive, poll: r.Poll,
		random: rand.New(rand.NewPCG(seed, stream+uint64(rank))), queue: beginQueue(),
	}
}

// napper is a transport whose rank polls for messages, with naps between the polls.
type napper interface{ NapAlways(comm.Time) }

// leastNap and longestPollNap bound the naps of a rank that waits for a message.
const (
	leastNap       comm.Time = 50 * 1000
	longestPollNap comm.Time = 10 * 1e6
)

// Begin begins the pace of a rank; see spmd.Pace. If nodes are long, a rank that polls for messages naps
// for a fiftieth of a node between two polls, because it shares its core with many others.
func (r Rate) Begin(rank int, seed uint64, t comm.Transport, stop func() bool) spmd.Pacer {
	if n, ok := t.(napper); ok && r.Node/50 >= leastNap {
		n.NapAlways(min(r.Node/50, longestPollNap))
	}
	return New(r, rank, seed, clockOf(t), stop)
}

// PaceShare returns a share whose nodes take their time.
func (p *Pacer) PaceShare(w search.Work) search.Work { return NewShare(w, p) }

// begin notes that the rank begins to expand nodes.
func (p *Pacer) begin() {
	if !p.busy {
		p.busy, p.from = true, p.clock.Now()
	}
}

// pay makes n nodes last for their time. If last is set, the rank has no more nodes and may send
// messages next: pay then waits for the whole debt, however short.
func (p *Pacer) pay(n int, last bool) {
	now := p.clock.Now()
	p.debt += p.costOf(n) - (now - p.from)
	p.from = now
	least := leastWait
	if last {
		least = 1
	}
	if p.debt >= least {
		p.waitUntil(now + p.debt)
	}
	p.paid += n
}

// Settle paces the nodes of a step that began at since and has expanded n nodes. The shares have
// paced most of them. Redundant nodes, and nodes of which subtasks were cut off, are left. The poll
// after the step is paced with the next nodes.
func (p *Pacer) Settle(n int, since comm.Time) {
	if !p.busy {
		p.busy, p.from = true, since
	}
	if rest := n - p.paid; rest > 0 {
		p.pay(rest, false)
	}
	p.paid = 0
	p.debt += p.poll
}

// Rest notes that the rank has no work and is going to wait for a message. The time until the next node
// is in no debt.
func (p *Pacer) Rest() {
	p.settleDebt()
	p.busy = false
}

// PaceSend makes the sending of a message last for its time. The message must leave after it.
func (p *Pacer) PaceSend() {
	p.debt += p.send
	p.settleDebt()
}

// PaceReceive makes the receiving of a message last for its time, before the message is handled.
func (p *Pacer) PaceReceive() {
	p.debt += p.receive
	p.settleDebt()
}

// settleDebt waits for the debt, unless the debt is too short for a wait.
func (p *Pacer) settleDebt() {
	if p.debt < leastWait {
		return
	}
	now := p.clock.Now()
	if p.busy {
		p.debt -= now - p.from
	}
	p.from = now
	if p.debt >= leastWait {
		p.waitUntil(now + p.debt)
	}
}

// Forgive drops the time by which the rank is behind its pace, before a measurement that must not be
// shortened by it.
func (p *Pacer) Forgive() { p.debt = max(p.debt, 0) }

// costOf returns the time of n nodes, and carries the fraction of a nanosecond.
func (p *Pacer) costOf(n int) comm.Time {
	units := float64(n)
	if p.jitter > 0 {
		for range n {
			units += p.jitter * (2*p.random.Float64() - 1)
		}
	}
	cost := units*p.node + p.fraction
	whole := math.Floor(cost)
	p.fraction = cost - whole
	return comm.Time(whole)
}

// waitUntil waits until the given moment.
func (p *Pacer) waitUntil(until comm.Time) {
	now := p.from
	for now < until {
		p.clock.Sleep(min(until, now+longestNap))
		now = p.clock.Now()
		if p.stop != nil && p.stop() {
			p.stopped = true
			break
		}
	}
	p.debt, p.from = until-now, now
	noteWait(&p.honesty, now-until)
}

// Honesty returns the measurements of the rank so far.
func (p *Pacer) Honesty() spmd.Honesty {
	h := p.honesty
	h.Behind = max(-p.debt, 0)
	if p.stopped && p.node > 0 {
		h.Unpaid = comm.Time(float64(max(p.debt, 0)) * p.mean / p.node)
	}
	return h
}

// MeanQueue returns the mean time for which a goroutine that could run waited for a core.
func (p *Pacer) MeanQueue() comm.Time { return p.queue.meanWait() }
