package chaos

// Summary is what runs were and did together.
type Summary struct {
	Runs       int            `json:"runs"`
	Nodes      int64          `json:"nodes"`
	Events     int64          `json:"events"`
	MostEvents int64          `json:"mostEvents"` // of a run
	Segments   int            `json:"legs"`
	Pieces     int            `json:"pieces"`  // that segments went on from
	Encoded    int            `json:"encoded"` // times that they went through a checkpoint's bytes
	Decided    int            `json:"decided"` // runs that a witness ended
	Pairs      map[string]int `json:"pairs"`   // segments by scheme and detector
}

// AddOutcome adds a run.
func (s *Summary) AddOutcome(o Outcome) {
	s.Runs++
	s.Nodes += o.Nodes
	s.Events += o.Events
	s.MostEvents = max(s.MostEvents, o.Events)
	s.Segments += o.Segments
	s.Pieces += o.Pieces
	s.Encoded += o.Encoded
	if o.Decided {
		s.Decided++
	}
	if s.Pairs == nil {
		s.Pairs = map[string]int{}
	}
	for i, scheme := range o.Schemes {
		s.Pairs[scheme+" "+o.Detectors[i]]++
	}
}
