package sim

import (
	"math"
	"math/bits"

	"treesplit/comm"
)

// On real machines the time of a node depends on the number of ranks at work, because ranks share
// the way to memory and a clock that is slower if more cores are in use. A machine file that
// calibrate wrote has U_calc of a rank alone and of several ranks at once. Between the two, U_calc
// is assumed to grow by the same amount for each rank. Beyond them it is assumed constant, because
// further ranks are on further hosts, which are as full as the first. The unit is picoseconds,
// because a node can take a few nanoseconds and rounding to a whole number would cause an error of
// several percent.

const picosPerNano = 1000

// NodeCostPicos returns U_calc on p ranks, in picoseconds.
func (m Machine) NodeCostPicos(p int) int64 {
	full := int64(m.Expand)*picosPerNano + m.ExpandPico
	if m.AlonePico == 0 || p >= m.Together {
		return full
	}
	return m.AlonePico + int64(float64(full-m.AlonePico)*float64(p-1)/float64(m.Together-1))
}

// ScaleNodes returns the machine with the time of a node multiplied by a positive factor, alone and
// together with others. A time that would be too short or too long for a valid machine becomes the
// shortest or the longest valid time.
func (m Machine) ScaleNodes(factor float64) Machine {
	if factor == 1 {
		return m
	}
	scale := func(pico int64) int64 {
		return min(int64(math.Round(float64(pico)*factor)), maxCost*picosPerNano)
	}
	longest := int64(maxSpan) / int64(max(m.Quantum, 1)) * picosPerNano // so that a quantum is not too long
	full := min(max(scale(int64(m.Expand)*picosPerNano+m.ExpandPico), picosPerNano), longest)
	m.Expand, m.ExpandPico = comm.Time(full/picosPerNano), full%picosPerNano
	if m.AlonePico > 0 {
		m.AlonePico = min(max(scale(m.AlonePico), 1), longest)
	}
	return m
}

// DivideNodes returns the machine for a tree in which each node is divided into parts ≥ 1: the time of a node is
// divided by parts, and a quantum has parts times as many nodes.
func (m Machine) DivideNodes(parts int) Machine {
	m.Quantum = max(m.Quantum, 1) * parts
	return m.ScaleNodes(1 / float64(parts))
}

// TimeOfNodes returns the time of n nodes in a run of p ranks.
func (m Machine) TimeOfNodes(n int64, p int) comm.Time { return multiplyPicos(m.NodeCostPicos(p), n) }

// multiplyPicos multiplies a number of picoseconds by n nodes. It rounds down, and no intermediate
// result is larger than the final one or 10^6.
func multiplyPicos(pico, n int64) comm.Time {
	whole, rest := pico/picosPerNano, pico%picosPerNano
	return comm.Time(whole*n + n/picosPerNano*rest + n%picosPerNano*rest/picosPerNano)
}

// ClosingTime returns the time of the last stage of a run of p ranks: collectives, which take one
// step for each doubling of the ranks.
func (m Machine) ClosingTime(p int) comm.Time {
	return m.Closing * comm.Time(bits.Len(uint(p-1)))
}
