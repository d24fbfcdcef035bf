package sim

// heap is a 4-ary heap of events. It is half as deep as a binary heap, and a node's children are
// adjacent in memory.
type heap []event

func (h *heap) pushEvent(order *causes, e event) {
	s := append(*h, e)
	i := len(s) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !order.comesBefore(&e, &s[up]) {
			break
		}
		s[i] = s[up]
		i = up
	}
	s[i] = e
	*h = s
}

func (h *heap) popEarliest(order *causes) event {
	s := *h
	top, n := s[0], len(s)-1
	last := s[n]
	s = s[:n]
	*h = s
	if n == 0 {
		return top
	}
	i := 0
	for {
		least := 4*i + 1
		if least >= n {
			break
		}
		for c := least + 1; c < min(4*i+5, n); c++ {
			if order.comesBefore(&s[c], &s[least]) {
				least = c
			}
		}
		if !order.comesBefore(&s[least], &last) {
			break
		}
		s[i] = s[least]
		i = least
	}
	s[i] = last
	return top
}
