package workloads

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"treesplit/comm"
	"treesplit/ksbf"
	"treesplit/lb"
	"treesplit/puzzle"
	"treesplit/run"
	"treesplit/run/observe"
	"treesplit/run/observe/trace"
	"treesplit/search"
	"treesplit/sim"
	"treesplit/uts"
)

// observedPlan returns a plan with statistics and a trace.
func observedPlan(ranks int, scheme string) run.Plan {
	return run.Plan{
		Ranks: ranks, Scheme: scheme, Termination: "tree", Topology: "ring", Seed: 3, Quantum: 16, Splitting: search.DefaultSplitting,
		Levels: 2, Splits: lb.AutoSplits, Observer: observe.Observer{Stats: true, TraceEvents: 1 << 20}, Stall: 60e9,
	}
}

// machine returns a simulated machine on which the size of a piece is its encoded length.
func machine(t testing.TB) sim.Machine {
	t.Helper()
	m, err := sim.FindMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	m.Work = sim.WorkSize{}
	return m
}

// inBothWorlds makes one run on goroutines and one simulated run.
func inBothWorlds(t *testing.T, p run.Plan, w func() run.Workload, test func(t *testing.T, r *run.Result)) {
	for world, run := range map[string]func() (*run.Result, error){
		"local": func() (*run.Result, error) { return run.RunOnGoroutines(p, w(), run.Hooks{}) },
		"sim":   func() (*run.Result, error) { return run.RunSimulation(machine(t), p, w(), run.Hooks{}) },
	} {
		if testing.Short() && world == "sim" { // a simulation has no goroutines
			continue
		}
		r, err := run()
		if err != nil {
			t.Fatalf("%s, %s, %d ranks: %v", world, p.Scheme, p.Ranks, err)
		}
		t.Run(fmt.Sprintf("%s/%s/%d", world, r.Scheme, p.Ranks), func(t *testing.T) { test(t, r) })
	}
}

// inSeconds converts nanoseconds to seconds.
func inSeconds(t comm.Time) float64 { return float64(t) / 1e9 }

// near reports whether two numbers of seconds are equal except for rounding.
func near(a, b float64) bool { return math.Abs(a-b) < 1e-8*(1+math.Abs(a)) }

// checkTimes compares the times of the ranks with each other and with their tracks.
func checkTimes(t *testing.T, r *run.Result) {
	t.Helper()
	for i, rank := range r.PerRank {
		s := rank.Spent
		if !near(s.Work+s.Search+s.Idle+s.Overhead, s.Total) {
			t.Errorf("rank %d: %+v does not add up", i, *s)
		}
		if (r.World == "sim" || i == 0) && !near(s.Total, r.Seconds) {
			t.Errorf("rank %d: %v s in all, the run took %v", i, s.Total, r.Seconds)
		}
		if s.Work < rank.WorkSeconds-1e-9 || r.World == "sim" && !near(s.Work, rank.WorkSeconds) {
			t.Errorf("rank %d: %v s of work, counted otherwise %v", i, s.Work, rank.WorkSeconds)
		}
		if r.World == "sim" && !near(s.Search+s.Idle, rank.IdleSeconds) {
			t.Errorf("rank %d: %v s without work, counted otherwise %v", i, s.Search+s.Idle, rank.IdleSeconds)
		}
		var state [trace.States]comm.Time
		var nodes int64
		track := observe.TraceOf(r).Tracks[i]
		for j, span := range track.Spans {
			state[span.State] += span.To - span.From - span.Overhead
			state[trace.Overhead] += span.Overhead
			nodes += span.Nodes
			if j > 0 && span.From != track.Spans[j-1].To {
				t.Fatalf("rank %d: a span from %d, the one before it to %d", i, span.From, track.Spans[j-1].To)
			}
		}
		if nodes != rank.Expanded+rank.Redundant {
			t.Errorf("rank %d: %d nodes in spans, %d expanded", i, nodes, rank.Expanded+rank.Redundant)
		}
		if r.World == "local" && state[trace.Done] == 0 {
			t.Errorf("rank %d is never done", i)
		}
		if !near(inSeconds(state[trace.Busy]), s.Work) || !near(inSeconds(state[trace.Seeking]+state[trace.Waiting]), s.Search) ||
			!near(inSeconds(state[trace.Idle]+state[trace.Done]), s.Idle) || !near(inSeconds(state[trace.Overhead]), s.Overhead) {
			t.Errorf("rank %d: spans of %v in all, %+v", i, state, *s)
		}
	}
	if total := observe.StatisticsOf(r).Seconds.Total; total.Min > total.Mean+1e-9 || total.Mean > total.Max+1e-9 || total.Max == 0 {
		t.Errorf("%+v", total)
	}
}

