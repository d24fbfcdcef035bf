package lab

import (
	"cmp"
	"fmt"
	"time"

	"treesplit/comm"
	"treesplit/search"
	"treesplit/sim"
)

// Knobs are the properties of machine, program and instances that the papers do not print.
// docs/calibration.md describes how Fitted was chosen. kumar.FitStructures fits others.
type Knobs struct {
	UCalc, Poll, Receive time.Duration // U_calc; the cost of a poll; the cost of receiving a message
	HeaderWords          int           // words of a control message
	Quantum              int           // nodes between polls
	Rule                 search.Rule
	MinOpen              int           // a share with fewer open alternatives has "too little work"
	Delay                time.Duration // δ of GRR-M
	Serve                int           // messages that a busy rank answers at a poll; 0: the machine's number
	Rebuild              time.Duration // the cost of building the state of a piece that has arrived
	GiveAbove            int           // a share gives only alternatives above this depth; 0: of any depth
	Instances            []Instance
}

// Fitted are the knobs of the simulated nCUBE/2.
var Fitted = Knobs{
	UCalc: 105 * time.Microsecond, Poll: 7 * time.Microsecond, Receive: 20 * time.Microsecond,
	HeaderWords: 1, Quantum: 1, Rule: search.Bottom, MinOpen: 12, Delay: 2100 * time.Microsecond,
	Instances: []Instance{{Variables: 58, Ratio: 5, Seed: 2}, {Variables: 60, Ratio: 5, Seed: 5}, {Variables: 58, Ratio: 5, Seed: 8}, {Variables: 62, Ratio: 5, Seed: 7}, {Variables: 65, Ratio: 5, Seed: 2}},
}

// GrowingBytes is the factor of √w in the bytes of a work message of w nodes, for messages that
// grow with the work (Kumar et al., section 7).
const GrowingBytes = 1000

// NCube2Machine returns the nCUBE/2, whose t_s, t_w and t_h Kumar et al. print, with the knobs.
func (k Knobs) NCube2Machine() (sim.Machine, error) { return k.MachineNamed("ncube2") }

// MachineNamed returns the machine of a name that sim.FindMachine knows, with the knobs.
func (k Knobs) MachineNamed(name string) (sim.Machine, error) {
	m, err := sim.FindMachine(name)
	m.Expand, m.Poll, m.Receive = comm.Time(k.UCalc), comm.Time(k.Poll), comm.Time(k.Receive)
	m.HeaderWords, m.Quantum, m.Accept = k.HeaderWords, k.Quantum, comm.Time(k.Rebuild)
	m.Serve = cmp.Or(k.Serve, m.Serve)
	return m, err
}

// SchemeCells returns the runs of a scheme on p ranks, one for each instance.
func (k Knobs) SchemeCells(m sim.Machine, scheme string, p int) []Cell {
	cells := make([]Cell, len(k.Instances))
	for i, instance := range k.Instances {
		cells[i] = Cell{
			Instance: instance, Machine: m, P: p, Scheme: scheme, Termination: "tree", Seed: 1,
			Delay: k.Delay, Splitting: search.Splitting{Rule: k.Rule, MinOpen: k.MinOpen, Cutoff: k.GiveAbove},
		}
	}
	return cells
}

// String lists the knobs.
func (k Knobs) String() string {
	s := fmt.Sprintf("U_calc %v, poll %v, receive %v, header %d words, quantum %d, split %v, min-split %d, delay %v",
		k.UCalc, k.Poll, k.Receive, k.HeaderWords, k.Quantum, k.Rule, k.MinOpen, k.Delay)
	if k.Serve > 0 {
		s += fmt.Sprintf(", serve %d", k.Serve)
	}
	if k.Rebuild > 0 {
		s += fmt.Sprintf(", rebuild %v", k.Rebuild)
	}
	if k.GiveAbove > 0 {
		s += fmt.Sprintf(", cutoff %d", k.GiveAbove)
	}
	return s
}
