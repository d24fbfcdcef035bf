package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"treesplit/internal/spelling"
	"treesplit/run"
)

// searches are the verbs whose search another verb can take over: their tree is the same
// in whatever order it is searched.
func (a *app) searches() []*cobra.Command {
	return []*cobra.Command{a.sat(), a.puzzle(), a.uts()}
}

// Of the flags that follow such a verb some are meant for the verb that takes over, and
// some have no meaning without a run. Options of schemes count where schemes are simulated.
var (
	meantForTaker = []string{"ranks", "json", "progress", "log-level"}
	ofRuns        = []string{"scheme", "machine", "sequential", "timeout", "stall", "proof", "checkpoint", "checkpoint-every", "resume", "restart", "trace", "trace-events", "stats", "per-rank", "progress-file"}
	ofSchemes     = []string{"termination", "delay", "levels", "splits", "phase", "trigger", "trigger-at", "permutation", "cluster", "damage", "route-through-scheduler"}
)

// taken runs the search verb that args begin with, with what follows as its flags and
// input, up to the moment when the search would begin, and calls use in place of that.
// Flags of the verb by that are set. The search is run under some schemes, none if nil.
func (a *app) taken(by *cobra.Command, args, schemes []string, use func(j *job) error) error {
	verbs := a.searches()
	var names []string
	root := &cobra.Command{Use: "treesplit", SilenceUsage: true, SilenceErrors: true}
	for _, v := range verbs {
		names = append(names, v.Name())
	}
	expected := "expected " + strings.Join(names, ", ") + ", with its flags and input"
	if len(args) == 0 {
		return run.InputError{Err: fmt.Errorf("no search: %s", expected)}
	}
	for _, v := range verbs {
		if v.Name() != args[0] {
			continue
		}
		v.SetFlagErrorFunc(flagsError)
		v.PreRunE = func(cmd *cobra.Command, args []string) error {
			c := &call{Command: cmd, args: args, schemes: schemes}
			if err := cmp.Or(c.checkFinite(), c.correctFlags()); err != nil {
				return err
			}
			return c.checkTaken(by)
		}
		root.AddCommand(v)
		root.SetArgs(args)
		root.SetIn(a.stdin)
		root.SetOut(a.stdout)
		root.SetErr(a.stderr)
		a.take = func(j *job) error {
			for _, name := range meantForTaker {
				if v.Flags().Changed(name) {
					if err := by.Flags().Set(name, v.Flags().Lookup(name).Value.String()); err != nil {
						return flagError(name, err)
					}
				}
			}
			return use(j)
		}
		defer func() { a.take = nil }()
		return root.Execute()
	}
	return run.InputError{Err: fmt.Errorf("%q%s: %s", args[0], spelling.DidYouMean(args[0], names), expected)}
}

// checkTaken refuses flags of a search that have no effect in the command that takes it over.
func (c *call) checkTaken(by *cobra.Command) error {
	useless := slices.Concat(ofRuns, ofSchemes)
	if c.schemes != nil {
		useless = append(ofRuns[:len(ofRuns):len(ofRuns)], "topology") // the machine has a network of its own
	}
	for _, name := range useless {
		if c.Flags().Changed(name) {
			return flagError(name, fmt.Errorf("%s makes no run: expected flags that say what is searched", by.Name()))
		}
	}
	if err := cmp.Or(c.checkOutputs(), c.checkNeeds()); err != nil || c.schemes == nil {
		return err
	}
	return c.checkSchemeOptions()
}
