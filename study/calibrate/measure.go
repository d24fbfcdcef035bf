package calibrate

import (
	"errors"
	"math/rand/v2"

	"treesplit/comm"
	"treesplit/run"
	"treesplit/search"
	"treesplit/spmd"
)

// Options define how long to measure, and with which values. Every rank must have the same ones,
// except for Clock, Nap, Interrupted and Phase.
type Options struct {
	Splitting search.Splitting
	// QuantumTime is the least duration of a quantum of the workload; 0: spmd's.
	QuantumTime comm.Time
	// Nodes is the approximate time for the measurement of U_calc; 0: 5 s. Messages and pieces take
	// at most a tenth of this time each.
	Nodes  comm.Time
	Rounds int    // the largest number of samples of each kind of message and of polls; 0: 201
	Seed   uint64 // selects the parts of trees that are too large to be searched completely
	// Pace is the pace of the ranks, whose machine file then describes the emulated processors; or nil.
	Pace spmd.Pace

	// Clock measures the time of nodes; nil: the transport's, which paced ranks need. With a clock of
	// processor time, such as cputime.Now, nodes are not charged for other work of the machine.
	Clock func() comm.Time

	// Nap lets some milliseconds pass. Ranks that must not work while rank 0 works call it between
	// polls. nil: they wait for a message.
	Nap func()

	Interrupted func() bool       // nil: never
	Phase       func(name string) // called on rank 0 with the name of the next measurement; nil: not called
}

// Measures are the measured costs. Times are in nanoseconds.
type Measures struct {
	Ranks    int    `json:"ranks"`
	Latency  Spread `json:"latency"` // t_s: the transit time of an empty message from rank to rank, sending and receiving included
	Byte     Spread `json:"perByte"` // t_w of a byte
	Startup  Spread `json:"startup"` // the part of t_s that occupies the sender
	Receive  Spread `json:"receive"` // the part of t_s that occupies the receiver
	Poll     Spread `json:"poll"`    // a poll that finds no message
	Alone    Spread `json:"expandAlone"`
	Together Spread `json:"expand"` // U_calc with all ranks at work
	Split    Spread `json:"split"`
	Accept   Spread `json:"accept"`
	Bytes    Spread `json:"pieceBytes"`
	// Closing is the time that a run needs at its end beyond the costs that the simulator knows;
	// see MeasureClosing.
	Closing Spread `json:"closing"`

	Nodes int64 `json:"nodes"` // nodes of the walk that gave U_calc
	Whole bool  `json:"whole"` // the walk covered the whole tree

	// QuantumTime is the duration of a quantum of this workload with polls as expensive as
	// measured.
	QuantumTime comm.Time `json:"quantumTime"`
}

// ErrInterrupted is the error of all ranks if one rank was interrupted.
var ErrInterrupted = errors.New("interrupted")

// ErrOneRank is the error of a run with one rank, which has no partner for messages.
var ErrOneRank = run.InputError{Err: errors.New("one rank has no partner for messages: expected 2 or more ranks (-n 2, or mpirun -n 2)")}

const (
	defaultNodes comm.Time = 5e9

	walks          = 9 // number of walks whose median is U_calc, if time allows
	fewestWalks    = 3
	defaultRounds  = 201
	fewestRounds   = 9  // independent of the time that they take
	messageShare   = 10 // a tenth of the time for U_calc
	partnersAtMost = 8
)

