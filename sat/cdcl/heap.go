package cdcl

// A binary heap of variables by score, highest first: each decision takes the free variable that was active most
// recently, and each conflict changes scores. Assigned variables stay in the heap until they come to the top.
// container/heap would call through an interface. Source: N. Eén, N. Sörensson, An Extensible SAT-solver, SAT 2003.

// pushHeap adds a variable that is not in the heap.
func (s *Solver) pushHeap(v uint32) {
	s.place[v] = int32(len(s.heap))
	s.heap = append(s.heap, v)
	s.siftUp(len(s.heap) - 1)
}

// popHeap removes the first variable.
func (s *Solver) popHeap() {
	last := len(s.heap) - 1
	s.place[s.heap[0]] = -1
	v := s.heap[last]
	s.heap = s.heap[:last]
	if last > 0 {
		s.heap[0], s.place[v] = v, 0
		s.siftDown(0)
	}
}

// siftUp moves the variable at index i towards the top, as far as its score says.
func (s *Solver) siftUp(i int) {
	v := s.heap[i]
	score := s.scores[v]
	for i > 0 {
		up := (i - 1) / 2
		w := s.heap[up]
		if s.scores[w] >= score {
			break
		}
		s.heap[i], s.place[w] = w, int32(i)
		i = up
	}
	s.heap[i], s.place[v] = v, int32(i)
}

// siftDown moves the variable at index i away from the top.
func (s *Solver) siftDown(i int) {
	v := s.heap[i]
	score := s.scores[v]
	for {
		down := 2*i + 1
		if down >= len(s.heap) {
			break
		}
		if down+1 < len(s.heap) && s.scores[s.heap[down+1]] > s.scores[s.heap[down]] {
			down++
		}
		w := s.heap[down]
		if score >= s.scores[w] {
			break
		}
		s.heap[i], s.place[w] = w, int32(i)
		i = down
	}
	s.heap[i], s.place[v] = v, int32(i)
}
