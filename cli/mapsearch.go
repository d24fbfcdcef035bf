package cli

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sirupsen/logrus"
	"golang.org/x/term"

	"treesplit/cli/internal/units"
	"treesplit/lb"
	"treesplit/mapping"
	"treesplit/mapping/auto"
	"treesplit/mapping/bb"
	"treesplit/mapping/graphfile"
	"treesplit/mpi"
	"treesplit/run"
	"treesplit/run/workloads"
)

// mapRun is one run of map. Only rank 0 has the values that are read from files.
type mapRun struct {
	app *app
	mapJob
	log   *logrus.Logger
	watch mapWatch

	file    *graphfile.File
	problem *mapping.Problem
	known   mapping.Map // the map to begin with, from --start or --first-bound; nil: none
	from    string      // the origin of known
	floor   int64       // a lower bound from before the search
}

// mapFound is the result of a search.
type mapFound struct {
	*run.Result
	strategy string
	m        mapping.Map
	bound    int64
	why      string // one of run.Result's reasons, or byTime
	counted  *treeJSON
}

// byTime is the reason of a run that ended because of --time.
const byTime = "time"

// mapReason returns the reason why a run ended. early reports whether its limit was --timeout.
func mapReason(why lb.Reason, early bool) string {
	if why == lb.Timeout && !early {
		return byTime
	}
	return why.String()
}

// stoppedEarly reports whether a run ended by --timeout or a signal.
func (f *mapFound) stoppedEarly() bool {
	return f.why == lb.Timeout.String() || f.why == lb.Interrupted.String()
}

// chooseProgress chooses the form of progress reports: a progress line on a terminal, separate
// lines elsewhere if requested.
func (r *mapRun) chooseProgress() {
	if r.progress != "on" {
		return
	}
	if out, ok := asFile(r.app.stderr); ok && term.IsTerminal(int(out.Fd())) {
		return
	}
	r.progress = "off"
	if mpi.LaunchedRank() == 0 {
		r.watch.out = r.app.stderr
	}
}

// readInputs reads the graph, and the map to begin with.
func (r *mapRun) readInputs() (err error) {
	if err := checkPlaces(slices.Concat(r.files, r.app.streamPlaces())...); err != nil {
		return err
	}
	if r.file, err = r.mapInput.readGraph(r.app.stdin); err != nil {
		return err
	}
	r.problem = r.file.Problem
	if err := r.checkRankPlaces(); err != nil {
		return err
	}
	if r.start != "" {
		if r.known, err = readMap(r.start, r.problem); err != nil {
			return err
		}
		r.from = r.start
	}
	r.floor = lowerBoundOfMaps(r.problem)
	if n := r.file.Unknown; n > 0 {
		fmt.Fprintf(r.app.stderr, "treesplit: warning: %s: the program ignores %s from or to objects that the file does not define\n", r.path, units.Things(int64(n), "arc"))
	}
	if n := r.file.Skipped; n > 0 {
		fmt.Fprintf(r.app.stderr, "treesplit: warning: %s: the program ignores %s that do not connect two objects\n", r.path, units.Things(int64(n), "communication"))
	}
	return nil
}

// checkRankPlaces compares the files of all processors with the other files, if --out is one file per
// processor. The number of processors is known only after the graph is read.
func (r *mapRun) checkRankPlaces() error {
	if !r.writesRanks() {
		return nil
	}
	r.files = r.mapOptions.places(r.problem.Processors)
	return checkPlaces(r.job.places(r.app)...)
}

// readWithFirstMap reads the graph and provides a map to begin with, as --first-bound specifies.
func (r *mapRun) readWithFirstMap(limit time.Duration) error {
	if err := r.readInputs(); err != nil {
		return err
	}
	r.app.interrupted() // from here on a signal ends the search with a map
	r.watch.beginSearch("", r.floor, limit)
	if r.firstBound != noBound {
		s, err := mapping.FindStrategy(r.firstBound)
		if err != nil {
			return err
		}
		m := s.Run(r.problem, mapping.Options{Seed: r.plan.Seed})
		if r.known == nil || r.problem.EvaluateMap(m).Makespan < r.problem.EvaluateMap(r.known).Makespan {
			r.known, r.from = m, r.firstBound
		}
	}
	if r.known != nil {
		r.watch.recordMakespan(r.problem.EvaluateMap(r.known).Makespan)
	}
	return nil
}

