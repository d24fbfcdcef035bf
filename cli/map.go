package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"treesplit/cli/internal/help"
	"treesplit/cli/internal/units"
	"treesplit/internal/fileio"
	"treesplit/mapping/auto"
)

// compareAll is the value of --strategy that runs all of them.
const compareAll = "compare"

// mapOptions are the flags of map besides the flags of all searches, and its argument.
type mapOptions struct {
	mapInput
	mapTree
	strategy   string
	time       time.Duration
	score, out string
}

// mapFlags are the flags of map.
type mapFlags struct {
	searchFlags
	mapOptions
	ofBB []string // flags that bb alone makes use of
}

// mapJob is objects to be mapped, or a map to be scored. Its job has no workload: bb makes
// one when it begins.
type mapJob struct {
	job
	mapOptions
	unitGiven bool // by --unit
}

// ofAll are flags of a search that any strategy makes use of, or that do no harm, or that
// have a check of their own.
var ofAll = []string{"first-bound", "ranks", "machine", "seed", "timeout", "json", "per-rank", "progress", "log-level"}

func (a *app) mapCommand() *cobra.Command {
	f := mapFlags{searchFlags: newSearchFlags()}
	cmd := &cobra.Command{
		Use:   "map GRAPH|-",
		Short: "Map communicating objects onto processors",
		Long:  mapHelp(),
		Example: `  treesplit map testdata/random20.graph -p 4
  treesplit map testdata/random20.graph -p 4 --strategy bb --scheme grr-m --json
  treesplit map testdata/random20.graph -p 4 --strategy bb --machine ncube2 -n 64
  treesplit map testdata/mesh16.graph -p 8 --time 1s --out mesh16.part
  treesplit map testdata/mesh16.graph -p 8 --score testdata/mesh16.part
  treesplit map testdata/mesh16.graph -p 8 --start testdata/mesh16.part --strategy pair-bb
  treesplit map testdata/ring.json --strategy compare --time 100ms
  mpirun -n 4 treesplit map testdata/mesh16.graph -p 8 --strategy pair-bb`,
		Args: exactArguments(1, "one graph, or - for standard input"),
		RunE: twoSteps(a, f.parse, a.runMap),
	}
	flags := cmd.Flags()
	f.mapInput.addFlags(flags)
	flags.StringVar(&f.strategy, "strategy", "auto", "`strategy` of mapping, or compare; --help lists them")
	flags.DurationVar(&f.time, "time", 2*time.Second, "`time` to search, per strategy under compare; 0 (the default with --machine): no limit")
	flags.StringVar(&f.score, "score", "", "print the makespan of the map in a `file`, and search for nothing")
	flags.StringVar(&f.out, "out", "", "write the map to a `file`: .part as METIS does, .json as vt does")
	others := map[string]bool{}
	flags.VisitAll(func(x *pflag.Flag) { others[x.Name] = true })
	f.mapTree.addFlags(flags)
	f.searchFlags.addFlags(cmd)
	flags.VisitAll(func(x *pflag.Flag) {
		if !others[x.Name] && !slices.Contains(ofAll, x.Name) {
			f.ofBB = append(f.ofBB, x.Name)
		}
	})
	help.SetGroup(flags, help.Run, "time")
	help.SetGroup(flags, help.Output, "out")
	help.SetCommon(flags, "processors", "strategy", "time", "score", "out")
	setExit(cmd, "a map is printed", exitStopped)
	setSearchFiles(cmd, [2]string{"GRAPH", "a graph of METIS or Scotch, or data of DARMA vt"}, [2]string{"FILE of --start and --score", "a map: METIS's .part, or Scotch's .map"}, [2]string{"FILE of --out", "a map: .part, or vt's .json"})
	return cmd
}

// mapHelp is the help of map.
func mapHelp() string {
	var b strings.Builder
	b.WriteString(`map places objects that compute and communicate on processors, so that the makespan is small. The
makespan is the time of the busiest processor: the computation of its objects, and the time that it
spends on messages to and from other processors.

It reads a graph of METIS (.graph) or Scotch (.grf), or load-balancing data of DARMA vt (.json), plain
or compressed (.br, .gz, .zst, .xz, .bz2); - is standard input, with --format.

It prints the makespan, the efficiency (computation divided by P times the makespan), a lower bound
of the makespan of all maps, and the gap between the makespan and the bound. --out or the JSON has
the map. A run ends after --time, or when the map is proved to be optimal. After Ctrl-C or
--timeout it prints the best map so far.

Strategies (--strategy):

`)
	for _, s := range auto.Strategies() {
		fmt.Fprintf(&b, "  %s\t%s\n", s.Name, s.Doc)
	}
	fmt.Fprintf(&b, "  %s\teach of these for --time, in one table\n", compareAll)
	b.WriteString(`
bb searches on all ranks, under every scheme and every detector, in all runtimes. pair-bb searches
on all goroutine or MPI ranks. All other strategies work on one rank: -n has no effect, and under
mpirun rank 0 works alone. Only branch and bound proves more than simple bounds; auto uses it if
there are few objects.

How bb searches:

  --sort	the object to place next: heaviest (with all its communication), costly (by computation only), given
  --child-order	the processor to try next: by bound, or by number
  --symmetry	on leaves out processors that are alike
  --bound	admissible; costliest (without an estimate of the future); printed (the paper's, which can miss the optimum and proves nothing)
  --narrow	leaves out maps that are not better by this percentage; the result can miss the optimum by about as much`)
	return b.String()
}

