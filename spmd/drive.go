package spmd

import (
	"fmt"
	"math/rand/v2"

	"treesplit/comm"
	"treesplit/lb"
)

// Config is the configuration of DriveRank. The comment of each field gives the meaning of its zero
// value; Config{} drives a run without a watchdog.
type Config struct {
	Seed    uint64
	Quantum int // expansions between polls; 0: adapts to QuantumTime and the measured times
	// QuantumTime is the time for which a quantum that adapts should last; 0: 75 µs.
	QuantumTime comm.Time
	Serve       int // messages a busy rank answers at a poll, heartbeats not counted; 0: DefaultServe

	// Stall is the time after which the run ends if no rank moves, that is, expands a node, also for a
	// sample or a repetition, or takes in a piece; 0: never.
	Stall comm.Time
	// Stuck is called, from another goroutine, for a rank that cannot notice a standstill itself,
	// because it never returns to the loop. It must end the run.
	Stuck func(error)

	// Halt reports whether the run must end early, and why. It is called at every poll and must be
	// quick. nil: never.
	Halt func() (why lb.Reason, halt bool)
	// Progress receives, on rank 0 and about every Beat, the progress of all ranks that rank 0 has
	// learned from their Beats. It must be set on all ranks or on none; nil: no reports.
	Progress func(Progress)
	Beat     comm.Time // the time between Beats; 0: as required by Stall
	// Counts returns up to MaxCounts counts of this rank, as many on every rank. It is called at every
	// Beat. Progress receives their sums. nil: no counts.
	Counts func() []int64
	// Report appends a report of this rank, of at most MaxReport bytes, for a user who watches the
	// ranks. It is called at every Beat. Without anything to report it appends nothing. The report
	// travels with the Beat, and TakeReport receives it on rank 0. The reports of rank 0 itself come
	// to TakeReport too. Both must be set on all ranks or on none; nil: no reports.
	Report     func(dst []byte) []byte
	TakeReport func(rank int, report []byte)
	// Silent is called when no message of a rank has arrived for Stall, and called again when the
	// next one arrives. It is called on rank 0, or on some other ranks if the silent rank is rank
	// 0. nil: no calls.
	Silent func(s Silence, again bool)

	// Pacer makes nodes take the time of an emulated processor; or nil.
	Pacer Pacer

	// Observer is notified of the rank's states and messages; or nil.
	Observer Observer
}

// Observer is notified of a rank's use of its time, in order, each part up to a moment. Its methods
// must be quick.
type Observer interface {
	// Begin notes that a rank begins its search. pieces is the number of pieces that it has handed
	// over before.
	Begin(at comm.Time, pieces int64)
	// Worked notes that the rank has expanded the given number of nodes.
	Worked(until comm.Time, nodes int64)
	// Waited notes that the rank had nothing to do, in a state of the protocol other than Busy.
	Waited(state lb.State, until comm.Time)
	// Handled notes that the rank has polled for messages and handled some.
	Handled(until comm.Time)
	// Sent notes that a message leaves the rank. bytes is the size of the message, pieces the
	// number of pieces that the rank has handed over, this message included.
	Sent(at comm.Time, m comm.Message, bytes, pieces int64)
	// Received notes that a message is about to be handled.
	Received(at comm.Time, m comm.Message)
	// Stopped notes that the rank has learned of the end of the search.
	Stopped(at comm.Time)
	// Drained notes that all ranks have learned of the end, and no message is left.
	Drained(until comm.Time)
}

// DefaultServe is the number of messages that a busy rank answers at a poll. A rank that emptied
// its inbox at each poll would not come to its own work when many ranks send requests to it.
const DefaultServe = 4

// Report holds the counts and times of a rank at the end of a run.
type Report struct {
	Stats    lb.Stats
	Reason   lb.Reason
	Audit    lb.Audit
	Messages int64     // sent to other ranks, of all kinds
	Work     comm.Time // spent expanding nodes
	Idle     comm.Time // spent without work
	Silent   comm.Time // the longest time for which the rank was stopped or in one node, if other ranks may have noticed it; or 0
	Total    comm.Time // from the start until every rank was done and every message was received
}

