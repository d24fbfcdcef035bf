package reproduce

import (
	"fmt"
	"time"

	"treesplit/comm"
	"treesplit/search"
	"treesplit/sim"
)

// Knobs are what the papers leave open of their machine, program and instances.
// Fit chooses them by the RP column of table 3 and by table 4 alone; what guided
// the choice of its starting point besides is in docs/calibration.md.
type Knobs struct {
	UCalc, Poll, Receive time.Duration // U_calc; the cost of a poll; the cost of receiving a message
	HeaderWords          int           // words of a control message
	Quantum              int           // nodes between polls
	Rule                 search.Rule
	MinOpen              int           // "too little work" below so many open alternatives
	Delay                time.Duration // δ of GRR-M
	Instances            []Instance
}

// Fitted are the knobs that Fit came to.
var Fitted = Knobs{
	UCalc: 105 * time.Microsecond, Poll: 7 * time.Microsecond, Receive: 20 * time.Microsecond,
	HeaderWords: 1, Quantum: 1, Rule: search.Bottom, MinOpen: 12, Delay: 2100 * time.Microsecond,
	Instances: []Instance{{58, 5, 2}, {60, 5, 5}, {58, 5, 8}, {62, 5, 7}, {65, 5, 2}},
}

// ncube2Machine is the nCUBE/2, whose t_s, t_w and t_h are printed, with the knobs.
func (k Knobs) ncube2Machine() (sim.Machine, error) { return k.machineNamed("ncube2") }

// machineNamed is a machine by name with the knobs.
func (k Knobs) machineNamed(name string) (sim.Machine, error) {
	m, err := sim.FindMachine(name)
	m.Expand, m.Poll, m.Receive = comm.Time(k.UCalc), comm.Time(k.Poll), comm.Time(k.Receive)
	m.HeaderWords, m.Quantum = k.HeaderWords, k.Quantum
	return m, err
}

// schemeCells are the runs of a scheme on p ranks, one for each instance.
func (k Knobs) schemeCells(m sim.Machine, scheme string, p int) []Cell {
	cells := make([]Cell, len(k.Instances))
	for i, instance := range k.Instances {
		cells[i] = Cell{
			Instance: instance, Machine: m, P: p, Scheme: scheme, Termination: "tree", Seed: 1,
			Delay: k.Delay, Splitting: search.Splitting{Rule: k.Rule, MinOpen: k.MinOpen},
		}
	}
	return cells
}

// String lists the knobs.
func (k Knobs) String() string {
	return fmt.Sprintf("U_calc %v, poll %v, receive %v, header %d words, quantum %d, split %v, min-split %d, delay %v",
		k.UCalc, k.Poll, k.Receive, k.HeaderWords, k.Quantum, k.Rule, k.MinOpen, k.Delay)
}

// Average is the outcome of a scheme on p ranks over all instances. Its speedup is
// the paper's: cumulative sequential over cumulative parallel time.
type Average struct {
	Outcome
	runs int
}

// averageOutcomes joins outcomes.
func averageOutcomes(outcomes []Outcome) Average {
	a := Average{runs: len(outcomes)}
	for _, o := range outcomes {
		a.Nodes += o.Nodes
		a.Again += o.Again
		a.T1 += o.T1
		a.TP += o.TP
		a.Requests += o.Requests
		a.Grants += o.Grants
		a.Messages += o.Messages
		a.Moves += o.Moves
		a.Events += o.Events
	}
	return a
}

// MeanRequests is the number of work requests of a run.
func (a Average) MeanRequests() float64 { return float64(a.Requests) / float64(a.runs) }