// boundCells limits the number of objects times processors for a root of branch and bound that only
// computes a better bound: its tables take 24 bytes per cell.
const boundCells = 1 << 22

// lowerBoundOfMaps returns a lower bound of all maps.
func lowerBoundOfMaps(p *mapping.Problem) int64 {
	bound := mapping.LowerBound(p)
	if p.Processors > boundCells/max(len(p.Objects), 1) {
		return bound
	}
	if in, err := bb.New(p, bb.Options{}); err == nil {
		bound = max(bound, in.LowerBound())
	}
	return bound
}

// searchTree searches the whole tree on all ranks of any runtime.
func (r *mapRun) searchTree() (outcome, error) {
	limit, early := r.searchLimit(r.plan.Timeout)
	w := &workloads.Mapping{Options: r.mapTree.searchOptions(), Better: r.watch.recordMakespan}
	load := func() error {
		err := r.readWithFirstMap(limit)
		w.Problem, w.Start = r.problem, r.known
		return err
	}
	j := r.job
	j.plan.Timeout, j.workload = limit, mapWorkload{w, load}
	result, o, err := r.app.runSearch(&j, follower{status: r.watch.columns})
	r.watch.stopPrinting()
	if err != nil || result == nil {
		return o, err
	}
	found, err := w.ReadResult(result)
	if err != nil {
		return o, err
	}
	return r.printFound(o, mapFound{
		Result: result, strategy: r.strategy, m: found.Map, bound: max(found.Lower, r.floor), why: mapReason(result.Why, early),
		counted: &treeJSON{Pruned: result.Counts.Sums[workloads.MappingPruned], Better: result.Counts.Sums[workloads.MappingSolutions]},
	})
}

// searchPairs improves a map by pairs of processors, on all ranks.
func (r *mapRun) searchPairs() (o outcome, err error) {
	underMPI, err := r.underMPI()
	if err != nil {
		return o, err
	}
	limit, early := r.searchLimit(r.plan.Timeout)
	w := &workloads.Pairs{Seed: r.plan.Seed, Timeout: limit}
	w.Better = func(_ mapping.Map, makespan int64) { r.watch.recordMakespan(makespan) }
	var begun time.Time
	w.Load = func() error {
		err := r.readWithFirstMap(limit)
		w.Problem, w.Start, begun = r.problem, r.known, time.Now()
		return err
	}
	var found workloads.Paired
	res := &run.Result{World: "local", Ranks: r.plan.Ranks, Scheme: "tournament"}
	r.runWatched(func(interrupted func() bool) {
		w.Interrupted = interrupted
		if !underMPI {
			found, err = w.RunOnGoroutines(r.plan.Ranks)
			return
		}
		found, o.endMPI, err = w.RunUnderMPI(run.Hooks{
			Started: r.app.startedAs(),
			Log:     func(rank int, err error) { r.log.WithField("rank", rank).Error(err) },
		})
		res.World, res.Library = "mpi", mpi.Library()
		res.Ranks, _ = mpi.Launched()
	})
	if err != nil || mpi.LaunchedRank() != 0 {
		return o, err
	}
	res.Seconds = time.Since(begun).Seconds()
	return r.printFound(o, mapFound{Result: res, strategy: r.strategy, m: found.Map, bound: r.floor, why: mapReason(found.Why, early)})
}

// runWatched runs a function that a signal ends, with progress reports.
func (r *mapRun) runWatched(run func(interrupted func() bool)) {
	interrupted, ignore := listenForSignals(r.log, r.abandon)
	defer ignore()
	r.app.interrupted = interrupted
	show := r.app.startProgress(r.progress, "")
	defer show.removeLine()
	show.setColumns(r.watch.columns)
	run(interrupted)
	r.watch.stopPrinting()
}

