package chaos

// Summary sums up the counts of several runs.
type Summary struct {
	Runs       int            `json:"runs"`
	Nodes      int64          `json:"nodes"`
	Events     int64          `json:"events"`
	MostEvents int64          `json:"mostEvents"` // the largest number of events of a run
	Segments   int            `json:"legs"`
	Pieces     int            `json:"pieces"`  // pieces with which segments began
	Encoded    int            `json:"encoded"` // number of times that pieces were encoded as a checkpoint
	Decided    int            `json:"decided"` // runs that a witness has ended
	Pairs      map[string]int `json:"pairs"`   // segments by scheme and detector
}

// AddOutcome adds the outcome of a run.
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
