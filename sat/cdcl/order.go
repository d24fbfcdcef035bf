package cdcl

// The order of decisions is EVSIDS. Each variable that took part in a conflict gets a score that
// grows by a factor with every conflict, and the unassigned variable of the highest score is next.
// Both modes use it: on the formulas that were measured, a queue (VMTF) in focused mode cost up to
// twice the time. Sources: M. Moskewicz et al., Chaff, DAC 2001; Eén, Sörensson 2003; A. Biere, A.
// Fröhlich, Evaluating CDCL Variable Scoring Schemes, SAT 2015.

const (
	scoreDecay = 0.95
	maxScore   = 1e150
)

// order is the scores and the heap of variables by score.
type order struct {
	scores    []float64
	increment float64
	heap      []uint32
	place     []int32 // of each variable in the heap; -1: it is not there
}

// beginOrder prepares the order.
func (s *Solver) beginOrder() { s.increment = 1 }

// addToOrder enters a new variable. drawn is a number from the seed, 0 without one.
func (s *Solver) addToOrder(drawn uint64) {
	v := uint32(len(s.scores))
	s.scores = append(s.scores, float64(drawn>>40)*1e-9)
	s.place = append(s.place, -1)
	s.pushHeap(v)
}

// bumpVariables raises the scores of the variables of a conflict.
func (s *Solver) bumpVariables() {
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

// nextVariable returns the unassigned variable of the highest score. There must be one.
func (s *Solver) nextVariable() uint32 {
	for s.values[2*s.heap[0]] != 0 {
		s.popHeap()
	}
	return s.heap[0]
}
