package calibrate

import (
	"errors"
	"math/rand/v2"

	"treesplit/comm"
	"treesplit/run"
	"treesplit/search"
	"treesplit/spmd"
)

// Options say how long to measure, and of what. Every rank must have the same ones, but
// for Clock, Nap, Interrupted and Phase.
type Options struct {
	Splitting search.Splitting
	// QuantumTime is how long a quantum of the workload lasts at least; 0: spmd's.
	QuantumTime comm.Time
	// Nodes is how long U_calc is measured, about; 0: 5 s. Messages and pieces take as long
	// as a tenth of that each, at most.
	Nodes  comm.Time
	Rounds int    // samples of each kind of message and of polls, at most; 0: 201
	Seed   uint64 // of the parts of trees that are too large to be walked whole

	// Clock is what nodes are timed by; nil: the transport's. A clock of processor time, such
	// as cputime.Now, does not charge nodes for what else the machine does.
	Clock func() comm.Time

	// Nap lets some milliseconds pass; it is called by ranks that are not to work while rank
	// 0 does, between polls. nil: they wait for a message.
	Nap func()

	Interrupted func() bool       // nil: never
	Phase       func(name string) // told on rank 0 of what is measured next; nil: nobody is
}

// Measures are what was measured. Times are in nanoseconds.
type Measures struct {
	Ranks    int    `json:"ranks"`
	Latency  Spread `json:"latency"` // t_s: an empty message's way from rank to rank, sending and receiving included
	Byte     Spread `json:"perByte"` // t_w of a byte
	Startup  Spread `json:"startup"` // of that, what occupies the sender
	Receive  Spread `json:"receive"` // and the receiver
	Poll     Spread `json:"poll"`    // one that finds nothing
	Alone    Spread `json:"expandAlone"`
	Together Spread `json:"expand"` // U_calc, all ranks at work
	Split    Spread `json:"split"`
	Accept   Spread `json:"accept"`
	Bytes    Spread `json:"pieceBytes"`
	// Closing is what ends a run besides what the simulator knows of; see MeasureClosing.
	Closing Spread `json:"closing"`

	Nodes int64 `json:"nodes"` // of the walk that U_calc is taken from
	Whole bool  `json:"whole"` // it is the whole tree

	// QuantumTime is what a quantum of this workload lasts, polls being as dear as they are.
	QuantumTime comm.Time `json:"quantumTime"`
}

// ErrInterrupted is the error of all ranks where one was interrupted.
var ErrInterrupted = errors.New("interrupted")

// ErrOneRank says that there is nobody to exchange messages with.
var ErrOneRank = run.InputError{Err: errors.New("one rank: expected 2 or more (-n 2, or mpirun -n 2), which exchange messages")}

const (
	defaultNodes comm.Time = 5e9

	walks          = 9 // that U_calc is the median of, where time allows
	fewestWalks    = 3
	defaultRounds  = 201
	fewestRounds   = 9  // however long they take
	messageShare   = 10 // of the time for U_calc
	partnersAtMost = 8
)

// MeasureCosts measures everything but Closing. Every rank must call it with the same problem;
// the Measures are rank 0's, the errors every rank's.
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
		t: t, problem: problem, split: o.Splitting, halt: o.Interrupted, clock: o.Clock, quantum: firstQuantum,
		limit: max(o.Nodes/(2*fewestWalks), 1), rand: rand.New(rand.NewPCG(o.Seed, uint64(t.Rank()))),
	}
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

// measurement is one rank in the middle of it.
type measurement struct {
	comm.Transport
	o      Options
	walker walker
	found  Measures
}

var errEnough = errors.New("enough")

// awaitAllRanks waits for all ranks. It is ErrInterrupted on all where one was interrupted, and
// errEnough on all where one has said so.
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

// measurePolls measures empty polls, on all ranks at once; how dear they are says how long a
// quantum lasts.
func (m *measurement) measurePolls() error {
	var samples []float64
	for range m.o.Rounds {
		samples = append(samples, measurePoll(m))
	}
	m.found.Poll = spreadOfSamples(samples)
	m.found.QuantumTime = spmd.QuantumTime(m.o.QuantumTime, comm.Time(m.found.Poll.Median))
	m.walker.span = m.found.QuantumTime
	return nil
}

// measureMessages measures them between rank 0 and some others, one at a time.
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
			p := pair{t: m, partner: int32(partner), work: m.walker.makeBusyWork(), halt: m.o.Interrupted}
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

// measureNodes measures U_calc, on rank 0 alone and on all ranks at once in turn.
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

// walkOnceUncounted walks the tree once, on rank 0, which nobody counts: what is done once is done
// then. A tree that takes too long is walked in parts from then on, by all ranks.
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

// runOnRankZero lets rank 0 work while all others rest: their waiting for a message can take up a
// core, or the way to it.
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

// meanNodeTime is the mean of all ranks' times of a node, by their speeds: a search of all of them
// is as fast as their sum.
func (m *measurement) meanNodeTime(nanos float64) (float64, error) {
	const scale = 1e15 // of the nodes in a nanosecond
	speed := []int64{int64(scale / nanos)}
	if err := m.Sum(speed); err != nil {
		return 0, err
	}
	return scale * float64(m.Size()) / float64(max(speed[0], 1)), nil
}

// measurePieces measures what pieces cost, on rank 0.
func (m *measurement) measurePieces() error {
	if m.Rank() != 0 {
		return nil
	}
	p, err := m.walker.exchangePieces(m.o.Nodes / messageShare)
	m.found.Split, m.found.Accept, m.found.Bytes = spreadOfSamples(p.split), spreadOfSamples(p.accept), spreadOfSamples(p.bytes)
	return err
}
