package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"treesplit/cli/internal/help"
	"treesplit/internal/outfile"
	"treesplit/mapping"
	"treesplit/mapping/auto"
	"treesplit/mapping/graphfile"
	"treesplit/mapping/objects"
	"treesplit/run/workloads"
)

// objectsFlags are the flags of objects.
type objectsFlags struct {
	searchFlags
	objects workloads.Objects
	graph   string
}

// objectsJob is a benchmark run.
type objectsJob struct {
	job
	objects *workloads.Objects
	graph   string // file to be written, or ""
}

func (a *app) objectsCommand() *cobra.Command {
	f := objectsFlags{searchFlags: newSearchFlags()}
	f.plan.Topology = "ring" // objects use neither this nor a scheme and a detector
	cmd := &cobra.Command{
		Use:   "objects",
		Short: "Run communicating objects, and map them again from measurements",
		Long:  objectsHelp(),
		Example: `  treesplit objects -n 2
  treesplit objects --start random --strategy auto --time 200ms --sequential -n 2 --json
  treesplit objects --machine ncube2 -n 16 --objects 200 --iterations 5 --work 50
  treesplit objects --iterations 10 --graph measured.json -n 2
  mpirun -n 4 treesplit objects --sizes front --phases 3`,
		Args: exactArguments(0, "flags only"),
		RunE: twoSteps(a, f.parse, a.runObjects),
	}
	f.addObjectFlags(cmd)
	f.addRunFlags(cmd.Flags())
	help.SetCommon(cmd.Flags(), "machine", "objects", "iterations", "phases", "sizes", "start", "strategy", "graph")
	setExit(cmd, "all phases are complete", exitStopped)
	setSearchFiles(cmd, [2]string{"FILE of --graph", "the measurements of the first phase, as load-balancing data of DARMA vt"})
	return cmd
}

// addObjectFlags defines the flags of the benchmark and of its ranks.
func (f *objectsFlags) addObjectFlags(cmd *cobra.Command) {
	flags, b := cmd.Flags(), &f.objects.Benchmark
	flags.IntVar(&b.Objects, "objects", 100, fmt.Sprintf("number of objects, 1 to %d", objects.MaxObjects))
	flags.IntVar(&b.Iterations, "iterations", 50, "iterations of every object in a phase")
	flags.IntVar(&b.Phases, "phases", 2, "number of phases; objects are mapped again between two phases")
	flags.IntVar(&b.Work, "work", 1000, "mean work of an object in an iteration, in `units` of about 0.2 µs")
	flags.StringVar(&b.Sizes, "sizes", objects.Sizes[0], "`distribution` of the work of objects: "+strings.Join(objects.Sizes, ", "))
	flags.IntVar(&b.Bytes, "bytes", 256, "`number` of bytes in a message")
	flags.StringVar(&b.Start, "start", objects.Starts[0], "`map` at the start: "+strings.Join(objects.Starts, ", "))
	flags.StringVar(&f.objects.Strategy, "strategy", "comm-greedy-refine", "`strategy` of mapping, or "+workloads.Stay+"; --help lists them")
	flags.DurationVar(&f.objects.Time, "time", time.Second, "`time` that mapping may take; 0: no limit, which can be hours")
	flags.DurationVar(&f.objects.Message, "message-cost", 0, "`time` of a message at either end, for mapping; 0: as measured, or as the machine has it")
	help.SetRest(flags, help.Problem)
	f.addRanksFlag(cmd)
	flags.StringVar(&f.machine, "machine", "", machineHelp)
	flags.Uint64Var(&b.Seed, "seed", 1, "seed of the sizes, of a random start and of mapping")
	f.addSequentialFlag(flags)
	help.SetRest(flags, help.Ranks)
	flags.StringVar(&f.graph, "graph", "", "write the measurements of the first phase to a `file`, as data of vt (.json)")
	help.SetRest(flags, help.Output)
}

