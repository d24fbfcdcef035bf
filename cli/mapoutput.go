package cli

import (
	"fmt"
	"io"
	"math"
	"slices"

	"treesplit/cli/internal/units"
	"treesplit/mapping"
	"treesplit/mapping/graphfile"
	"treesplit/run"
	"treesplit/study/figure"
)

// mapResult is the JSON of map. Spans are in nanoseconds. If a graph has weights and --unit does
// not give their meaning, a weight of 1 counts as one nanosecond.
type mapResult struct {
	*run.Result
	mapSearched

	Makespan      int64    `json:"makespan"`
	Efficiency    float64  `json:"efficiency"`    // of the map
	Communication float64  `json:"communication"` // mean of all processors
	Bound         int64    `json:"bound"`
	Gap           *float64 `json:"gap"` // makespan/bound − 1; null: the bound is 0
	Proved        bool     `json:"proved"`
	Ideal         int64    `json:"ideal"`  // makespan if the computation were spread evenly without communication
	Costs         []int64  `json:"costs"`  // of each processor
	CommOf        []int64  `json:"commOf"` // communication of each processor
	Start         *startOf `json:"start,omitempty"`
	ParallelShare float64  `json:"searchEfficiency,omitempty"` // of the ranks, like efficiency of other verbs
	*treeJSON
	Compared []comparedJSON `json:"compared,omitempty"`
	Map      mapping.Map    `json:"map"` // the processor of each object
}

// mapSearched describes what was searched, and how.
type mapSearched struct {
	Strategy   string `json:"strategy"`
	Best       string `json:"best,omitempty"` // of a comparison: the strategy with the best map
	Processors int    `json:"processors"`
	Objects    int    `json:"objects"`
	Arcs       int    `json:"arcs"`
	Unknown    int    `json:"unknownArcs"`
	Unit       string `json:"unit"` // ns or weight
}

// mapMissing is the JSON of a search that was stopped before its first map.
type mapMissing struct {
	*run.Result
	mapSearched
	Bound int64 `json:"bound"`
	*treeJSON
	Map mapping.Map `json:"map"` // null
}

// mapScore is the quality of a map.
type mapScore struct {
	Makespan      int64   `json:"makespan"`
	Efficiency    float64 `json:"efficiency"`
	Communication float64 `json:"communication"` // mean of all processors
}

// startOf describes the start of the search.
type startOf struct {
	From     string  `json:"from"` // a file, home, a strategy, or first: the first map found
	Makespan int64   `json:"makespan"`
	Gain     float64 `json:"gain"` // the fraction by which the makespan has improved
}

// treeJSON holds the additional counts of branch and bound.
type treeJSON struct {
	Pruned int64 `json:"pruned"` // children discarded because of their bound
	Better int64 `json:"better"` // better maps found, over all ranks
}

// comparedJSON is a strategy in the JSON of a comparison.
type comparedJSON struct {
	Strategy string `json:"strategy"`
	mapScore
	Ratio   float64 `json:"ratio"` // makespan divided by the best makespan
	Bound   int64   `json:"bound"`
	Proved  bool    `json:"proved"` // by this strategy
	Seconds float64 `json:"seconds"`
	Reason  string  `json:"reason"`
}

// gapOf returns the largest possible distance of a makespan from the optimum, relative to the
// bound. It returns infinity if the bound is 0.
func gapOf(makespan, bound int64) float64 {
	if makespan <= bound {
		return 0
	}
	return float64(makespan-bound) / float64(bound)
}

func formatPercent(share float64) string {
	if math.IsInf(share, 0) {
		return "unknown"
	}
	return fmt.Sprintf("%.2f %%", 100*share)
}

// evaluateFound computes the cost of a map from the definition, and returns an error for a map that
// a strategy must not return.
func (r *mapRun) evaluateFound(f mapFound) (mapping.Evaluation, mapScore, error) {
	if f.m == nil {
		return mapping.Evaluation{}, mapScore{}, errNoMap
	}
	if err := r.problem.CheckMap(f.m); err != nil {
		return mapping.Evaluation{}, mapScore{}, fmt.Errorf("internal error: strategy %s: %w", f.strategy, err)
	}
	e := r.problem.EvaluateMap(f.m)
	if f.bound > e.Makespan {
		return e, mapScore{}, fmt.Errorf("internal error: strategy %s: a lower bound of %d, and a map of %d", f.strategy, f.bound, e.Makespan)
	}
	return e, mapScore{e.Makespan, e.Efficiency(), float64(e.Comm) / float64(r.problem.Processors)}, nil
}

