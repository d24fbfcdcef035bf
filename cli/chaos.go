package cli

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"runtime"

	"github.com/spf13/cobra"

	"treesplit/cli/internal/help"
	"treesplit/cli/internal/units"
	"treesplit/internal/parallel"
	"treesplit/study/chaos"
)

// chaosFlags are the flags of chaos.
type chaosFlags struct {
	seed    uint64
	runs    int
	workers int
	json    bool
	verbose bool
}

// chaosResult is the JSON of chaos.
type chaosResult struct {
	Seed uint64 `json:"seed"` // of the first run
	chaos.Summary
}

func (a *app) chaosCommand() *cobra.Command {
	var f chaosFlags
	cmd := &cobra.Command{
		Use:   "chaos",
		Short: "Test random searches on simulated machines with faults",
		Long: `chaos tests the program. It draws simulated searches of small trees from a seed: the tree, the scheme,
the detector and their options, a machine of up to 64 ranks, faults (slow ranks, late messages,
pauses, bad and refused splits), and up to four moments at which the search is interrupted and
resumes from its pieces under another scheme on another machine.

It checks that every node is expanded once, that the answer is right, that the audit is correct, and
that the run ends. For a run that fails it prints the drawn search and the command that repeats the run.
The seeds are --seed, --seed + 1 and so on.`,
		Example: `  treesplit chaos
  treesplit chaos --seed 36 --runs 1 --verbose
  treesplit chaos --seed 1000 --runs 100 --json`,
		Args: exactArguments(0, "flags only"),
		RunE: a.withOutcome(func(*cobra.Command, []string) (outcome, error) { return a.runChaos(f) }),
	}
	flags := cmd.Flags()
	flags.Uint64Var(&f.seed, "seed", 0, "seed of the first run")
	flags.IntVar(&f.runs, "runs", 1000, "`number` of runs")
	flags.IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "`number` of runs at the same time")
	flags.BoolVar(&f.json, "json", false, jsonHelp)
	flags.BoolVar(&f.verbose, "verbose", false, "print the drawn search of each run")
	help.SetExit(cmd, help.Status{Code: statusDone, Meaning: "all runs are right"},
		help.Status{Code: statusFailed, Meaning: "a run is wrong"}, exitInput, exitSignal)
	return cmd
}

// chaosBatch is the number of runs per worker between two updates of the summary. The summary of an
// interrupted test has the complete batches.
const chaosBatch = 8

// maxChaosWorkers is more workers than any machine has cores.
const maxChaosWorkers = 1 << 16

func (a *app) runChaos(f chaosFlags) (o outcome, err error) {
	switch {
	case f.runs < 1:
		return o, flagError("runs", fmt.Errorf("%d: expected 1 or more", f.runs))
	case f.workers < 1:
		return o, flagError("workers", fmt.Errorf("%d: expected 1 or more", f.workers))
	}
	ctx, stop := signal.NotifyContext(context.Background(), watchedSignals()...)
	defer stop()
	res := chaosResult{Seed: f.seed}
	batch := chaosBatch * min(f.workers, maxChaosWorkers)
	for done := 0; done < f.runs; done += batch {
		all, err := parallel.SideBySide(ctx, f.workers, min(batch, f.runs-done), func(_ context.Context, i int) (chaos.Outcome, error) {
			seed := f.seed + uint64(done+i)
			o, err := chaos.Run(seed)
			if err != nil {
				err = fmt.Errorf("%w\nrepeat it: treesplit chaos --seed %d --runs 1", err, seed)
			}
			return o, err
		})
		if errors.Is(err, context.Canceled) {
			o.status = statusStopped
			break
		}
		if err != nil {
			return o, err
		}
		for _, o := range all {
			res.AddOutcome(o)
			if f.verbose && !f.json {
				fmt.Fprintf(a.stdout, "seed %d: %s\n  %s, %s, digest %x\n", o.Seed, o.Drawn, units.Things(int64(o.Segments), "segment"), units.Things(o.Events, "event"), o.Digest)
			}
		}
	}
	if f.json {
		return o, a.printJSON(res)
	}
	fmt.Fprintf(a.stdout, "%s from seed %d on: every answer was right, and every run ended\n", units.Things(int64(res.Runs), "run"), f.seed)
	fmt.Fprintf(a.stdout, "%s; %s, at most %s per run; %s, of which %s resumed from %s and %s from a checkpoint; %s ended by a witness\n",
		units.Things(int64(res.Nodes), "node"), units.Things(int64(res.Events), "event"), units.Count(int64(res.MostEvents)), units.Things(int64(res.Segments), "segment"),
		units.Count(int64(res.Segments-res.Runs)), units.Things(int64(res.Pieces), "piece"), units.Count(int64(res.Encoded)), units.Things(int64(res.Decided), "run"))
	return o, nil
}
