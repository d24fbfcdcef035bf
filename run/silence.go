package run

import (
	"fmt"
	"time"

	"treesplit/spmd"
)

// Silence is a rank whose last message is older than Plan.Stall. Its process was stopped, got no
// processor, or expanded a long node.
type Silence struct {
	Rank    int     `json:"rank"`
	Seconds float64 `json:"seconds"`
}

// String names the rank and the time.
func (s Silence) String() string {
	return fmt.Sprintf("rank %d silent for %.1f s", s.Rank, s.Seconds)
}

// warnOfSilence returns a function that warns that a rank is silent, or that a silent rank has
// sent a message again.
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

// noticeSilence returns the function that package spmd calls when another rank becomes silent. It
// warns the user and keeps the length of the silence for the result. A rank that is stopped
// before its part of the search begins cannot measure its own silence.
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

// joinSilence gives each rank the longest time of its silence, measured by the rank itself or by
// other ranks.
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
