package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"treesplit/cli/internal/help"
	"treesplit/cli/internal/units"
	"treesplit/comm"
	"treesplit/internal/cputime"
	"treesplit/internal/outfile"
	"treesplit/run"
	"treesplit/sim"
	"treesplit/study/calibrate"
)

// calibrateFlags are the flags of calibrate.
type calibrateFlags struct {
	ranks              int
	ranksGiven         bool // by --ranks; otherwise the number of ranks is the default
	json               bool
	progress, logLevel string
	out                string
	span               time.Duration
}

// calibrateResult is the JSON of calibrate.
type calibrateResult struct {
	World   string            `json:"world"`
	Library string            `json:"mpiLibrary,omitempty"`
	Search  string            `json:"search"` // the verb, its flags and input
	Machine map[string]string `json:"machine"`
	calibrate.Measures
}

func (a *app) calibrateCommand(searches []searchCommand) *cobra.Command {
	var f calibrateFlags
	cmd := &cobra.Command{
		Use:   "calibrate [flags] SEARCH [flags of SEARCH] [input]",
		Short: "Measure the costs of messages and nodes, and write a machine file",
		Long: `calibrate measures the costs of this machine for one search, on goroutine ranks or on the ranks of
mpirun. The simulator needs these costs to predict runs on more ranks.

SEARCH is the command sat, puzzle or uts, with its flags and its input.

It measures t_s and t_w, the time for which a message and a poll occupy a rank, U_calc of the search
on one rank and on all ranks at once, the costs of pieces of its tree, and the cost of the end of a
run. Each value is a median; --json has the quartiles too.

Measure as many ranks per host as the run will have there, with one core per rank: nodes take longer
if all cores work. Nodes are measured in processor time, so other programs on the machine do not
count. Messages are measured in wall-clock time.

If SEARCH has --pace, it measures the emulated processors, with --pace-send, --pace-receive, --latency
and --bandwidth. Two ranks are then enough. The predictions hold for paced ranks.

It writes a machine file to --out or to standard output. treesplit predict reads the file, and so does
--machine of every search.`,
		Example: `  treesplit calibrate -n 2 --time 1s uts --tree T3
  treesplit calibrate --time 1s --out here.yaml sat testdata/php6.cnf --rule paper && treesplit uts --machine here.yaml -n 64
  treesplit calibrate -n 2 --time 100ms --out paced.yaml uts -t 0 -b 20 --pace 1ms && treesplit predict -n 4 --schemes rp --efficiency 0 paced.yaml uts -t 0 -b 20
  mpirun -n 4 treesplit calibrate --out cluster.yaml uts --tree T1`,
		RunE: a.withOutcome(func(cmd *cobra.Command, args []string) (outcome, error) {
			j, err := parseSearch(cmd, searches, args, nil)
			if err != nil || j == nil {
				return outcome{}, err
			}
			defer j.close()
			f.ranksGiven = cmd.Flags().Changed("ranks") // given before or after the search command
			return a.runCalibrate(&f, strings.Join(args, " "), j)
		}),
	}
	addRanksFlag(cmd, &f.ranks)
	flags := cmd.Flags()
	flags.SetInterspersed(false)
	flags.StringVar(&f.out, "out", "", "machine `file` to write; default: standard output")
	flags.DurationVar(&f.span, "time", 5*time.Second, "`time` to measure nodes; messages and pieces take up to a tenth of it each")
	flags.BoolVar(&f.json, "json", false, "print one JSON object, with all quartiles")
	flags.StringVar(&f.progress, "progress", "auto", lineHelp)
	flags.StringVar(&f.logLevel, "log-level", "warning", logLevelHelp)
	setExit(cmd, "the machine is measured", exitSignal)
	help.SetFiles(cmd, [2]string{"FILE of --out", fileMachine[1]})
	return cmd
}

