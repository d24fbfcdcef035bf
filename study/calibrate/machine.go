package calibrate

import (
	"fmt"
	"math"
	"strings"

	"treesplit/comm"
	"treesplit/run"
	"treesplit/sim"
	"treesplit/spmd"
)

// BuildMachine returns a machine with the measured costs. Its network is a crossbar, and its
// latency is the whole transit time of a message, as through a switch: the time that all measured
// messages had in common, without distances. serve is the number of messages that a busy rank
// answers at a poll; 0: spmd's. Schemes use the neighbours of the network neighbours, as in real
// runs, in which schemes do not know the physical network.
func (m *Measures) BuildMachine(name, neighbours string, serve int) sim.Machine {
	expand := picosPerNode(m.Together.Median)
	way := m.Latency.Median - m.Startup.Median - m.Receive.Median
	machine := sim.Machine{
		Name: name, Topology: "crossbar", Neighbours: neighbours,
		Expand: comm.Time(expand / 1000), ExpandPico: expand % 1000, AlonePico: picosPerNode(m.Alone.Median), Together: m.Ranks,
		Poll: roundNanos(m.Poll), Startup: roundNanos(m.Startup), Receive: roundNanos(m.Receive),
		PerWord: comm.Time(math.Round(max(4*m.Byte.Median, 0))), PerHop: comm.Time(math.Round(max(way, 0))),
		Quantum: int(min(max(float64(m.QuantumTime)/max(m.Together.Median, 1), 1), maxQuantum)),
		Serve:   spmd.DefaultServe,
		Split:   roundNanos(m.Split), Accept: roundNanos(m.Accept), Rest: run.Rest, Closing: roundNanos(m.Closing),
	}
	if serve > 0 {
		machine.Serve = serve
	}
	if m.Bytes.N > 0 {
		machine.Work = sim.WorkSize{Rule: sim.Fixed, Bytes: int64(math.Round(m.Bytes.Median))}
	}
	return machine
}

// roundNanos returns a cost in whole nanoseconds, or 0 for a cost below zero.
func roundNanos(s Spread) comm.Time { return comm.Time(math.Round(max(s.Median, 0))) }

// picosPerNode returns a node's time in picoseconds, at least one nanosecond, which is the
// simulator's least.
func picosPerNode(nanos float64) int64 { return int64(math.Round(max(nanos, 1) * 1000)) }

// MachineFile returns a machine file with the measured costs and their spread in comments. about
// holds the lines of the comment at its top, without the comment sign.
func (m *Measures) MachineFile(machine sim.Machine, about []string) []byte {
	var b strings.Builder
	for _, line := range about {
		fmt.Fprintf(&b, "# %s\n", strings.ReplaceAll(line, "\n", " "))
	}
	notes := map[string]string{
		"expand":       describeSpread("U_calc, all ranks at work", m.Together),
		"expand-alone": describeSpread("U_calc, one rank at work", m.Alone),
		"together":     "ranks at work at once",
		"poll":         describeSpread("a poll that finds no message", m.Poll),
		"startup":      describeSpread("the time for which sending occupies a rank", m.Startup),
		"receive":      describeSpread("the time for which receiving occupies a rank", m.Receive),
		"per-word":     describeSpread("t_w, measured per byte", m.Byte),
		"per-hop":      describeSpread("the rest of the time of a message; t_s", m.Latency),
		"quantum":      fmt.Sprintf("nodes in %v", m.QuantumTime.Duration()),
		"work-bytes":   describeSpread("a piece", m.Bytes),
		"split":        describeSpread("the donor's work for a piece", m.Split),
		"accept":       describeSpread("the receiver's work for a piece", m.Accept),
		"closing":      describeSpread("audits and sums at the end, for each doubling of ranks", m.Closing),
	}
	for _, f := range machine.FileFields() {
		line := f.Name + ": " + f.Value
		if note := notes[f.Name]; note != "" {
			line = fmt.Sprintf("%-24s # %s", line, note)
		}
		b.WriteString(line + "\n")
	}
	return []byte(b.String())
}

// describeSpread describes a figure.
func describeSpread(what string, s Spread) string {
	if s.N == 0 {
		return what + ": not measured"
	}
	return fmt.Sprintf("%s: %.4g, quartiles %.4g to %.4g, %d samples", what, s.Median, s.Low, s.High, s.N)
}