// MeasureCosts measures all costs except Closing. Every rank must call it with the same problem.
// Only rank 0 gets the Measures; every rank gets the errors.
func MeasureCosts(t comm.Transport, problem run.Problem, o Options) (Measures, error) {
	if t.Size() < 2 {
		return Measures{}, ErrOneRank
	}
	if o.Nodes == 0 {
		o.Nodes = defaultNodes
	}
	if o.Rounds == 0 {
		o.Rounds = defaultRounds
	}
	if o.Clock == nil {
		o.Clock = t.Now
	}
	if o.Interrupted == nil {
		o.Interrupted = func() bool { return false }
	}
	m := &measurement{Transport: t, o: o, found: Measures{Ranks: t.Size()}}
	m.walker = walker{
		problem: problem, split: o.Splitting, halt: o.Interrupted, clock: o.Clock,
		limit: max(o.Nodes/(2*fewestWalks), 1), rand: rand.New(rand.NewPCG(o.Seed, uint64(t.Rank()))),
	}
	if o.Pace != nil {
		m.walker.pacer = o.Pace.Begin(t.Rank(), o.Seed, t, o.Interrupted)
		m.Transport = paced{t, m.walker.pacer}
	}
	m.walker.t = m.Transport
	for _, phase := range []struct {
		name string
		of   func() error
	}{
		{"polls", m.measurePolls},
		{"messages", m.measureMessages},
		{"nodes", m.measureNodes},
		{"pieces", m.measurePieces},
	} {
		if o.Phase != nil && t.Rank() == 0 {
			o.Phase(phase.name)
		}
		if err := m.awaitAllRanks(false); err != nil {
			return m.found, err
		}
		if err := phase.of(); err != nil {
			return m.found, err
		}
	}
	return m.found, m.awaitAllRanks(false)
}

// measurement is the state of one rank during the measurements.
type measurement struct {
	comm.Transport
	o      Options
	walker walker
	found  Measures
}

var errEnough = errors.New("enough")

// awaitAllRanks waits for all ranks. It returns ErrInterrupted on all ranks if one was interrupted,
// and errEnough on all ranks if one has passed enough.
func (m *measurement) awaitAllRanks(enough bool) error {
	if err := m.Drain(func(comm.Message) {}); err != nil {
		return err
	}
	flags := make([]int64, 2)
	if m.o.Interrupted() {
		flags[0] = 1
	}
	if enough {
		flags[1] = 1
	}
	if err := m.Max(flags); err != nil {
		return err
	}
	switch {
	case flags[0] == 1:
		return ErrInterrupted
	case flags[1] == 1:
		return errEnough
	}
	return nil
}

// measurePolls measures empty polls, on all ranks at once. Their cost determines the duration of a
// quantum.
func (m *measurement) measurePolls() error {
	var samples []float64
	for range m.o.Rounds {
		samples = append(samples, measurePoll(m))
	}
	m.found.Poll = spreadOfSamples(samples)
	m.found.QuantumTime = spmd.QuantumTime(m.o.QuantumTime, comm.Time(m.found.Poll.Median))
	m.walker.span, m.walker.first = m.found.QuantumTime, firstQuantum
	if m.o.Pace != nil {
		m.walker.first = m.o.Pace.QuantumSize(m.Rank(), m.found.QuantumTime)
	}
	m.walker.quantum = m.walker.first
	return nil
}

// measureMessages measures messages between rank 0 and some other ranks, one partner at a time.
func (m *measurement) measureMessages() error {
	others := min(m.Size()-1, partnersAtMost)
	var all pair
	for i := range others {
		partner := 1 + i*(m.Size()-1)/others
		if err := m.awaitAllRanks(false); err != nil {
			return err
		}
		switch m.Rank() {
		case 0:
			p := pair{t: m, partner: int32(partner), work: m.walker.makeBusyWork(), trips: manyTrips, halt: m.o.Interrupted}
			if m.walker.pacer != nil {
				p.trips, p.pacer = 1, m.walker.pacer
			}
			if err := p.takeSamples(m.o.Rounds, fewestRounds, m.o.Nodes/messageShare/comm.Time(others)); err != nil {
				return err
			}
			all.addSamples(p)
		case partner:
			if err := answerPartner(m, m.o.Interrupted); err != nil {
				return err
			}
		}
	}
	if err := m.awaitAllRanks(false); err != nil { // after an interruption there may be no samples
		return err
	}
	if m.Rank() == 0 {
		all.evaluateSamples(&m.found)
	}
	return nil
}

// addSamples adds the samples of another pair.
func (p *pair) addSamples(q pair) {
	p.startup = append(p.startup, q.startup...)
	for j := range bodies {
		p.oneWay = append(p.oneWay, q.oneWay[j])
	}
	for j := range bursts {
		p.taken = append(p.taken, q.taken[j])
	}
}

