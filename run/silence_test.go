package run

import "testing"

// A rank that is stopped before its part of the search begins cannot measure its silence. Other
// ranks measure it.
func TestJoinSilence(t *testing.T) {
	parts := []part{
		{},
		{RankResult: RankResult{Rank: 1, SilentSeconds: 1}, Missed: map[int]float64{0: 2.5}},
		{RankResult: RankResult{Rank: 2}, Missed: map[int]float64{0: 2.25, 1: 0.75, 7: 9}},
	}
	joinSilence(parts)
	for rank, want := range []float64{2.5, 1, 0} {
		if got := parts[rank].SilentSeconds; got != want {
			t.Errorf("rank %d silent for %v s, want %v s", rank, got, want)
		}
	}
}