// driver is one rank's Env and the loop around its protocol.
type driver struct {
	comm.Endpoint
	balancer lb.Balancer
	config   Config
	rand     *rand.Rand
	alarms   alarms
	tally    tally
	history  history
	quantum  quantum
	watch    watch
	report   Report
}

// Rand returns the rank's own random stream.
func (d *driver) Rand() *rand.Rand { return d.rand }

// Alarm sets an alarm.
func (d *driver) Alarm(at comm.Time) { d.alarms.insertAlarm(at) }

// Send counts the message and sends it. A message of a rank to itself takes no time of its sender.
func (d *driver) Send(m comm.Message) {
	d.tally.countSent(m)
	if p := d.config.Pacer; p != nil && !m.Kind.IsHeartbeat() && int(m.To) != d.Rank() {
		p.PaceSend()
	}
	now := d.Now()
	d.history.noteMessage(now, true, m)
	if o := d.config.Observer; o != nil {
		o.Sent(now, m, int64(len(m.Body)), d.balancer.Stats().Grants)
	}
	d.Endpoint.Send(m)
}

// DriveRank runs the rank's protocol until the run is over on all ranks, no message is left and the
// numbers of messages sent and received have been compared (audit.go). Every rank of the transport
// must call it with the same Config. The error describes a failure on this rank or, after a failed
// audit, on any rank.
func DriveRank(t comm.Transport, b lb.Balancer, c Config) (Report, error) {
	if c.Serve <= 0 {
		c.Serve = DefaultServe
	}
	d := &driver{
		Endpoint: t,
		balancer: b,
		config:   c,
		rand:     rand.New(rand.NewPCG(c.Seed, uint64(t.Rank()))),
		tally:    newTally(t.Rank(), t.Size()),
		quantum:  newQuantum(c.Quantum, c.QuantumTime),
	}
	start := t.Now()
	d.watch.startWatch(d, start)
	defer d.watch.stopWatch()
	if c.Observer != nil {
		c.Observer.Begin(start, b.Stats().Grants)
	}
	b.Start(d)
	if err := d.runProtocol(); err != nil {
		return d.finalReport(start), err
	}
	if c.Observer != nil {
		c.Observer.Stopped(d.Now())
	}
	if err := t.Drain(d.handleMessage); err != nil {
		return d.finalReport(start), fmt.Errorf("%w; this rank meanwhile: %s", err, d.describeRank())
	}
	if c.Observer != nil {
		c.Observer.Drained(d.Now())
	}
	r := d.finalReport(start)
	if err := b.Err(); err != nil {
		return r, err
	}
	return r, d.tally.auditMessages(t)
}

func (d *driver) finalReport(start comm.Time) Report {
	r := &d.report
	r.Stats, r.Reason, r.Audit = d.balancer.Stats(), d.balancer.Reason(), d.balancer.Audit()
	r.Messages, r.Total = d.tally.outgoing, d.Now()-start
	return *r
}

// runProtocol runs the rank from its start to its end.
func (d *driver) runProtocol() error {
	now := d.Now()
	for d.balancer.State() != lb.Done {
		if d.config.Halt != nil {
			if why, halt := d.config.Halt(); halt {
				d.balancer.Halt(d, why)
			}
		}
		switch d.balancer.State() {
		case lb.Busy:
			now = d.workQuantum(now)
		case lb.Done: // just halted: there may be no message to wait for
			now = d.Now()
		default:
			now = d.waitForEvent(now)
		}
		for d.alarms.takeDueAlarm(now) {
			d.balancer.Wake(d)
		}
		if err := d.balancer.Err(); err != nil {
			return err
		}
		if err := d.Endpoint.Err(); err != nil {
			return fmt.Errorf("%w; this rank meanwhile: %s", err, d.describeRank())
		}
		if err := d.watch.checkProgress(d, now); err != nil {
			return err
		}
	}
	return nil
}

