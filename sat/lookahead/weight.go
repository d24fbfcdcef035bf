package lookahead

// The weight of a literal estimates how much the formula shrinks if the literal becomes true. It
// is a sum over the clauses that become shorter. Each clause contributes the product of the
// weights of its remaining literals; a binary clause counts binaryWeight times (Knuth, 7.2.2.2,
// eq. 66). The weights of a node are those of its parent, refined once. At the root they begin at
// 1 and are refined rootSweeps times. Their mean is about 1.
//
// If the weights would take too much memory, deep nodes start from the deepest node above them
// whose weights are kept.
//
// Products and sums are rounded one by one, so that no machine fuses them.
const (
	leastWeight  = 0.1
	binaryWeight = 5
	mostWeight   = 20
	rootSweeps   = 5
	mostKept     = 1 << 22 // number of weights kept on a path
)

// keptNodes returns the number of nodes on a path whose weights are kept, for a number of literals.
func keptNodes(literals int) int { return max(1, mostKept/max(literals, 1)) }

// weighLiterals computes the weights of all free literals at the current node.
func (w *walk) weighLiterals() {
	depth := len(w.nodes) - 1
	place := min(depth, w.kept)
	w.roomForWeights(place)
	to := w.weights[place]
	w.weight = to
	if depth < w.kept { // deeper nodes share a place, so their children cannot use it
		w.nodes[depth].weighed = depth + 1
	}
	if above := w.weighedAbove(depth); above > 0 {
		w.refineWeights(to, w.weights[above-1])
		return
	}
	from := w.sweep
	for l := range from {
		from[l] = 1
	}
	for range rootSweeps {
		w.refineWeights(to, from)
		copy(from, to)
	}
}

// weighedAbove returns the field weighed of the node above a depth. It differs from that depth if a
// Splitter has not looked ahead there.
func (w *walk) weighedAbove(depth int) int {
	if depth == 0 {
		return 0
	}
	return w.nodes[depth-1].weighed
}

// roomForWeights allocates memory for the weights of nodes down to a depth.
func (w *walk) roomForWeights(depth int) {
	for len(w.weights) <= depth {
		w.weights = append(w.weights, make([]float32, len(w.stamp)))
	}
}

// refineWeights computes the weights to of all literals from the weights from. The mean of
// to is 1, except that the largest weights are cut. The weight of an assigned literal is 0.
//
// An assigned literal of a clause makes the products of its weight 0. So shrinkClauses does not test which
// clauses are open: a processor could not predict the results.
func (w *walk) refineWeights(to, from []float32) {
	free := w.free
	copy(free, from)
	for _, l := range w.trail {
		free[l], free[l^1] = 0, 0
	}
	if w.isDense() {
		w.shrinkClauses(to, free)
	} else {
		w.shrinkLists(to, free)
	}
	if len(w.long.clauses) > 0 {
		for l, s := range w.stamp {
			if s < isTrue {
				to[l] += w.shrinkLongWeight(int32(l), free)
			}
		}
	}
	for _, l := range w.trail {
		to[l], to[l^1] = 0, 0
	}
	sum := float32(0)
	for _, x := range to {
		sum += x
	}
	if sum == 0 {
		return
	}
	factor := float32(len(to)-2*len(w.trail)) / sum
	for l, x := range to {
		to[l] = min(x*factor, mostWeight)
	}
}

// isDense reports whether a loop over all clauses takes less time than loops over the lists of the free
// literals. The unit of time is a literal of a clause. To begin a list takes 8 units, because the
// processor does not predict its length, and an open clause of three literals takes 4.
func (w *walk) isDense() bool {
	literals, free := int64(len(w.stamp)), int64(len(w.stamp)-2*len(w.trail))
	binaries, ternaries := int64(2*len(w.rule.binaries)+len(w.grown)), int64(len(w.rule.ternaries))
	open := ternaries - int64(len(w.ternary.removed)/2)
	return binaries+3*ternaries < 8*free+4*open+binaries*free/literals
}

// shrinkClauses sets to to the shrinkage of the clauses of two and three literals, plus leastWeight, in a
// loop over all clauses.
func (w *walk) shrinkClauses(to, free []float32) {
	clear(to)
	for _, b := range w.rule.binaries {
		to[b[0]^1] += free[b[1]]
		to[b[1]^1] += free[b[0]]
	}
	for _, g := range w.grown {
		to[g.from] += free[g.to]
	}
	for l, x := range to {
		to[l] = float32(binaryWeight*x) + leastWeight
	}
	for i := range w.rule.ternaries {
		t := &w.rule.ternaries[i]
		x, y, z := uint32(t[0]), uint32(t[1]), uint32(t[2])
		a, b, c := free[x], free[y], free[z]
		to[x^1] += float32(b * c)
		to[y^1] += float32(a * c)
		to[z^1] += float32(a * b)
	}
}

// shrinkLists is shrinkClauses by the lists of the free literals.
func (w *walk) shrinkLists(to, free []float32) {
	for l, s := range w.stamp {
		if s >= isTrue {
			continue
		}
		binaries, pairs := float32(0), float32(0)
		for _, u := range w.implied[l] {
			binaries += free[u]
		}
		for _, p := range w.ternary.shortenedPairs(int32(l)) {
			pairs += float32(free[p.u] * free[p.v])
		}
		to[l] = float32(binaryWeight*binaries) + leastWeight + pairs
	}
}

// shrinkLongWeight returns the contribution of the longer clauses.
func (w *walk) shrinkLongWeight(l int32, free []float32) (sum float32) {
	for _, c := range w.long.in[l^1] {
		if w.long.true[c] > 0 {
			continue
		}
		product, left := float32(1), -1
		for _, u := range w.long.clauses[c] {
			if w.stamp[u] < isTrue {
				if left++; left > longest {
					break
				}
				if u != l^1 {
					product *= free[u]
				}
			}
		}
		sum += float32(product * longFactor[min(left, longest)])
	}
	return sum
}

// longFactor is the factor of a clause by the number of remaining literals, in addition to the
// product of their weights: 0.2 for each literal beyond two. Clauses of longest or more literals
// have the same factor, and only the weights of their first literals count.
var longFactor = [longest + 1]float32{1, 1, 1, 0.2, 0.04, 0.008, 0.0016, 0.00032, 0.000064}

const longest = 8
