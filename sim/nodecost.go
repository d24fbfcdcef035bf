package sim

import (
	"math/bits"

	"treesplit/comm"
)

// What a node costs depends, on real machines, on how many ranks are at work: they share
// a clock that is slower with more cores in use, and the way to memory. A machine file
// that calibrate wrote has U_calc of a rank alone and of several at once; in between it
// is supposed to grow by the same for each rank, and beyond not at all, since then hosts
// are added, as full as the first. Picoseconds, because a node can take a few
// nanoseconds, of which a whole number would be off by percents.

const picosPerNano = 1000

// NodeCostPicos is U_calc on p ranks, in picoseconds.
func (m Machine) NodeCostPicos(p int) int64 {
	full := int64(m.Expand)*picosPerNano + m.ExpandPico
	if m.AlonePico == 0 || p >= m.Together {
		return full
	}
	return m.AlonePico + int64(float64(full-m.AlonePico)*float64(p-1)/float64(m.Together-1))
}

// TimeOfNodes is the time of n nodes in a run of p ranks.
func (m Machine) TimeOfNodes(n int64, p int) comm.Time { return multiplyPicos(m.NodeCostPicos(p), n) }

// multiplyPicos multiplies a number of picoseconds by n nodes. It rounds down, and no intermediate
// result is larger than the final one or 10^6.
func multiplyPicos(pico, n int64) comm.Time {
	whole, rest := pico/picosPerNano, pico%picosPerNano
	return comm.Time(whole*n + n/picosPerNano*rest + n%picosPerNano*rest/picosPerNano)
}

// ClosingTime is what ends a run of p ranks: collectives, which take a step for each
// doubling of the ranks.
func (m Machine) ClosingTime(p int) comm.Time {
	return m.Closing * comm.Time(bits.Len(uint(p-1)))
}
