package cli

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

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

// objectsJob is a benchmark to be run.
type objectsJob struct {
	job
	objects *workloads.Objects
	graph   string // file to be written, or ""
}

func (a *app) objectsCommand() *cobra.Command {
	f := objectsFlags{searchFlags: newSearchFlags()}
	f.plan.Topology = "ring" // objects make no use of it, nor of a scheme and a detector
	cmd := &cobra.Command{
		Use:   "objects",
		Short: "Run communicating objects, map them anew from what was measured, run on",
		Long:  objectsHelp(),
		Example: `  treesplit objects -n 2
  treesplit objects --start random --strategy auto --time 200ms --sequential -n 2 --json
  treesplit objects --machine ncube2 -n 16 --objects 200 --iterations 5 --work 50
  treesplit objects --iterations 10 --graph measured.json -n 2
  mpirun -n 4 treesplit objects --sizes front --phases 3`,
		Args: exactArguments(0, "flags alone"),
		RunE: twoSteps(a, f.parse, a.runObjects),
	}
	flags, b := cmd.Flags(), &f.objects.Benchmark
	f.addRanksFlag(cmd)
	flags.StringVar(&f.machine, "machine", "", "simulate a `machine`, a built-in one or a machine file; a unit of work is a node")
	flags.IntVar(&b.Objects, "objects", 100, fmt.Sprintf("number of objects, 1 to %d", objects.MaxObjects))
	flags.IntVar(&b.Iterations, "iterations", 50, "iterations of every object in a phase")
	flags.IntVar(&b.Phases, "phases", 2, "phases, between two of which objects are mapped anew")
	flags.IntVar(&b.Work, "work", 1000, "mean `units` of work of an object in an iteration, of about 0.2 µs each")
	flags.StringVar(&b.Sizes, "sizes", objects.Sizes[0], "how `uneven` objects are: "+strings.Join(objects.Sizes, ", "))
	flags.IntVar(&b.Bytes, "bytes", 256, "bytes of a message")
	flags.StringVar(&b.Start, "start", objects.Starts[0], "`map` that the run starts with: "+strings.Join(objects.Starts, ", "))
	flags.Uint64Var(&b.Seed, "seed", 1, "seed of the sizes, of a random start and of mapping")
	flags.StringVar(&f.objects.Strategy, "strategy", "comm-greedy-refine", "`how` to map: a strategy of those above, or "+workloads.Stay+", which does not")
	flags.DurationVar(&f.objects.Time, "time", time.Second, "time that mapping may take; 0: until nothing is left to try, which can be hours")
	flags.DurationVar(&f.objects.Message, "message-cost", 0, "what a message between ranks is taken to cost at either end, for mapping; 0: as measured, or as the machine says")
	flags.StringVar(&f.graph, "graph", "", "write what the first phase has shown to a `file`, as load-balancing data of vt (.json)")
	f.addRunFlags(cmd)
	return cmd
}

// objectsHelp is the help of objects.
func objectsHelp() string {
	var b strings.Builder
	b.WriteString(`objects is the ring benchmark of Radhakrishnan, Brunner and Kalé (section 4.3). Object i
sends to objects i+1, i+3, i+6, i+9 and so on round a ring; in each iteration an object
takes in its partners' messages, computes for a time that nobody is told, and sends. What
each object computes is measured in one phase, objects are mapped anew from that, move,
and run another phase. States of objects are the same on any number of ranks and under any
map; --sequential makes sure of it against a plain loop.

Of each phase are printed: its time on the clock; the makespan of the map that it ran
under, the busiest rank's computation and messages, first as the phase before predicts it
and then as the phase itself shows; and the objects that had moved. Computation is
measured in processor time, so that it is right with more ranks than cores, too; phases
are then not shorter than the cores allow. Strategies:
`)
	for _, s := range auto.Strategies() {
		fmt.Fprintf(&b, "\n  %-22s %s", s.Name, s.Doc)
	}
	fmt.Fprintf(&b, "\n  %-22s %s", workloads.Stay, "objects stay where they are: what others are compared with")
	return b.String()
}

// maxMessageCost bounds --message-cost, of which there are sums over all messages.
const maxMessageCost = time.Minute

// parse makes the job of the flags.
func (f *objectsFlags) parse([]string) (objectsJob, error) {
	plan, w := f.plan, f.objects
	plan.Seed = w.Benchmark.Seed
	if w.Message > maxMessageCost {
		return objectsJob{}, flagError("message-cost", fmt.Errorf("%v: expected %v at most", w.Message, maxMessageCost))
	}
	if plan.Stall > 0 { // no rank makes progress while rank 0 maps
		plan.Stall += min(w.Time, math.MaxInt64-plan.Stall)
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
	if j.graph != "" && len(seen.Phases) > 0 { // the error is reported after the answer
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
// message: a byte stands for a nanosecond at each, of the mean of the two.
func (j objectsJob) writeGraph(ranks int, seen *workloads.Observed) error {
	phase := &seen.Phases[0]
	mean := (seen.Costs.SendMessage + seen.Costs.ReceiveMessage) / 2
	p := j.objects.Benchmark.MappingProblem(ranks, phase, mapping.Machine{SendMessage: mean, ReceiveMessage: mean})
	return outfile.WriteFile(j.graph, func(w io.Writer) error {
		return graphfile.WriteVT(w, &graphfile.File{Problem: p, Start: phase.Map}, nil)
	})
}