// checkCounts compares messages, requests and pieces with the counts of the schemes.
func checkCounts(t *testing.T, r *run.Result) {
	t.Helper()
	s, sum := observe.StatisticsOf(r), int64(0)
	for _, n := range s.Messages {
		sum += n
	}
	if sum != r.Messages {
		t.Errorf("messages by kind %v are %d, want %d", s.Messages, sum, r.Messages)
	}
	q := s.Requests
	if q.Made != r.Requests || q.Granted != s.GrantNanoseconds.Count || q.Refused != s.RefusalNanoseconds.Count || q.Granted+q.Refused+q.Unanswered != q.Made {
		t.Errorf("requests %+v, want %d; %d and %d times", q, r.Requests, s.GrantNanoseconds.Count, s.RefusalNanoseconds.Count)
	}
	checkAnswers(t, r)
	grants, bytes := r.Grants, r.Bytes
	if r.Scheme == "ks-bf" { // counts tasks; one message can hold several
		grants = s.Messages["Grant"]
	}
	if s.PieceBytes.Count != grants || s.PieceBytes.Sum != bytes {
		t.Errorf("%d pieces of %d bytes, want %d of %d", s.PieceBytes.Count, s.PieceBytes.Sum, grants, bytes)
	}
	carried := int64(0)
	for _, a := range observe.TraceOf(r).Arrows {
		carried += a.Bytes
		if a.Arrived < a.Left {
			t.Errorf("an arrow back in time: %+v", a)
		}
	}
	if int64(len(observe.TraceOf(r).Arrows)) != grants || carried != bytes {
		t.Errorf("%d arrows with %d bytes, want %d with %d", len(observe.TraceOf(r).Arrows), carried, grants, bytes)
	}
}

// receivers lists the schemes in which a request goes to one donor, whose answer ends the
// request.
var receivers = []string{"arr", "nn", "grr", "grr-m", "rp", "static+rp", "static+clustered"}

// checkAnswers compares the outcomes of requests with the messages that answer them. Under most
// schemes these messages have no other purpose and go to other ranks.
func checkAnswers(t *testing.T, r *run.Result) {
	t.Helper()
	s := observe.StatisticsOf(r)
	q, receiver := s.Requests, slices.Contains(receivers, r.Scheme)
	if (receiver || slices.Contains([]string{"sb", "lifeline", "shuffle"}, r.Scheme)) && q.Granted != s.Messages["Grant"] {
		t.Errorf("%d requests granted, %d grants", q.Granted, s.Messages["Grant"])
	}
	if (receiver || slices.Contains([]string{"lifeline", "shuffle"}, r.Scheme)) && q.Refused != s.Messages["Reject"] {
		t.Errorf("%d requests refused, %d refusals", q.Refused, s.Messages["Reject"])
	}
	if q.Unanswered > 0 && (receiver || r.Scheme == "sl") {
		t.Errorf("%d requests have no answer", q.Unanswered)
	}
	searched := s.Seconds.Search.Mean * float64(r.Ranks)
	if answers := float64(s.GrantNanoseconds.Sum+s.RefusalNanoseconds.Sum) / 1e9; receiver && r.World == "sim" && (searched > answers+1e-6 || q.Made > 0 && searched == 0) {
		// The time until an answer is either searching or handling messages.
		if r.Scheme != "grr" && r.Scheme != "grr-m" { // which also search before they send a request
			t.Errorf("%v s of search, %v s until the answers", searched, answers)
		}
	}
}

