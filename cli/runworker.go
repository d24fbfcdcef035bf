package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"treesplit/cli/internal/help"
	"treesplit/cli/internal/units"
	"treesplit/mpi"
	"treesplit/run"
	"treesplit/run/workloads"
)

// workerResult is the JSON of run.
type workerResult struct {
	*run.Result
	Sums      map[string]int64 `json:"sums"`
	Maxima    map[string]int64 `json:"maxima"`
	Solutions int64            `json:"solutions"`
	Found     json.RawMessage  `json:"found,omitempty"`
	Value     *int64           `json:"value,omitempty"`
}

// workerFlags are the flags of run besides the flags of all searches.
type workerFlags struct {
	searchFlags
	programFlags
	first bool
}

// workerJob is a search by workers.
type workerJob struct {
	job
	workers *workloads.Worker
}

func (a *app) workerRunCommand() *cobra.Command {
	f := workerFlags{searchFlags: newSearchFlags()}
	f.plan.QuantumTime = 20 * time.Millisecond
	cmd := &cobra.Command{
		Use:   "run [flags] -- COMMAND [ARG...]",
		Short: "Search a tree with a program of your own, in any language",
		Long: `run searches a tree whose nodes a program of yours expands: a worker. Each rank starts COMMAND
once, writes requests to its standard input, and reads answers from its standard output, one JSON
object per line. A node is any JSON value. docs/workers.md describes the protocol and libraries.

A worker says in its first line what it can do. Schemes sl, ml, ra, ranade and static need a worker
that lists the children of a node.

If a worker exits, writes an invalid line or does not answer in time, it is started again with the
same request, --worker-retries times. Lines of its standard error go to the log.

It prints the sums and maxima that the workers report, the solution, and a summary of the run.`,
		Example: `  treesplit run -n 2 -- python3 testdata/workers/queens.py 6
  treesplit run -n 2 --scheme ml --json -- python3 testdata/workers/queens.py 6
  treesplit run -n 2 --first -- python3 testdata/workers/queens.py 8
  treesplit run -n 2 --problem testdata/workers/knapsack.json -- python3 testdata/workers/knapsack.py
  mpirun -n 2 treesplit run -- python3 testdata/workers/queens.py 6`,
		Args: atLeastOneWord,
		RunE: twoSteps(a, func(args []string) (workerJob, error) { return f.parse(a, args) }, a.runWorkers),
	}
	flags := cmd.Flags()
	f.programFlags.addProblemFlags(flags)
	flags.BoolVar(&f.first, "first", false, "end the search at the first solution")
	f.addFlags(cmd)
	flags.SetInterspersed(false)
	f.programFlags.addFaultFlags(flags)
	flags.DurationVar(&f.plan.QuantumTime, "quantum-time", f.plan.QuantumTime, "`time` of a request, to which its number of nodes adapts")
	help.SetRest(flags, help.Run)
	help.SetCommon(flags, "problem", "first", "worker-timeout")
	setExit(cmd, "the search is complete, or --first has found a solution", exitStopped)
	setSearchFiles(cmd)
	return cmd
}

// atLeastOneWord refuses a command line without the program of a worker.
func atLeastOneWord(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return nil
	}
	return run.InputError{Err: fmt.Errorf("%s: no program is given: expected -- COMMAND [ARG...]", cmd.Name())}
}

// parse makes the job of the flags.
func (f *workerFlags) parse(a *app, args []string) (j workerJob, err error) {
	if err := f.programFlags.check(); err != nil {
		return j, err
	}
	if f.plan.QuantumTime <= 0 {
		return j, flagError("quantum-time", fmt.Errorf("%v: expected a time above 0", f.plan.QuantumTime))
	}
	if !f.cmd.Flags().Changed("stall") { // a worker that is started again exchanges its first lines too
		f.plan.Stall = extendStall(f.plan.Stall, f.timeout, 2*f.retries+1)
	}
	log, err := a.newLogger(f.logLevel)
	if err != nil {
		return j, err
	}
	j.workers = &workloads.Worker{
		Command: args, Ranks: f.plan.Ranks, Seed: f.plan.Seed, Scheme: f.plan.Scheme, First: f.first,
		Problem: f.programFlags.readProblem, Timeout: f.timeout, Retries: f.retries, Memory: int64(f.memory) << 20,
		Log: func(rank int, text string) { log.WithField("rank", rank).Warn("worker: " + text) },
	}
	size, underMPI := f.launchedRanks()
	if underMPI {
		j.workers.Ranks = size
	}
	j.workers.Together = !underMPI && f.machine == ""
	j.job, err = f.newJob(f.plan, j.workers, append(commandFiles(args), input("problem", f.problemFile))...)
	return j, err
}

