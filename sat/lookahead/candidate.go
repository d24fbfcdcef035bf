package lookahead

// Trials cost most of the time. So only the most promising variables are tried: variables in
// clauses that were shortened on this path, ranked by the product of the weights of their two
// literals.

// candidate is a variable that may be tried.
type candidate struct {
	rank     float32
	variable int32
}

// comesBefore reports whether candidate c comes before d.
func (c candidate) comesBefore(d candidate) bool {
	return c.rank > d.rank || c.rank == d.rank && c.variable < d.variable
}

// mostTried bounds the number of variables that are tried at a node.
const mostTried = 400

// maxCandidates returns the number of candidates to try at a depth.
func (r *Rule) maxCandidates(depth int) int {
	if depth == 0 || r.splitting {
		return mostTried
	}
	return max(20, 300/depth)
}

// findCandidates finds the candidates of the current node.
func (w *walk) findCandidates() {
	all := w.candidates[:0]
	for _, v := range w.active {
		all = w.considerVariable(all, v)
	}
	if len(all) == 0 {
		for v := range w.rule.names {
			all = w.considerVariable(all, int32(v))
		}
	}
	if n := w.rule.maxCandidates(len(w.nodes) - 1); len(all) > n {
		moveBestToFront(all, n)
		all = all[:n]
	}
	w.candidates = all
}

func (w *walk) considerVariable(all []candidate, v int32) []candidate {
	if !w.canBranch(v) {
		return all
	}
	return append(all, candidate{w.weight[2*v] * w.weight[2*v+1], v})
}

// moveBestToFront moves the first n of all to the front (quickselect).
func moveBestToFront(all []candidate, n int) {
	for len(all) > 1 {
		pivot, i, j := all[len(all)/2], 0, len(all)-1
		for i <= j {
			for all[i].comesBefore(pivot) {
				i++
			}
			for pivot.comesBefore(all[j]) {
				j--
			}
			if i <= j {
				all[i], all[j] = all[j], all[i]
				i++
				j--
			}
		}
		switch {
		case n <= j:
			all = all[:j+1]
		case n > i:
			all, n = all[i:], n-i
		default:
			return
		}
	}
}

// chooseBranch returns the literal to branch on. The variable is the one whose two trials have
// the largest product of scores. The literal is the one that shortens the formula less, because
// it is more likely to have a model.
func (w *walk) chooseBranch() int32 {
	best, literal := float32(-1), int32(-1)
	for _, c := range w.candidates {
		l := 2 * c.variable
		if !w.canBranch(c.variable) {
			continue
		}
		a, b := w.score[w.trees[l].root], w.score[w.trees[l^1].root]
		if s := float32(1024*float32(a*b)) + a + b; s > best {
			best, literal = s, l
			if a > b {
				literal = l ^ 1
			}
		}
	}
	return literal
}
