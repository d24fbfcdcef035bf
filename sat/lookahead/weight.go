package lookahead

// The weight of a literal guesses how much the formula shrinks when the literal becomes
// true: the sum over the clauses it makes shorter of the products of the weights of
// what is left, where a binary clause counts binaryWeight times (Knuth, 7.2.2.2, eq.
// 66). Weights are those of the parent node, refined once; at the root, where there is
// none, they begin at 1 and are refined rootSweeps times. Their mean is about 1.
//
// Where that would take too much memory, deep nodes go on from the deepest node above
// them whose weights are kept.
//
// The products and sums are rounded one by one, so that no machine fuses them.
const (
	leastWeight  = 0.1
	binaryWeight = 5
	mostWeight   = 20
	rootSweeps   = 5
	mostKept     = 1 << 22 // weights that are kept of a path
)

// weighLiterals computes the weights of all free literals at the current node.
func (w *walk) weighLiterals() {
	depth := min(len(w.nodes)-1, max(1, mostKept/len(w.stamp)))
	w.roomForWeights(depth)
	to := w.weights[depth]
	w.weight = to
	if depth > 0 {
		w.refineWeights(to, w.weights[depth-1])
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

// roomForWeights makes room for the weights of nodes down to a depth.
func (w *walk) roomForWeights(depth int) {
	for len(w.weights) <= depth {
		w.weights = append(w.weights, make([]float32, len(w.stamp)))
	}
}

// refineWeights makes a sweep over all free literals, whose mean weight is 1 then except for the
// largest, which are cut.
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

// shrinkWeight is what a literal would shrink if it became true.
func (w *walk) shrinkWeight(l int32, from []float32) float32 {
	binaries, pairs := float32(0), float32(leastWeight)
	for _, u := range w.implied[l] {
		if w.stamp[u] < isTrue {
			binaries += from[u]
		}
	}
	for _, p := range w.ternary.shortenedPairs(l) {
		pairs += float32(from[p[0]] * from[p[1]])
	}
	if len(w.long.clauses) > 0 {
		pairs += w.shrinkLongWeight(l, from)
	}
	return float32(binaryWeight*binaries) + pairs
}

// shrinkLongWeight is the part of the longer clauses.
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

// longFactor is what a clause counts by the number of literals left, beside the product
// of their weights: a fifth for each beyond two. Clauses of longest and more count the
// same, and only the weights of the first of them.
var longFactor = [longest + 1]float32{1, 1, 1, 0.2, 0.04, 0.008, 0.0016, 0.00032, 0.000064}

const longest = 8
