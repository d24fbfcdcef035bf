package ksbf

import (
	"errors"
	"fmt"
	"strings"
)

// Options holds the options of a simulation in steps. The zero value is ready for use.
type Options struct {
	Seed uint64 // of the random donors of scheme rp
	// Visit is called for every executed task, rank by rank within a step.
	Visit func(step int64, rank int, t *Task)
	// Stop is called at intervals. If it returns true the simulation ends early.
	Stop func() bool
}

// Steps is the result of a simulation.
type Steps struct {
	Time    int64 // steps until the last task was executed
	Tally   Tally
	PerRank []RankSteps
	Traffic       // of all ranks
	Hops    int64 // number of links that messages crossed, in sum
	Stopped bool  // by Options.Stop
}

// Traffic counts the messages that were sent.
type Traffic struct {
	Messages int64 // of all kinds
	Moves    int64 // with tasks
	Requests int64 // requests for tasks
	Rejects  int64 // answers to requests without tasks
}

// addTraffic adds the counts of another rank.
func (t *Traffic) addTraffic(u Traffic) {
	t.Messages += u.Messages
	t.Moves += u.Moves
	t.Requests += u.Requests
	t.Rejects += u.Rejects
}

// RankSteps holds the counts of one rank.
type RankSteps struct {
	Executed int64
	// First and Last are the steps of the rank's first and last task, from 0; −1: none.
	First, Last int64
	Traffic
}

// IdleSteps returns the number of steps between First and Last in which the rank executed no
// task.
func (r RankSteps) IdleSteps() int64 {
	if r.Executed == 0 {
		return 0
	}
	return r.Last - r.First + 1 - r.Executed
}

// Speedup returns the number of tasks divided by the number of steps.
func (s *Steps) Speedup() float64 { return float64(s.Tally.Nodes) / float64(s.Time) }

// Scheme is a method of balancing a ring, simulated in steps.
type Scheme struct {
	Name, Help string
	run        func(l *lockstep)
}

// Schemes lists the schemes that Simulate supports, KS-BF first. The others are not from the
// paper: they are alternatives for a ring with the same costs.
var Schemes = []Scheme{
	{"ks-bf", "keep left, send right, breadth first", func(l *lockstep) { l.runKeepSend(false) }},
	{keepLoad, "as ks-bf, but a rank keeps the right child if the next rank has as many tasks", func(l *lockstep) { l.runKeepSend(true) }},
	{"diffusion", "one task per link and step, from the longer queue to the shorter", (*lockstep).runDiffusion},
	{"nn", "idle ranks ask their neighbours in turn, which give half of their tasks", func(l *lockstep) { l.runPolling(pickNeighbour, giveEveryOther) }},
	{"rp", "idle ranks ask random ranks, which give their shallowest task; a hop takes a step", func(l *lockstep) { l.runPolling(pickRandomDonor, giveShallowest) }},
}

// keepLoad is a scheme that sends a task or keeps it. So the tasks of a column of a grid do
// not run on one rank.
const keepLoad = "ks-load"

// SchemeNames returns the names of Schemes.
func SchemeNames() (names []string) {
	for _, s := range Schemes {
		names = append(names, s.Name)
	}
	return names
}

// Simulate runs a workload on p ranks of a ring in lockstep, the model of the paper. In a step
// every rank executes one task, if it has any, and sends one child on; its neighbour has the
// child from the next step on. Other messages, in schemes that use them, also take one step
// per hop. It takes O(p) per step in addition to the tasks. It returns an error if the
// workload, p or the scheme is invalid.
func Simulate(scheme string, w Workload, p int, o Options) (*Steps, error) {
	if err := w.Validate(); err != nil {
		return nil, err
	}
	if p < 1 {
		return nil, fmt.Errorf("a ring cannot have %d ranks: expected 1 or more", p)
	}
	for _, s := range Schemes {
		if s.Name != scheme {
			continue
		}
		if s.Name == keepLoad && w.Joins() {
			return nil, fmt.Errorf("scheme %s cannot run a computation whose tasks have two parents, because the halves of a task would not meet: expected another scheme", keepLoad)
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

// errLost reports that the credits of the executed tasks do not add up to 1.
var errLost = errors.New("conservation audit: a task was lost or executed twice")

// recordExecution records the execution of a task.
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

// stopCheckInterval returns the number of steps between two calls of Stop: about 2^16 turns of
// ranks.
func (l *lockstep) stopCheckInterval() int64 { return max(1, 1<<16/int64(l.p)) }

// advanceStep begins the next step. It returns false if the simulation must end.
func (l *lockstep) advanceStep() bool {
	l.now++
	if l.now%l.stopCheckInterval() == 0 && l.options.Stop != nil && l.options.Stop() {
		l.steps.Stopped = true
		return false
	}
	return true
}

// countMessage counts a message and the links that it crosses. It returns the sender's counts,
// in which the caller counts the message by its kind.
func (l *lockstep) countMessage(from, hops int) *Traffic {
	t := &l.steps.PerRank[from].Traffic
	t.Messages++
	l.steps.Hops += int64(hops)
	return t
}

// sumUpCounts adds up the counts of ranks and processors, and checks the credits.
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

// creditsSumToOne reports whether credits[e] credits 2^−e for all e add up to 1.
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
