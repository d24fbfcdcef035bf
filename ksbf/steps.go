package ksbf

import (
	"errors"
	"fmt"
	"strings"
)

// Options are those of a simulation in steps; the zero value is fit for use.
type Options struct {
	Seed uint64 // of the random donors of scheme rp
	// Visit is told of every task when it is executed, rank by rank within a step.
	Visit func(step int64, rank int, t *Task)
	// Stop is asked now and then whether to end early.
	Stop func() bool
}

// Steps is what a simulation has counted.
type Steps struct {
	Time    int64 // steps until the last task was executed
	Tally   Tally
	PerRank []RankSteps
	Traffic       // of all ranks
	Hops    int64 // links that messages went over, in sum
	Stopped bool  // by Options.Stop
}

// Traffic is messages sent.
type Traffic struct {
	Messages int64 // of all kinds
	Moves    int64 // with tasks in them
	Requests int64 // that ask for tasks
	Rejects  int64 // that answer a request without any
}

// addTraffic adds another rank's.
func (t *Traffic) addTraffic(u Traffic) {
	t.Messages += u.Messages
	t.Moves += u.Moves
	t.Requests += u.Requests
	t.Rejects += u.Rejects
}

// RankSteps is one rank's part.
type RankSteps struct {
	Executed int64
	// First and Last are the steps of its first and last task, from 0 on; −1: none.
	First, Last int64
	Traffic
}

// IdleSteps is the number of steps between first and last in which the rank did not work.
func (r RankSteps) IdleSteps() int64 {
	if r.Executed == 0 {
		return 0
	}
	return r.Last - r.First + 1 - r.Executed
}

// Speedup is tasks over steps.
func (s *Steps) Speedup() float64 { return float64(s.Tally.Nodes) / float64(s.Time) }

// Scheme is a way to balance a ring, simulated in steps.
type Scheme struct {
	Name, Help string
	run        func(l *lockstep)
}

// Schemes are those that Simulate knows, KS-BF first. The others are not the paper's:
// they are what a ring can also do, at the same costs.
var Schemes = []Scheme{
	{"ks-bf", "keep left, send right, breadth first", func(l *lockstep) { l.runKeepSend(false) }},
	{keepLoad, "the same, but the right child stays where the next rank has as many tasks", func(l *lockstep) { l.runKeepSend(true) }},
	{"diffusion", "a task a link a step from the longer queue to the shorter", (*lockstep).runDiffusion},
	{"nn", "idle ranks ask their neighbours in turn, who give half", func(l *lockstep) { l.runPolling(pickNeighbour, giveEveryOther) }},
	{"rp", "idle ranks ask random ranks, who give their shallowest task; a hop takes a step", func(l *lockstep) { l.runPolling(pickRandomDonor, giveShallowest) }},
}

// keepLoad is the scheme that moves a task or not, so that no column of a grid has a
// rank of its own.
const keepLoad = "ks-load"

// SchemeNames lists Schemes.
func SchemeNames() (names []string) {
	for _, s := range Schemes {
		names = append(names, s.Name)
	}
	return names
}

// Simulate runs a workload on p ranks of a ring in lockstep, the model of the paper:
// in a step every rank executes one task, if it has any, and passes one child on,
// which its neighbour has from the next step on. Other messages of the schemes that
// have them take a step a hop too. O(p) a step beside the tasks.
func Simulate(scheme string, w Workload, p int, o Options) (*Steps, error) {
	if err := w.Validate(); err != nil {
		return nil, err
	}
	if p < 1 {
		return nil, fmt.Errorf("a ring of %d ranks: expected 1 or more", p)
	}
	for _, s := range Schemes {
		if s.Name != scheme {
			continue
		}
		if s.Name == keepLoad && w.Joins() {
			return nil, fmt.Errorf("%s on a computation whose tasks have two parents: what these pass on would not meet; expected another scheme", keepLoad)
		}
		l := &lockstep{work: w, p: p, options: o, steps: &Steps{PerRank: make([]RankSteps, p)}}
		for i := range l.steps.PerRank {
			l.steps.PerRank[i] = RankSteps{First: -1, Last: -1}
		}
		s.run(l)
		return l.steps, l.err
	}
	return nil, fmt.Errorf("unknown scheme %q: expected one of %s", scheme, strings.Join(SchemeNames(), ", "))
}

// lockstep is a simulation in progress.
type lockstep struct {
	work    Workload
	p       int
	options Options
	now     int64 // the present step
	steps   *Steps
	err     error
}

// errLost says that the credits of what was executed do not add up to 1.
var errLost = errors.New("conservation audit: a task was lost or executed twice")

// recordExecution notes a task.
func (l *lockstep) recordExecution(rank int, t *Task) {
	r := &l.steps.PerRank[rank]
	if r.Executed == 0 {
		r.First = l.now
	}
	r.Executed++
	r.Last = l.now
	l.steps.Time = l.now + 1
	if l.options.Visit != nil {
		l.options.Visit(l.now, rank, t)
	}
}

// stopCheckInterval is the number of steps between two questions whether to stop: as many as
// make some 2^16 turns of ranks.
func (l *lockstep) stopCheckInterval() int64 { return max(1, 1<<16/int64(l.p)) }

// advanceStep goes on to the next step, unless the simulation is to end.
func (l *lockstep) advanceStep() bool {
	l.now++
	if l.now%l.stopCheckInterval() == 0 && l.options.Stop != nil && l.options.Stop() {
		l.steps.Stopped = true
		return false
	}
	return true
}

// countMessage counts a message and the links it goes over, and returns the sender's counts
// for what it is to be counted as besides.
func (l *lockstep) countMessage(from, hops int) *Traffic {
	t := &l.steps.PerRank[from].Traffic
	t.Messages++
	l.steps.Hops += int64(hops)
	return t
}

// sumUpCounts adds up what ranks and processors have counted, and the credits.
func (l *lockstep) sumUpCounts(processors ...*Processor) {
	for _, r := range l.steps.PerRank {
		l.steps.Traffic.addTraffic(r.Traffic)
	}
	var credits []int64
	for _, p := range processors {
		l.steps.Tally.AddCounts(p.Tally())
		for e, n := range p.RecoveredCredits() {
			for len(credits) <= e {
				credits = append(credits, 0)
			}
			credits[e] += n
		}
	}
	if !l.steps.Stopped && !creditsSumToOne(credits) {
		l.err = errLost
	}
}

// creditsSumToOne reports whether so many credits 2^−e, by e, add up to 1.
func creditsSumToOne(credits []int64) bool {
	var carry int64
	for e := len(credits) - 1; e > 0; e-- {
		carry += credits[e]
		if carry%2 != 0 {
			return false
		}
		carry /= 2
	}
	return len(credits) > 0 && carry+credits[0] == 1
}
