package pace

import "treesplit/search"

// Share is a search.Wrapper whose nodes take the time of an emulated processor. The wait is part of
// Expand, so that messages which a rank sends after its nodes leave it when a processor of that speed
// would have sent them. Messages that arrive meanwhile are answered at the next poll.
type Share struct {
	search.Work
	pacer *Pacer
}

// NewShare returns a share whose nodes are paced.
func NewShare(w search.Work, p *Pacer) *Share { return &Share{w, p} }

// Expand expands up to limit nodes in their time.
func (s *Share) Expand(limit int) (expanded int) {
	s.pacer.begin()
	n := s.Work.Expand(limit)
	s.pacer.pay(n, s.Work.Empty() || search.Decided(s.Work))
	return n
}

// Unwrap returns the share without pace.
func (s *Share) Unwrap() search.Work { return s.Work }
