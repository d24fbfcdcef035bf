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

// searchCommand is a command whose search other commands measure or simulate: its tree is the
// same in whatever order it is searched. parse is the first of its two steps.
type searchCommand struct {
	*cobra.Command
	parse func(args []string) (*job, error)
}

// Some flags of a search command are passed on to the command that uses its job, and some have no
// meaning without a run. Options of schemes have a meaning if schemes are simulated, and processors of
// one speed have a meaning if ranks are measured.
var (
	meantForUser = []string{"ranks", "json", "progress", "log-level"}
	ofRuns       = []string{"scheme", "machine", "sequential", "pace-jitter", "pace-slow", "pace-poll", "timeout", "stall", "proof", "cubes", "checkpoint", "checkpoint-every", "resume", "restart", "trace", "trace-events", "stats", "per-rank", "progress-file", "live", "live-control", "live-speed"}
	ofPacedRanks = []string{"pace", "pace-send", "pace-receive", "latency", "bandwidth"}
	ofSchemes    = []string{"termination", "delay", "levels", "arity", "splits", "phase", "trigger", "trigger-at", "permutation", "cluster", "damage", "route-through-scheduler", "equal-targets"}
)

// parseSearch makes the job of a search command for another command, the user. args are the name
// of the search command, its flags and its input. The search is simulated under some schemes, or
// under none if schemes is nil. If args ask for the help of the search command, parseSearch
// prints it and returns no job.
func parseSearch(user *cobra.Command, searches []searchCommand, args, schemes []string) (*job, error) {
	s, err := findSearch(searches, args)
	if err != nil {
		return nil, err
	}
	s.InitDefaultHelpFlag()
	if err := s.ParseFlags(args[1:]); err != nil {
		return nil, s.FlagErrorFunc()(s.Command, err)
	}
	if asked, _ := s.Flags().GetBool("help"); asked { // it was defined above
		s.HelpFunc()(s.Command, args[1:])
		return nil, nil
	}
	c := &call{Command: s.Command, args: s.Flags().Args(), schemes: schemes}
	if err := s.ValidateArgs(c.args); err != nil {
		return nil, err
	}
	if err := cmp.Or(c.checkFinite(), c.correctFlags()); err != nil {
		return nil, err
	}
	if err := c.checkUsed(user); err != nil {
		return nil, err
	}
	j, err := s.parse(c.args)
	if err != nil {
		return nil, err
	}
	return j, handFlags(s.Command, user)
}

// findSearch returns the search command that args begin with.
func findSearch(searches []searchCommand, args []string) (searchCommand, error) {
	var names []string
	for _, s := range searches {
		names = append(names, s.Name())
	}
	expected := "expected " + strings.Join(names, ", ") + ", with its flags and input"
	if len(args) == 0 {
		return searchCommand{}, run.InputError{Err: fmt.Errorf("no search: %s", expected)}
	}
	if i := slices.Index(names, args[0]); i >= 0 {
		return searches[i], nil
	}
	return searchCommand{}, run.InputError{Err: fmt.Errorf("%q%s: %s", args[0], spelling.DidYouMean(args[0], names), expected)}
}

// checkUsed refuses flags of a search that have no effect in the command that uses its job.
func (c *call) checkUsed(user *cobra.Command) error {
	useless := slices.Concat(ofRuns, ofSchemes)
	if c.schemes != nil {
		useless = slices.Concat(ofRuns, ofPacedRanks, []string{"topology"}) // the machine has nodes and a network of its own
	}
	for _, name := range useless {
		if c.Flags().Changed(name) {
			return flagError(name, fmt.Errorf("%s makes no run: expected flags that define the search", user.Name()))
		}
	}
	if err := cmp.Or(c.checkOutputs(), c.checkNeeds()); err != nil || c.schemes == nil {
		return err
	}
	return c.checkSchemeOptions()
}

// handFlags sets the flags of a search command that are meant for the command that uses its job.
func handFlags(search, user *cobra.Command) error {
	for _, name := range meantForUser {
		if !search.Flags().Changed(name) {
			continue
		}
		if err := user.Flags().Set(name, search.Flag(name).Value.String()); err != nil {
			return flagError(name, err)
		}
	}
	return nil
}