// completeResult returns the result of a search with the reason of its end and the seed.
func (r *mapRun) completeResult(f mapFound) *run.Result {
	res := f.Result
	res.Reason, res.Seed = f.why, r.plan.Seed
	if res.Audit == "" {
		res.Audit, res.Termination = "none", "none"
	}
	return res
}

func (r *mapRun) describeSearched(f mapFound) mapSearched {
	p := r.problem
	s := mapSearched{Strategy: f.strategy, Processors: p.Processors, Objects: len(p.Objects), Arcs: len(p.Arcs), Unknown: r.file.Unknown, Unit: "ns"}
	if r.hasWeights() {
		s.Unit = "weight"
	}
	return s
}

// describeFound makes the JSON of a result.
func (r *mapRun) describeFound(f mapFound) (*mapResult, error) {
	e, score, err := r.evaluateFound(f)
	if err != nil {
		return nil, err
	}
	p := r.problem
	out := &mapResult{
		Result: r.completeResult(f), mapSearched: r.describeSearched(f), Makespan: score.Makespan, Efficiency: score.Efficiency, Communication: score.Communication,
		Bound: f.bound, Proved: f.bound == e.Makespan, Costs: e.Cost, CommOf: slices.Clone(e.Cost),
		ParallelShare: f.Efficiency, treeJSON: f.counted, Map: f.m,
	}
	if gap := gapOf(e.Makespan, f.bound); !math.IsInf(gap, 0) {
		out.Gap = &gap
	}
	total := e.Comp
	for q, ns := range p.Background {
		total += ns
		out.CommOf[q] -= ns
	}
	for i, o := range p.Objects {
		out.CommOf[f.m[i]] -= o.Comp
	}
	out.Ideal = (total + int64(p.Processors) - 1) / int64(p.Processors)
	out.Start = r.describeStart(f, e.Makespan)
	return out, nil
}

// describeStart describes the map with which a search began, or returns nil.
func (r *mapRun) describeStart(f mapFound, makespan int64) *startOf {
	s := startOf{From: r.from}
	switch {
	case f.strategy == "score":
		return nil
	case r.known != nil:
		s.Makespan = r.problem.EvaluateMap(r.known).Makespan
	case r.file.Start != nil && r.problem.CheckMap(r.file.Start) == nil:
		s = startOf{From: "home", Makespan: r.problem.EvaluateMap(r.file.Start).Makespan}
	case r.strategy != compareAll && r.watch.firstMakespan() >= 0:
		s = startOf{From: "first", Makespan: r.watch.firstMakespan()}
	default:
		return nil
	}
	if s.Makespan > 0 {
		s.Gain = float64(s.Makespan-makespan) / float64(s.Makespan)
	}
	return &s
}

// printFound prints a result and writes its map.
func (r *mapRun) printFound(o outcome, f mapFound) (outcome, error) {
	if f.m == nil && f.stoppedEarly() {
		return r.printMissing(o, f)
	}
	out, err := r.describeFound(f)
	if err != nil {
		return o, err
	}
	return r.printAndWrite(o, f, out)
}

// printMissing prints the end of a search that was stopped before its first map.
func (r *mapRun) printMissing(o outcome, f mapFound) (outcome, error) {
	o.status = statusStopped
	res := r.completeResult(f)
	if r.json {
		return o, r.app.printJSON(mapMissing{Result: res, mapSearched: r.describeSearched(f), Bound: f.bound, treeJSON: f.counted})
	}
	_, err := fmt.Fprint(r.app.stdout, summarizeRun(res), "\n", stoppedLine(res, "no map was found"))
	return o, err
}