// parse makes the job of the flags and a graph.
func (f *mapFlags) parse(args []string) (mapJob, error) {
	options, changed := f.mapOptions, f.cmd.Flags().Changed
	options.path = args[0]
	j, err := f.newJob(f.plan, nil)
	if err != nil {
		return mapJob{}, err
	}
	if err := options.mapInput.checkFlags(f.cmd); err != nil {
		return mapJob{}, err
	}
	if err := f.checkFlags(); err != nil {
		return mapJob{}, err
	}
	if f.machine != "" && !changed("time") {
		options.time = 0
	}
	j.files = options.places(options.processors)
	return mapJob{job: j, mapOptions: options, unitGiven: changed("unit")}, nil
}

// runMap maps, or scores.
func (a *app) runMap(j mapJob) (outcome, error) {
	log, err := a.newLogger(j.logLevel)
	if err != nil {
		return outcome{}, err
	}
	r := &mapRun{app: a, mapJob: j, log: log}
	r.watch.show = r.formatSpan
	r.chooseProgress()
	switch {
	case j.strategy == "bb" && j.score == "":
		return r.searchTree()
	case j.strategy == "pair-bb" && j.score == "":
		return r.searchPairs()
	}
	return r.searchOnRankZero()
}

// checkFlags refuses flags of strategies and of the search that are invalid.
func (f *mapFlags) checkFlags() error {
	if f.strategy != compareAll {
		if _, err := auto.FindStrategy(f.strategy); err != nil {
			return flagError("strategy", fmt.Errorf("%w, %s", err, compareAll))
		}
	}
	changed := f.cmd.Flags().Changed
	for _, flag := range f.ofBB {
		if changed(flag) && (f.strategy != "bb" || f.score != "") {
			return flagError(flag, fmt.Errorf("strategy %s makes no use of it: expected --strategy bb with it", f.strategy))
		}
	}
	if err := f.mapTree.checkFlags(f.strategy, changed); err != nil {
		return err
	}
	switch {
	case f.time < 0:
		return flagError("time", fmt.Errorf("%v: expected a span above 0, or 0 for no end", f.time))
	case f.score != "" && (changed("strategy") || f.start != ""):
		return flagError("score", errors.New("a map is scored as it is: leave --strategy and --start out"))
	case f.machine != "" && (f.strategy != "bb" || f.score != ""):
		return flagError("machine", errors.New("branch and bound alone is simulated: expected --strategy bb with it"))
	case f.out != "" && outFormat(f.out) == "":
		return flagError("out", fmt.Errorf("%s: the format is unknown from the name: expected one that ends in .part or .json, and perhaps .gz or .zst", f.out))
	}
	return nil
}

// outFormat tells the format of a map by its name without the ending of a compression; METIS ends
// it with the number of processors.
func outFormat(name string) string {
	base := strings.TrimSuffix(filepath.Base(name), fileio.CompressionEnding(name))
	switch {
	case strings.HasSuffix(base, ".json"):
		return ".json"
	case strings.HasSuffix(base, ".part"), strings.HasPrefix(filepath.Ext(strings.TrimSuffix(base, filepath.Ext(base))), ".part"):
		return ".part"
	}
	return ""
}

// searchLimit is how long a search may take: the shorter of --time and --timeout. early says
// that it is --timeout, which ends it with status 3.
func (o *mapOptions) searchLimit(left time.Duration) (limit time.Duration, early bool) {
	limit = o.time
	if left > 0 && (limit == 0 || left <= limit) {
		return left, true
	}
	return limit, false
}

// formatSpan writes a span as a time, or as a weight if the graph has no unit of time.
func (r *mapRun) formatSpan(ns int64) string {
	if r.hasWeights() {
		return units.Count(ns)
	}
	return units.Nanoseconds(ns)
}
