package sat

import "treesplit/sat/proof"

// paperWalk is a procedure of rule paper.
type paperWalk struct {
	rule  *Paper
	free  []int32 // free[c]: literals of clause c that are not false; 0 is a conflict
	value []truth // value[l] of each literal

	// The nodes from the root on, node i at depth i. visited[i] is the literal of the step to the
	// node. It is NoLiteral for the root and for a conflict, where no literal is assigned.
	// from[i] is the node's first open clause.
	visited []int32
	from    []int32
}

// truth is the value of a literal.
type truth uint8

const (
	unassigned truth = iota
	isTrue
	isFalse
)

// Begin returns a procedure without nodes. It takes O(C+V) memory for C clauses and V variables
// that occur.
func (p *Paper) Begin() Procedure {
	w := &paperWalk{
		rule:    p,
		free:    make([]int32, len(p.clauses)),
		value:   make([]truth, 2*len(p.names)),
		visited: make([]int32, 0, len(p.names)+1),
		from:    make([]int32, len(p.names)+1),
	}
	for c, lits := range p.clauses {
		w.free[c] = int32(len(lits))
	}
	return w
}

// Visit assigns the literal and no other literal.
func (w *paperWalk) Visit(literal int32, _ *proof.Log) (branch int32, outcome Outcome) {
	clause := int32(0)
	if literal == NoLiteral && w.rule.hasEmpty || literal != NoLiteral && !assignLiteral(w.free, w.value, w.rule.in, literal) {
		w.visited = append(w.visited, NoLiteral)
		return NoLiteral, Conflict
	}
	depth := len(w.visited)
	if depth > 0 {
		clause = w.from[depth-1]
	}
	w.visited = append(w.visited, literal)
	if branch, w.from[depth] = firstFree(w.rule.clauses, w.value, clause); branch < 0 {
		return NoLiteral, Solution
	}
	return branch, Inner
}

// Back undoes the last Visit.
func (w *paperWalk) Back() {
	last := len(w.visited) - 1
	if l := w.visited[last]; l != NoLiteral {
		retractLiteral(w.free, w.value, w.rule.in, l)
	}
	w.visited = w.visited[:last]
}

// Model appends the literals of the path.
func (w *paperWalk) Model(dst []int32) []int32 {
	for _, l := range w.visited[1:] {
		dst = append(dst, w.rule.Name(l))
	}
	return dst
}

// Assigned returns the number of literals of the path.
func (w *paperWalk) Assigned() int { return len(w.visited) - 1 }

// descendPaper expands up to limit nodes, up to and including the first solution, without a log.
// It is the inner loop of the program, so its data is in local variables.
func (s *Search) descendPaper(limit int) (expanded int) {
	w := s.fast
	clauses, in, free, value, from, path, depth := w.rule.clauses, w.rule.in, w.free, w.value, w.from, s.path, s.depth
	deepest, conflicts, solved := s.counts.MaxDepth, int64(0), false
	for expanded < limit && depth > 0 && !solved {
		literal := path[depth-1].literal
		expanded++
		if assignLiteral(free, value, in, literal) {
			branch, clause := firstFree(clauses, value, from[depth-1])
			if clause >= 0 {
				from[depth] = clause
				path[depth] = decision{branch, firstOpen}
				depth++
				continue
			}
			w.recordPath(path[:depth])
			s.countLeaf(Solution)
			solved = true
			retractLiteral(free, value, in, literal)
		} else {
			conflicts++
		}
		deepest = max(deepest, int64(depth))
		// The node was a leaf: continue with the deepest open branch.
		for path[depth-1].branch != firstOpen {
			if depth--; depth == 0 {
				break
			}
			retractLiteral(free, value, in, path[depth-1].literal)
		}
		if depth > 0 {
			path[depth-1].literal ^= 1
			path[depth-1].branch = second
		}
	}
	w.recordPath(path[:max(depth-1, 0)])
	s.depth = depth
	s.counts.MaxDepth = deepest
	s.counts.Conflicts += conflicts
	return expanded
}

// recordPath records which decisions are assigned below the root.
func (w *paperWalk) recordPath(path []decision) {
	w.visited = w.visited[:1]
	for _, d := range path {
		w.visited = append(w.visited, d.literal)
	}
}

// assignLiteral makes a literal true. If that empties a clause, it changes nothing and returns
// false. It visits only the clauses of the complement. The counters of satisfied clauses decrease
// too, but never to zero.
func assignLiteral(free []int32, value []truth, in [][]int32, literal int32) bool {
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

// retractLiteral undoes assignLiteral.
func retractLiteral(free []int32, value []truth, in [][]int32, literal int32) {
	for _, c := range in[literal^1] {
		free[c]++
	}
	value[literal], value[literal^1] = unassigned, unassigned
}

// firstFree returns the first free literal of the first open clause at or after the given clause,
// and that clause. Both are -1 if no clause is open. No clause may be empty. The first open
// clause of a node is never before the first open clause of its parent, so the search starts
// there.
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
