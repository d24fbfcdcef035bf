package bb

import (
	"math"

	"treesplit/mapping"
	"treesplit/search"
)

// BestFirst searches the tree best first: it always expands the open node of least bound. So it
// expands no node whose bound is not below the optimum, and the least open bound is a rising
// lower bound of all maps. Its memory is bounded: if the children of a node may not fit, the
// whole subtree of the node is searched depth first. It is one sequential search and not a
// search.Work.
type BestFirst struct {
	share  *Search // holds the state, and the subtree that is searched depth first
	diving bool    // a subtree is being searched depth first
	floor  int64   // bound of the root of that subtree

	room  int     // largest number of open nodes
	open  []node  // a heap: the least bound on top, the deepest of equal ones
	paths []int32 // by slot: the processors of the objects placed
	slots int32   // number of slots
	free  []int32 // slots that are not in use
}

// node is a node that is not expanded yet.
type node struct {
	bound int64
	depth int32 // objects placed
	slot  int32
}

// NewBestFirst returns a search of the whole tree that keeps at most room open nodes. Each open
// node takes 4·objects + 20 bytes.
func (in *Instance) NewBestFirst(room int) *BestFirst {
	b := &BestFirst{share: in.NewSearch(search.DefaultSplitting, false), room: min(max(room, 1), math.MaxInt32)}
	b.pushOpenNode(node{bound: in.LowerBound()}, nil, nowhere)
	return b
}

// Empty reports whether the whole tree has been searched.
func (b *BestFirst) Empty() bool { return !b.diving && len(b.open) == 0 }

// BestFoundMap returns the best map found, as Search does.
func (b *BestFirst) BestFoundMap() (m mapping.Map, makespan int64, ok bool) {
	return b.share.BestFoundMap()
}

// Bound returns the best known makespan, or None.
func (b *BestFirst) Bound() int64 { return b.share.bound }

// Counts returns the counts so far.
func (b *BestFirst) Counts() Counts { return b.share.counts }

// LowerBound returns a lower bound of all maps, except maps that Options.Narrow gives up. It
// proves nothing under the printed bound.
func (b *BestFirst) LowerBound() int64 {
	least := b.share.limit
	if b.diving {
		least = min(least, b.floor)
	}
	if len(b.open) > 0 {
		least = min(least, b.open[0].bound)
	}
	return least
}

// Expand expands up to limit nodes and returns their number. It is smaller than limit if no node
// remains.
func (b *BestFirst) Expand(limit int) (expanded int) {
	for expanded < limit && !b.Empty() {
		if b.diving {
			expanded += b.share.Expand(limit - expanded)
			b.diving = !b.share.Empty()
			continue
		}
		if b.open[0].bound >= b.share.limit { // and so are all others
			b.share.counts.Pruned += int64(len(b.open))
			b.open, b.paths, b.free, b.slots = b.open[:0], b.paths[:0], b.free[:0], 0
			break
		}
		b.expandTop()
		expanded++
	}
	return expanded
}

// expandTop expands the top node: it opens the children or leaves them to the share.
func (b *BestFirst) expandTop() {
	s, n := b.share, b.popOpenNode()
	path := b.placementPath(n)
	b.moveStateTo(path)
	b.free = append(b.free, n.slot)
	s.counts.Expanded++
	if s.depth == len(s.in.order) {
		s.recordSolution(s.state.lowerBound())
		return
	}
	s.generateChildren(s.limit, true)
	l := &s.levels[s.depth]
	if len(b.open)+int(l.hi) > b.room {
		b.diving, b.floor = true, n.bound
		return
	}
	for _, k := range s.kids[s.depth*s.in.p : s.depth*s.in.p+int(l.hi)] {
		b.pushOpenNode(node{bound: k.bound, depth: n.depth + 1}, s.state, k.processor)
	}
	*l = level{}
}

// moveStateTo changes the share's state to that of a path. It keeps their common beginning.
func (b *BestFirst) moveStateTo(path []int32) {
	s := b.share
	common := 0
	for common < min(s.depth, len(path)) && s.state.where[s.in.order[common]] == path[common] {
		common++
	}
	for s.depth > common {
		s.backtrack()
	}
	s.depth = max(s.depth, 0)
	s.levels[s.depth] = level{}
	for s.depth < len(path) {
		s.state.placeObject(s.in.order[s.depth], path[s.depth])
		s.depth++
		s.levels[s.depth] = level{}
	}
}

// placementPath returns the processors of a node's objects.
func (b *BestFirst) placementPath(n node) []int32 {
	from := int(n.slot) * len(b.share.in.order)
	return b.paths[from : from+int(n.depth)]
}

// pushOpenNode opens a node whose last object is placed on p and whose other objects are placed
// as in the state.
func (b *BestFirst) pushOpenNode(n node, s *state, p int32) {
	objects := len(b.share.in.order)
	if k := len(b.free); k > 0 {
		n.slot, b.free = b.free[k-1], b.free[:k-1]
	} else {
		n.slot = b.slots
		b.slots++
		for range objects {
			b.paths = append(b.paths, 0)
		}
	}
	path := b.placementPath(n)
	for d := range path {
		if d == len(path)-1 {
			path[d] = p
		} else {
			path[d] = s.where[b.share.in.order[d]]
		}
	}
	b.open = append(b.open, n)
	for at := len(b.open) - 1; at > 0; {
		up := (at - 1) / 2
		if !b.open[at].expandsBefore(b.open[up]) {
			break
		}
		b.open[at], b.open[up] = b.open[up], b.open[at]
		at = up
	}
}

// popOpenNode closes the node on top of the heap.
func (b *BestFirst) popOpenNode() node {
	top, last := b.open[0], len(b.open)-1
	b.open[0] = b.open[last]
	b.open = b.open[:last]
	for at := 0; ; {
		least := at
		for _, down := range [2]int{2*at + 1, 2*at + 2} {
			if down < last && b.open[down].expandsBefore(b.open[least]) {
				least = down
			}
		}
		if least == at {
			return top
		}
		b.open[at], b.open[least] = b.open[least], b.open[at]
		at = least
	}
}

// expandsBefore reports whether a node must be expanded before another.
func (n node) expandsBefore(m node) bool {
	return n.bound < m.bound || n.bound == m.bound && n.depth > m.depth
}
