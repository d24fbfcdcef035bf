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

// Of the flags that follow such a verb some are meant for the verb that takes over, and
// some have no meaning without a run.
var (
	meantForTaker = []string{"ranks", "json", "progress", "log-level"}
	ofRuns        = []string{"machine", "sequential", "timeout", "proof", "checkpoint", "resume", "trace"}
)

// taken runs the search verb that args begin with, with what follows as its flags and
// input, up to the moment when the search would begin, and calls use in place of that.
// Flags of the verb by that are set.
func (a *app) taken(by *cobra.Command, args []string, use func(f *searchFlags, w experiment.Workload) error) error {
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
			for _, name := range ofRuns {
				if f.cmd.Flags().Changed(name) {
					return flagError(name, fmt.Errorf("%s makes no run: expected flags that say what is searched", by.Name()))
				}
			}
			for _, name := range meantForTaker {
				if f.cmd.Flags().Changed(name) {
					if err := by.Flags().Set(name, f.cmd.Flags().Lookup(name).Value.String()); err != nil {
						return flagError(name, err)
					}
				}
			}
			return use(f, w)
		}
		defer func() { a.take = nil }()
		return root.Execute()
	}
	return experiment.InputError{Err: fmt.Errorf("%q: %s", args[0], expected)}
}
