package sim

import (
	"cmp"
	"fmt"
	"math/rand/v2"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/topology"
)

// world is a machine with its ranks, during a run.
type world struct {
	machine   Machine
	mostBytes int64 // of a message
	network   topology.Topology
	nodeCost  int64 // in picoseconds
	seed      uint64
	options   Options
	ranks     []rank
	agenda    *agenda
	bodies    bodies
	shared    bool // messages wait for the bus or for links
	busFree   comm.Time
	links     *links     // nil without contention
	faults    *rand.Rand // random stream of the faults
	check     check

	lastExpansion             comm.Time
	steps, deliveries, alarms int64
	sent                      [comm.Kinds]int64
	received                  [comm.Kinds]int64
	ended                     int // ranks that know that the run is over
	halted                    bool
	pauseAt                   comm.Time
	lookAt                    comm.Time // of the next call of Options.Look
	preloaded                 int64     // has no meaning; keeps the compiler from removing preloadRanks
	err                       error
}

// MaxRanks bounds the number of ranks of a simulation.
const MaxRanks = 1 << 24

// Run simulates a run of p ranks on machine m until every rank knows that the run is over and every
// message has been received. makeRank creates the protocol of a rank; it is called once for each
// rank, in order. The error is the first of these: an invalid argument, an error of a Balancer, a
// rank that can never end, a failed audit, a violated invariant.
//
// Run needs O(P + messages in flight) memory in addition to the Balancers' memory. If ranks coast, the
// agenda also holds an event for each coasting that a message has ended, until the moment at which it
// would have ended without the message, and, to the end of the run, at most one record for each message
// and alarm that takes exactly as long as a quantum. Any number of simulations may run at the same time.
func Run(m Machine, p int, seed uint64, makeRank func(rank int) lb.Balancer, o Options) (Result, error) {
	w, err := newWorld(m, p, seed, o)
	if err != nil {
		return Result{}, err
	}
	for i := range w.ranks {
		w.ranks[i].balancer = makeRank(i)
	}
	for i := range w.ranks {
		w.check.countInitialNodes(i)
	}
	for i := range w.ranks {
		r := &w.ranks[i]
		r.balancer.Start(r)
		w.afterBalancer(r)
		w.settleRank(r)
	}
	w.runEvents()
	if w.err == nil {
		w.err = w.auditTotals()
	}
	return w.gatherResult(), w.err
}

func newWorld(m Machine, p int, seed uint64, o Options) (*world, error) {
	if err := m.CheckFields(); err != nil {
		return nil, fmt.Errorf("machine %s: %w", m.Name, err)
	}
	if err := o.Faults.CheckFields(); err != nil {
		return nil, err
	}
	if p < 1 || p > MaxRanks {
		return nil, fmt.Errorf("%d ranks: expected 1 to %d", p, MaxRanks)
	}
	if m.Work.Rule == Sqrt && o.LeftIn == nil {
		return nil, fmt.Errorf("machine %s: work messages of size %v need a workload that knows how many nodes a piece has", m.Name, m.Work)
	}
	network, err := topology.Parse(m.Topology, p)
	if err != nil {
		return nil, err
	}
	w := &world{
		machine: m, mostBytes: m.mostBytes(), network: network, nodeCost: m.NodeCostPicos(p), seed: seed, options: o,
		ranks:  make([]rank, p),
		agenda: newAgenda(p, m.TimeOfNodes(int64(m.Quantum), p)+m.Poll, m.coastingQuantum(p, &o)),
		links:  newLinks(m.Contention, network),
		faults: rand.New(rand.NewPCG(seed, faultStream)),
	}
	w.shared = w.links != nil || m.Topology == topology.Bus{}.Name()
	w.pauseAt = cmp.Or(o.PauseAt, comm.Never)
	if o.Look == nil {
		w.lookAt = comm.Never
	}
	w.check = newCheck(w)
	for i := range w.ranks {
		r := &w.ranks[i]
		*r = rank{world: w, number: int32(i), head: none, tail: none, slow: 1}
		if drawOneIn(w.faults, o.Faults.SlowOneIn) {
			r.slow = int32(o.Faults.SlowBy)
		}
	}
	return w, nil
}