// printAndWrite prints a result, writes its map and sets the status: a search that ends because of
// --time is complete.
func (r *mapRun) printAndWrite(o outcome, f mapFound, out *mapResult) (_ outcome, err error) {
	o.status = statusDone
	if f.stoppedEarly() {
		o.status = statusStopped
	}
	if r.json {
		err = r.app.printJSON(out)
	} else {
		r.printText(r.app.stdout, out)
	}
	if failed := r.writeMap(f.m); failed != nil {
		o.trouble = joinErrors(o.trouble, fmt.Errorf("--out: %w", failed))
	}
	return o, err
}

// hasWeights reports whether spans are weights of unknown duration.
func (r *mapRun) hasWeights() bool {
	return r.file != nil && r.file.Format != graphfile.VT && !r.unitGiven
}

// printText prints a result as text.
func (r *mapRun) printText(w io.Writer, out *mapResult) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%-14s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("makespan", "%s", r.formatSpan(out.Makespan))
	line("efficiency", "%.4f", out.Efficiency)
	line("communication", "%s per processor", r.formatSpan(int64(math.Round(out.Communication))))
	line("lower bound", "%s", r.formatSpan(out.Bound))
	gap := formatPercent(gapOf(out.Makespan, out.Bound))
	if out.Proved {
		gap = "none: proved optimal"
	}
	line("gap", "%s", gap)
	if out.Ideal > 0 {
		line("ideal", "%s, and the makespan is %s above it: computation spread evenly, no communication", r.formatSpan(out.Ideal), formatPercent(gapOf(out.Makespan, out.Ideal)))
	}
	if s := out.Start; s != nil {
		from := s.From
		if from == "first" {
			from = "the first map"
		}
		line("start", "%s: %s, which the search reduced by %s", from, r.formatSpan(s.Makespan), formatPercent(s.Gain))
	}
	if out.Strategy != "score" {
		line("strategy", "%s, %s on %s, %s, ended: %s", out.Strategy, units.Things(int64(out.Objects), "object"), units.Things(int64(out.Processors), "processor"), units.Seconds(out.Seconds), out.Reason)
	}
	if out.treeJSON != nil {
		fmt.Fprintln(w, summarizeRun(out.Result))
	}
}

// printComparison prints a comparison; its map is the best map.
func (r *mapRun) printComparison(o outcome, all []mapFound) (outcome, error) {
	best, bound, compared := 0, r.floor, make([]comparedJSON, len(all))
	for i, f := range all {
		_, score, err := r.evaluateFound(f)
		if err != nil {
			return o, err
		}
		compared[i] = comparedJSON{Strategy: f.strategy, mapScore: score, Bound: f.bound, Proved: f.bound == score.Makespan, Seconds: f.Seconds, Reason: f.why}
		if score.Makespan < compared[best].Makespan {
			best = i
		}
		bound = max(bound, f.bound)
	}
	for i := range compared {
		compared[i].Ratio = 1 + gapOf(compared[i].Makespan, compared[best].Makespan)
	}
	f, total := all[best], 0.0
	for _, one := range all {
		total += one.Seconds
	}
	f.bound, f.why = bound, all[len(all)-1].why
	out, err := r.describeFound(f)
	if err != nil {
		return o, err
	}
	if !f.stoppedEarly() {
		out.Reason = "exhausted"
	}
	out.Compared, out.Seconds, out.Strategy, out.Best = compared, total, compareAll, f.strategy
	if !r.json {
		r.printCompared(out)
	}
	return r.printAndWrite(o, f, out)
}

// printCompared prints the table.
func (r *mapRun) printCompared(out *mapResult) {
	t := figure.Table{Title: units.Things(int64(out.Objects), "object") + " on " + units.Things(int64(out.Processors), "processor"), Head: []string{"strategy", "makespan", "ratio to best", "efficiency", "communication", "time", "proved"}}
	for _, c := range out.Compared {
		proved := "no"
		if c.Proved {
			proved = "yes"
		}
		t.Rows = append(t.Rows, []string{
			c.Strategy, r.formatSpan(c.Makespan), fmt.Sprintf("%.4f", c.Ratio), fmt.Sprintf("%.4f", c.Efficiency),
			r.formatSpan(int64(math.Round(c.Communication))), units.Seconds(c.Seconds), proved,
		})
	}
	t.PrintText(r.app.stdout)
	fmt.Fprintf(r.app.stdout, "the best map, by %s:\n", out.Best)
}
