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

// refineWeights computes the weights to of all free literals from the weights from. The mean of
// to is 1, except that the largest weights are cut.
func (w *walk) refineWeights(to, from []float32) {
	sum, n := float32(0), 0
	for l := range to {
		if w.stamp[l] >= isTrue {
			continue
		}
		to[l] = w.shrinkWeight(int32(l), from)
		sum += to[l]
		n++
	}
	if n == 0 {
		return
	}
	factor := float32(n) / sum
	for l := range to {
		if w.stamp[l] < isTrue {
			to[l] = min(to[l]*factor, mostWeight)
		}
	}
}

// shrinkWeight returns the shrinkage of the formula if a literal becomes true.
func (w *walk) shrinkWeight(l int32, from []float32) float32 {
	binaries, pairs := float32(0), float32(leastWeight)
	for _, u := range w.implied[l] {
		if w.stamp[u] < isTrue {
			binaries += from[u]
		}
	}
	for _, p := range w.ternary.shortenedPairs(l) {
		pairs += float32(from[p.u] * from[p.v])
	}
	if len(w.long.clauses) > 0 {
		pairs += w.shrinkLongWeight(l, from)
	}
	return float32(binaryWeight*binaries) + pairs
}

// shrinkLongWeight returns the contribution of the longer clauses.
func (w *walk) shrinkLongWeight(l int32, from []float32) (sum float32) {
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
					product *= from[u]
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
