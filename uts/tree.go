package uts

import "treesplit/search"

// Result holds the counts of a walk.
type Result struct {
	Size   int64 // nodes, including the root
	Depth  int64 // the greatest height of a node; the root's is 0
	Leaves int64 // nodes without children
}

// AddResult returns the combined result of two shares of one tree.
func (r Result) AddResult(s Result) Result {
	return Result{r.Size + s.Size, max(r.Depth, s.Depth), r.Leaves + s.Leaves}
}

// frame is a node whose children lo ≤ i < hi must still be visited. It stores the weight of its
// children, because its parent need not be on the stack (weight.go).
type frame struct {
	state  state
	height int32
	lo, hi int32
	weight float64 // of each child
}

// batch is the number of children whose states are computed in one call.
const batch = 16

// Tree is one rank's share of a UTS tree. It is an explicit stack, because the published trees
// are up to a million levels deep. It implements search.Work.
//
// A step takes the top frame of the stack, visits up to batch of its children, and pushes the
// children that have children themselves. A frame without unvisited children is dropped at once.
// Each visit costs one SHA-1 compression, times Granularity. Siblings are next to each other on
// the stack, so heights do not decrease from the root end to the top. The stack holds at most
// depth·(children−1) frames and the frames of the root.
type Tree struct {
	counter *counter
	split   search.Splitting
	root    bool    // the root is not visited yet
	frames  []frame // the stack is frames[base:], each with lo < hi
	base    int
	cuts    []search.Cut
	spawned [batch]state
	counts  [batch]int32 // number of children of each of these nodes
	result  Result
}

var _ search.Work = (*Tree)(nil)

// New returns a share of the tree that p describes: the whole tree if root is set, otherwise an
// empty share. It returns an error if p.Validate does.
func New(p Params, split search.Splitting, root bool) (*Tree, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &Tree{counter: newCounter(p), split: split, root: root}, nil
}

// Result returns the counts of this share so far, over all pieces that it has held.
func (t *Tree) Result() Result { return t.result }

// Empty reports whether no node remains to be visited.
func (t *Tree) Empty() bool { return !t.root && len(t.frames) == t.base }

// Expand visits up to limit nodes and returns their number. It is smaller than limit only if the
// share became empty.
func (t *Tree) Expand(limit int) (expanded int) {
	if t.root && limit > 0 {
		t.root = false
		t.spawned[0] = rootState(uint32(t.counter.p.Seed))
		t.visitNodes(t.spawned[:1], 0, 1)
		expanded = 1
	}
	for expanded < limit && len(t.frames) > t.base {
		expanded += t.visitChildren(limit - expanded)
	}
	t.result.Size += int64(expanded)
	return expanded
}

// visitChildren visits up to limit children of the top frame and returns their number.
func (t *Tree) visitChildren(limit int) int {
	top := &t.frames[len(t.frames)-1]
	n := min(int(top.hi-top.lo), limit, batch)
	children := t.spawned[:n]
	for range t.counter.p.Granularity {
		spawn(children, &top.state, uint32(top.lo))
	}
	height, weight := top.height+1, top.weight
	top.lo += int32(n)
	if top.lo == top.hi {
		t.frames = t.frames[:len(t.frames)-1]
	}
	t.visitNodes(children, height, weight)
	return n
}

// visitNodes counts nodes of one height and weight and pushes those with children. There are at
// most batch nodes.
func (t *Tree) visitNodes(nodes []state, height int32, weight float64) {
	counts := t.counts[:len(nodes)]
	t.counter.fillChildCounts(counts, nodes, int(height))
	leaves := 0
	for i, k := range counts {
		if k == 0 {
			leaves++
			continue
		}
		t.frames = append(t.frames, frame{state: nodes[i], height: height, hi: k, weight: weight / float64(k)})
	}
	t.result.Leaves += int64(leaves)
	t.result.Depth = max(t.result.Depth, int64(height))
}
