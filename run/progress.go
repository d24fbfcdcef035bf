package run

import (
	"slices"
	"time"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/search"
	"treesplit/spmd"
)

// Progress is the progress of a run. Its JSON keys are the keys of the command line's
// --progress-file.
type Progress struct {
	Seconds float64 `json:"seconds"` // wall-clock time since the run began
	// VirtualSeconds is the virtual time of a simulated machine within the current search.
	VirtualSeconds float64 `json:"virtualSeconds,omitempty"`
	Search         int     `json:"search"` // number of the current search of an Iterated problem, from 1 on

	Expanded       int64   `json:"expanded"`       // nodes, in all searches
	NodesPerSecond float64 `json:"nodesPerSecond"` // recent rate in wall-clock time, of this run alone
	// Done is the share of the current search's tree that is closed, 0 to 1. It is a share of the
	// nodes if their number is known (Sized). Otherwise it is a share of the weight
	// (search.Sizer), which is an estimate. It never falls within a search, and it reaches 1 at
	// the end of the search, not before. nil: unknown.
	Done        *float64 `json:"done"`
	Estimate    bool     `json:"estimate"`    // Done is an estimate and may be far from the truth
	IdleShare   float64  `json:"idleShare"`   // share of idle time between the last two reports of the ranks; in a simulation, share of ranks that are idle now
	Open        int64    `json:"open"`        // number of nodes not yet expanded, as far as ranks know them
	SecondsLeft *float64 `json:"secondsLeft"` // remaining time of the current search at the recent rate; nil: unknown

	// Best is the least value of a solution that rank 0 knows, of an Optimising problem; nil: none.
	Best *int64 `json:"best,omitempty"`

	// Counts are the sums of a Watched problem by their keys in the result, as far as rank 0 knows them.
	Counts map[string]int64 `json:"counts,omitempty"`

	Silent []Silence `json:"silent,omitempty"` // ranks whose last message is older than Plan.Stall
}

// meter makes Progress from the reports of the ranks. It belongs to rank 0, or to a simulation.
type meter struct {
	tell   func(Progress)
	start  time.Time
	told   float64 // time of the last report to the user, in seconds
	last   Progress
	before int64   // nodes expanded before the current segment
	total  int64   // number of nodes of the search; 0: unknown
	base   float64 // share of the tree that was closed before the current segment
	scale  float64 // factor from the segment's own share to a share of the tree
	done   float64 // share shown last
	beaten bool    // the current search has been reported
	nodes  trend
	share  trend

	sums       watchedSums // of the problem
	sumsBefore []int64     // counted before the current segment
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

// noteNodesBefore notes the number of nodes that earlier runs expanded. They do not count for the
// speed of this run.
func (m *meter) noteNodesBefore(expanded int64) {
	if m == nil {
		return
	}
	m.last.Expanded, m.nodes = expanded, trend{}
	m.nodes.noteValue(0, float64(expanded))
}

// watchSums notes which sums users watch, and the counts of the search before the current segment.
func (m *meter) watchSums(problem Problem, before Counts) {
	if m != nil {
		m.sums = sumsToWatch(problem)
		m.sumsBefore = m.sums.pick(before)
		m.last.Counts = m.sums.byKey(m.sumsBefore)
	}
}

// takeSums takes in the sums of the shares of the current segment, or nil if no rank has sent any.
func (m *meter) takeSums(own []int64) {
	now := slices.Clone(m.sumsBefore)
	for i, n := range own[:min(len(own), len(now))] {
		now[i] += n
	}
	m.last.Counts = m.sums.byKey(now)
}

// beginSearch notes that ranks begin a search, or the rest of a search. expanded is the number of
// nodes expanded before. Under a static start the parts weigh 1 in all, whatever their weights in
// the tree.
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
	if !m.beaten { // nodes closed before do not count for the speed
		done, _ := m.closedShare(spmd.Progress{Known: true})
		m.share = trend{}
		m.share.noteValue(m.elapsedSeconds(), done)
	}
	if m.elapsedSeconds()-m.told >= toSeconds(beat) { // frequent checkpoints leave the ranks no time for reports of their own
		m.takeReports(spmd.Progress{Known: left > 0, Idle: m.last.IdleShare, Open: from.countOpenNodes(), Bound: from.Bound})
	}
}

