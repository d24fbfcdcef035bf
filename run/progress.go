package run

import (
	"time"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/spmd"
)

// Progress is how far a run is. Its JSON keys are those of the command line's
// --progress-file.
type Progress struct {
	Seconds float64 `json:"seconds"` // since the run began, on the wall
	// VirtualSeconds is how far a simulated machine is with the current search.
	VirtualSeconds float64 `json:"virtualSeconds,omitempty"`
	Search         int     `json:"search"` // which of the searches that an Iterated problem takes, from 1 on

	Expanded       int64   `json:"expanded"`       // nodes, over all searches
	NodesPerSecond float64 `json:"nodesPerSecond"` // lately, on the wall, by this run alone
	// Done is the share of the current search's tree that is closed: of its nodes, if
	// their number is known (Sized), else by weight (search.Sizer), which is an estimate. It
	// never falls within a search and is 1 at its end, not before; nil: it is unknown.
	Done        *float64 `json:"done"`
	Estimate    bool     `json:"estimate"`    // Done is an estimate, and may be far off
	IdleShare   float64  `json:"idleShare"`   // of the ranks' time between their last two reports; in a simulation, of the ranks at the moment
	Open        int64    `json:"open"`        // nodes that are yet to be expanded, as far as ranks know them
	SecondsLeft *float64 `json:"secondsLeft"` // of the search at hand, should it go on as lately; nil: unknown

	Silent []Silence `json:"silent,omitempty"` // ranks that have not been heard from for Plan.Stall
}

// meter makes Progress of what ranks tell. It belongs to rank 0, or to a simulation.
type meter struct {
	tell   func(Progress)
	start  time.Time
	told   float64 // when somebody was last told, in seconds
	last   Progress
	before int64   // nodes expanded before the current drive
	total  int64   // nodes of the search, or 0: unknown
	base   float64 // share of the search's tree that was closed before it
	scale  float64 // what a share of its own counts for
	done   float64 // share shown
	beaten bool    // somebody was told of the current search
	nodes  pace
	share  pace
}

func newProgressMeter(tell func(Progress)) *meter {
	if tell == nil {
		return nil
	}
	m := &meter{tell: tell, start: time.Now(), last: Progress{Search: 1}}
	m.nodes.noteValue(0, 0)
	m.share.noteValue(0, 0)
	return m
}

func (m *meter) elapsedSeconds() float64 { return time.Since(m.start).Seconds() }

// noteNodesBefore notes the nodes that were expanded by the runs before, which say nothing of the
// speed of this one.
func (m *meter) noteNodesBefore(expanded int64) {
	if m == nil {
		return
	}
	m.last.Expanded, m.nodes = expanded, pace{}
	m.nodes.noteValue(0, float64(expanded))
}

// beginSearch notes that ranks begin to work on a search, or on the rest of it: so many nodes
// were expanded before. Under a static start the parts, whatever they are of, weigh 1 in all.
func (m *meter) beginSearch(expanded int64, problem Problem, p Plan, from *resumePoint) {
	if m == nil {
		return
	}
	m.before, m.base, m.scale, m.total = expanded, 0, 1, 0
	if s, ok := problem.(Sized); ok {
		if n, known := s.Nodes(); known {
			m.total = n
		}
	}
	if from == nil {
		return
	}
	left := min(from.totalWeight(), 1)
	m.base = 1 - left
	if lb.HasStaticStart(p.Scheme) && from.kept == nil {
		m.scale = left
	}
	if !m.beaten { // what was closed before says nothing of the speed
		done, _ := m.closedShare(spmd.Progress{Known: true})
		m.share = pace{}
		m.share.noteValue(m.elapsedSeconds(), done)
	}
	if m.elapsedSeconds()-m.told >= toSeconds(beat) { // the search is saved so often that its ranks never get to tell
		m.takeReports(spmd.Progress{Known: left > 0, Idle: m.last.IdleShare, Open: from.countOpenNodes()})
	}
}

// closedShare is the share that is closed, if it is known, when ranks have come so far.
func (m *meter) closedShare(p spmd.Progress) (share float64, known bool) {
	if m.total > 0 {
		return float64(m.before+p.Expanded) / float64(m.total), true
	}
	return m.base + m.scale*p.Closed, p.Known
}

