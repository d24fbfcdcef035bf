package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"treesplit/experiment"
)

// searches are the verbs whose search another verb can take over: their tree is the same
// in whatever order it is searched.
func (a *app) searches() []*cobra.Command {
	return []*cobra.Command{a.sat(), a.puzzle(), a.uts()}
}

// setByTaker are flags of these verbs that say what the verb that takes over decides.
var setByTaker = []string{"ranks", "machine", "json", "sequential", "timeout", "proof", "batch", "checkpoint", "resume"}

// taken runs the search verb that args begin with, with what follows as its flags and
// input, up to the moment when the search would begin, and calls use in place of that.
func (a *app) taken(args []string, use func(f *searchFlags, w experiment.Workload) error) error {
	verbs := a.searches()
	var names []string
	root := &cobra.Command{Use: "treesplit", SilenceUsage: true, SilenceErrors: true}
	for _, v := range verbs {
		names = append(names, v.Name())
	}
	expected := "expected " + strings.Join(names, ", ") + ", with its flags and input"
	if len(args) == 0 {
		return experiment.InputError{Err: fmt.Errorf("no search: %s", expected)}
	}
	for _, v := range verbs {
		if v.Name() != args[0] {
			continue
		}
		v.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
			return experiment.InputError{Err: fmt.Errorf("%s: %w", cmd.Name(), err)}
		})
		root.AddCommand(v)
		root.SetArgs(args)
		root.SetIn(a.stdin)
		root.SetOut(a.stdout)
		root.SetErr(a.stderr)
		a.take = func(f *searchFlags, w experiment.Workload) error {
			for _, name := range setByTaker {
				if flag := f.cmd.Flags().Lookup(name); flag != nil && flag.Changed {
					return flagError(name, fmt.Errorf("not here, after %s: expected flags that describe the tree", v.Name()))
				}
			}
			return use(f, w)
		}
		defer func() { a.take = nil }()
		return root.Execute()
	}
	return experiment.InputError{Err: fmt.Errorf("%q: %s", args[0], expected)}
}