// closedShare returns the share that is closed, if it is known, after the ranks' reports p.
func (m *meter) closedShare(p spmd.Progress) (share float64, known bool) {
	if m.total > 0 {
		return float64(m.before+p.Expanded) / float64(m.total), true
	}
	return m.base + m.scale*p.Closed, p.Known
}

// takeReports takes in the reports of ranks.
func (m *meter) takeReports(p spmd.Progress) {
	m.beaten = true
	at, l := m.elapsedSeconds(), &m.last
	l.Expanded, l.IdleShare, l.Open = m.before+p.Expanded, p.Idle, p.Open
	l.Silent = silentRanks(p.Silent)
	m.takeSums(p.Counts)
	l.Best = valueOrNil(p.Bound)
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

// valueOrNil returns a best known value, or nil if there is none.
func valueOrNil(bound int64) *int64 {
	if bound == search.NoBound {
		return nil
	}
	return &bound
}

// watchSimulation returns a function that a simulation calls with the current virtual time. The
// ranks are made later. count returns the watched sums of all ranks; or nil. Reports become rarer if a
// look at all ranks takes long.
func (m *meter) watchSimulation(ranks *[]lb.Balancer, count func() []int64) func(comm.Time) {
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
		p := spmd.ProgressOfRanks(*ranks)
		if count != nil {
			p.Counts = count()
		}
		m.takeReports(p)
		next = m.elapsedSeconds() + max(toSeconds(beat), 20*(m.elapsedSeconds()-at))
	}
}

// almost is the largest share that is shown before the end of a search. In some trees most nodes
// have almost no weight.
const almost = 1 - 1e-9

// showProgress reports the progress of the run.
func (m *meter) showProgress(at float64) {
	m.last.Seconds, m.told = at, at
	m.last.NodesPerSecond = m.nodes.growthRate(at, float64(m.last.Expanded))
	m.nodes.noteValue(at, float64(m.last.Expanded))
	m.tell(m.last)
}

// noteStepEnd notes that a search is over, the reason, and the number of nodes expanded up to its end. It
// does not report every one of a sequence of small searches.
func (m *meter) noteStepEnd(s Step, expanded int64, why lb.Reason) {
	if m == nil {
		return
	}
	at, l := m.elapsedSeconds(), &m.last
	l.Expanded, l.Silent, l.Counts, l.Best = expanded, nil, m.sums.byKey(m.sums.pick(s.Counts)), valueOrNil(s.Bound)
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
	m.before, m.done, m.beaten, m.share = expanded, 0, false, trend{}
	m.share.noteValue(at, 0)
}

// trend measures the recent growth of a value that never falls.
type trend struct{ samples []sample }

type sample struct{ at, value float64 } // in seconds

// The pace is the growth over the last half of the remembered time, in seconds. A time shorter
// than shortestPace gives no estimate of the time left.
const (
	remembered   = 120
	shortestPace = 2
	paceSamples  = 64
)

// noteValue records a value, unless the last value was recorded too recently.
func (p *trend) noteValue(at, value float64) {
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

// baseSample returns the sample from which the pace is measured.
func (p *trend) baseSample(at float64) sample {
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

// growthRate returns the growth per second if the value is now value.
func (p *trend) growthRate(at, value float64) float64 {
	s := p.baseSample(at)
	if at <= s.at {
		return 0
	}
	return max(value-s.value, 0) / (at - s.at)
}

// least bounds the estimate of the time left to 4 years. It is the smallest recent growth, and
// the smallest remaining share of the tree, that give an estimate.
const least = 1e-6

// secondsLeft returns the time until the value reaches 1 at its pace. ok is false if the time
// cannot be estimated.
func (p *trend) secondsLeft(at, value float64) (seconds float64, ok bool) {
	if at-p.samples[0].at < shortestPace || min(1-value, value-p.baseSample(at).value) < least {
		return 0, false
	}
	return (1 - value) / p.growthRate(at, value), true
}
