package worker

import (
	"bytes"
	"math"

	"treesplit/search"
)

// Link carries requests to the worker of a rank. Its worker keeps no state between requests, so that
// all shares of a rank may use one Link, one after the other.
type Link interface {
	// Ask sends a request, one line, and calls read for the line that answers it. If read refuses
	// the line, or no line arrives, Ask may start the worker again, send the same request and call
	// read again. Ask returns an error after its last try; every later call returns an error too.
	Ask(request []byte, read func(line []byte) error) error
	// Err returns the error after which Ask always fails, or nil.
	Err() error
}

// Options are the options of a share.
type Options struct {
	Splitting search.Splitting
	// First ends the search at the first solution. The worker must not minimise.
	First bool
}

// open is a node that is not expanded.
type open struct {
	node   []byte  // a JSON value without white space between tokens; never changed
	depth  int32   // of the node; a lower bound unless the worker tells depths
	weight float64 // see search.Sizer
}

// maxDepth is the largest depth; deeper nodes have this depth.
const maxDepth = math.MaxInt32 - 1

// Share is a stack of open nodes, whose top node is expanded next. The depths do not decrease from
// the root end to the top. A request has the nodes at the top only: usually the worker reaches its
// limit of nodes before these nodes are finished.
type Share struct {
	link   Link
	hello  *Hello
	option Options
	stack  []open
	ahead  int // nodes that a request has at most
	line   []byte
	bytes  int64 // of the requests and answers of the last Expand
	cuts   []search.Cut

	counts   Counts
	best     int64  // the least known value, or search.NoBound
	solution []byte // the best solution of this share, or its first one; or nil
	value    int64  // of solution
	hasValue bool
	err      error
}

// leastAhead is the least number of nodes of a request, and mostAheadBytes their largest size. A
// single node may be larger.
const (
	leastAhead     = 16
	mostAheadBytes = 1 << 20
)

// New returns a share of the tree of a worker: the whole tree if root is set, otherwise an empty
// share. The share has the optional interfaces for which the worker has the capabilities; search.As
// finds them. link may be nil if the share is never expanded.
func New(link Link, h *Hello, o Options, root bool) search.Work {
	s := &Share{link: link, hello: h, option: o, ahead: leastAhead, best: search.NoBound}
	if root {
		s.stack = append(s.stack, open{node: h.Root, weight: 1})
	}
	return capable{s}
}

// Empty reports whether no node is left.
func (s *Share) Empty() bool { return len(s.stack) == 0 }

// Err returns the error that ended the search of this share; see search.Fallible.
func (s *Share) Err() error {
	if s.err != nil {
		return search.Failure{Err: s.err}
	}
	if s.link == nil {
		return nil
	}
	if err := s.link.Err(); err != nil {
		return search.Failure{Err: err}
	}
	return nil
}

// Counts returns the counts of the nodes that this share has expanded.
func (s *Share) Counts() Counts { return s.counts }

// Solution returns the best solution that this share has found, a JSON value, and its value. In a
// search that does not minimise it is the first solution, which may have no value.
func (s *Share) Solution() (found []byte, value int64, hasValue bool) {
	return s.solution, s.value, s.hasValue
}

// isDecided reports whether a solution has ended the search.
func (s *Share) isDecided() bool { return s.option.First && s.solution != nil }

// Expand expands up to limit nodes. It sends one request, or several if the nodes of a request were
// finished before the limit. After an error the share is empty.
func (s *Share) Expand(limit int) (expanded int) {
	s.bytes = 0
	for expanded < limit && len(s.stack) > 0 && !s.isDecided() {
		n, finished := s.requestExpansion(s.countAhead(limit-expanded), limit-expanded)
		expanded += n
		if finished {
			s.ahead = min(2*s.ahead, 1<<16)
		}
	}
	return expanded
}

// byteTime is the time in nanoseconds that a byte of JSON takes to be written by one program and
// read by the other. Libraries of interpreters take 10 to 50.
const byteTime = 30

// TransferTime returns an estimate of the time that the requests and answers of the last Expand
// took; see search.Transferring.
func (s *Share) TransferTime() int64 { return byteTime * s.bytes }

