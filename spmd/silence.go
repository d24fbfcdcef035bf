package spmd

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"treesplit/comm"
)

// A rank can be stopped: by SIGSTOP, or because its machine swaps or was suspended. It then sends
// nothing, while the others may work for hours until they need it. Rank 0 notices the missing
// Beats. If rank 0 itself is stopped, the other ranks notice its missing Pulses. All ranks then
// send their Beats to rank 1, which sends Pulses instead of rank 0, so that the run continues as
// long as some rank moves. If rank 1 is silent as well, ranks without work end the run after Stall.

// Silence is a rank from which no message has arrived for some time.
type Silence struct {
	Rank int
	Time comm.Time
}

// silence is a rank's knowledge of the silence of other ranks. Rank 0 observes all ranks. The other
// ranks observe rank 0, and learn of another silent rank from the last Pulse.
type silence struct {
	stall comm.Time
	heard []comm.Time // when the last message of each rank, or of rank 0 alone, arrived
	named []bool      // ranks that a warning has named
	told  int64       // 1 + the silent rank that the last Pulse named; or 0
}

// deputy is the rank that sends Pulses instead of a silent rank 0.
const deputy = 1

func (s *silence) beginTracking(d *driver, now comm.Time) {
	watched := 1
	s.stall = d.config.Stall
	if d.Rank() == 0 {
		watched = d.Size()
	}
	s.heard, s.named = slices.Repeat([]comm.Time{now}, watched), make([]bool, watched)
}

// addAbsence adds the time for which this rank itself was away.
func (s *silence) addAbsence(away comm.Time) {
	for i := range s.heard {
		s.heard[i] += away
	}
}

// noteHeard notes that a Beat or a Pulse has arrived.
func (s *silence) noteHeard(d *driver, m comm.Message, now comm.Time) {
	if m.Kind == comm.Pulse {
		s.told = m.Arg
	}
	if int(m.From) >= len(s.heard) {
		return
	}
	if s.named[m.From] {
		s.named[m.From] = false
		d.config.Silent(Silence{int(m.From), now - s.heard[m.From]}, true)
	}
	s.heard[m.From] = now
}

// coordinator returns the rank that receives Beats and sends Pulses.
func (s *silence) coordinator(d *driver, now comm.Time) int {
	if d.Rank() > 0 && s.isSuspected(now, 0) {
		return deputy
	}
	return 0
}

// isSuspected reports whether half of the heartbeats of a rank are missing.
func (s *silence) isSuspected(now comm.Time, rank int) bool {
	return s.stall > 0 && now-s.heard[rank] > s.stall/2
}

// warnOfSilence warns the user of every rank that was silent for Stall. If rank 0 is silent, only
// ranks 1, 2, 4, 8, … print a warning, so that there are fewer lines than ranks.
func (s *silence) warnOfSilence(d *driver, now comm.Time) {
	if s.stall == 0 || d.config.Silent == nil || d.Rank() > 0 && bits.OnesCount(uint(d.Rank())) > 1 {
		return
	}
	for r, at := range s.heard {
		if r != d.Rank() && !s.named[r] && now-at > s.stall {
			s.named[r] = true
			d.config.Silent(Silence{r, now - at}, false)
		}
	}
}

// warnedRanks returns the silent ranks that a warning has named.
func (s *silence) warnedRanks(now comm.Time) (all []Silence) {
	for r, named := range s.named {
		if named {
			all = append(all, Silence{r, now - s.heard[r]})
		}
	}
	return all
}

// longestSilent returns 1 + the suspected rank that was silent for longest, or 0.
func (s *silence) longestSilent(d *driver, now comm.Time) int64 {
	who := -1
	for r, at := range s.heard {
		if r != d.Rank() && s.isSuspected(now, r) && (who < 0 || at < s.heard[who]) {
			who = r
		}
	}
	return int64(who + 1)
}

// describeSuspects returns the names of ranks that may be the reason why no rank moves.
func (s *silence) describeSuspects(d *driver, now comm.Time) string {
	var names []string
	for r, at := range s.heard {
		if r != d.Rank() && s.isSuspected(now, r) {
			names = append(names, fmt.Sprintf("; rank %d has not been heard from for %v", r, roundToMilliseconds(now-at)))
		}
	}
	if names == nil && s.told > 0 && s.told != int64(d.Rank())+1 {
		names = append(names, fmt.Sprintf("; rank %d has not been heard from", s.told-1))
	}
	return strings.Join(names[:min(len(names), 8)], "")
}
