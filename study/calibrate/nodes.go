package calibrate

import (
	"math/rand/v2"
	"runtime"

	"treesplit/comm"
	"treesplit/run"
	"treesplit/search"
	"treesplit/spmd"
)

// walker measures U_calc: it searches a problem in quanta, as a driver does, without polls.
type walker struct {
	t       comm.Transport
	problem run.Problem
	split   search.Splitting
	pacer   spmd.Pacer // or nil
	span    comm.Time  // duration of a quantum
	first   int        // the first quantum of a share, in nodes
	limit   comm.Time  // longest duration of a walk
	halt    func() bool
	clock   func() comm.Time // measures the time of nodes
	quantum int              // in nodes; begins with first and adapts
	parts   bool
	rand    *rand.Rand
}

// measureNodeTime returns the time of a node in one walk: over the whole tree or, if that takes
// longer than the limit, over random parts of it. whole reports whether the walk covered the whole
// tree.
func (w *walker) measureNodeTime() (nodes int64, each float64, whole bool) {
	runtime.LockOSThread() // because the clock may be a thread's
	defer runtime.UnlockOSThread()
	walk := w.walkWholeTree
	if w.parts {
		walk = w.walkParts
	}
	beginSample(w.t, w.pacer)
	nodes, took, whole := walk(w.t.Now() + w.limit)
	w.endWork()
	took -= lateness(w.pacer)
	return nodes, float64(took) / float64(max(nodes, 1)), whole
}

// walkWholeTree walks the whole problem; it walks all steps of an Iterated problem, one after the
// other.
func (w *walker) walkWholeTree(until comm.Time) (nodes int64, took comm.Time, whole bool) {
	start := w.clock()
	for problem := w.problem; problem != nil; {
		share := problem.Share(w.split, true)
		w.quantum = w.first
		i, iterated := problem.(run.Iterated)
		if iterated && i.Small() { // every rank makes such a step without a driver
			w.quantum = smallQuantum
		}
		n, in := w.expandUntil(w.paceShare(share), until)
		nodes += n
		if !in {
			return nodes, w.clock() - start, false
		}
		if !iterated {
			break
		}
		problem = i.Next(problem.Count(share))
	}
	return nodes, w.clock() - start, true
}

// expandUntil expands a share until it is empty or the moment has come.
func (w *walker) expandUntil(share search.Work, until comm.Time) (nodes int64, in bool) {
	decider, _ := search.As[search.Decider](share)
	for now := w.t.Now(); !share.Empty() && (decider == nil || !decider.Decided()); {
		n := share.Expand(w.quantum)
		nodes += int64(n)
		before := now
		now = w.t.Now()
		w.adaptQuantum(n, now-before)
		if now >= until || w.halt() {
			return nodes, share.Empty()
		}
	}
	return nodes, true
}

// adaptQuantum moves the duration of the quantum towards span, by a factor of two at most.
func (w *walker) adaptQuantum(n int, took comm.Time) {
	if n < w.quantum || took <= 0 {
		return
	}
	q := int64(w.quantum)
	w.quantum = int(min(max(q*int64(w.span)/int64(took), q/2, 1), 2*q, maxQuantum))
}

// Quanta of a driver, and of the steps of an Iterated problem that need no driver.
const (
	firstQuantum = 16
	maxQuantum   = 1 << 24
	smallQuantum = 1 << 20
)

// Of a tree that is too large, some of 2^partBits parts are searched. Each part gets only a
// fraction of the limit, because the first nodes of a part are typical of its other nodes.
const (
	partBits  = 10
	partShare = 8
)

// walkParts walks parts of the tree until the limit. If none of them has nodes, because the tree is small or the
// machine paused, it walks the tree from its root.
func (w *walker) walkParts(until comm.Time) (nodes int64, took comm.Time, whole bool) {
	order := w.rand.Perm(1 << partBits)
	for _, part := range order {
		share := w.problem.Share(w.split, false)
		parts, _ := search.As[search.Bisecter](share)
		parts.Bisect(partBits, uint64(part))
		if !share.Empty() {
			before := w.clock()
			n, _ := w.expandUntil(w.paceShare(share), w.t.Now()+max(w.limit/partShare, 1))
			w.endWork() // the way to the next part is no time of nodes
			nodes, took = nodes+n, took+w.clock()-before
		}
		if w.t.Now() >= until || w.halt() {
			break
		}
	}
	if nodes == 0 {
		nodes, took, _ = w.walkWholeTree(until)
	}
	return nodes, took, false
}

// canDivide reports whether the problem can be walked in parts.
func (w *walker) canDivide() bool {
	_, iterated := w.problem.(run.Iterated)
	return !iterated && search.HasCapability[search.Bisecter](w.problem.Share(w.split, false))
}

// makeBusyWork returns a function that occupies the rank with nodes until a moment, or a little
// longer.
func (w *walker) makeBusyWork() func(until comm.Time) {
	newShare := func() search.Work { return w.paceShare(w.problem.Share(w.split, true)) }
	share := newShare()
	return func(until comm.Time) {
		for nodes := 1; w.t.Now() < until; {
			if share.Expand(nodes) == 0 {
				share = newShare()
			}
			if w.pacer == nil { // a paced node takes long
				nodes *= 2
			}
		}
		w.endWork()
	}
}
