package cdcl

import "slices"

// The order of decisions. There are two orders. In stable mode it is EVSIDS: each variable that
// took part in a conflict gets a score that grows by a factor with every conflict, and the
// unassigned variable of the highest score is next (heap.go). In focused mode it is VMTF: these
// variables move to the front of a queue, and the unassigned variable nearest to the front is
// next (queue.go). Sources: Moskewicz et al., Chaff, DAC 2001; Eén, Sörensson 2003; A. Biere, A.
// Fröhlich, Evaluating CDCL Variable Scoring Schemes, SAT 2015.

const (
	scoreDecay = 0.95
	maxScore   = 1e150
)

// order is the state of both orders.
type order struct {
	scores    []float64
	increment float64
	heap      []uint32
	place     []int32 // of each variable in the heap; -1: it is not there

	queue
	bumpOrder []uint64 // buffer: stamp and variable
}

// beginOrder prepares both orders.
func (s *Solver) beginOrder() {
	s.increment = 1
	s.queue = queue{first: noVariable, last: noVariable, nearest: noVariable}
	s.levelStamp = append(s.levelStamp, 0)
}

// addToOrder enters a new variable. drawn is a number from the seed, 0 without one.
func (s *Solver) addToOrder(drawn uint64) {
	v := uint32(len(s.scores))
	s.scores = append(s.scores, float64(drawn>>40)*1e-9)
	s.place = append(s.place, -1)
	s.links = append(s.links, link{noVariable, noVariable, 0})
	s.pushHeap(v)
	s.enqueue(v)
}

// offerVariable returns a variable to both orders after it lost its value.
func (s *Solver) offerVariable(v uint32) {
	if s.place[v] < 0 {
		s.pushHeap(v)
	}
	if s.links[v].stamp > s.links[s.nearest].stamp {
		s.nearest = v
	}
}

// bumpVariables moves the variables of a conflict towards the front of the current order.
func (s *Solver) bumpVariables() {
	if s.stable {
		s.bumpScores()
		return
	}
	s.bumpOrder = s.bumpOrder[:0]
	for _, v := range s.bumped {
		s.bumpOrder = append(s.bumpOrder, uint64(s.links[v].stamp)<<32|uint64(v))
	}
	slices.Sort(s.bumpOrder)
	for _, x := range s.bumpOrder {
		s.moveToFront(uint32(x))
	}
}

// bumpScores raises the scores of the variables of a conflict.
func (s *Solver) bumpScores() {
	for _, v := range s.bumped {
		s.scores[v] += s.increment
		if s.place[v] >= 0 {
			s.siftUp(int(s.place[v]))
		}
	}
	s.increment *= 1 / scoreDecay
	if s.increment > maxScore {
		s.rescaleScores()
	}
}

// rescaleScores keeps the scores finite. The order does not change, except that very small scores
// may become equal.
func (s *Solver) rescaleScores() {
	for v := range s.scores {
		s.scores[v] *= 1 / maxScore
	}
	s.increment *= 1 / maxScore
}

// nextVariable returns the unassigned variable that is next. There must be one.
func (s *Solver) nextVariable() uint32 {
	if !s.stable {
		return s.nextInQueue()
	}
	for s.values[2*s.heap[0]] != 0 {
		s.popHeap()
	}
	return s.heap[0]
}

// precedes reports whether the current order prefers variable v to w.
func (s *Solver) precedes(v, w uint32) bool {
	if s.stable {
		return s.scores[v] > s.scores[w]
	}
	return s.links[v].stamp > s.links[w].stamp
}
