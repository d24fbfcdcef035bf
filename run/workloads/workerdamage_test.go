package workloads_test

import (
	"errors"
	"testing"
	"time"

	"treesplit/run"
	"treesplit/run/workloads"
	"treesplit/search"
	"treesplit/sim"
)

// A worker that fails ends the run with its error, also if the splitting function is damaged.
func TestDamagedWorkerFails(t *testing.T) {
	const program = `read l; echo '{"worker":1,"name":"x","root":0}'
for i in 1 2 3; do read l; echo '{"expanded":1,"open":[1,1,1]}'; done`
	machine, err := sim.FindMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	machine.Quantum = 1
	for _, damage := range []float64{0, 0.5} {
		for world, start := range map[string]func(run.Plan, run.Workload) (*run.Result, error){
			"goroutines": func(p run.Plan, w run.Workload) (*run.Result, error) { return run.RunOnGoroutines(p, w, run.Hooks{}) },
			"machine": func(p run.Plan, w run.Workload) (*run.Result, error) {
				return run.RunSimulation(machine, p, w, run.Hooks{})
			},
		} {
			w := &workloads.Worker{Command: []string{"sh", "-c", program}, Ranks: 2, Seed: 1, Scheme: "rp", Timeout: time.Minute}
			t.Cleanup(w.Close)
			plan := workerPlan(2, "rp")
			plan.Quantum, plan.Damage = 1, damage
			r, err := start(plan, w)
			if !errors.As(err, new(search.Failure)) {
				t.Errorf("%s, damage %v: the error is %v, the result %v: expected the failure of the worker", world, damage, err, r != nil)
			}
		}
	}
}
