package calibrate_test

import (
	"errors"
	"strings"
	"testing"

	"treesplit/comm"
	"treesplit/pace"
	"treesplit/run"
	"treesplit/run/workloads"
	"treesplit/search"
	"treesplit/sim"
	"treesplit/sim/machinefile"
	"treesplit/study/calibrate"
	"treesplit/uts"
)

func problem(t *testing.T, tree string) run.Problem {
	t.Helper()
	p, _, ok := uts.FindSample(tree)
	if !ok {
		t.Fatal(tree)
	}
	p.Depth = min(p.Depth, 5)
	loaded, err := (&workloads.UTS{Params: p}).Load()
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// On goroutine ranks every cost is measured, and a run can be predicted for the machine of the
// resulting file.
func TestOnGoroutines(t *testing.T) {
	tree := problem(t, "T1")
	for _, ranks := range []int{2, 5} {
		var found calibrate.Measures
		var machine sim.Machine
		_, _, err := run.RunOnRanks(run.Plan{Ranks: ranks}, false, run.Hooks{}, func(e comm.Transport) error {
			f, m, err := calibrate.MeasureAll(e, tree, "ring", 3, calibrate.Options{Splitting: search.DefaultSplitting, Nodes: 50e6, Rounds: 5})
			if e.Rank() == 0 {
				found, machine = f, m
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for name, s := range map[string]calibrate.Spread{
			"latency": found.Latency, "per byte": found.Byte, "startup": found.Startup, "receive": found.Receive, "poll": found.Poll,
			"alone": found.Alone, "together": found.Together, "split": found.Split, "accept": found.Accept, "bytes": found.Bytes, "closing": found.Closing,
		} {
			if s.N == 0 || s.Low > s.Median || s.Median > s.High {
				t.Errorf("%d ranks: %s: %+v", ranks, name, s)
			}
		}
		if machine.Together != ranks || machine.Serve != 3 || machine.Neighbours != "ring" || machine.Work.Rule != sim.Fixed {
			t.Errorf("machine %+v", machine)
		}
		text := found.MachineFile(machine, []string{"two\nlines"})
		read, err := machinefile.DecodeMachine(text, machine.Name)
		if err != nil || read != machine {
			t.Errorf("%v: read %+v, want %+v from\n%s", err, read, machine, text)
		}
		plan := run.Plan{Ranks: 64, Scheme: "nn", Termination: "tree", Topology: "hypercube", Splitting: search.DefaultSplitting}
		r, err := run.RunSimulation(read, plan, run.Loaded{Problem: tree}, run.Hooks{})
		if err != nil || r.Seconds <= 0 || r.Efficiency <= 0 || r.Efficiency > 1 {
			t.Errorf("a prediction: %+v, %v", r, err)
		}
	}
}

// A rank whose time is over before it has found a part with nodes measures the nodes near the root: a rank without
// nodes would count as infinitely fast.
func TestLateRanks(t *testing.T) {
	params, _, _ := uts.FindSample("T1")
	params.Depth = 2
	tree, err := (&workloads.UTS{Params: params}).Load()
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(20) {
		_, _, err := run.RunOnRanks(run.Plan{Ranks: 2}, false, run.Hooks{}, func(e comm.Transport) error {
			m, err := calibrate.MeasureCosts(e, tree, calibrate.Options{Splitting: search.DefaultSplitting, Nodes: 1, Rounds: 1, Seed: seed})
			if err == nil && e.Rank() == 0 && (m.Alone.Median < 1 || m.Together.Median < 1 || m.Together.Median > 1e9) {
				t.Errorf("seed %d: a node takes %v ns alone and %v ns together", seed, m.Alone.Median, m.Together.Median)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// On paced ranks the emulated processors are measured. No measured cost is much lower than the emulated
// one: a wait may end late but not early, and no sample profits from a late wait before it.
func TestOnPacedRanks(t *testing.T) {
	const ms = 1_000_000
	rate := pace.Rate{Node: 2 * ms, Send: ms / 2, Receive: ms / 2}
	plan := run.Plan{Ranks: 2, Pace: rate}
	var machine sim.Machine
	_, _, err := run.RunOnRanks(plan, false, run.Hooks{}, func(e comm.Transport) error {
		_, m, err := calibrate.MeasureAll(e, problem(t, "T1"), "ring", 3, calibrate.Options{Splitting: search.DefaultSplitting, Nodes: 50 * ms, Rounds: 5, Pace: rate})
		if e.Rank() == 0 {
			machine = m
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ got, emulated comm.Time }{
		"expand": {machine.Expand, rate.Node}, "startup": {machine.Startup, rate.Send}, "receive": {machine.Receive, rate.Receive},
	} {
		if c.got < c.emulated/2 {
			t.Errorf("%s is %v, and ranks emulate %v", name, c.got.Duration(), c.emulated.Duration())
		}
	}
	if machine.Quantum != 1 {
		t.Errorf("a quantum has %d nodes", machine.Quantum)
	}
}

// A machine can be made even of figures below zero, which differences can have.
func TestMachineOfNoise(t *testing.T) {
	below := calibrate.Spread{Median: -5, N: 1}
	m := calibrate.Measures{Ranks: 2, Latency: below, Byte: below, Startup: below, Receive: below, Poll: below, Alone: below, Together: below, Closing: below}
	if err := m.BuildMachine("noise", "", 0).CheckFields(); err != nil {
		t.Error(err)
	}
}

func TestOneRankIsRefused(t *testing.T) {
	_, _, err := run.RunOnRanks(run.Plan{Ranks: 1}, false, run.Hooks{}, func(e comm.Transport) error {
		_, err := calibrate.MeasureCosts(e, problem(t, "T1"), calibrate.Options{})
		return err
	})
	if !errors.As(err, &run.InputError{}) || !strings.Contains(err.Error(), "2 or more") {
		t.Errorf("got %v", err)
	}
}
