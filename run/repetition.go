package run

import (
	"treesplit/comm"
	"treesplit/search"
)

// After a checkpoint some shares expand nodes again before they continue (search.Settler). If
// checkpoints are due more often than such a repetition takes, its share makes no progress. So the
// time to the next checkpoint depends on the repetitions.

// longestRepetition bounds the time that the longest repetition alone adds. Otherwise one rank could
// delay the checkpoints of all ranks for hours, and a failure would then cost all ranks these hours.
const longestRepetition comm.Time = 600 * 1e9

// repeater is a share that knows the number of nodes that it, or the receiver of its piece, expands
// again if it is packed now.
type repeater interface{ NodesToRepeat() int64 }

// repetitionTime returns about how long ranks repeat nodes if the search is saved now: the mean of the
// shares with nodes, or the longest time up to a bound, if that is longer. With the mean, some share
// makes progress between any two checkpoints: if a few have longer repetitions than the bound, they
// continue when the other shares are empty. All engines get the same result. They must call it before
// the pieces are taken out.
func (e *engine) repetitionTime(work *shareSet) (comm.Time, error) {
	done := e.ranks.counted()
	perNode := done.WorkSeconds * 1e9 / float64(max(done.Expanded+done.Redundant, 1))
	sums, longest := []int64{0, 0}, []int64{0}
	work.Each(func(w search.Work) {
		r, ok := w.(repeater)
		if !ok || w.Empty() {
			return
		}
		t := int64(perNode * float64(r.NodesToRepeat()))
		sums[0], sums[1], longest[0] = sums[0]+t, sums[1]+1, max(longest[0], t)
	})
	if err := e.peers.Sum(sums); err != nil {
		return 0, err
	}
	if err := e.peers.Max(longest); err != nil {
		return 0, err
	}
	mean := comm.Time(sums[0] / max(sums[1], 1))
	return max(mean, min(comm.Time(longest[0]), longestRepetition)), nil
}

// noteRepetition notes about how long ranks repeat nodes after the checkpoint that begins now. expanded
// is the number of nodes that all ranks have expanded in this run. If it has not grown since the last checkpoint,
// the repetition has taken all the time since then, whatever was expected.
func (s *saver) noteRepetition(t, now comm.Time, expanded int64) {
	if expanded == s.expanded {
		t = max(t, now-s.since)
	}
	s.repetition, s.expanded = t, expanded
}

// interval returns the time from the moment at which the search resumes to the next checkpoint, if
// checkpoints are requested every so often.
func (s *saver) interval(every comm.Time) comm.Time {
	return s.repetition + max(every, getOn*(s.took+s.repetition))
}
