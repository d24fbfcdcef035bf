package sim

import (
	"cmp"
	"fmt"
	"math"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/topology"
)

// Machine is a simulated machine: a network and the costs of operations on it. The zero value is
// not a machine; start from one of Builtin or a machine file.
type Machine struct {
	Name     string
	Topology string // one of topology.NetworkNames
	// Contention defines whether messages wait for the links of the network.
	Contention Contention

	Expand  comm.Time // U_calc: the time to expand a node
	Poll    comm.Time // a Busy rank's poll, once per quantum
	Startup comm.Time // t_s, charged to the sender of a message
	Receive comm.Time // charged to the receiver of a message
	PerWord comm.Time // t_w: the time of a 4-byte word into the network
	PerHop  comm.Time // t_h: the time of a message on one link

	// These fields also belong to measured machines (package calibrate); the papers use none of
	// them. NodeCostPicos computes U_calc from the first three.
	ExpandPico int64     // the part of U_calc beyond Expand, in picoseconds: 0 to 999
	AlonePico  int64     // U_calc of a rank alone, in picoseconds; 0: the same as together
	Together   int       // ranks at work at once when Expand was measured; 0 if AlonePico is 0
	Split      comm.Time // charged to the sender of a piece, besides Startup
	Accept     comm.Time // charged to the receiver of a piece, besides Receive
	Rest       comm.Time // the shortest back-off of a requester that all have refused (package lb), as real ranks have it; 0: none
	Neighbours string    // the network whose neighbours schemes use; "": Topology
	Closing    comm.Time // the time to end a run after all ranks know of the end, for each doubling of the ranks

	HeaderWords int // words of a message besides its body

	Quantum int // nodes that a Busy rank expands between two polls; at least 1
	Serve   int // messages that a Busy rank answers at a poll; at least 1

	// Work defines the number of bytes for which the body of a work message counts.
	Work WorkSize
}

// WorkSize is the size of a piece on a simulated machine, independent of the size of its encoding.
// The zero value is the size of the encoding.
type WorkSize struct {
	Rule WorkRule
	// Bytes is the size of a body under Fixed, and the factor of √w under Sqrt.
	Bytes int64
}

// WorkRule is a rule for the size of a work message.
type WorkRule uint8

const (
	// Actual: the number of bytes of the piece.
	Actual WorkRule = iota
	// Fixed: the same for every piece. The nCUBE/2 runs of Kumar et al. count about
	// 500 bytes (section 5.3.6).
	Fixed
	// Sqrt: a factor times √w, where w is the number of nodes of the piece (Kumar et al., section
	// 7); needs Options.LeftIn.
	Sqrt
)

// bodyBytes returns the size of the body of a message that carries a piece.
func (s WorkSize) bodyBytes(piece []byte, leftIn func([]byte) int64) int64 {
	switch {
	case piece == nil:
		return 0
	case s.Rule == Fixed:
		return s.Bytes
	case s.Rule == Sqrt:
		// Both the square root and the product of two doubles are correctly rounded, so that the
		// result is the same on every machine.
		return int64(math.Ceil(float64(s.Bytes) * math.Sqrt(float64(leftIn(piece)))))
	}
	return int64(len(piece))
}

// String returns the rule in the form of a machine file.
func (s WorkSize) String() string {
	switch s.Rule {
	case Fixed:
		return fmt.Sprint(s.Bytes)
	case Sqrt:
		return fmt.Sprintf("%d*sqrt", s.Bytes)
	}
	return "actual"
}

// SchemeNetwork returns the network over p ranks that defines for schemes which ranks are
// neighbours.
func (m Machine) SchemeNetwork(p int) (topology.Topology, error) {
	return topology.Parse(cmp.Or(m.Neighbours, m.Topology), p)
}

// PhaseLength returns the default length of the phases of poll and shuffle. If requesters back off, as
// real ranks do, the ranks of the machine stand for real ranks and have their phases. Otherwise the
// phases suit the costs of messages.
func (m Machine) PhaseLength() comm.Time {
	if m.Rest > 0 {
		return lb.RealPhase(m.Startup + m.Receive)
	}
	return lb.SuitedPhase(m.Startup + m.Receive)
}

// CheckFields returns an error if the machine cannot be simulated. The error names the field as a
// machine file does.
func (m Machine) CheckFields() error {
	if _, err := topology.Parse(m.Topology, 1); err != nil {
		return fmt.Errorf("topology: %w", err)
	}
	if _, err := m.SchemeNetwork(1); err != nil {
		return fmt.Errorf("neighbours: %w", err)
	}
	if err := m.checkContention(); err != nil {
		return fmt.Errorf("contention: %w", err)
	}
	for _, c := range []struct {
		field       string
		value       int64
		least, most int64
	}{
		{"expand", int64(m.Expand), 1, maxCost},
		{"poll", int64(m.Poll), 0, maxCost},
		{"startup", int64(m.Startup), 0, maxCost},
		{"receive", int64(m.Receive), 0, maxCost},
		{"per-word", int64(m.PerWord), 0, maxCost},
		{"per-hop", int64(m.PerHop), 0, maxCost},
		{"header-words", int64(m.HeaderWords), 0, 1 << 20},
		{"quantum", int64(m.Quantum), 1, 1 << 24},
		{"serve", int64(m.Serve), 1, 1 << 24},
		{"work-bytes", m.Work.Bytes, 0, 1 << 30},
		{"expand", m.ExpandPico, 0, 999},
		{"expand-alone", m.AlonePico, 0, 1000 * maxCost},
		{"together", int64(m.Together), 0, MaxRanks},
		{"split", int64(m.Split), 0, maxCost},
		{"accept", int64(m.Accept), 0, maxCost},
		{"rest", int64(m.Rest), 0, maxCost},
		{"closing", int64(m.Closing), 0, maxCost},
	} {
		if c.value < c.least || c.value > c.most {
			return fmt.Errorf("%s: %d is not within %d to %d", c.field, c.value, c.least, c.most)
		}
	}
	if node := max(m.Expand, comm.Time(m.AlonePico/picosPerNano)); float64(m.Quantum)*float64(node) > float64(maxSpan) {
		return fmt.Errorf("quantum: %d nodes of %v take more than %v", m.Quantum, node.Duration(), maxSpan.Duration())
	}
	return nil
}

// maxCost limits a cost to 1000 s, and maxSpan limits the time of a quantum and of a message to 10^6 s, so that
// sums of times stay far from overflow.
const (
	maxCost           = 1e12
	maxSpan comm.Time = 1e15
)

// mostBytes returns the length of the longest message on this machine.
func (m *Machine) mostBytes() int64 {
	return min(math.MaxInt32, 4*int64(maxSpan)/max(int64(m.PerWord), 1))
}
