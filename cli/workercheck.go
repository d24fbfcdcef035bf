package cli

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"treesplit/cli/internal/units"
	"treesplit/worker"
	"treesplit/worker/process"
)

// workerCheckFlags are the flags of worker check.
type workerCheckFlags struct {
	programFlags
	runs int
	seed uint64
}

// workerCommand is the command whose command checks workers.
func (a *app) workerCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "worker COMMAND",
		Short:   "Check a program that expands the nodes of a search",
		Long:    "worker has one command: check. It checks a program that treesplit run starts on each rank.",
		Example: "  treesplit worker check -- python3 testdata/workers/queens.py 6",
		Args:    onlyCommands("command"),
		RunE:    printHelp,
	}
	setExit(cmd, "the help was printed")
	cmd.AddCommand(a.workerCheckCommand())
	return cmd
}

func (a *app) workerCheckCommand() *cobra.Command {
	var f workerCheckFlags
	cmd := &cobra.Command{
		Use:   "check [flags] -- COMMAND [ARG...]",
		Short: "Check whether a program obeys the rules of workers",
		Long: `check starts COMMAND twice and sends random requests to it. It compares the answers with each other: a
request for many nodes with requests for single nodes, the same request again, another process, lists of
children with open nodes, and searches with and without a best value.

It finds nodes that are lost or expanded twice, and answers that depend on the number of nodes, on
their order, on earlier requests, on the rank, or wrongly on the best value. It cannot know whether the
tree is the tree that you want. A small problem is enough.

It prints one line per check. The line of a fault has what was sent, what was received, and what was
expected.`,
		Example: `  treesplit worker check -- python3 testdata/workers/queens.py 6
  treesplit worker check --runs 50 --problem testdata/workers/knapsack.json -- python3 testdata/workers/knapsack.py`,
		Args: atLeastOneWord,
		RunE: a.withOutcome(func(_ *cobra.Command, args []string) (outcome, error) { return a.checkWorker(f, args) }),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.SetInterspersed(false)
	f.addProblemFlags(flags)
	flags.IntVar(&f.runs, "runs", 100, "`number` of random requests of each check")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the random requests")
	f.addLimitFlags(flags)
	setExit(cmd, "the worker obeys all rules that were checked")
	return cmd
}

// checkWorker checks a worker and prints the findings.
func (a *app) checkWorker(f workerCheckFlags, args []string) (o outcome, err error) {
	if err := f.check(); err != nil {
		return o, err
	}
	if f.runs < 1 || f.runs > math.MaxInt32 {
		return o, flagError("runs", fmt.Errorf("%d: expected 1 to %d", f.runs, math.MaxInt32))
	}
	problem, err := f.readProblem()
	if err != nil {
		return o, err
	}
	c := worker.Checker{Runs: f.runs, Seed: f.seed, Problem: problem, Start: func(s worker.Start, hello func([]byte) error) (worker.Session, error) {
		w := process.Launch(process.Config{
			Command: args, Strict: true,
			Timeout: f.timeout, Memory: int64(f.memory) << 20, Name: fmt.Sprintf("the worker of rank %d", s.Rank),
		})
		return w, w.Begin(worker.AppendStart(nil, s), hello)
	}}
	faults := int64(0)
	for _, found := range c.Check() {
		if found.Skipped {
			fmt.Fprintf(a.stdout, "skip   %s: the worker does not have this capability\n", found.Name)
			continue
		}
		if found.Fault == nil {
			fmt.Fprintf(a.stdout, "ok     %s\n", found.Name)
			continue
		}
		faults++
		fmt.Fprintf(a.stdout, "fault  %s: %v\n", found.Name, found.Fault)
	}
	if faults > 0 {
		return o, fmt.Errorf("worker check: the worker breaks %s of the protocol (see above)", units.Things(faults, "rule"))
	}
	return o, nil
}