// checkTrace checks that the trace is read back unchanged.
func checkTrace(t *testing.T, r *run.Result) {
	t.Helper()
	if n := observe.TraceOf(r).DroppedEvents(); n > 0 {
		t.Fatalf("%d events were dropped", n)
	}
	var text bytes.Buffer
	if err := trace.Write(&text, observe.TraceOf(r)); err != nil {
		t.Fatal(err)
	}
	back, err := trace.Read(&text)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(back) != fmt.Sprint(observe.TraceOf(r)) {
		t.Error("the trace is not read back as it was")
	}
	for _, track := range back.Tracks {
		if len(track.Marks) == 0 {
			t.Errorf("rank %d never stops", track.Rank)
		}
	}
}

func check(t *testing.T, r *run.Result) {
	checkTimes(t, r)
	checkCounts(t, r)
	checkTrace(t, r)
}

// Under every scheme, and under protocols without requests, the numbers of --stats and --trace
// are consistent and agree with the counts of the schemes.
func TestStatisticsAddUp(t *testing.T) {
	tree := uts.Params{Type: uts.Binomial, B0: 2000, Q: 0.48, M: 2, Seed: 5, Granularity: 1}
	for _, scheme := range lb.SchemeNames() {
		for _, ranks := range []int{1, 2, 3, 8} {
			if testing.Short() && ranks != 3 {
				continue
			}
			inBothWorlds(t, observedPlan(ranks, scheme), func() run.Workload { return &UTS{Params: tree} }, check)
		}
	}
}

// The same for a search in steps, some of which each rank makes alone.
func TestStatisticsOfSteps(t *testing.T) {
	board, err := puzzle.ParseBoard("14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15", puzzle.Size{}, puzzle.BlankFirst)
	if err != nil {
		t.Fatal(err)
	}
	for _, ranks := range []int{1, 4} {
		inBothWorlds(t, observedPlan(ranks, "rp"), func() run.Workload {
			return &Puzzle{Boards: []puzzle.Board{board}, Heuristic: "md", SmallNodes: 1 << 14}
		}, func(t *testing.T, r *run.Result) {
			check(t, r)
			if last := r.PerRank[ranks-1]; ranks > 1 && last.Redundant == 0 {
				t.Error("no step was made alone")
			}
		})
	}
}

// The same for computations on a ring, which send no requests.
func TestStatisticsOfRings(t *testing.T) {
	for _, ranks := range []int{1, 2, 5} {
		inBothWorlds(t, observedPlan(ranks, "rp"), func() run.Workload { return &KSBF{ksbf.Complete{N: 12}} }, func(t *testing.T, r *run.Result) {
			check(t, r)
			if observe.StatisticsOf(r).Requests.Made != 0 {
				t.Errorf("%d requests", observe.StatisticsOf(r).Requests.Made)
			}
		})
	}
}

// An observed run expands the same nodes and sends the same messages as a run without an
// observer: on a simulated machine the two runs are equal.
func TestObservationChangesNothing(t *testing.T) {
	tree := func() run.Workload {
		return &UTS{Params: uts.Params{Type: uts.Balanced, Depth: 12, B0: 2, Granularity: 1}}
	}
	for _, scheme := range lb.SchemeNames() {
		p := observedPlan(6, scheme)
		seen, err := run.RunSimulation(machine(t), p, tree(), run.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		p.Observer = nil
		unseen, err := run.RunSimulation(machine(t), p, tree(), run.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		if unseen.Stats != nil || unseen.Trace != nil || unseen.PerRank[0].Spent != nil {
			t.Error("observed unasked")
		}
		seen.Stats, seen.Trace = nil, nil
		for i := range seen.PerRank {
			seen.PerRank[i].Spent = nil
		}
		a, _ := json.Marshal(seen)
		b, _ := json.Marshal(unseen)
		if !bytes.Equal(a, b) {
			t.Errorf("%s: %s, unobserved %s", scheme, a, b)
		}
	}
}
