package run

import (
	"fmt"

	"treesplit/local"
	"treesplit/sim"
)

// RunSimulation runs the search on a simulated machine, in virtual time. Requesters pause after
// refusals only if the machine file sets pauses. The machines of the papers have one processor
// per rank and set none.
func RunSimulation(machine sim.Machine, p Plan, w Workload, h Hooks) (*Result, error) {
	if p.Quantum > 0 {
		machine.Quantum = p.Quantum
	}
	if p.Serve > 0 {
		machine.Serve = p.Serve
	}
	if err := machine.CheckFields(); err != nil {
		return nil, InputError{err}
	}
	if err := errEmulated(p, false, "a simulated machine has its own times of nodes and messages: expected no --machine"); err != nil {
		return nil, err
	}
	own, err := openProcess(&p, w, h, 1, func(problem Problem) Problem {
		if s, ok := problem.(Settled); ok {
			problem = s.OnMachine(machine)
		}
		if protocol, ok := problem.(Protocol); ok {
			p.Scheme, p.Termination = protocol.Names()
			machine.Work = sim.WorkSize{} // its messages are not pieces of a tree
		}
		return problem
	})
	if err != nil {
		return nil, err
	}
	defer own.closeProcess()
	if machine.Work.Rule == sim.Sqrt {
		return nil, InputError{fmt.Errorf("machine %s: work-bytes: %v: expected a number of bytes or actual: a search does not know the number of nodes of a piece", machine.Name, machine.Work)}
	}
	h = own.hooks
	h.meter = newProgressMeter(h.Progress)
	saver := newCheckpointSaver(p, own.problem, own.from, 0)
	e := engine{
		peers: local.New(1)[0], ranks: newSimRanks(machine, p, h, saver),
		plan: p, hooks: h, logs: own.logs, saver: saver,
	}
	res, err := e.runAllSteps(own.problem, own.from, 0)
	if err != nil {
		return nil, err
	}
	res.World, res.Machine = "sim", machine.Name
	conclude(own.logs, w, res, h)
	return res, nil
}
