package sat

import "treesplit/search"

// Search is a rank's share of the search tree of rule paper. It is an explicit
// stack: the path of decisions from the root to the node that is expanded next,
// where each decision remembers whether its other branch is still to be searched
// by this share. W counts every node visited, leaves too.
type Search struct {
	rule *Paper
	opt  Options

	// path[:depth] are the decisions that lead to the next node. All but the last
	// of them are applied to free and value; the last is applied when the node is
	// expanded. Without decisions the next node is the root if atRoot, and
	// otherwise the share is empty.
	path   []decision
	depth  int
	atRoot bool

	free  []int32 // free[c]: literals of clause c that are not false; 0 is a conflict
	value []truth // value[l] of each literal

	counts  Counts
	witness []int32 // the literals that were true at the first solution found
	cuts    []search.Cut
}

// Options is what a share is to do; it must be the same for all shares of a run,
// but for Root.
type Options struct {
	// Splitting is the splitting function.
	Splitting search.Splitting
	// Root makes the share begin with the whole tree, and not empty.
	Root bool
	// All goes through the whole tree, past its solutions, so that W and the number
	// of solution leaves do not depend on the order of the search. Without it the
	// search is decided at its first solution.
	All bool
}

// Counts is what a share has met so far. Nodes that were replayed to reach a
// piece's place in the tree are not counted, nor are nodes of other parts on the way
// to a part.
type Counts struct {
	Expanded  int64 // nodes visited, leaves too
	Conflicts int64 // leaves with an empty clause
	Solutions int64 // leaves without open clauses
	MaxDepth  int64 // the largest number of decisions above a node visited; the root has none
}

// decision is a step down the path.
type decision struct {
	literal int32 // what the step makes true: the branching literal or its complement
	clause  int32 // the first open clause at the node above, whose first free literal is branched on
	branch  branch
}

// branch says where a decision stands. The numbers are those of pieces.
type branch uint8

const (
	firstOnly branch = 0 // at the first branch, the literal true; the second is another share's
	firstOpen branch = 1 // at the first branch; the second is still to be searched by this share
	second    branch = 2 // at the second branch, the literal false
)

// truth is the value of a literal.
type truth uint8

const (
	unassigned truth = iota
	isTrue
	isFalse
)

// NewSearch returns a share of the rule's tree. It takes O(C+V) memory for C
// clauses and V variables that occur.
func (p *Paper) NewSearch(opt Options) *Search {
	s := &Search{
		rule:   p,
		opt:    opt,
		path:   make([]decision, len(p.names)),
		atRoot: opt.Root,
		free:   make([]int32, len(p.clauses)),
		value:  make([]truth, 2*len(p.names)),
	}
	for c, lits := range p.clauses {
		s.free[c] = int32(len(lits))
	}
	return s
}

// Empty says that no node is left to expand.
func (s *Search) Empty() bool { return s.depth == 0 && !s.atRoot }

// Decided says that a solution was found, unless the search goes through All.
func (s *Search) Decided() bool { return s.witness != nil && !s.opt.All }

// Counts returns what this share has met so far.
func (s *Search) Counts() Counts { return s.counts }

// Model returns the first solution that this share found, or nil: model[v-1] is
// the value of variable v, false where the formula leaves it open. The slice is
// the caller's.
func (s *Search) Model() []bool {
	if s.witness == nil {
		return nil
	}
	model := make([]bool, s.rule.variables)
	for _, l := range s.witness {
		model[s.rule.names[l>>1]-1] = l&1 == 0
	}
	return model
}

// Expand visits up to limit nodes, depth first.
func (s *Search) Expand(limit int) (expanded int) {
	if s.atRoot && limit > 0 && !s.Decided() {
		s.expandRoot()
		expanded = 1
	}
	for expanded < limit && s.depth > 0 && !s.Decided() {
		expanded += s.descend(limit - expanded)
	}
	s.counts.Expanded += int64(expanded)
	return expanded
}

// expandRoot visits the root.
func (s *Search) expandRoot() {
	s.atRoot = false
	if s.rule.hasEmpty {
		s.counts.Conflicts++
		return
	}
	if literal, clause := firstFree(s.rule.clauses, s.value, 0); clause < 0 {
		s.solution()
	} else {
		s.path[0] = decision{literal, clause, firstOpen}
		s.depth = 1
	}
}

// descend visits up to limit nodes, up to and including the first solution. It is
// the inner loop of the program: what it touches lies in local variables.
func (s *Search) descend(limit int) (expanded int) {
	clauses, in, free, value, path, depth := s.rule.clauses, s.rule.in, s.free, s.value, s.path, s.depth
	deepest, conflicts, solved := s.counts.MaxDepth, int64(0), false
	for expanded < limit && depth > 0 && !solved {
		step := &path[depth-1]
		expanded++
		if assign(free, value, in, step.literal) {
			literal, clause := firstFree(clauses, value, step.clause)
			if clause >= 0 {
				path[depth] = decision{literal, clause, firstOpen}
				depth++
				continue
			}
			s.depth, solved = depth, true
			s.solution()
			retract(free, value, in, step.literal)
		} else {
			conflicts++
		}
		deepest = max(deepest, int64(depth))
		// The node was a leaf: go on with the deepest branch that is still open.
		for path[depth-1].branch != firstOpen {
			if depth--; depth == 0 {
				break
			}
			retract(free, value, in, path[depth-1].literal)
		}
		if depth > 0 {
			path[depth-1].literal ^= 1
			path[depth-1].branch = second
		}
	}
	s.depth = depth
	s.counts.MaxDepth = deepest
	s.counts.Conflicts += conflicts
	return expanded
}

// solution counts a solution leaf, whose decisions path[:depth] are all applied,
// and keeps the first as the witness.
func (s *Search) solution() {
	s.counts.Solutions++
	if s.witness != nil {
		return
	}
	s.witness = make([]int32, s.depth)
	for i, d := range s.path[:s.depth] {
		s.witness[i] = d.literal
	}
}

// assign makes a literal true, unless that empties a clause: then it changes
// nothing and returns false. Only the clauses of its complement are touched; the
// counters of satisfied clauses go down too, but never to zero.
func assign(free []int32, value []truth, in [][]int32, literal int32) bool {
	shortened := in[literal^1]
	for i, c := range shortened {
		if free[c]--; free[c] == 0 {
			for _, c := range shortened[:i+1] {
				free[c]++
			}
			return false
		}
	}
	value[literal], value[literal^1] = isTrue, isFalse
	return true
}

// retract undoes assign.
func retract(free []int32, value []truth, in [][]int32, literal int32) {
	for _, c := range in[literal^1] {
		free[c]++
	}
	value[literal], value[literal^1] = unassigned, unassigned
}

// firstFree returns the first free literal of the first open clause at or after
// the given one, and that clause; the clause is -1 where none is open. No clause
// may be empty. The first open clause of a node is never before its parent's,
// which is where the search for it starts.
func firstFree(clauses [][]int32, value []truth, clause int32) (literal, open int32) {
next:
	for ; int(clause) < len(clauses); clause++ {
		literal = -1
		for _, l := range clauses[clause] {
			switch value[l] {
			case isTrue:
				continue next
			case unassigned:
				if literal < 0 {
					literal = l
				}
			}
		}
		return literal, clause
	}
	return -1, -1
}