func (a *app) runCalibrate(f *calibrateFlags, search string, j *job) (o outcome, err error) {
	if f.span <= 0 {
		return o, flagError("time", fmt.Errorf("%v: expected a span above 0", f.span))
	}
	log, err := a.newLogger(f.logLevel)
	if err != nil {
		return o, err
	}
	underMPI, err := launchedWorld(f.ranks, f.ranksGiven)
	if err != nil {
		return o, err
	}
	j.plan.Ranks = f.ranks
	if err := checkPacedRanks(j.plan, underMPI); err != nil {
		return o, err
	}
	if !underMPI && j.plan.Pace == nil && f.ranks > runtime.GOMAXPROCS(0) {
		log.WithField("rank", 0).Warnf("%d ranks share %d cores, so the measured times contain waiting for a core", f.ranks, runtime.GOMAXPROCS(0))
	}
	interrupted, ignore := listenForSignals(log, j.abandon)
	defer ignore()
	show := a.startProgress(f.progress, "phase")
	defer show.removeLine()
	phase := int64(0)
	options := calibrate.Options{
		Splitting: j.plan.Splitting, QuantumTime: comm.Time(j.plan.QuantumTime), Nodes: comm.Time(f.span), Seed: j.plan.Seed,
		Interrupted: interrupted,
		Phase: func(name string) {
			if show.on {
				show.setLabel(name)
				show.setCount(phase)
			}
			phase++
		},
	}
	hooks := run.Hooks{Started: a.startedAs(), Log: func(rank int, err error) { log.WithField("rank", rank).Error(err) }}
	out := output("out", f.out)
	out.early = true
	w := placed{j.workload, slices.Concat(j.files, []place{out}, a.streamPlaces())}
	r, machine, endMPI, err := f.measureCosts(underMPI, j.plan, w, hooks, options)
	o.endMPI = endMPI
	switch {
	case errors.Is(err, calibrate.ErrInterrupted):
		o.status = statusStopped
		return o, nil
	case err != nil || r == nil:
		return o, err
	}
	r.Search = search
	o.trouble, err = a.printCalibrate(f, r, machine)
	return o, err
}

// measureCosts measures in the runtime that started this process. The result is nil on all ranks
// except rank 0. endMPI is nil if MPI was not started.
func (f *calibrateFlags) measureCosts(underMPI bool, plan run.Plan, w run.Workload, h run.Hooks, o calibrate.Options) (r *calibrateResult, machine sim.Machine, endMPI func() error, err error) {
	var shared run.Problem // shared by goroutine ranks, as in a run
	r = &calibrateResult{World: "mpi"}
	if !underMPI {
		r.World = "local"
		if shared, err = w.Load(); err != nil {
			return nil, machine, nil, run.InputError{Err: err}
		}
	}
	stopped := make([]error, max(f.ranks, 1)) // interrupted ranks have not failed
	rank := 0
	o.Clock, o.Nap = cputime.Now, func() { time.Sleep(2 * time.Millisecond) }
	if o.Pace = plan.Pace; o.Pace != nil {
		o.Clock = nil // paced nodes are mostly waits
	}
	r.Library, endMPI, err = run.RunOnRanks(plan, underMPI, h, func(t comm.Transport) error {
		problem, err := shared, error(nil)
		if underMPI {
			rank = t.Rank()
			problem, err = run.BringProblem(t, plan, w)
		}
		if err != nil {
			return err
		}
		found, m, err := calibrate.MeasureAll(t, problem, plan.Topology, plan.Serve, o)
		if errors.Is(err, calibrate.ErrInterrupted) {
			stopped[t.Rank()%len(stopped)] = err
			return nil
		}
		if t.Rank() == 0 {
			r.Measures, machine = found, m
		}
		return err
	})
	if err = cmp.Or(err, stopped[rank%len(stopped)]); err != nil || rank > 0 { // an interruption hides no error of another rank
		return nil, machine, endMPI, err
	}
	return r, machine, endMPI, nil
}

// printCalibrate writes the machine file and prints the measurements. trouble is the error of the
// machine file, which is then printed.
func (a *app) printCalibrate(f *calibrateFlags, r *calibrateResult, machine sim.Machine) (trouble, err error) {
	host, err := os.Hostname()
	if err != nil {
		host = "an unknown host"
	}
	where := "goroutine ranks"
	if r.Library != "" {
		where = "ranks of " + r.Library
	}
	about := []string{
		"treesplit calibrate " + r.Search,
		fmt.Sprintf("%d %s, rank 0 on %s; %s", r.Ranks, where, host, time.Now().Format(time.DateOnly)),
		"times in comments are in nanoseconds",
	}
	if !r.Whole {
		about = append(about, "U_calc was measured on a part of the tree; --time 1m measures a larger part")
	}
	text, file := r.MachineFile(machine, about), f.out
	if file != "" {
		if err := outfile.WriteFile(file, func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
			trouble = fmt.Errorf("--out: %w", err)
			file = "" // the text is printed instead
		}
	}
	switch {
	case f.json:
		r.Machine = map[string]string{}
		for _, field := range machine.FileFields() {
			r.Machine[field.Name] = field.Value
		}
		return trouble, a.printJSON(r)
	case file == "":
		_, err = a.stdout.Write(text)
	default:
		span := func(ns float64) string { return units.Seconds(ns / 1e9) }
		_, err = fmt.Fprintf(a.stdout, "machine file %s: t_s %s, t_w %.2f ns per word, send %s, receive %s, poll %s, U_calc %s alone, %s on %s\n",
			f.out, span(r.Latency.Median), max(4*r.Byte.Median, 0), span(r.Startup.Median), span(r.Receive.Median), span(r.Poll.Median), span(r.Alone.Median), span(r.Together.Median), units.Things(int64(r.Ranks), "rank"))
	}
	return trouble, err
}
