package live_test

import (
	"encoding/json"
	"math"
	"net/http"
	"sync"
	"testing"

	"treesplit/run"
	"treesplit/run/live"
	"treesplit/run/observe"
	"treesplit/run/observe/feed"
	"treesplit/run/workloads"
	"treesplit/sim/machinefile"
	"treesplit/uts"
)

// tree is a tree of 63,914 nodes.
func tree() *workloads.UTS {
	p := uts.DefaultParams()
	p.Type, p.B0, p.Depth, p.Seed, p.Shape = uts.Geometric, 4, 7, 19, uts.Fixed
	return &workloads.UTS{Params: p}
}

// A search that is watched expands the same nodes as any other, on goroutines and in virtual time.
// Clients read while the ranks write.
func TestWatchedSearches(t *testing.T) {
	want, err := run.RunOnGoroutines(run.DefaultPlan(1), tree(), run.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	machine, err := machinefile.ParseMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	for name, search := range map[string]func(run.Plan, run.Hooks) (*run.Result, error){
		"goroutines": func(p run.Plan, h run.Hooks) (*run.Result, error) { return run.RunOnGoroutines(p, tree(), h) },
		"simulated":  func(p run.Plan, h run.Hooks) (*run.Result, error) { return run.RunSimulation(machine, p, tree(), h) },
	} {
		t.Run(name, func(t *testing.T) {
			board := new(feed.Board)
			pace := live.NewPace(math.Inf(1))
			p := run.DefaultPlan(5)
			p.Observer = observe.Observer{Board: board, Pace: pace.Wait}
			s, err := live.Start(live.Options{Address: live.DefaultAddress, Board: board, Pace: pace})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			var readers sync.WaitGroup
			for range 3 {
				answer, err := http.Get(s.URL() + "events")
				if err != nil {
					t.Fatal(err)
				}
				readers.Go(func() {
					defer answer.Body.Close()
					buffer := make([]byte, 1<<16)
					for {
						if _, err := answer.Body.Read(buffer); err != nil {
							return
						}
					}
				})
			}
			r, err := search(p, run.Hooks{Progress: func(now run.Progress) { s.SetProgress(now, "") }})
			if err != nil {
				t.Fatal(err)
			}
			if r.Expanded != want.Expanded {
				t.Errorf("%d nodes, expected %d", r.Expanded, want.Expanded)
			}
			totals, spent := board.Totals(), 0.0
			for _, seconds := range totals.Seconds {
				spent += seconds
			}
			if totals.Requests != r.Requests || totals.Grants != r.Grants || totals.Invalid > 0 || name == "simulated" && totals.Grants == 0 || spent < r.Seconds/2 {
				text, _ := json.Marshal(totals)
				t.Errorf("the board has %s, the result %d requests and %d grants in %v s", text, r.Requests, r.Grants, r.Seconds)
			}
			columns, _, _ := board.ColumnsSince(feed.Place{})
			if n := len(columns); n == 0 || columns[n-1].Until < r.Seconds/2 || name == "simulated" && columns[n-1].Until < r.Seconds*(1-1e-9) {
				t.Errorf("%d columns, of which the last one ends too early: the run took %v s", n, r.Seconds)
			}
			if r.PerRank[0].Spent != nil {
				t.Error("the result has the times of ranks, although only the board was requested")
			}
			s.Close()
			readers.Wait()
		})
	}
}
