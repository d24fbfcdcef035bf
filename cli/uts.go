package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

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

func (a *app) uts() *cobra.Command {
	var f searchFlags
	var tree string
	p := uts.Defaults()
	cmd := &cobra.Command{
		Use:   "uts",
		Short: "Count the nodes of an Unbalanced Tree Search tree",
		Long: `uts generates a tree of the Unbalanced Tree Search benchmark (Olivier et al.,
LCPC 2006) and counts its nodes, its depth and its leaves. The flags are the
letters of the reference program. --tree takes the parameters of a published
tree and compares the result: a difference is an error.`,
		Example: `  treesplit uts
  treesplit uts --tree T3 -n 2 --scheme nn --topology ring
  treesplit uts --tree T3 --progress-file progress.jsonl
  treesplit uts -t 0 -b 2000 -q 0.124875 -m 8 -r 42 --json
  mpirun -n 4 treesplit uts --tree T1`,
		Args: arguments(0, "flags alone"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runUTS(cmd, &f, p, tree) },
	}
	flags := cmd.Flags()
	flags.StringVar(&tree, "tree", "", "published `tree`: "+strings.Join(uts.Names(), ", "))
	flags.IntVarP((*int)(&p.Type), "type", "t", int(p.Type), "0 binomial, 1 geometric, 2 hybrid, 3 balanced")
	flags.Float64VarP(&p.B0, "branching", "b", p.B0, "branching factor at the root")
	flags.IntVarP(&p.Seed, "root-seed", "r", p.Seed, "seed of the tree")
	flags.IntVarP((*int)(&p.Shape), "shape", "a", int(p.Shape), "geometric: 0 linear, 1 exponential decrease, 2 cyclic, 3 fixed")
	flags.IntVarP(&p.Depth, "depth", "d", p.Depth, "depth parameter of geometric and balanced trees")
	flags.Float64VarP(&p.Q, "probability", "q", p.Q, "binomial: probability of a node to have children")
	flags.IntVarP(&p.M, "children", "m", p.M, "binomial: how many children it has then")
	flags.Float64VarP(&p.Shift, "shift", "f", p.Shift, "hybrid: fraction of the depth at which geometric becomes binomial")
	flags.IntVarP(&p.Granularity, "granularity", "g", p.Granularity, "how often the hash of a node is computed")
	f.add(cmd)
	return cmd
}

// letters are the flags that --tree sets.
var letters = []string{"type", "branching", "root-seed", "shape", "depth", "probability", "children", "shift"}

func (a *app) runUTS(cmd *cobra.Command, f *searchFlags, p uts.Params, tree string) error {
	var published uts.Result
	if tree != "" {
		for _, l := range letters {
			if cmd.Flags().Changed(l) {
				return flagError("tree", fmt.Errorf("%s sets --%s already", tree, l))
			}
		}
		granularity := p.Granularity
		var ok bool
		if p, published, ok = uts.Named(tree); !ok {
			return flagError("tree", fmt.Errorf("unknown tree %q: expected one of %s", tree, strings.Join(uts.Names(), ", ")))
		}
		p.Granularity = granularity
	}
	r, err := a.run(f, &workloads.UTS{Params: p})
	if err != nil || r == nil {
		return err
	}
	got := workloads.UTSResult(r.Counts)
	switch {
	case stopped(r.Why):
		a.status = statusStopped
	case tree != "":
		err = compare(tree, got, published)
	}
	u := utsResult{Result: r, Tree: tree, Size: got.Size, Depth: got.Depth, Leaves: got.Leaves}
	if f.json {
		if failed := a.print(u); failed != nil {
			return failed
		}
		return err
	}
	fmt.Fprintf(a.stdout, "size   %d\ndepth  %d\nleaves %d\n%s\n", u.Size, u.Depth, u.Leaves, summary(r))
	if stopped(r.Why) {
		fmt.Fprintf(a.stdout, "stopped early (%s): the numbers are those of the part searched\n", r.Reason)
	}
	return err
}

// compare holds a result against the published one, whose leaves are 0 where they
// were not published.
func compare(tree string, got, published uts.Result) error {
	if published.Leaves == 0 {
		got.Leaves = 0
	}
	if got != published {
		return fmt.Errorf("%s: size, depth and leaves are %v, published are %v", tree, got, published)
	}
	return nil
}
