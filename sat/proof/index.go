package proof

import (
	"bytes"
	"fmt"
	"math"
	"slices"
)

// run is a part of a stream whose nodes were visited in the order of the tree without a gap. Runs
// of different shares may be nested: if a piece was cut out of the middle of a run, another share
// has visited it in a run of its own.
type run struct {
	in       Stream
	from, to int64 // bytes of the stream
	// The branches on the path to the first node, one bit each, the first in the high bit of the
	// first byte, 1 for a second branch. The rest of the last byte is zero.
	path  []byte
	depth int // number of branches
}

// isSecondBranch reports whether the i-th step of the path to the first node is a second branch.
func (r *run) isSecondBranch(i int) bool { return r.path[i/8]>>(7-i%8)&1 == 1 }

// compareStart orders runs by their first nodes in preorder: a node comes before the nodes below
// it, and the nodes below its first branch before the nodes below its second.
func (r *run) compareStart(o *run) int {
	if c := bytes.Compare(r.path, o.path); c != 0 {
		return c
	}
	return r.depth - o.depth
}

// indexRuns finds the runs of all streams, in the order of their first nodes, and checks that the
// records are well formed. It reads every stream once. It keeps one bit for each decision above
// the first node of a run.
func indexRuns(streams []Stream) ([]run, error) {
	var runs []run
	in := reader{buf: make([]byte, 0, window)}
	for _, s := range streams {
		in.resetRange(s, 0, s.Size())
		x := indexer{reader: &in, runs: runs}
		for in.hasMoreBytes() {
			x.takeRecord()
		}
		if x.ahead > 0 {
			in.recordError(errTorn)
		}
		if in.err != nil {
			return nil, in.err
		}
		runs = x.runs
		if x.open {
			runs[len(runs)-1].to = s.Size()
		}
	}
	slices.SortFunc(runs, func(a, b run) int { return a.compareStart(&b) })
	for i := range runs {
		if i > 0 && runs[i].compareStart(&runs[i-1]) == 0 {
			return nil, fmt.Errorf("%w: at %s", errTwice, runs[i].placeName())
		}
	}
	return runs, nil
}

// indexer reads one stream.
type indexer struct {
	*reader
	runs  []run
	open  bool  // the last run belongs to this stream
	ahead int   // the depth of the node that must follow a run record, or 0
	depth int   // of the previous node
	last  int64 // offset of the previous node
	begun bool  // the previous node is the first node of the last run
	clock uint64
}

// takeRecord takes one record.
func (x *indexer) takeRecord() {
	at := x.nextOffset()
	kind := x.takeRecordKind()
	if x.ahead > 0 && kind != recordNode {
		x.recordError(errOrder)
		return
	}
	switch kind {
	case recordRun:
		x.beginRunAt(at)
		x.takeRunPath()
	case recordNode:
		x.takeNodeRecord(at)
	case recordLemma, recordLearnt, recordDeleted, recordKept:
		if !x.open {
			x.recordError(errOrder)
		}
		for range x.takeCount() {
			x.decodeLiteral(x.takeUvarint())
		}
	case recordClock:
		x.takeClockRecord()
	case recordAbandoned:
		x.dropLastNode()
	default:
		x.recordError(fmt.Errorf("a record has the unknown kind %d", kind))
	}
}

// takeClockRecord takes a clock, which must be later than the clock before.
func (x *indexer) takeClockRecord() {
	clock := x.takeUvarint()
	if !x.open || clock <= x.clock {
		x.recordError(errOrder)
	}
	x.clock = clock
}

// beginRunAt begins a run at an offset of the stream.
func (x *indexer) beginRunAt(at int64) {
	if x.open {
		x.runs[len(x.runs)-1].to = at
	}
	x.runs, x.open = append(x.runs, run{in: x.in, from: at}), true
}

// takeRunPath reads the path to the parent of a run's first node.
func (x *indexer) takeRunPath() {
	k := x.takeCount()
	if k >= math.MaxInt32 {
		x.recordError(errNumber)
		return
	}
	r := &x.runs[len(x.runs)-1]
	r.path = make([]byte, 0, k/8+1)
	for range k {
		_, second := x.takePathStep()
		r.extendPath(second)
	}
	x.ahead = k + 1
}

// extendPath adds a step to the path.
func (r *run) extendPath(second bool) {
	if r.depth%8 == 0 {
		r.path = append(r.path, 0)
	}
	if second {
		r.path[r.depth/8] |= 1 << (7 - r.depth%8)
	}
	r.depth++
}

// dropLastNode ends the last run before its last node.
func (x *indexer) dropLastNode() {
	switch {
	case !x.open:
		x.recordError(errOrder)
	case x.begun:
		x.runs = x.runs[:len(x.runs)-1]
	default:
		x.runs[len(x.runs)-1].to = x.last
	}
	x.open = false
}

// takeNodeRecord takes a node. The root begins a run.
func (x *indexer) takeNodeRecord(at int64) {
	depth := x.reader.takeDepth()
	x.last, x.begun = at, x.ahead > 0 || depth == 0
	if depth == 0 {
		if x.ahead > 0 {
			x.recordError(errOrder)
			return
		}
		x.beginRunAt(at)
		x.depth = 0
		return
	}
	_, second := x.takePathStep()
	switch {
	case x.ahead > 0 && depth == x.ahead:
		x.runs[len(x.runs)-1].extendPath(second)
	case x.ahead > 0 || !x.open || depth > x.depth+1 || depth <= x.depth && !second:
		x.recordError(errOrder)
	}
	x.ahead, x.depth = 0, depth
}
