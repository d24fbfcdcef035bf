package bb

import (
	"slices"

	"treesplit/mapping"
	"treesplit/search"
)

// Search is one rank's share of a branch and bound search, depth first. A node of the
// tree is a partial map of the first objects of the order, at least one of which is left;
// its children place the next. Children whose bound says that nothing better comes of
// them are not in the tree, nor are complete maps: they are met where their parent is
// expanded. W counts the nodes expanded; except for Options.Count it depends on when the
// best maps are met.
//
// The share is an explicit stack: the path from the root to the node expanded last, each
// node with the children that this share is yet to expand, the least bound first (the
// text's "decreasing order" would begin with the worst).
type Search struct {
	in    *Instance
	opt   Options
	split search.Splitting
	state *state

	atRoot bool // the root is yet to be expanded
	depth  int  // of the node on top of the stack; −1: none
	levels []level
	kids   []kid // P for each level

	limit  int64 // children of this bound or a greater one are not in the tree
	bound  int64 // the best makespan known, or None
	value  int64 // of best
	best   mapping.Map
	counts Counts
	cuts   []search.Cut
}

// level is a node on the path: children lo ≤ k < hi are yet to be expanded, of so many that
// it has, pruned ones and complete maps too.
type level struct{ lo, hi, of int32 }

// kid is a child: the processor that the object of its level goes to.
type kid struct {
	bound, cost int64 // of the partial map; of the processor, which breaks ties
	processor   int32
}

// Counts is what a share has met so far.
type Counts struct {
	Expanded  int64 // nodes of the tree, W
	Pruned    int64 // children given up for their bound, when generated or later
	Solutions int64 // complete maps met that were better than the best known
}

// Add returns the sums.
func (c Counts) Add(d Counts) Counts {
	return Counts{c.Expanded + d.Expanded, c.Pruned + d.Pruned, c.Solutions + d.Solutions}
}

var (
	_ search.Subtasker = (*Search)(nil)
	_ search.Bisecter  = (*Search)(nil)
	_ search.Packer    = (*Search)(nil)
)

// NewSearch returns a share of the search: of the whole tree, if root is set, or empty.
// It takes O(objects·P) memory.
func (in *Instance) NewSearch(split search.Splitting, root bool) *Search {
	s := &Search{in: in, opt: in.options, split: split, state: newState(in), atRoot: root, depth: -1, value: None}
	s.levels, s.kids = make([]level, len(in.order)+1), make([]kid, len(in.order)*in.p)
	s.best = make(mapping.Map, len(in.problem.Objects))
	s.setUpperBound(in.UpperBound())
	return s
}

// pruningLimit is the least bound that is given up where the best makespan known is best.
func (in *Instance) pruningLimit(best int64) int64 {
	if best == None {
		return None
	}
	return best - best/100*int64(in.options.Narrow) - best%100*int64(in.options.Narrow)/100
}

func (s *Search) setUpperBound(best int64) { s.bound, s.limit = best, s.in.pruningLimit(best) }

// Empty reports whether no node is left to expand.
func (s *Search) Empty() bool { return s.depth < 0 && !s.atRoot }

// Counts returns what this share has met so far.
func (s *Search) Counts() Counts { return s.counts }

// Levels is the number of levels of the stack.
func (s *Search) Levels() int { return s.depth + 1 }

// Bound is the best makespan known, found here or told by Tighten; or None.
func (s *Search) Bound() int64 { return s.bound }

// Tighten tells that a map of that makespan is known elsewhere.
func (s *Search) Tighten(value int64) {
	if value < s.bound && !s.opt.Count {
		s.setUpperBound(value)
	}
}

// BestFoundMap returns the best map that this share itself has found, the caller's to keep, and
// its makespan; ok is false if it has found none.
func (s *Search) BestFoundMap() (m mapping.Map, makespan int64, ok bool) {
	if s.value == None {
		return nil, None, false
	}
	return slices.Clone(s.best), s.value, true
}