// countAhead returns the number of nodes at the top for a request of at most limit nodes.
func (s *Share) countAhead(limit int) (n int) {
	most := min(limit, s.ahead, len(s.stack))
	for size := 0; n < most; n++ {
		if size += len(s.stack[len(s.stack)-1-n].node); size > mostAheadBytes && n > 0 {
			break
		}
	}
	return n
}

// requestExpansion lets the worker expand at most limit nodes, from the given number of nodes at the
// top. finished reports whether no descendant of these nodes is left.
func (s *Share) requestExpansion(top, limit int) (expanded int, finished bool) {
	asked := s.stack[len(s.stack)-top:]
	s.line = appendExpand(s.line[:0], asked, limit, s.best)
	var a answer
	var counts Counts
	err := s.link.Ask(s.line, func(line []byte) (err error) {
		s.bytes += int64(len(s.line) + len(line))
		if a, err = parseAnswer(line, s.hello, top, limit); err != nil {
			return err
		}
		counts, err = s.counts.with(a)
		return err
	})
	if err != nil {
		s.fail(err)
		return 0, false
	}
	s.counts = counts
	s.takeSolution(a)
	s.replaceTop(top, a)
	return a.expanded, len(a.open) == 0
}

// fail ends the search of this share.
func (s *Share) fail(err error) { s.err, s.stack = err, nil }

// takeSolution keeps the solution of an answer if it is the first one or, in a search that
// minimises, better than the best known value.
func (s *Share) takeSolution(a answer) {
	switch {
	case a.found == nil:
	case s.hello.Minimise && a.value < s.best:
		s.solution, s.value, s.hasValue, s.best = a.found, a.value, true, a.value
	case !s.hello.Minimise && s.solution == nil:
		s.solution, s.value, s.hasValue = a.found, a.value, a.hasValue
	}
}

// replaceTop replaces the nodes of a request by the open nodes of its answer. The nodes at the
// beginning of both lists that are equal were not reached.
func (s *Share) replaceTop(top int, a answer) {
	from := len(s.stack) - top
	asked, same := s.stack[from:], 0
	for same < min(top-1, len(a.open)) && bytes.Equal(asked[same].node, a.open[same].node) {
		same++
	}
	weight, depth := 0.0, asked[same].depth
	for _, o := range asked[same:] {
		weight += o.weight
	}
	s.stack = s.stack[:from+same]
	s.pushOpen(a.open[same:], min(depth, maxDepth-1)+1, weight, a.expanded == 1)
}

// pushOpen pushes the open descendants of nodes that had the given weight in all. depth is a lower
// bound of their depth. siblings is set if they are all children of one node.
//
// Finished siblings are unknown. A level of k open nodes counts as k+1 siblings, of which the last
// is the way to the next level. So the open nodes have at most the weight of their ancestors.
func (s *Share) pushOpen(nodes []listed, depth int32, weight float64, siblings bool) {
	for len(nodes) > 0 {
		depth = max(depth, nodes[0].depth)
		k := 1
		for k < len(nodes) && nodes[k].depth <= depth {
			k++
		}
		each := weight / float64(k+1)
		if siblings && k == len(nodes) {
			each = weight / float64(k)
		}
		for _, n := range nodes[:k] {
			s.stack = append(s.stack, open{n.node, depth, each})
		}
		nodes, weight = nodes[k:], each
	}
}

// Split gives away the nodes that the splitting function chooses from all nodes except the top one.
func (s *Share) Split(dst []byte) (piece []byte, ok bool) {
	if s.isDecided() {
		return dst, false
	}
	if s.cuts, ok = s.option.Splitting.ChooseCuts((*levels)(s), s.cuts[:0]); !ok {
		return dst, false
	}
	dst = append(dst, mark)
	next, kept := 0, s.stack[:0]
	for i, o := range s.stack {
		if next < len(s.cuts) && s.cuts[next].Level == i {
			dst = o.appendTo(dst)
			next++
			continue
		}
		kept = append(kept, o)
	}
	clear(s.stack[len(kept):])
	s.stack = kept
	return dst, true
}

// levels is a Share as a splitting function uses it: each node except the top one is a level.
type levels Share

func (l *levels) Levels() int         { return max(len(l.stack)-1, 0) }
func (l *levels) Open(int) int        { return 1 }
func (l *levels) Depth(level int) int { return int(l.stack[level].depth) }
