package bb

import (
	"slices"

	"treesplit/mapping"
	"treesplit/search"
)

// Search is one rank's share of a branch and bound search, depth first. A node of the tree is a
// partial map of the first objects of the order, with at least one object left. Its children
// place the next object. Children whose bound shows that no completion is better are not in the
// tree. Complete maps are not in the tree either: they are found when their parent is expanded. W
// counts the expanded nodes. Without Options.Count it depends on when the best maps are found.
//
// The share is an explicit stack: the path from the root to the last expanded node. Each node has
// the children that this share must still expand, the least bound first. The "decreasing order"
// of the text would begin with the worst child.
type Search struct {
	in    *Instance
	opt   Options
	split search.Splitting
	state *state

	atRoot bool // the root is not expanded yet
	depth  int  // of the top node of the stack; −1: none
	levels []level
	kids   []kid // P per level

	limit  int64 // children with at least this bound are not in the tree
	bound  int64 // the best known makespan, or None
	value  int64 // of best
	best   mapping.Map
	counts Counts
	cuts   []search.Cut
}

// level is a node on the path. Children lo ≤ k < hi must still be expanded. of is the number of
// all children, including pruned ones and complete maps.
type level struct{ lo, hi, of int32 }

// kid is a child: the processor of the object of its level.
type kid struct {
	bound, cost int64 // bound of the partial map; cost of the processor, which breaks ties
	processor   int32
}

// Counts are the counts of a share so far.
type Counts struct {
	Expanded  int64 // nodes of the tree, W
	Pruned    int64 // children discarded by their bound, when generated or later
	Solutions int64 // complete maps found that were better than the best known map
}

// Add returns the sum of two Counts.
func (c Counts) Add(d Counts) Counts {
	return Counts{c.Expanded + d.Expanded, c.Pruned + d.Pruned, c.Solutions + d.Solutions}
}

var (
	_ search.Subtasker = (*Search)(nil)
	_ search.Bisecter  = (*Search)(nil)
	_ search.Packer    = (*Search)(nil)
)

// NewSearch returns a share of the search: the whole tree if root is set, otherwise an empty
// share. It takes O(objects·P) memory.
func (in *Instance) NewSearch(split search.Splitting, root bool) *Search {
	s := &Search{in: in, opt: in.options, split: split, state: newState(in), atRoot: root, depth: -1, value: None}
	s.levels, s.kids = make([]level, len(in.order)+1), make([]kid, len(in.order)*in.p)
	s.best = make(mapping.Map, len(in.problem.Objects))
	s.setUpperBound(in.UpperBound())
	return s
}

// pruningLimit returns the least bound that is discarded if the best known makespan is best.
func (in *Instance) pruningLimit(best int64) int64 {
	if best == None {
		return None
	}
	return best - best/100*int64(in.options.Narrow) - best%100*int64(in.options.Narrow)/100
}

func (s *Search) setUpperBound(best int64) { s.bound, s.limit = best, s.in.pruningLimit(best) }

// Empty reports whether no node remains to be expanded.
func (s *Search) Empty() bool { return s.depth < 0 && !s.atRoot }

// Counts returns the counts of this share so far.
func (s *Search) Counts() Counts { return s.counts }

// Levels returns the number of levels of the stack.
func (s *Search) Levels() int { return s.depth + 1 }

// Bound returns the best known makespan, found here or passed to Tighten, or None.
func (s *Search) Bound() int64 { return s.bound }

// Tighten notes that a map of makespan value is known elsewhere.
func (s *Search) Tighten(value int64) {
	if value < s.bound && !s.opt.Count {
		s.setUpperBound(value)
	}
}

// BestFoundMap returns a copy of the best map that this share itself has found, and its makespan.
// ok is false if it has found none.
func (s *Search) BestFoundMap() (m mapping.Map, makespan int64, ok bool) {
	if s.value == None {
		return nil, None, false
	}
	return slices.Clone(s.best), s.value, true
}

// Expand expands up to limit nodes. Children whose bound is no longer below the limit are dropped
// and not counted.
func (s *Search) Expand(limit int) (expanded int) {
	s.settleStack()
	for expanded < limit && !s.Empty() {
		s.expandNext()
		expanded++
		s.settleStack()
	}
	return expanded
}

// expandNext expands the next node; settleStack has checked that it is in the tree.
func (s *Search) expandNext() {
	s.counts.Expanded++
	if s.atRoot {
		s.atRoot = false
	} else {
		s.placeFirstChild()
	}
	s.depth++
	if s.depth == len(s.in.order) { // only if there is no object to place
		s.recordSolution(s.state.lowerBound())
		s.levels[s.depth] = level{}
		return
	}
	s.generateChildren(s.limit, true)
}

// placeFirstChild places the next object as the first child of the top node does.
func (s *Search) placeFirstChild() {
	l := &s.levels[s.depth]
	k := s.kids[s.depth*s.in.p+int(l.lo)]
	l.lo++
	s.state.placeObject(s.in.order[s.depth], k.processor)
}

// generateChildren makes the children of the node at the current state the children of its level,
// in the order of expansion. Children with a bound of at least limit are left out, and complete
// maps are recorded. Only a node of this share (own) is counted, with its maps. It takes O(P)
// times the time of placing an object.
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

// insertChild inserts a child in order.
func (s *Search) insertChild(kids []kid, k kid) []kid {
	at := len(kids)
	kids = append(kids, k)
	for ; at > 0 && !s.opt.Numbered && k.expandsBefore(kids[at-1]); at-- {
		kids[at] = kids[at-1]
	}
	kids[at] = k
	return kids
}

// expandsBefore reports whether a child must be expanded before a child of a lower number.
func (k kid) expandsBefore(other kid) bool {
	return k.bound < other.bound || k.bound == other.bound && k.cost < other.cost
}

// recordSolution records the complete map of the current state, whose makespan is below the
// limit.
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

// settleStack moves back to the deepest node that has a child with a bound below the limit.
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
