package cli

import (
	"errors"
	"fmt"
	"time"

	"treesplit/cli/internal/units"
	"treesplit/ksbf"
	"treesplit/lb"
	"treesplit/mpi"
	"treesplit/run"
	"treesplit/study/figure"
)

// stepsResult is the JSON of a simulation in steps. A step counts as a second.
type stepsResult struct {
	*run.Result
	ringJSON
	stepsJSON
	Compared []schemeJSON `json:"compared,omitempty"`
}

// stepsJSON holds the keys that only a simulation in steps has.
type stepsJSON struct {
	Steps   int64   `json:"steps"`
	Theorem int64   `json:"theorem,omitempty"` // the number of steps by the paper's theorem
	Speedup float64 `json:"speedup"`
	Working int     `json:"workingRanks"` // ranks that executed a task
	Hops    int64   `json:"hops"`         // sum of the links that messages crossed
}

// schemeJSON is a scheme in the JSON of a comparison.
type schemeJSON struct {
	Scheme   string `json:"scheme"`
	Messages int64  `json:"messages"`
	stepsJSON
}

// runRingSteps simulates a computation in steps.
func (a *app) runRingSteps(j ringJob) (outcome, error) {
	if j.trace != "" || j.stats {
		return outcome{}, flagError("steps", errors.New("a simulation in steps has no times: leave out --trace and --stats, or --steps"))
	}
	if size, launched := mpi.Launched(); launched && size > 1 {
		return outcome{}, flagError("steps", fmt.Errorf("steps are simulated by one process, but the MPI launcher has started %d: expected one", size))
	}
	w := j.computation
	if err := w.Validate(); err != nil {
		return outcome{}, run.InputError{Err: err}
	}
	log, err := a.newLogger(j.logLevel)
	if err != nil {
		return outcome{}, err
	}
	interrupted, ignore := listenForSignals(log, j.abandon)
	defer ignore()
	start := time.Now()
	why := lb.Exhausted
	options := ksbf.Options{Seed: j.plan.Seed, Stop: func() bool {
		switch {
		case interrupted():
			why = lb.Interrupted
		case j.plan.Timeout > 0 && time.Since(start) >= j.plan.Timeout:
			why = lb.Timeout
		}
		return why != lb.Exhausted
	}}
	s, err := ksbf.Simulate(j.scheme, w, j.plan.Ranks, options)
	if err != nil {
		return outcome{}, run.InputError{Err: err}
	}
	r := stepsResult{Result: stepsOutcome(&j, s, why), stepsJSON: newStepsJSON(j.scheme, w, j.plan.Ranks, s)}
	if r.ringJSON, err = newRingJSON(j.name, w, &s.Tally, s.Stopped); err != nil {
		return outcome{}, err
	}
	if j.compare && !s.Stopped {
		if r.Compared, err = compareSchemes(&j, options); err != nil {
			return outcome{}, err
		}
		r.Why, r.Reason = why, why.String()
	}
	return outcome{status: statusOf(r.Result)}, a.printSteps(j.json, r)
}

// stepsOutcome returns a simulation in the form of the result of any run.
func stepsOutcome(j *ringJob, s *ksbf.Steps, why lb.Reason) *run.Result {
	r := &run.Result{
		World: "steps", Ranks: j.plan.Ranks, Scheme: j.scheme, Termination: "none", Seed: j.plan.Seed,
		Expanded: s.Tally.Nodes, Requests: s.Requests, Grants: s.Moves, Rejects: s.Rejects, Messages: s.Messages,
		Seconds: float64(s.Time), SequentialSeconds: float64(s.Tally.Nodes), Efficiency: s.Speedup() / float64(j.plan.Ranks),
		Audit: "ok", Reason: why.String(), Why: why,
	}
	if len(s.PerRank) <= maxPerRank || j.perRank {
		for i, one := range s.PerRank {
			r.PerRank = append(r.PerRank, run.RankResult{
				Rank: i, Stats: lb.Stats{Expanded: one.Executed, Requests: one.Requests, Grants: one.Moves, Rejects: one.Rejects},
				Messages: one.Messages, WorkSeconds: float64(one.Executed), IdleSeconds: float64(s.Time - one.Executed),
			})
		}
	}
	return r
}

func newStepsJSON(scheme string, w ksbf.Workload, p int, s *ksbf.Steps) stepsJSON {
	out := stepsJSON{Steps: s.Time, Speedup: s.Speedup(), Hops: s.Hops}
	for _, one := range s.PerRank {
		if one.Executed > 0 {
			out.Working++
		}
	}
	if scheme != ksbf.Schemes[0].Name {
		return out
	}
	switch w := w.(type) {
	case ksbf.Complete:
		out.Theorem = ksbf.TreeSteps(w.N, p)
	case ksbf.Grid:
		out.Theorem = ksbf.GridSteps(w.N, p)
	}
	return out
}

// compareSchemes simulates every scheme that can run the computation.
func compareSchemes(j *ringJob, o ksbf.Options) (all []schemeJSON, err error) {
	for _, scheme := range ksbf.SchemeNames() {
		s, err := ksbf.Simulate(scheme, j.computation, j.plan.Ranks, o)
		if err != nil && j.computation.Joins() { // refused by the scheme: the computation itself is valid
			continue
		}
		if err != nil {
			return nil, err
		}
		if s.Stopped {
			break
		}
		all = append(all, schemeJSON{Scheme: scheme, Messages: s.Messages, stepsJSON: newStepsJSON(scheme, j.computation, j.plan.Ranks, s)})
	}
	return all, nil
}

// printSteps prints a simulation, as JSON or text.
func (a *app) printSteps(asJSON bool, r stepsResult) error {
	if asJSON {
		return a.printJSON(r)
	}
	r.ringJSON.printText(a.stdout)
	if r.Theorem > 0 && !isStoppedEarly(r.Why) {
		fmt.Fprintf(a.stdout, "theorem  %s\n", units.Things(r.Theorem, "step"))
	}
	if r.Compared == nil {
		fmt.Fprintf(a.stdout, "%s on %s; scheme %s; speedup %.2f; %s worked; %s over %s\n",
			units.Things(r.stepsJSON.Steps, "step"), units.Things(int64(r.Ranks), "rank"), r.Scheme, r.Speedup,
			units.Things(int64(r.Working), "rank"), units.Things(r.Messages, "message"), units.Things(r.Hops, "link"))
	} else {
		t := figure.Table{Title: "\n" + units.Things(int64(r.Ranks), "rank"), Head: []string{"scheme", "steps", "speedup", "ranks that worked", "messages", "links"}}
		for _, c := range r.Compared {
			t.Rows = append(t.Rows, []string{c.Scheme, units.Count(c.Steps), fmt.Sprintf("%.2f", c.Speedup), units.Count(int64(c.Working)), units.Count(c.Messages), units.Count(c.Hops)})
		}
		t.PrintText(a.stdout)
	}
	if isStoppedEarly(r.Why) {
		fmt.Fprint(a.stdout, stoppedLine(r.Result, "the numbers describe the executed part"))
	}
	return nil
}
