package parallel

// work lets a worker check or pass items until the end.
func (s *Sequence[T]) work(number int, w Worker[T]) {
	defer s.retire(number)
	for number == 0 || w.Stays(number+1) {
		at, check := s.takeItem(number)
		if at == never {
			return
		}
		if !s.useItem(at, check, w) {
			return
		}
	}
}

// useItem lets a worker check or pass an item that it has taken.
func (s *Sequence[T]) useItem(at int, check bool, w Worker[T]) (more bool) {
	item := s.itemAt(at)
	if !check {
		return w.Pass(item)
	}
	more = w.Check(item)
	s.joinResults(at)
	return more
}

// itemAt returns the item of a number.
func (s *Sequence[T]) itemAt(at int) *T {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.items[at-s.first].item
}

// takeItem returns the number of the next item for a worker, which has finished its last one, and
// whether the worker checks it; never at the end.
func (s *Sequence[T]) takeItem(w int) (at int, check bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free[w] = s.next[w]
	s.dropItems()
	for !s.stopped && !s.ended && s.next[w] == s.first+len(s.items) {
		s.changed.Wait()
	}
	at = s.next[w]
	if s.stopped || at == s.first+len(s.items) {
		return never, false
	}
	e := &s.items[at-s.first]
	check = !e.claimed
	e.claimed = true
	s.next[w]++
	return at, check
}

// joinResults joins the result of an item, and of later ones that have waited for it.
func (s *Sequence[T]) joinResults(at int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items[at-s.first].checked = true
	for !s.stopped && s.joined < s.first+len(s.items) && s.items[s.joined-s.first].checked {
		s.stopped = !s.join(s.items[s.joined-s.first].item)
		s.joined++
	}
	s.dropItems()
	s.changed.Broadcast()
}

// dropItems drops the items that every worker has finished and whose results are joined. After the
// end the items stay.
func (s *Sequence[T]) dropItems() {
	for !s.stopped && s.first < s.joined && s.isFinished(s.first) {
		s.size -= s.items[0].size
		s.spare = append(s.spare, s.items[0].item)
		s.items = s.items[1:]
		s.first++
		s.changed.Broadcast()
	}
}

// isFinished reports whether every worker has finished an item.
func (s *Sequence[T]) isFinished(at int) bool {
	for _, n := range s.free {
		if n <= at {
			return false
		}
	}
	return true
}

// retire notes that a worker takes no further item.
func (s *Sequence[T]) retire(w int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next[w], s.free[w] = never, never
	s.dropItems()
}

// endItems notes that no item will be added.
func (s *Sequence[T]) endItems() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.changed.Broadcast()
}
