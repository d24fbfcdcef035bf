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
	// VirtualSeconds is how far a simulated machine is with the search at hand.
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
	before int64   // nodes expanded before the drive at hand
	total  int64   // nodes of the search, or 0: unknown
	base   float64 // share of the search's tree that was closed before it
	scale  float64 // what a share of its own counts for
	done   float64 // share shown
	beaten bool    // somebody was told of the search at hand
	nodes  pace
	share  pace
}

func newMeter(tell func(Progress)) *meter {
	if tell == nil {
		return nil
	}
	m := &meter{tell: tell, start: time.Now(), last: Progress{Search: 1}}
	m.nodes.note(0, 0)
	m.share.note(0, 0)
	return m
}

func (m *meter) now() float64 { return time.Since(m.start).Seconds() }

// resume notes the nodes that were expanded by the runs before, which say nothing of the
// speed of this one.
func (m *meter) resume(expanded int64) {
	if m == nil {
		return
	}
	m.last.Expanded, m.nodes = expanded, pace{}
	m.nodes.note(0, float64(expanded))
}

// begin notes that ranks begin to work on a search, or on the rest of it: so many nodes
// were expanded before. Under a static start the parts, whatever they are of, weigh 1 in all.
func (m *meter) begin(expanded int64, problem Problem, p Plan, from *resumePoint) {
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
	left := min(from.weight(), 1)
	m.base = 1 - left
	if lb.Deals(p.Scheme) && from.kept == nil {
		m.scale = left
	}
	if !m.beaten { // what was closed before says nothing of the speed
		done, _ := m.closed(spmd.Progress{Known: true})
		m.share = pace{}
		m.share.note(m.now(), done)
	}
	if m.now()-m.told >= seconds(beat) { // the search is saved so often that its ranks never get to tell
		m.beat(spmd.Progress{Known: left > 0, Idle: m.last.IdleShare, Open: from.open()})
	}
}

// closed is the share that is closed, if it is known, when ranks have come so far.
func (m *meter) closed(p spmd.Progress) (share float64, known bool) {
	if m.total > 0 {
		return float64(m.before+p.Expanded) / float64(m.total), true
	}
	return m.base + m.scale*p.Closed, p.Known
}

// beat takes in what ranks have told.
func (m *meter) beat(p spmd.Progress) {
	m.beaten = true
	at, l := m.now(), &m.last
	l.Expanded, l.IdleShare, l.Open = m.before+p.Expanded, p.Idle, p.Open
	l.Silent = silences(p.Silent)
	l.Done, l.Estimate, l.SecondsLeft = nil, false, nil
	if share, known := m.closed(p); known {
		m.done = min(max(m.done, share), almost)
		done := m.done
		l.Done, l.Estimate = &done, m.total == 0
		if left, ok := m.share.left(at, m.done); ok {
			l.SecondsLeft = &left
		}
		m.share.note(at, m.done)
	}
	m.show(at)
}

// watch returns what a simulation tells now and then of how far virtual time is; the ranks
// come into being later. To look at all of them may take long: it is done the more seldom.
func (m *meter) watch(ranks *[]lb.Balancer) func(comm.Time) {
	if m == nil {
		return nil
	}
	next := 0.0
	return func(now comm.Time) {
		at := m.now()
		if at < next {
			return
		}
		m.last.VirtualSeconds = seconds(now)
		m.beat(spmd.Look(*ranks))
		next = m.now() + max(seconds(beat), 20*(m.now()-at))
	}
}

// almost is the largest share that is shown of a search that is not at its end: there are
// trees most of whose nodes have hardly any weight.
const almost = 1 - 1e-9

// show tells how far the run is.
func (m *meter) show(at float64) {
	m.last.Seconds, m.told = at, at
	m.last.NodesPerSecond = m.nodes.speed(at, float64(m.last.Expanded))
	m.nodes.note(at, float64(m.last.Expanded))
	m.tell(m.last)
}

// stepped says that a search is over, why, and how many nodes were expanded up to its end. Of
// small searches that follow each other not each is told of.
func (m *meter) stepped(expanded int64, why lb.Reason) {
	if m == nil {
		return
	}
	at, l := m.now(), &m.last
	l.Expanded, l.Silent = expanded, nil
	if stopsAt(why) {
		if m.total > 0 {
			done := min(float64(expanded)/float64(m.total), almost)
			l.Done = &done
		}
		m.show(at)
		return
	}
	if m.beaten || m.told == 0 || at-m.told >= seconds(beat) {
		done, left := 1.0, 0.0
		l.Done, l.Estimate, l.SecondsLeft, l.Open = &done, false, &left, 0
		m.show(at)
	}
	l.Search++
	l.VirtualSeconds = 0
	m.before, m.done, m.beaten, m.share = expanded, 0, false, pace{}
	m.share.note(at, 0)
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

// note takes in a value, if it is not too soon after the last one to be of use.
func (p *pace) note(at, value float64) {
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

// since is the sample that the pace is counted from.
func (p *pace) since(at float64) sample {
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

// speed is the growth per second, where the value is such now.
func (p *pace) speed(at, value float64) float64 {
	s := p.since(at)
	if at <= s.at {
		return 0
	}
	return max(value-s.value, 0) / (at - s.at)
}

// least is the smallest part of the tree that must have been closed lately, and be left, for
// anything to be said of the time left, which then is 4 years at most.
const least = 1e-6

// left is the time in which the value grows to 1 at its pace; !ok where that would be a
// guess.
func (p *pace) left(at, value float64) (seconds float64, ok bool) {
	if at-p.samples[0].at < shortestPace || min(1-value, value-p.since(at).value) < least {
		return 0, false
	}
	return (1 - value) / p.speed(at, value), true
}
