package cli

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"treesplit/cli/internal/help"
	"treesplit/cli/internal/units"
	"treesplit/lb"
	"treesplit/run"
	"treesplit/run/workloads"
	"treesplit/sim"
	"treesplit/sim/machinefile"
	"treesplit/study/figure"
	"treesplit/study/predict"
)

// predictFlags are the flags of predict.
type predictFlags struct {
	ranks, schemes     string
	efficiency         float64
	runs               int
	nodes              int64
	look, patience     time.Duration
	json               bool
	progress, logLevel string
}

// maxPredictRuns is a larger number of simulations than any prediction needs.
const maxPredictRuns = 1000

func (a *app) predictCommand(searches []searchCommand) *cobra.Command {
	var f predictFlags
	cmd := &cobra.Command{
		Use:   "predict [flags] MACHINE [SEARCH [flags of SEARCH] [input]]",
		Short: "Predict a search on more ranks under every scheme, and recommend a scheme",
		Long: `predict simulates a search under every scheme on many numbers of ranks.

MACHINE is a machine file that calibrate has written, or the name of a machine (treesplit help
machines). SEARCH is the command sat, puzzle or uts, with its flags and its input.

It prints the times and the efficiencies, the recommended scheme, and the size of a problem that
reaches the efficiency of --efficiency.

A real run is never repeated exactly, and some schemes react to small differences. A prediction is
therefore the median of several simulations (--runs), whose times of a node differ by up to 0.5 %. All
use the seed of SEARCH. The table "slowest run / fastest run" shows how much their times differ.

The tree is searched once. Trees of uts and of sat --rule paper are recorded and simulated exactly.
Trees of sat --rule lookahead and cubes are recorded with the time of each node. Other trees are
searched again in each simulation if that takes less than three seconds. For larger trees, and with
--nodes, the simulation uses a model: work of the same number of nodes that splits at random. The
isoefficiency always belongs to a model, whose splits are fitted to the tree. Under sl, ml, ra and
ranade a model is cut into subtasks at the best of several depths.

Every simulated rank has its own core.`,
		Example: `  treesplit predict --ranks 2,16 --schemes rp,grr-m --efficiency 0 ncube2 sat testdata/php6.cnf --rule paper
  treesplit predict --ranks 8,16 --schemes rp,nn --nodes 100000 ncube2
  treesplit calibrate --time 1s --out here.yaml uts && treesplit predict --ranks 1,2,4 --schemes rp --efficiency 0 --json here.yaml uts`,
		RunE: a.withOutcome(func(cmd *cobra.Command, args []string) (outcome, error) { return a.runPredict(cmd, &f, searches, args) }),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.SetInterspersed(false)
	flags.StringVarP(&f.ranks, "ranks", "n", "2,4,8,16,32,64,128,256,512,1024", "`numbers` of ranks, separated by commas")
	flags.StringVar(&f.schemes, "schemes", "all", "`schemes`, separated by commas, or all (treesplit help schemes)")
	flags.Float64Var(&f.efficiency, "efficiency", 0.8, "`efficiency` for which a problem size is printed; 0: none")
	flags.IntVar(&f.runs, "runs", 3, "`number` of simulations of which a prediction is the median")
	flags.Int64Var(&f.nodes, "nodes", 0, "predict for a model of a tree with this `number` of nodes, without a search")
	flags.DurationVar(&f.look, "look", time.Minute, "`time` that the one search of the tree may take")
	flags.DurationVar(&f.patience, "patience", time.Minute, "`time` after which a simulation is given up; 0: never")
	flags.BoolVar(&f.json, "json", false, jsonHelp)
	flags.StringVar(&f.progress, "progress", "auto", lineHelp)
	flags.StringVar(&f.logLevel, "log-level", "warning", logLevelHelp)
	setExit(cmd, "the prediction is printed", exitSignal)
	help.SetFiles(cmd, [2]string{"MACHINE", fileMachine[1]})
	return cmd
}

func (a *app) runPredict(cmd *cobra.Command, f *predictFlags, searches []searchCommand, args []string) (outcome, error) {
	if len(args) == 0 {
		return outcome{}, run.InputError{Err: fmt.Errorf("predict: no MACHINE: expected as first argument a machine file of calibrate, or one of %s", strings.Join(sim.MachineNames(), ", "))}
	}
	m, err := machinefile.ParseMachine(args[0])
	if err != nil {
		return outcome{}, run.InputError{Err: err}
	}
	places := append(machinePlaces("", args[0]), a.streamPlaces()...)
	if f.nodes == 0 {
		o, err := f.parseOptions()
		if err != nil {
			return outcome{}, err
		}
		j, err := parseSearch(cmd, searches, args[1:], o.Schemes)
		if err != nil || j == nil {
			return outcome{}, err
		}
		defer j.close()
		if err := checkPlaces(slices.Concat(j.files, places)...); err != nil {
			return outcome{}, err
		}
		if w, ok := j.workload.(*workloads.Puzzle); ok {
			w.DivideFor(m.Expand)
		}
		return a.predictFor(f, m, j, func(halt func() bool) (predict.Tree, error) {
			return predict.ExamineTree(j.workload, m, j.plan.Splitting, f.look, halt)
		})
	}
	if len(args) > 1 {
		return outcome{}, flagError("nodes", errors.New("a model needs no search: leave it out"))
	}
	if err := checkPlaces(places...); err != nil {
		return outcome{}, err
	}
	defaults := newSearchFlags()
	plan, err := defaults.completePlan(defaults.plan)
	if err != nil {
		return outcome{}, err
	}
	return a.predictFor(f, m, &job{plan: plan}, func(func() bool) (predict.Tree, error) { return predict.NewModel(f.nodes) })
}

// parseOptions reads the flags.
func (f *predictFlags) parseOptions() (o predict.Options, err error) {
	for _, text := range strings.Split(f.ranks, ",") {
		p, err := strconv.Atoi(text)
		if err != nil || p < 1 || p > run.MaxRanks {
			return o, flagError("ranks", fmt.Errorf("%q: expected numbers of 1 to %d with commas between", text, run.MaxRanks))
		}
		o.Ranks = append(o.Ranks, p)
	}
	slices.Sort(o.Ranks)
	o.Ranks = slices.Compact(o.Ranks)
	o.Schemes = lb.SchemeNames()
	if f.schemes != "all" {
		o.Schemes = strings.Split(f.schemes, ",")
		for _, scheme := range o.Schemes {
			if err := lb.CheckName(scheme); err != nil {
				return o, flagError("schemes", err)
			}
		}
		slices.Sort(o.Schemes)
		o.Schemes = slices.Compact(o.Schemes)
	}
	if !(f.efficiency >= 0 && f.efficiency < 1) {
		return o, flagError("efficiency", fmt.Errorf("%v: expected a share below 1, or 0 for none", f.efficiency))
	}
	if f.runs < 1 || f.runs > maxPredictRuns {
		return o, flagError("runs", fmt.Errorf("%d: expected 1 to %d", f.runs, maxPredictRuns))
	}
	if f.look <= 0 {
		return o, flagError("look", fmt.Errorf("%v: expected a span above 0", f.look))
	}
	if f.patience < 0 {
		return o, flagError("patience", fmt.Errorf("%v: expected a span above 0, or 0 for any", f.patience))
	}
	o.Runs, o.Efficiency, o.Patience, o.Workers = f.runs, f.efficiency, f.patience, runtime.GOMAXPROCS(0)
	return o, nil
}

// predictFor makes predictions for the tree that look finds.
func (a *app) predictFor(f *predictFlags, m sim.Machine, j *job, look func(halt func() bool) (predict.Tree, error)) (outcome, error) {
	o, err := f.parseOptions()
	if err != nil {
		return outcome{}, err
	}
	o.Machine, o.Plan = m, j.plan
	log, err := a.newLogger(f.logLevel)
	if err != nil {
		return outcome{}, err
	}
	interrupted, ignore := listenForSignals(log, j.abandon)
	defer ignore()
	show := a.startProgress(f.progress, "simulation")
	defer show.removeLine()
	tree, err := look(interrupted)
	var p *predict.Prediction
	if err == nil {
		o.Interrupted = interrupted
		if show.on {
			o.Progress = func(done, wanted int64) {
				show.setTotal(wanted)
				show.setCount(done)
			}
		}
		p, err = predict.Run(tree, o)
	}
	switch {
	case errors.Is(err, predict.ErrInterrupted):
		return outcome{status: statusStopped}, nil
	case err != nil:
		return outcome{}, err
	case f.json:
		return outcome{}, a.printJSON(p)
	}
	a.printPrediction(p, o)
	return outcome{}, nil
}

// printPrediction prints tables and conclusions.
func (a *app) printPrediction(p *predict.Prediction, o predict.Options) {
	s := figure.Section{Title: fmt.Sprintf("%s (%s) on machine %s", units.Things(p.Tree.Nodes, "node"), p.Tree.Kind, p.Machine)}
	s.Tables = append(s.Tables,
		predictionTable(p, o, "time", func(c predict.Cell) string { return units.Seconds(c.Seconds) }),
		predictionTable(p, o, "efficiency", func(c predict.Cell) string { return fmt.Sprintf("%.3f", c.Efficiency) }))
	if p.Runs > 1 {
		s.Tables = append(s.Tables, predictionTable(p, o, "slowest run / fastest run", formatSpread))
	}
	if p.Recommended != "" {
		s.Text = append(s.Text, "Recommended: --scheme "+p.Recommended)
	}
	if i := p.Isoefficiency; i != nil {
		t := figure.Table{Title: fmt.Sprintf("problem size for an efficiency of %v under scheme %s", i.Efficiency, i.Scheme), Head: []string{"ranks", "nodes", "time on one rank", "efficiency of this tree", "efficiency of the model"}}
		for _, at := range i.Points {
			nodes, alone := "out of reach", ""
			if at.Nodes > 0 {
				nodes, alone = units.Magnitude(at.Nodes), units.Seconds(o.Machine.TimeOfNodes(int64(at.Nodes), 1).Duration().Seconds())
			}
			t.AppendRow(strconv.Itoa(at.Ranks), nodes, alone, formatShare(at.Tree), formatShare(at.Model))
		}
		s.Tables = append(s.Tables, t)
		if i.Exponent > 0 {
			s.Text = append(s.Text, fmt.Sprintf("Isoefficiency: W = %s · P^%.2f, R² = %.3f; the model halves with σ = %v.", units.Magnitude(i.Factor), i.Exponent, i.R2, i.Sigma))
		}
	}
	s.PrintText(a.stdout)
}

// formatSpread writes the ratio of the slowest to the fastest run, or nothing if there was one run.
func formatSpread(c predict.Cell) string {
	if c.Least == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", c.Most/c.Least)
}

// formatShare writes an efficiency that may be unknown.
func formatShare(e float64) string {
	if e == 0 {
		return ""
	}
	return fmt.Sprintf("%.3f", e)
}

// predictionTable returns one figure of all cells, with one row per number of ranks.
func predictionTable(p *predict.Prediction, o predict.Options, title string, show func(predict.Cell) string) figure.Table {
	t := figure.Table{Title: title, Head: []string{"ranks"}}
	for _, scheme := range o.Schemes {
		if len(p.CellsOfScheme(scheme)) > 0 {
			t.Head = append(t.Head, scheme)
		}
	}
	for i, ranks := range o.Ranks {
		row := []string{strconv.Itoa(ranks)}
		for _, scheme := range t.Head[1:] {
			cell := "not finished"
			if c := p.CellsOfScheme(scheme)[i]; !c.GivenUp {
				cell = show(c)
			}
			row = append(row, cell)
		}
		t.AppendRow(row...)
	}
	return t
}
