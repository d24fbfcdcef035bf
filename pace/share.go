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

// Adapt makes the share a search.Bisecter if the inner Work is one: the nodes on the way to a part take
// their time too.
func (s *Share) Adapt(want any) search.Work {
	if _, bisects := want.(*search.Bisecter); bisects && search.HasCapability[search.Bisecter](s.Work) {
		return parts{s}
	}
	return s.Work
}

// parts is a paced share whose inner Work is a search.Bisecter.
type parts struct{ *Share }

// Bisect replaces the share by a part. The nodes on the way last for their time.
func (p parts) Bisect(k int, part uint64) (expanded, redundant int) {
	inner, _ := search.As[search.Bisecter](p.Work)
	p.pacer.begin()
	expanded, redundant = inner.Bisect(k, part)
	p.pacer.pay(expanded+redundant, p.Work.Empty() || search.Decided(p.Work))
	return expanded, redundant
}

var _ search.Adapter = (*Share)(nil)