// takeReports takes in what ranks have told.
func (m *meter) takeReports(p spmd.Progress) {
	m.beaten = true
	at, l := m.elapsedSeconds(), &m.last
	l.Expanded, l.IdleShare, l.Open = m.before+p.Expanded, p.Idle, p.Open
	l.Silent = silentRanks(p.Silent)
	l.Done, l.Estimate, l.SecondsLeft = nil, false, nil
	if share, known := m.closedShare(p); known {
		m.done = min(max(m.done, share), almost)
		done := m.done
		l.Done, l.Estimate = &done, m.total == 0
		if left, ok := m.share.secondsLeft(at, m.done); ok {
			l.SecondsLeft = &left
		}
		m.share.noteValue(at, m.done)
	}
	m.showProgress(at)
}

// watchSimulation returns what a simulation tells now and then of how far virtual time is; the ranks
// come into being later. To look at all of them may take long: it is done the more seldom.
func (m *meter) watchSimulation(ranks *[]lb.Balancer) func(comm.Time) {
	if m == nil {
		return nil
	}
	next := 0.0
	return func(now comm.Time) {
		at := m.elapsedSeconds()
		if at < next {
			return
		}
		m.last.VirtualSeconds = toSeconds(now)
		m.takeReports(spmd.ProgressOfRanks(*ranks))
		next = m.elapsedSeconds() + max(toSeconds(beat), 20*(m.elapsedSeconds()-at))
	}
}

// almost is the largest share that is shown of a search that is not at its end: there are
// trees most of whose nodes have hardly any weight.
const almost = 1 - 1e-9

// showProgress tells how far the run is.
func (m *meter) showProgress(at float64) {
	m.last.Seconds, m.told = at, at
	m.last.NodesPerSecond = m.nodes.growthRate(at, float64(m.last.Expanded))
	m.nodes.noteValue(at, float64(m.last.Expanded))
	m.tell(m.last)
}

// noteStepEnd notes that a search is over, why, and how many nodes were expanded up to its end. Of
// small searches that follow each other not each is told of.
func (m *meter) noteStepEnd(expanded int64, why lb.Reason) {
	if m == nil {
		return
	}
	at, l := m.elapsedSeconds(), &m.last
	l.Expanded, l.Silent = expanded, nil
	if isStopReason(why) {
		if m.total > 0 {
			done := min(float64(expanded)/float64(m.total), almost)
			l.Done = &done
		}
		m.showProgress(at)
		return
	}
	if m.beaten || m.told == 0 || at-m.told >= toSeconds(beat) {
		done, left := 1.0, 0.0
		l.Done, l.Estimate, l.SecondsLeft, l.Open = &done, false, &left, 0
		m.showProgress(at)
	}
	l.Search++
	l.VirtualSeconds = 0
	m.before, m.done, m.beaten, m.share = expanded, 0, false, pace{}
	m.share.noteValue(at, 0)
}

// pace is how fast something grows that does not fall.
type pace struct{ samples []sample }

type sample struct{ at, value float64 } // in seconds

// The pace is that of the last half of the time that is remembered, in seconds. Less than
// shortestPace says nothing of the time left.
const (
	remembered   = 120
	shortestPace = 2
	paceSamples  = 64
)

// noteValue takes in a value, if it is not too soon after the last one to be of use.
func (p *pace) noteValue(at, value float64) {
	n := len(p.samples)
	if n == 0 {
		p.samples = append(p.samples, sample{at, value})
		return
	}
	if at-p.samples[n-1].at < (at-p.samples[0].at)/paceSamples {
		return
	}
	p.samples = append(p.samples, sample{at, value})
	old := 0
	for old+2 < len(p.samples) && at-p.samples[old+1].at >= remembered {
		old++
	}
	p.samples = p.samples[:copy(p.samples, p.samples[old:])]
}

// baseSample is the sample that the pace is counted from.
func (p *pace) baseSample(at float64) sample {
	from := p.samples[0]
	half := (at - from.at) / 2
	for _, s := range p.samples {
		if at-s.at < half {
			break
		}
		from = s
	}
	return from
}

// growthRate is the growth per second, where the value is such now.
func (p *pace) growthRate(at, value float64) float64 {
	s := p.baseSample(at)
	if at <= s.at {
		return 0
	}
	return max(value-s.value, 0) / (at - s.at)
}

// least is the smallest part of the tree that must have been closed lately, and be left, for
// anything to be said of the time left, which then is 4 years at most.
const least = 1e-6

// secondsLeft is the time in which the value grows to 1 at its pace; !ok where that would be a
// guess.
func (p *pace) secondsLeft(at, value float64) (seconds float64, ok bool) {
	if at-p.samples[0].at < shortestPace || min(1-value, value-p.baseSample(at).value) < least {
		return 0, false
	}
	return (1 - value) / p.growthRate(at, value), true
}
