package predict

import (
	"math"
	"slices"
	"testing"
	"time"

	"treesplit/lb"
	"treesplit/run"
)

// A cell is the median of several runs, which are simulated one by one here.
func TestCellsAreMedians(t *testing.T) {
	o, w := options(t), tree(t, 7)
	o.Schemes, o.Ranks = []string{"rp", "sb", "static+rp"}, []int{8, 13}
	found, err := ExamineTree(w, o.Machine, o.Plan.Splitting, time.Minute, never)
	if err != nil {
		t.Fatal(err)
	}
	for _, runs := range []int{2, 3, 7} {
		o.Runs = runs
		p, err := Run(found, o)
		if err != nil {
			t.Fatal(err)
		}
		if p.Runs != runs || len(p.Cells) != len(o.Schemes)*len(o.Ranks) {
			t.Fatalf("%d runs and %d cells", p.Runs, len(p.Cells))
		}
		for _, c := range p.Cells {
			var times []float64
			for i := range runs {
				plan := o.Plan
				plan.Scheme, plan.Ranks = c.Scheme, c.Ranks
				r, err := run.RunSimulation(o.Machine.ScaleNodes(differ(i)), plan, w, run.Hooks{})
				if err != nil {
					t.Fatal(err)
				}
				times = append(times, r.Seconds)
			}
			slices.Sort(times)
			if c.Seconds != times[(runs-1)/2] || c.Least != times[0] || c.Most != times[runs-1] || c.Least >= c.Most {
				t.Errorf("%d runs: %+v, the simulations take %v", runs, c, times)
			}
		}
	}
}

// A prediction for shuffle has the phases of real ranks, unless the plan gives their length.
func TestPhasesOfRealRanks(t *testing.T) {
	o, w := options(t), tree(t, 7)
	o.Machine.Startup, o.Machine.Receive, o.Machine.Rest = 500, 500, run.Rest
	for given, simulated := range map[time.Duration]time.Duration{0: lb.RealPhase(0).Duration(), 20 * time.Microsecond: 20 * time.Microsecond} {
		plan := o.Plan
		plan.Phase = given
		s := &simulator{Options: o}
		c, err := s.simulateCell(plan, w, "shuffle", 8)
		if err != nil {
			t.Fatal(err)
		}
		plan.Phase, plan.Scheme, plan.Ranks = simulated, "shuffle", 8
		r, err := run.RunSimulation(o.Machine, plan, w, run.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		if c.Seconds != r.Seconds || c.Messages != r.Messages {
			t.Errorf("phases of %v are given: %g s and %d messages; with phases of %v %g s and %d messages", given, c.Seconds, c.Messages, simulated, r.Seconds, r.Messages)
		}
	}
}

// The times of a node differ, by at most nodeSpread, and on average not at all.
func TestRunsDiffer(t *testing.T) {
	if differ(0) != 1 {
		t.Errorf("the first run has the factor %v", differ(0))
	}
	seen := map[float64]bool{1: true}
	for i := 1; i <= 1000; i++ {
		f := differ(i)
		if seen[f] || math.Abs(f-1) > nodeSpread {
			t.Errorf("run %d has the factor %v", i, f)
		}
		seen[f] = true
		if i%2 == 0 && math.Abs(f+differ(i-1)-2) > 1e-12 {
			t.Errorf("runs %d and %d have the factors %v and %v", i-1, i, differ(i-1), f)
		}
	}
}

// The numbers of simulations that were expected and that were made are equal at the end, also if some
// were given up.
func TestSimulationsAreCounted(t *testing.T) {
	o := options(t)
	o.Schemes, o.Ranks, o.Runs, o.Efficiency, o.Patience = []string{"rp", "sl"}, []int{4, 512}, 5, 0, time.Nanosecond
	found, err := NewModel(3_000_000)
	if err != nil {
		t.Fatal(err)
	}
	s := &simulator{Options: o}
	cells, err := s.simulateGrid(found)
	if err != nil {
		t.Fatal(err)
	}
	if s.done.Load() != s.wanted.Load() || !slices.ContainsFunc(cells, func(c Cell) bool { return c.GivenUp }) {
		t.Errorf("%d of %d simulations, cells %+v", s.done.Load(), s.wanted.Load(), cells)
	}
}
