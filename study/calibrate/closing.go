package calibrate

import (
	"math/bits"

	"treesplit/comm"
	"treesplit/run"
	"treesplit/search"
	"treesplit/search/model"
	"treesplit/sim"
	"treesplit/spmd"
)

// closings is the number of runs that MeasureClosing makes.
const closings = 31

// MeasureClosing measures the time that a run needs at its end, after the search. It consists of
// sums, and of audits, which compare the messages of every pair of ranks. MeasureClosing runs a
// problem of one node on all ranks and subtracts the time that the simulator predicts for this run
// on the measured machine. Ranks with a pace keep it; nil: none. Every rank must call it. It returns rank 0's Spread, for one doubling of
// the ranks.
func MeasureClosing(t comm.Transport, machine sim.Machine, pace spmd.Pace) (Spread, error) {
	plan := run.Plan{Ranks: t.Size(), Scheme: "rp", Termination: "ring", Topology: "crossbar", Splitting: search.DefaultSplitting, Splits: 0, Pace: pace}
	var one run.Made = func(_ search.Splitting, root bool) search.Work {
		nodes := int64(0)
		if root {
			nodes = 1
		}
		return model.New(nodes, model.Splitting{Alpha: 0.5})
	}
	var samples []float64
	for range closings {
		r, err := run.RunOn(t, plan, one, run.Hooks{}, nil)
		if err != nil {
			return Spread{}, err
		}
		if r != nil {
			samples = append(samples, 1e9*r.Seconds)
		}
	}
	if t.Rank() != 0 {
		return Spread{}, nil
	}
	plan.Pace = nil // the machine has it
	predicted, err := run.RunSimulation(machine, plan, one, run.Hooks{})
	if err != nil {
		return Spread{}, err
	}
	doublings := float64(max(bits.Len(uint(t.Size()-1)), 1))
	for i := range samples {
		samples[i] = max(samples[i]-1e9*predicted.Seconds, 0) / doublings
	}
	return spreadOfSamples(samples), nil
}

// MeasureAll measures all costs, and makes a machine of them on rank 0, as BuildMachine does. Every
// rank must call it.
func MeasureAll(t comm.Transport, problem run.Problem, neighbours string, serve int, o Options) (Measures, sim.Machine, error) {
	found, err := MeasureCosts(t, problem, o)
	if err != nil {
		return found, sim.Machine{}, err
	}
	machine := found.BuildMachine("measured", neighbours, serve)
	if found.Closing, err = MeasureClosing(t, machine, o.Pace); err != nil {
		return found, machine, err
	}
	return found, found.BuildMachine("measured", neighbours, serve), nil
}