// objectsHelp returns the help of objects.
func objectsHelp() string {
	var b strings.Builder
	b.WriteString(`objects is the ring benchmark of Radhakrishnan, Brunner and Kalé (section 4.3).

Object i sends messages to the objects i+1, i+3, i+6, i+9 and so on around a ring. In each iteration
an object receives the messages of its partners, computes, and sends. The computation of each object
is measured during a phase. The objects are then mapped again from these measurements, move, and run
the next phase. The states of objects are the same on any number of ranks and under any map;
--sequential checks them against a plain loop.

For each phase it prints the wall-clock time; the makespan, which is the time of the busiest rank
for computation and messages, first as predicted from the phase before and then as measured; and
the number of objects that moved. Computation is measured in processor time, so the measurements
are right also if there are more ranks than cores. The phases are then not shorter than the cores
allow.

Strategies (--strategy):

`)
	for _, s := range auto.Strategies() {
		fmt.Fprintf(&b, "  %s\t%s\n", s.Name, s.Doc)
	}
	fmt.Fprintf(&b, "  %s\tobjects stay where they are, for comparison\n", workloads.Stay)
	return b.String()
}

// maxMessageCost limits --message-cost, because its multiples are added over all messages.
const maxMessageCost = time.Minute

// parse makes the job of the flags.
func (f *objectsFlags) parse([]string) (objectsJob, error) {
	plan, w := f.plan, f.objects
	plan.Seed = w.Benchmark.Seed
	if w.Message > maxMessageCost {
		return objectsJob{}, flagError("message-cost", fmt.Errorf("%v: expected %v at most", w.Message, maxMessageCost))
	}
	if w.Strategy != workloads.Stay && (w.Time > 0 || !f.cmd.Flags().Changed("stall")) { // no rank makes progress while rank 0 maps
		plan.Stall = extendStall(plan.Stall, w.Time, 1)
	}
	if f.graph != "" {
		if format, err := graphfile.FormatByName(f.graph); err != nil || format != graphfile.VT || !strings.HasSuffix(f.graph, ".json") {
			return objectsJob{}, flagError("graph", fmt.Errorf("%q: expected a name that ends in .json", f.graph))
		}
	}
	graph := output("graph", f.graph)
	graph.early = true
	j, err := f.newJob(plan, &w, graph)
	return objectsJob{job: j, objects: &w, graph: f.graph}, err
}

// runObjects runs the benchmark and prints its phases.
func (a *app) runObjects(j objectsJob) (outcome, error) {
	r, o, err := a.runSearch(&j.job, follower{})
	if err != nil || r == nil {
		return o, err
	}
	seen, err := j.objects.ReadResult(r)
	if err != nil {
		return o, err
	}
	if j.graph != "" && len(seen.Phases) > 0 { // an error is reported after the answer
		if err := j.writeGraph(r.Ranks, &seen); err != nil {
			o.trouble = joinErrors(o.trouble, fmt.Errorf("--graph: %w", err))
		}
	}
	out := newObjectsJSON(j.objects, r, &seen)
	if j.json {
		return o, a.printJSON(out)
	}
	out.printText(a.stdout)
	fmt.Fprintln(a.stdout, summarizeRun(r))
	if isStoppedEarly(r.Why) {
		fmt.Fprint(a.stdout, stoppedLine(r, "the table has the complete phases"))
	}
	return o, nil
}

// writeGraph writes the graph of the first phase. The format has one cost for both ends of a
// message: a byte stands for a nanosecond of the mean cost of the two ends.
func (j objectsJob) writeGraph(ranks int, seen *workloads.Observed) error {
	phase := &seen.Phases[0]
	mean := (seen.Costs.SendMessage + seen.Costs.ReceiveMessage) / 2
	p := j.objects.Benchmark.MappingProblem(ranks, phase, mapping.Machine{SendMessage: mean, ReceiveMessage: mean})
	return outfile.WriteFile(j.graph, func(w io.Writer) error {
		return graphfile.WriteVT(w, &graphfile.File{Problem: p, Start: phase.Map}, nil)
	})
}
