package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"treesplit/cli/internal/help"
	"treesplit/cli/internal/units"
	"treesplit/run"
	"treesplit/run/workloads"
	"treesplit/uts"
)

// utsResult is the JSON of uts.
type utsResult struct {
	*run.Result
	Tree   string `json:"tree,omitempty"`
	Size   int64  `json:"size"`
	Depth  int64  `json:"depth"`
	Leaves int64  `json:"leaves"`
}

// utsFlags are the flags of uts besides the flags of all searches.
type utsFlags struct {
	searchFlags
	tree   string
	params uts.Params
}

// utsJob is a tree to be counted.
type utsJob struct {
	job
	tree      string     // its name, if it is a published one
	published uts.Result // of that
}

func (a *app) utsCommand() searchCommand {
	f := utsFlags{searchFlags: newSearchFlags(), params: uts.DefaultParams()}
	p := &f.params
	cmd := &cobra.Command{
		Use:   "uts",
		Short: "Count the nodes of an Unbalanced Tree Search tree",
		Long: `uts counts the nodes, the depth and the leaves of a tree of the Unbalanced Tree Search benchmark
(Olivier et al., LCPC 2006).

It reads no file: the flags define the tree. They have the same letters as in the reference program.
--tree sets the parameters of a published tree and compares the result with the published one. A
difference is an error.

It prints the size, the depth and the leaves, and a summary of the run.`,
		Example: `  treesplit uts
  treesplit uts --tree T3 -n 2 --scheme nn --topology ring
  treesplit uts --tree T3 --progress-file progress.jsonl
  treesplit uts -t 0 -b 2000 -q 0.124875 -m 8 -r 42 --json
  mpirun -n 4 treesplit uts --tree T1`,
		Args: exactArguments(0, "flags only"),
		RunE: twoSteps(a, f.parse, a.runUTS),
	}
	flags := cmd.Flags()
	flags.StringVar(&f.tree, "tree", "", "published `tree`: "+strings.Join(uts.SampleNames(), ", "))
	flags.IntVarP((*int)(&p.Type), "type", "t", int(p.Type), "type of the tree: 0 binomial, 1 geometric, 2 hybrid, 3 balanced")
	flags.Float64VarP(&p.B0, "branching", "b", p.B0, "branching factor of the root")
	flags.IntVarP(&p.Seed, "root-seed", "r", p.Seed, "seed of the tree")
	flags.IntVarP((*int)(&p.Shape), "shape", "a", int(p.Shape), "geometric: 0 linear, 1 exponential decrease, 2 cyclic, 3 fixed")
	flags.IntVarP(&p.Depth, "depth", "d", p.Depth, "geometric, balanced: depth parameter")
	flags.Float64VarP(&p.Q, "probability", "q", p.Q, "binomial: probability that a node has children")
	flags.IntVarP(&p.M, "children", "m", p.M, "binomial: number of children of a node that has children")
	flags.Float64VarP(&p.Shift, "shift", "f", p.Shift, "hybrid: `fraction` of the depth at which geometric becomes binomial")
	flags.IntVarP(&p.Granularity, "granularity", "g", p.Granularity, "number of times that the hash of a node is computed")
	f.addFlags(cmd)
	help.SetCommon(flags, "tree", "type", "branching", "root-seed", "depth")
	setExit(cmd, "the tree is counted, and equal to the published tree", exitStopped)
	setSearchFiles(cmd)
	return searchCommand{cmd, func(args []string) (*job, error) {
		j, err := f.parse(args)
		return &j.job, err
	}}
}

// letters are the flags that --tree sets.
var letters = []string{"type", "branching", "root-seed", "shape", "depth", "probability", "children", "shift"}

// parse makes the job of the flags.
func (f *utsFlags) parse([]string) (j utsJob, err error) {
	j.tree = f.tree
	p := f.params
	if f.tree != "" {
		for _, l := range letters {
			if f.cmd.Flags().Changed(l) {
				return j, flagError("tree", fmt.Errorf("%s sets --%s already", f.tree, l))
			}
		}
		var ok bool
		if p, j.published, ok = uts.FindSample(f.tree); !ok {
			return j, flagError("tree", fmt.Errorf("unknown tree %q: expected one of %s", f.tree, strings.Join(uts.SampleNames(), ", ")))
		}
		p.Granularity = f.params.Granularity
	}
	j.job, err = f.newJob(f.plan, &workloads.UTS{Params: p})
	return j, err
}

// runUTS counts the tree and prints its size.
func (a *app) runUTS(j utsJob) (outcome, error) {
	r, o, err := a.runSearch(&j.job, follower{})
	if err != nil || r == nil {
		return o, err
	}
	got := workloads.UTSResult(r.Counts)
	if j.tree != "" && !isStoppedEarly(r.Why) {
		err = checkPublished(j.tree, got, j.published)
	}
	u := utsResult{Result: r, Tree: j.tree, Size: got.Size, Depth: got.Depth, Leaves: got.Leaves}
	if j.json {
		if failed := a.printJSON(u); failed != nil {
			return o, failed
		}
		return o, err
	}
	fmt.Fprintf(a.stdout, "size   %s\ndepth  %s\nleaves %s\n%s\n", units.Count(u.Size), units.Count(u.Depth), units.Count(u.Leaves), summarizeRun(r))
	if isStoppedEarly(r.Why) {
		fmt.Fprint(a.stdout, stoppedLine(r, "the numbers describe the searched part"))
	}
	return o, err
}

// checkPublished holds a result against the published one, whose leaves are 0 where they
// were not published.
func checkPublished(tree string, got, published uts.Result) error {
	if published.Leaves == 0 {
		got.Leaves = 0
	}
	if got != published {
		return fmt.Errorf("%s: size, depth and leaves are %v, published are %v", tree, got, published)
	}
	return nil
}