// evaluateSamples fits lines to the medians of the samples of each pair.
func (p *pair) evaluateSamples(m *Measures) {
	m.Startup = spreadOfSamples(p.startup)
	fit := func(samples samplesOf, at []int) (intercept, slope Spread) {
		var x, y []float64
		for j, s := range samples {
			x, y = append(x, float64(at[j%len(at)])), append(y, spreadOfSamples(s).Median)
		}
		return fitMedianLine(x, y)
	}
	m.Latency, m.Byte = fit(p.oneWay, bodies)
	_, m.Receive = fit(p.taken, bursts)
}

// measureNodes measures U_calc on rank 0 alone and on all ranks at once, alternately.
func (m *measurement) measureNodes() error {
	if err := m.walkOnceUncounted(); err != nil {
		return err
	}
	var alone, together []float64
	for start, i := m.Now(), 0; ; i++ {
		enough := i >= fewestWalks && (i >= walks || m.Now()-start >= m.o.Nodes)
		err := m.awaitAllRanks(m.Rank() == 0 && enough)
		if err == errEnough {
			break
		}
		if err != nil {
			return err
		}
		if err := m.runOnRankZero(func() {
			_, each, _ := m.walker.measureNodeTime()
			alone = append(alone, each)
		}); err != nil {
			return err
		}
		if err := m.awaitAllRanks(false); err != nil {
			return err
		}
		_, each, _ := m.walker.measureNodeTime()
		mean, err := m.meanNodeTime(each)
		if err != nil {
			return err
		}
		together = append(together, mean)
	}
	m.found.Alone, m.found.Together = spreadOfSamples(alone), spreadOfSamples(together)
	return nil
}

// walkOnceUncounted walks the tree once on rank 0, without counting the time, so that
// initialisations are done before the measurement. If the tree takes too long, all ranks then walk
// parts of it.
func (m *measurement) walkOnceUncounted() error {
	w := &m.walker
	if err := m.runOnRankZero(func() { m.found.Nodes, _, m.found.Whole = w.measureNodeTime() }); err != nil {
		return err
	}
	late := !m.found.Whole && m.Rank() == 0 && w.canDivide()
	err := m.awaitAllRanks(late)
	if err == errEnough {
		w.parts = true
		return nil
	}
	return err
}

// runOnRankZero lets rank 0 work while all other ranks sleep: ranks that wait for a message can
// occupy a core, or the way to memory.
func (m *measurement) runOnRankZero(work func()) error {
	if m.Rank() == 0 {
		work()
		for i := 1; i < m.Size(); i++ {
			m.Send(comm.Message{To: int32(i), Kind: over})
		}
		return m.Err()
	}
	for m.Err() == nil {
		if m.o.Nap == nil {
			m.Recv(comm.Never)
			break
		}
		if _, ok := m.TryRecv(); ok {
			break
		}
		m.o.Nap()
	}
	return m.Err()
}

// meanNodeTime returns the mean time of a node over all ranks, averaged by speed: the speed of a
// search on all ranks is the sum of their speeds. A time below the simulator's least counts as this least: a
// coarse clock can measure no time at all.
func (m *measurement) meanNodeTime(nanos float64) (float64, error) {
	const scale = 1e15 // nodes per nanosecond are summed in units of 1/scale
	speed := []int64{int64(scale / max(nanos, 1))}
	if err := m.Sum(speed); err != nil {
		return 0, err
	}
	return scale * float64(m.Size()) / float64(max(speed[0], 1)), nil
}

// measurePieces measures the costs of pieces, on rank 0.
func (m *measurement) measurePieces() error {
	if m.Rank() != 0 {
		return nil
	}
	p, err := m.walker.exchangePieces(m.o.Nodes / messageShare)
	m.found.Split, m.found.Accept, m.found.Bytes = spreadOfSamples(p.split), spreadOfSamples(p.accept), spreadOfSamples(p.bytes)
	return err
}