// workQuantum expands one quantum of nodes and answers a few messages.
func (d *driver) workQuantum(start comm.Time) (now comm.Time) {
	n := d.expandQuanta(start)
	now = d.Now()
	d.report.Work += now - start
	o := d.config.Observer
	if o != nil {
		o.Worked(now, int64(n))
	}
	worked := now
	polled := d.serveMessages()
	now = d.Now()
	if o != nil {
		o.Handled(now)
	}
	if polled {
		d.quantum.adaptSize(n, worked-start, now-worked, d.transferTime())
	}
	return now
}

// expandQuanta expands a quantum of nodes, or the quanta for which a paced rank has coasted.
func (d *driver) expandQuanta(start comm.Time) (nodes int) {
	p := d.config.Pacer
	if p == nil {
		return d.balancer.Step(d, d.quantum.size)
	}
	for range d.coast(start) {
		n := d.balancer.Step(d, d.quantum.size)
		p.Settle(n, start)
		nodes += n
		if d.balancer.State() != lb.Busy {
			break
		}
	}
	return nodes
}

// coast makes a paced rank coast, if its balancer knows that it can, and returns the number of quanta that it
// expands then.
func (d *driver) coast(now comm.Time) (quanta int64) {
	steady, ok := d.balancer.(lb.Steady)
	if !ok {
		return 1
	}
	nodes, until := steady.SteadyNodes(false)
	quanta = nodes / int64(d.quantum.size)
	if quanta < 2 || until < comm.Never { // Steps after a wait would be too late for that moment
		return 1
	}
	return d.config.Pacer.Coast(d.quantum.size, quanta, min(now+attention, d.alarms.nextAlarm(), d.watch.next))
}

// serveMessages answers a few messages of a busy rank, and all heartbeats before and between them:
// rank 0 receives the heartbeats of all ranks, and they must not delay the answers of the protocol. It
// reports whether no message is left.
func (d *driver) serveMessages() (empty bool) {
	for served := 0; served < d.config.Serve; {
		m, ok := d.TryRecv()
		if !ok {
			return true
		}
		d.handleMessage(m)
		if !m.Kind.IsHeartbeat() {
			served++
		}
	}
	return false
}

// transferTime returns the time for which nodes were sent to another program in the last step.
func (d *driver) transferTime() comm.Time {
	if b, ok := d.balancer.(interface{ TransferTime() comm.Time }); ok {
		return b.TransferTime()
	}
	return 0
}

// attention is the longest time for which a waiting rank does not check whether it must halt.
const attention = 100 * 1e6

// waitForEvent waits for a message or an alarm.
func (d *driver) waitForEvent(start comm.Time) (now comm.Time) {
	until := min(start+attention, d.alarms.nextAlarm(), d.watch.next)
	if d.config.Pacer != nil {
		d.config.Pacer.Rest()
	}
	o, state := d.config.Observer, d.balancer.State()
	m, ok := d.Recv(until)
	if o != nil {
		o.Waited(state, d.Now())
	}
	if ok {
		d.handleMessage(m)
	}
	now = d.Now()
	if o != nil {
		o.Handled(now)
	}
	d.report.Idle += now - start
	return now
}

// handleMessage passes a message on to the watch or to the protocol.
func (d *driver) handleMessage(m comm.Message) {
	d.tally.countReceived(m)
	if p := d.config.Pacer; p != nil && !m.Kind.IsHeartbeat() {
		p.PaceReceive()
	}
	now := d.Now()
	d.history.noteMessage(now, false, m)
	if o := d.config.Observer; o != nil {
		o.Received(now, m)
	}
	if m.Kind.IsHeartbeat() {
		d.watch.handleHeartbeat(d, m)
	} else {
		d.balancer.Deliver(d, m)
	}
}

// describeRank describes the rank for a user who investigates why the run does not end.
func (d *driver) describeRank() string {
	return fmt.Sprintf("rank %d: %s; last messages: %v", d.Rank(), d.balancer.Dump(), &d.history)
}