// searchOnRankZero runs a strategy of one rank on rank 0. The other ranks have nothing to do.
func (r *mapRun) searchOnRankZero() (outcome, error) {
	if _, err := r.underMPI(); err != nil || mpi.LaunchedRank() != 0 {
		return outcome{}, err
	}
	return r.searchAlone(outcome{othersLeft: true})
}

// searchAlone computes the score of a map, or runs one strategy or all strategies of one rank.
func (r *mapRun) searchAlone(o outcome) (outcome, error) {
	if err := r.readInputs(); err != nil {
		return o, run.InputError{Err: err}
	}
	if r.score != "" {
		m, err := readMap(r.score, r.problem)
		if err != nil {
			return o, run.InputError{Err: err}
		}
		return r.printFound(o, mapFound{Result: unsharedResult(), strategy: "score", m: m, bound: r.floor, why: lb.Exhausted.String()})
	}
	if size, _ := mpi.Launched(); size > 1 {
		fmt.Fprintf(r.app.stderr, "treesplit: warning: strategy %s works on one of the %d ranks, and the other ranks are idle; bb and pair-bb work on all ranks\n", r.strategy, size)
	}
	if r.strategy == compareAll {
		var all []mapFound
		r.runWatched(func(interrupted func() bool) { all = r.runStrategies(interrupted) })
		return r.printComparison(o, all)
	}
	s, err := auto.FindStrategy(r.strategy)
	if err != nil {
		return o, flagError("strategy", err)
	}
	var found mapFound
	r.runWatched(func(interrupted func() bool) {
		limit, early := r.searchLimit(r.plan.Timeout)
		r.watch.beginSearch("", r.floor, limit)
		found = r.runStrategy(s, limit, early, interrupted)
	})
	return r.printFound(o, found)
}

// unsharedResult returns the result of a search on a single rank.
func unsharedResult() *run.Result {
	return &run.Result{World: "local", Ranks: 1, Scheme: "none"}
}

// runStrategy runs a strategy.
func (r *mapRun) runStrategy(s mapping.Strategy, limit time.Duration, early bool, interrupted func() bool) mapFound {
	begun, why := time.Now(), lb.Exhausted
	bound := r.floor
	interrupted() // from here on a signal ends the search with a map
	m := s.Run(r.problem, mapping.Options{
		Seed: r.plan.Seed, Start: r.known,
		Stop: func() bool {
			switch {
			case interrupted():
				why = lb.Interrupted
			case limit > 0 && time.Since(begun) >= limit:
				why = max(why, lb.Timeout)
			}
			return why != lb.Exhausted
		},
		Better: func(_ mapping.Map, makespan int64) { r.watch.recordMakespan(makespan) },
		Bound: func(ns int64) {
			bound = max(bound, ns)
			r.watch.recordBound(ns)
		},
	})
	res := unsharedResult()
	res.Seconds = time.Since(begun).Seconds()
	return mapFound{Result: res, strategy: s.Name, m: m, bound: bound, why: mapReason(why, early)}
}

// runStrategies runs every strategy, or fewer if a signal or --timeout ends the comparison.
func (r *mapRun) runStrategies(interrupted func() bool) (all []mapFound) {
	begun, strategies := time.Now(), auto.Strategies()
	for i, s := range strategies {
		left := time.Duration(0)
		if r.plan.Timeout > 0 {
			left = max(r.plan.Timeout-time.Since(begun), 1)
		}
		limit, early := r.searchLimit(left)
		r.watch.beginSearch(fmt.Sprintf("%s (%d of %d)", s.Name, i+1, len(strategies)), r.floor, limit)
		found := r.runStrategy(s, limit, early, interrupted)
		all = append(all, found)
		if found.stoppedEarly() {
			break
		}
	}
	return all
}

// errNoMap is the error of a search that ended without a map because of --time.
var errNoMap = errors.New("no map was found before the search ended: expected more --time, or a --first-bound other than " + noBound)