// preloadRanks reads the ranks of the events of a slot that begins. It changes nothing. With very
// many ranks each access to a rank is a cache miss. The misses of preloadRanks overlap, while the
// misses of one event after the other do not.
func (w *world) preloadRanks(first *event) {
	w.agenda.begun = false
	if len(w.ranks) < 1<<13 {
		return
	}
	w.preloaded += int64(w.ranks[w.agenda.rankOf(first)].balancer.State())
	for i := range w.agenda.near.events {
		w.preloaded += int64(w.ranks[w.agenda.rankOf(&w.agenda.near.events[i])].balancer.State())
	}
}

// haltMask defines when Halt is called: at every event whose number has none of these bits set.
const haltMask = 1<<12 - 1

// runEvents runs events until none is left or an error occurs.
func (w *world) runEvents() {
	for popped := int64(1); w.err == nil; popped++ {
		e, ok := w.agenda.popNextEvent()
		if !ok {
			return
		}
		if w.agenda.begun {
			w.preloadRanks(&e)
		}
		r := &w.ranks[w.agenda.rankOf(&e)]
		switch e.eventKind() {
		case ready:
			if r.waking.isSame(e.trail()) {
				r.waking = noTrail
				w.resumeRank(r)
			}
		case arrive:
			w.addToInbox(r, e.item)
			w.rouseRank(r, &e)
		case leave:
			w.enterNetwork(e.item, e.at)
		case ring:
			if !r.done {
				r.rings++
				w.rouseRank(r, &e)
			}
		}
		if popped&haltMask == 0 {
			w.checkProgress(e.at)
		}
		if e.at >= w.lookAt {
			w.lookAt = w.options.Look(e.at)
			w.checkProgress(e.at)
		}
		if e.at >= w.pauseAt {
			w.haltEarly(e.at, lb.Paused)
		}
	}
}

// checkProgress reports the progress of the run and checks whether the run must end early.
func (w *world) checkProgress(now comm.Time) {
	if limit := w.options.MaxEvents; limit > 0 && w.steps+w.deliveries+w.alarms > limit && w.err == nil {
		w.err = fmt.Errorf("there is no end after %d events, at %v: %s", limit, w.ranks[0].clock.Duration(), w.dumpRanks())
	}
	if w.options.Watch != nil {
		w.options.Watch(now)
	}
	if w.options.Halt == nil || w.halted || w.ranks[0].done {
		return
	}
	if why, halt := w.options.Halt(); halt {
		w.haltEarly(now, why)
	}
}

// haltEarly ends the run early, on rank 0. A rank can ignore a pause, which is then requested again.
func (w *world) haltEarly(now comm.Time, why lb.Reason) {
	w.halted, w.pauseAt = true, comm.Never
	if r := &w.ranks[0]; !r.done {
		if r.coasting > 0 {
			w.stopCoasting(r, w.pollsBefore(r, now)+1)
		}
		r.clock = max(r.clock, now)
		r.balancer.Halt(r, why)
		w.afterBalancer(r)
		if why == lb.Paused && !r.done {
			w.halted, w.pauseAt = false, now
		}
	}
}

// resumeRank continues a rank whose operation has ended.
func (w *world) resumeRank(r *rank) {
	if r.coasting > 0 {
		w.expandCoasted(r, r.coasting)
	}
	r.awaited = false
	w.attendRank(r)
}

// rouseRank makes a rank with a message or a due alarm handle it: at once if the rank is free,
// otherwise when it becomes free.
func (w *world) rouseRank(r *rank, e *event) {
	switch {
	case r.coasting > 0:
		w.stopCoasting(r, w.firstPoll(r, e))
	case r.awaited:
	case r.clock > e.at:
		w.awaitFree(r)
	default:
		r.clock = e.at
		w.attendRank(r)
	}
}

// awaitFree schedules the rank to handle its messages when it is free.
func (w *world) awaitFree(r *rank) {
	r.awaited = true
	w.scheduleWaking(r, r.clock, w.agenda.causes.trailOf(r.clock))
}

// scheduleWaking schedules the ready event of a rank. Other ready events of the rank are then void.
func (w *world) scheduleWaking(r *rank, at comm.Time, t trail) {
	r.waking = t
	w.agenda.placeEvent(newEvent(at, t, ready, r.number))
}

