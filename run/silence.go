package run

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

// warnOfSilence passes on, to the log of a rank, that it misses another one or hears from it again.
func (h Hooks) warnOfSilence(rank int) func(spmd.Silence, bool) {
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

// noticeSilence is told of the silence of other ranks: it passes it on to the log, and keeps
// for the result how long it was. A rank that is stopped before its part of the search begins
// does not know of it.
func (r *realRank) noticeSilence() func(spmd.Silence, bool) {
	tell := r.hooks.warnOfSilence(r.Rank())
	return func(s spmd.Silence, again bool) {
		tell(s, again)
		if !again {
			return
		}
		if r.own.Missed == nil {
			r.own.Missed = map[int]float64{}
		}
		r.own.Missed[s.Rank] = max(r.own.Missed[s.Rank], toSeconds(s.Time))
	}
}

// joinSilence gives each rank the longest time that it was silent, by itself or as others
// noticed.
func joinSilence(parts []part) {
	for _, p := range parts {
		for rank, span := range p.Missed {
			if rank < len(parts) {
				parts[rank].SilentSeconds = max(parts[rank].SilentSeconds, span)
			}
		}
	}
}

// silentRanks returns the ranks that are silent now.
func silentRanks(now []spmd.Silence) (all []Silence) {
	for _, s := range now {
		all = append(all, Silence{s.Rank, toSeconds(s.Time)})
	}
	return all
}
