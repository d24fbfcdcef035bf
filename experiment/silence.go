package experiment

import (
	"fmt"
	"time"

	"treesplit/spmd"
)

// Silence is a rank that was not heard from for longer than Plan.Stall: its process was
// stopped, got no processor, or expanded a long node.
type Silence struct {
	Rank    int     `json:"rank"`
	Seconds float64 `json:"seconds"`
}

// String names the rank and the time.
func (s Silence) String() string {
	return fmt.Sprintf("rank %d silent for %.1f s", s.Rank, s.Seconds)
}

// silent passes on, to the log of a rank, that it misses another one or hears from it again.
func (h Hooks) silent(rank int) func(spmd.Silence, bool) {
	return func(s spmd.Silence, again bool) {
		if h.Warn == nil {
			return
		}
		span := s.Time.Duration().Round(100 * time.Millisecond)
		if again {
			h.Warn(rank, fmt.Sprintf("rank %d is heard from again after %v", s.Rank, span))
		} else {
			h.Warn(rank, fmt.Sprintf("rank %d has not been heard from for %v", s.Rank, span))
		}
	}
}

// silences are those of ranks at the moment.
func silences(now []spmd.Silence) (all []Silence) {
	for _, s := range now {
		all = append(all, Silence{s.Rank, seconds(s.Time)})
	}
	return all
}