// Expand expands up to limit nodes. Children whose bound has been overtaken are dropped
// and count for nothing.
func (s *Search) Expand(limit int) (expanded int) {
	s.settleStack()
	for expanded < limit && !s.Empty() {
		s.expandNext()
		expanded++
		s.settleStack()
	}
	return expanded
}

// expandNext expands the next node, which settle has seen to be in the tree.
func (s *Search) expandNext() {
	s.counts.Expanded++
	if s.atRoot {
		s.atRoot = false
	} else {
		s.placeFirstChild()
	}
	s.depth++
	if s.depth == len(s.in.order) { // only where there is nothing to be placed
		s.recordSolution(s.state.lowerBound())
		s.levels[s.depth] = level{}
		return
	}
	s.generateChildren(s.limit, true)
}

// placeFirstChild places the next object as the first child on top of the stack says.
func (s *Search) placeFirstChild() {
	l := &s.levels[s.depth]
	k := s.kids[s.depth*s.in.p+int(l.lo)]
	l.lo++
	s.state.placeObject(s.in.order[s.depth], k.processor)
}

// generateChildren makes the children of the node that the state is at those of its level, in
// the order in which they are to be expanded. Those of a bound of limit or more are
// left out, complete maps met; only a node of the share's own is counted, and its
// maps. O(P) times what placing an object takes.
func (s *Search) generateChildren(limit int64, own bool) {
	object, last := s.in.order[s.depth], s.depth == len(s.in.order)-1
	kids, of := s.kids[s.depth*s.in.p:s.depth*s.in.p:(s.depth+1)*s.in.p], int32(0)
	for p := range int32(s.in.p) {
		if !s.opt.Symmetric && s.state.interchangeable(p) {
			continue
		}
		of++
		k := s.tryPlacement(object, p)
		switch {
		case k.bound >= limit:
			if own {
				s.counts.Pruned++
			}
		case last:
			if own {
				s.state.placeObject(object, p)
				s.recordSolution(k.bound)
				s.state.unplaceObject(object)
				limit = min(limit, s.limit)
			}
		default:
			kids = s.insertChild(kids, k)
		}
	}
	s.levels[s.depth] = level{0, int32(len(kids)), of}
}

// tryPlacement returns the child that places the object on a processor.
func (s *Search) tryPlacement(object, p int32) kid {
	s.state.placeObject(object, p)
	k := kid{s.state.lowerBound(), s.state.cost[p], p}
	s.state.unplaceObject(object)
	return k
}

// insertChild adds a child where it belongs.
func (s *Search) insertChild(kids []kid, k kid) []kid {
	at := len(kids)
	kids = append(kids, k)
	for ; at > 0 && !s.opt.Numbered && k.expandsBefore(kids[at-1]); at-- {
		kids[at] = kids[at-1]
	}
	kids[at] = k
	return kids
}

// expandsBefore reports whether a child is to be expanded before one of a lower number.
func (k kid) expandsBefore(other kid) bool {
	return k.bound < other.bound || k.bound == other.bound && k.cost < other.cost
}

// recordSolution takes in a complete map of a makespan below the limit, at which the state is.
func (s *Search) recordSolution(makespan int64) {
	if makespan >= s.limit {
		return
	}
	s.counts.Solutions++
	if makespan < s.value {
		s.value = makespan
		copy(s.best, s.state.where)
	}
	if !s.opt.Count {
		s.setUpperBound(makespan)
	}
}

// settleStack goes back to the deepest node that has a child of a bound below the limit.
func (s *Search) settleStack() {
	for s.depth >= 0 {
		l := &s.levels[s.depth]
		for l.lo < l.hi && s.kids[s.depth*s.in.p+int(l.lo)].bound >= s.limit {
			l.lo++
			s.counts.Pruned++
		}
		if l.lo < l.hi {
			return
		}
		s.backtrack()
	}
}

// backtrack leaves the node on top of the stack.
func (s *Search) backtrack() {
	s.depth--
	if s.depth >= 0 {
		s.state.unplaceObject(s.in.order[s.depth])
	}
}