// extendStall returns the time of the watchdog, extended by n waits, in which a run makes no progress. It
// returns 0, which means no watchdog, for a wait of 0, which means any time. It leaves a stall of 0 or less
// as it is.
func extendStall(stall, wait time.Duration, n int) time.Duration {
	switch {
	case stall <= 0:
		return stall
	case wait == 0:
		return 0
	case wait > (math.MaxInt64-stall)/time.Duration(n):
		return math.MaxInt64
	}
	return stall + time.Duration(n)*wait
}

// commandFiles returns the existing files among the words of a command: the worker may read them.
func commandFiles(words []string) (all []place) {
	for _, word := range words {
		if info, err := os.Stat(word); err == nil && info.Mode().IsRegular() {
			all = append(all, place{path: word, what: "a file of the worker's command"})
		}
	}
	return all
}

// runWorkers searches the tree and prints the result.
func (a *app) runWorkers(j workerJob) (outcome, error) {
	defer j.close()
	r, o, err := a.runSearch(&j.job, follower{})
	if err == nil { // also on ranks without a result
		err = a.stopWorkers(j)
	}
	if err != nil || r == nil {
		return o, err
	}
	found, err := j.workers.ReadResult(r)
	if err != nil {
		return o, err
	}
	w := workerResult{Result: r, Sums: found.Sums, Maxima: found.Maxima, Solutions: found.Solutions, Found: found.Found, Value: found.Value}
	if j.json {
		return o, a.printJSON(w)
	}
	fmt.Fprint(a.stdout, formatWorkerResult(w))
	if isStoppedEarly(r.Why) {
		fmt.Fprint(a.stdout, stoppedLine(r, "the numbers describe the searched part"))
	}
	return o, nil
}

// stopWorkers stops the workers of this process. Rank 0 reports the error of the command. Other
// ranks log their own errors, because the workers of rank 0 may have ended without an error.
func (a *app) stopWorkers(j workerJob) error {
	err := j.workers.Stop()
	if rank := mpi.LaunchedRank(); err != nil && rank > 0 {
		if log, invalid := a.newLogger(j.logLevel); invalid == nil {
			log.WithField("rank", rank).Error(err)
		}
	}
	return err
}

// formatWorkerResult returns the text of a result.
func formatWorkerResult(w workerResult) string {
	var rows [][2]string
	for _, counters := range []struct {
		kind   string
		counts map[string]int64
	}{{"sum of ", w.Sums}, {"maximum of ", w.Maxima}} {
		for _, name := range slices.Sorted(maps.Keys(counters.counts)) {
			rows = append(rows, [2]string{counters.kind + printableName(name), units.Count(counters.counts[name])})
		}
	}
	if w.Solutions > 0 && w.Value == nil {
		rows = append(rows, [2]string{"answers with a solution", units.Count(w.Solutions)})
	}
	if w.Found != nil {
		rows = append(rows, [2]string{"solution", string(w.Found)})
	}
	if w.Value != nil {
		rows = append(rows, [2]string{"value", units.Count(*w.Value)})
	}
	width := 0
	for _, row := range rows {
		width = max(width, len([]rune(row[0])))
	}
	var b strings.Builder
	for _, row := range rows {
		fmt.Fprintf(&b, "%-*s  %s\n", width, row[0], row[1])
	}
	return b.String() + summarizeRun(w.Result) + "\n"
}

// printableName returns a name of a worker, quoted unless it is a plain text.
func printableName(name string) string {
	quoted := fmt.Sprintf("%q", name)
	if quoted[1:len(quoted)-1] == name && name != "" {
		return name
	}
	return quoted
}

var errTwoProblems = errors.New("--problem is given too: expected one of the two")

// checkPositive returns an error for a negative number of a flag.
func checkPositive(flag string, n int64) error {
	if n >= 0 {
		return nil
	}
	return flagError(flag, fmt.Errorf("%d: expected 0 or more", n))
}

// check returns an error for invalid values of the flags.
func (f *programFlags) check() error {
	switch {
	case f.problemFile != "" && f.problemJSON != "":
		return flagError("problem-json", errTwoProblems)
	case f.timeout < 0:
		return flagError("worker-timeout", fmt.Errorf("%v: expected a time above 0, or 0 for no limit", f.timeout))
	case f.retries > maxRetries:
		return flagError("worker-retries", fmt.Errorf("%d: expected 0 to %d", f.retries, maxRetries))
	case f.memory > maxMemory:
		return flagError("worker-memory", fmt.Errorf("%d: expected 0 to %d", f.memory, maxMemory))
	}
	return cmp.Or(checkPositive("worker-retries", int64(f.retries)), checkPositive("worker-memory", int64(f.memory)), f.checkJSON())
}