// attendRank lets a free rank, at its clock, handle its due alarms and then messages: up to Serve
// messages if the rank is Busy, otherwise one.
func (w *world) attendRank(r *rank) {
	for ; r.rings > 0; r.rings-- {
		if !r.done {
			w.alarms++
			r.balancer.Wake(r)
			if w.options.Trace != nil {
				w.traceEntry(r, Entry{What: Rang})
			}
			w.afterBalancer(r)
		}
	}
	serve := 1
	if r.state == lb.Busy {
		serve = w.machine.Serve
	}
	for ; serve > 0 && r.head != none; serve-- {
		w.deliverOldest(r)
	}
	w.settleRank(r)
}

// deliverOldest handles the oldest message.
func (w *world) deliverOldest(r *rank) {
	m := w.fetchMessage(r)
	w.deliveries++
	w.received[m.Kind]++
	if m.HasPiece() {
		w.check.countReceived(m)
	}
	w.maybePause(r)
	r.chargeOverhead(w.machine.Receive)
	if m.HasPiece() && m.From != m.To {
		r.chargeOverhead(w.machine.Accept)
	}
	r.balancer.Deliver(r, m)
	if w.options.Trace != nil {
		w.traceEntry(r, Entry{What: Received, Message: m})
	}
	w.afterBalancer(r)
}

// settleRank lets a rank continue that has handled its messages and alarms: a Busy rank expands a
// quantum and then polls; another rank handles the next message when it is free, or sleeps.
func (w *world) settleRank(r *rank) {
	if r.state == lb.Busy {
		if w.beginCoasting(r) {
			return
		}
		w.expandNodes(r, w.machine.Quantum)
		if r.state == lb.Busy {
			r.chargeOverhead(w.machine.Poll)
			w.awaitFree(r)
			return
		}
	}
	if r.head != none || r.rings > 0 {
		w.awaitFree(r)
	}
}

// expandNodes expands a number of nodes: a quantum, or several if the rank has coasted.
func (w *world) expandNodes(r *rank, limit int) {
	w.maybePause(r)
	r.stepping = true
	before := r.expanded
	n := r.balancer.Step(r, limit)
	r.stepping = false
	w.steps++
	r.chargeNodes(before + int64(n))
	if w.options.Trace != nil {
		w.traceEntry(r, Entry{What: Stepped, Nodes: n})
	}
	if r.expanded != before+int64(n) && w.err == nil {
		w.err = fmt.Errorf("rank %d: a step of %d nodes is counted as %d", r.number, n, r.expanded-before)
	}
	w.afterBalancer(r)
}

// maybePause makes a rank pause if a pause is due.
func (w *world) maybePause(r *rank) {
	if f := &w.options.Faults; f.PauseOneIn > 0 && drawOneIn(w.faults, f.PauseOneIn) {
		r.chargeOverhead(f.Pause)
	}
}

// afterBalancer takes the steps that follow every call of a Balancer.
func (w *world) afterBalancer(r *rank) {
	r.state = r.balancer.State()
	if err := r.balancer.Err(); err != nil && w.err == nil {
		w.err = fmt.Errorf("rank %d at %v: %w", r.number, r.clock.Duration(), err)
	}
	if w.check.full {
		w.check.checkRank(r)
	}
	if r.state == lb.Done && !r.done {
		r.done, r.doneAt = true, r.clock
		w.ended++
		if w.options.Trace != nil {
			w.traceEntry(r, Entry{What: Ended})
		}
		w.check.checkBelievedEnd(r)
	}
}

// traceEntry passes an entry to Options.Trace. The caller has checked that Trace is set.
func (w *world) traceEntry(r *rank, e Entry) {
	e.At, e.Rank, e.Busy, e.Overhead = r.clock, int(r.number), r.busy, r.overhead
	w.options.Trace(e)
}

// dumpRanks describes a few of the ranks that do not know of an end.
func (w *world) dumpRanks() (s string) {
	for i := range w.ranks {
		if r := &w.ranks[i]; !r.done && len(s) < 2000 {
			s += fmt.Sprintf("\n  rank %d: %s", i, r.balancer.Dump())
		}
	}
	return s
}
