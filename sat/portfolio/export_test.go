package portfolio

// AttemptsBelow returns the attempts of the share below a number.
func (s *Share) AttemptsBelow(most uint64) (all []uint64) {
	if !s.held {
		return nil
	}
	if s.now.Attempt < most {
		all = append(all, s.now.Attempt)
	}
	for l := s.list; !l.isEmpty() && l.next < most; l = l.from(1, 1) {
		all = append(all, l.next)
	}
	return all
}
