package cli

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"treesplit/lb"
	"treesplit/mapping/graphfile"
	"treesplit/run/workloads"
)

// A flag that has no effect in a run is refused if it was set. Otherwise the user would assume that
// the run has the effect of the flag. The table below is the only place that defines which flag
// needs what. Flags of the run that sweep sets (-n, --seed, --json, --progress) and --log-level are
// accepted everywhere.

// need is a condition without which a flag has no effect.
type need struct {
	command  string // path of the command without the program's name, or the beginning of the path; "": all
	flag     string
	met      func(c *call) bool
	expected string
}

var needs = []need{
	{"", "trace-events", isGiven("trace"), "--trace with it"},
	{"", "pace", negate(isGiven("machine")), ofRealTime},
	{"", "latency", negate(isGiven("machine")), ofRealTime},
	{"", "bandwidth", negate(isGiven("machine")), ofRealTime},
	{"", "pace-jitter", isPaced, "--pace with it"},
	{"", "pace-slow", isPaced, "--pace with it"},
	{"", "pace-send", isPaced, "--pace with it"},
	{"", "pace-receive", isPaced, "--pace with it"},
	{"", "pace-poll", isPaced, "--pace with it"},
	{"", "stall", negate(isGiven("machine")), "no --machine: a simulation has no watchdog"},
	{"", "sequential", negate(isGiven("machine")), "no --machine: a simulation reports the sequential time without it"},
	{"", "per-rank", isGiven("json"), "--json with it"},
	{"", "live-control", isGiven("live"), "--live with it"},
	{"", "live-speed", func(c *call) bool { return isGiven("live")(c) && isGiven("machine")(c) }, "--live and --machine with it: real ranks have a speed of their own"},

	{"sat", "proof-format", isGiven("proof"), "--proof with it"},

	{"sat", "cut", valueOf("rule", "cubes"), "--rule cubes"},
	{"sat", "budget", valueOf("rule", "cubes"), "--rule cubes"},
	{"sat", "engine", valueOf("rule", "cdcl", "auto"), "--rule cdcl or auto: cubes has a solver of its own"},
	{"sat", "gauss", learnsClauses, "--rule cdcl, cubes or auto, and not --engine cadical, which has its own techniques"},
	{"sat", "learn", valueOf("rule", "cubes"), "--rule cubes"},
	{"sat", "cubes", valueOf("rule", "cubes"), "--rule cubes"},

	{"uts", "probability", treeOfType("0", "2"), expectedType("0 (binomial) or 2 (hybrid)")},
	{"uts", "children", treeOfType("0", "2"), expectedType("0 (binomial) or 2 (hybrid)")},
	{"uts", "shape", treeOfType("1", "2"), expectedType("1 (geometric) or 2 (hybrid)")},
	{"uts", "depth", treeOfType("1", "2", "3"), expectedType("1 (geometric), 2 (hybrid) or 3 (balanced)")},
	{"uts", "shift", treeOfType("2"), expectedType("2 (hybrid)")},

	{"map", "unit", negate(readsVT), "a graph of METIS or Scotch: vt's data is in seconds"},
	{"map", "vt-phase", readsVT, ofVT},
	{"map", "send-message-ns", readsVT, ofVT},
	{"map", "receive-message-ns", readsVT, ofVT},
	{"map", "send-byte-ns", readsVT, ofVT},
	{"map", "receive-byte-ns", readsVT, ofVT},
	{"map", "time", negate(isGiven("score")), "no --score: a score needs no search"},
	{"map", "timeout", negate(isGiven("score")), "no --score: a score needs no search"},

	{"run", "quantum-time", negate(isGiven("machine")), "no --machine: a simulated machine has a number of nodes per request"},
	{"run", "quantum-time", valueOf("quantum", "auto"), "--quantum auto: requests have the number of nodes of --quantum"},

	{"check", "mode", func(c *call) bool { return valueOf("mode", "auto")(c) || !valueOf("format", "lrat")(c) }, "a proof in DRAT format: a lemma of LRAT is checked with its hints, in one pass"},
	{"check", "workers", func(c *call) bool { return !valueOf("mode", "backward")(c) && !isGiven("lrat")(c) }, "a proof that is checked forward: a check backward has one worker"},

	{"ring", "quantum", negate(simulatesSteps), ofRealRanks},
	{"ring", "serve", negate(simulatesSteps), ofRealRanks},
	{"ring", "stall", negate(simulatesSteps), ofRealRanks},
	{"ring", "sequential", negate(simulatesSteps), ofRealRanks},
	{"ring", "progress-file", negate(simulatesSteps), ofRealRanks},
	{"ring", "live", negate(simulatesSteps), ofRealRanks},
	{"ring", "scheme", negate(isGiven("compare")), "no --compare, which runs every scheme"},

	{"objects", "time", negate(valueOf("strategy", workloads.Stay)), "a --strategy that maps: under " + workloads.Stay + " objects stay where they are"},

	{"predict", "look", negate(isGiven("nodes")), "no --nodes: a model needs no search"},

	{"reproduce", "ranks", negate(valueOf("runtime", runtimeSimulated)), onRealRanks},
	{"reproduce", "pace", negate(valueOf("runtime", runtimeSimulated)), onRealRanks},
	{"reproduce", "schemes", negate(valueOf("runtime", runtimeSimulated)), onRealRanks},
	{"reproduce", "formulas", negate(valueOf("runtime", runtimeSimulated)), onRealRanks},
	{"reproduce", "variables", negate(valueOf("runtime", runtimeSimulated)), onRealRanks},
	{"reproduce", "launcher", valueOf("runtime", runtimeMPI), "--runtime " + runtimeMPI},
	{"reproduce", "launcher-args", valueOf("runtime", runtimeMPI), "--runtime " + runtimeMPI},

	{"sweep", "out", isGiven("batch"), "--batch with it"},
	{"sweep", "results", negate(listsOrWrites), noRuns},
	{"sweep", "retry", negate(listsOrWrites), noRuns},
	{"sweep", "stop-after", negate(listsOrWrites), noRuns},
	{"sweep", "grace", negate(listsOrWrites), noRuns},
	{"sweep", "list", negate(isGiven("batch")), "no --batch, which makes no runs itself"},
	{"sweep", "only-index", negate(isGiven("batch")), "no --batch: the jobs choose their runs themselves"},

	{"chaos", "verbose", negate(isGiven("json")), "no --json, which has no place for it"},
}

// isPaced is the condition that nodes take the time of --pace.
var isPaced = negate(valueOf("pace", "", "0s"))

// learnsClauses reports whether the project's own clause-learning solver can run.
func learnsClauses(c *call) bool {
	return valueOf("rule", "cubes", "auto")(c) || valueOf("rule", "cdcl")(c) && !valueOf("engine", "cadical")(c)
}

const (
	onRealRanks = "--runtime " + runtimeGoroutines + " or " + runtimeMPI
	ofRealTime  = "no --machine: a simulated machine has its own times of nodes and messages"
	ofVT        = "load-balancing data of vt: the files of METIS and Scotch have weights alone"
	ofRealRanks = "no --steps and no --compare: a simulation in steps has none"
	noRuns      = "neither --list nor --batch, which make no runs"
)

func expectedType(types string) string { return "-t " + types }

// call is a command with its flags and arguments, as the user typed them.
type call struct {
	*cobra.Command
	args    []string
	schemes []string // of the search; nil: the value of --scheme
}

// flagText returns a flag's value, or "" if the command lacks the flag.
func (c *call) flagText(flag string) string {
	if f := c.Flags().Lookup(flag); f != nil {
		return f.Value.String()
	}
	return ""
}

// isGiven returns the condition that the value of a flag enables something.
func isGiven(flag string) func(*call) bool {
	return negate(valueOf(flag, "", "0", "false"))
}

// valueOf returns the condition that a flag has one of the given values.
func valueOf(flag string, values ...string) func(*call) bool {
	return func(c *call) bool { return slices.Contains(values, c.flagText(flag)) }
}

func negate(met func(*call) bool) func(*call) bool {
	return func(c *call) bool { return !met(c) }
}

// treeOfType returns the condition that uts makes a tree of one of the given types. Other code
// refuses --tree together with parameters.
func treeOfType(types ...string) func(*call) bool {
	return func(c *call) bool { return isGiven("tree")(c) || valueOf("type", types...)(c) }
}

func simulatesSteps(c *call) bool { return isGiven("steps")(c) || isGiven("compare")(c) }

func listsOrWrites(c *call) bool { return isGiven("list")(c) || isGiven("batch")(c) }

// readsVT reports whether map reads data of vt.
func readsVT(c *call) bool {
	format := graphfile.Format(c.flagText("format"))
	if format == "auto" && len(c.args) > 0 {
		format, _ = graphfile.FormatByName(c.args[0]) // an unknown format is refused when the file is read
	}
	return format == graphfile.VT
}

// commandPath returns the command without the program's name.
func (c *call) commandPath() string {
	_, path, _ := strings.Cut(c.CommandPath(), " ")
	return path
}

// isCommand reports whether the command has that path or is below it.
func (c *call) isCommand(command string) bool {
	return command == "" || strings.HasPrefix(c.commandPath()+" ", command+" ")
}

// checkNeeds returns an error for the first flag that was set and has no effect.
func (c *call) checkNeeds() error {
	for _, n := range needs {
		if c.isCommand(n.command) && c.Flags().Changed(n.flag) && !n.met(c) {
			return flagError(n.flag, fmt.Errorf("it has no effect here: expected %s", n.expected))
		}
	}
	return nil
}

// checkFinite returns an error if the value of a flag is NaN or infinite.
func (c *call) checkFinite() (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if kind := f.Value.Type(); kind != "float64" && kind != (number{real: true}).Type() {
			return
		}
		if v, failed := strconv.ParseFloat(f.Value.String(), 64); failed == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
			err = cmp.Or(err, flagError(f.Name, fmt.Errorf("%v: expected a finite number", v)))
		}
	})
	return err
}

// checkSchemeOptions returns an error for options of schemes that the run does not use. The
// registry of package lb defines which scheme uses which option.
func (c *call) checkSchemeOptions() error {
	if c.Flags().Lookup("scheme") == nil || c.isCommand("ring") || c.isCommand("map") && c.flagText("strategy") != "bb" {
		return nil
	}
	schemes := c.schemes
	if schemes == nil {
		schemes = []string{c.flagText("scheme")}
	}
	for _, option := range lb.SchemeOptions() {
		uses := func(scheme string) bool { return lb.UsesOption(scheme, option) }
		if c.Flags().Changed(option) && !slices.ContainsFunc(schemes, uses) {
			return flagError(option, fmt.Errorf("it has no effect under scheme %s: expected --scheme %s", strings.Join(schemes, ", "), strings.Join(lb.SchemesUsing(option), ", ")))
		}
	}
	switch {
	case c.Flags().Changed("topology") && isGiven("machine")(c):
		return flagError("topology", fmt.Errorf("it has no effect with --machine: the machine has a network of its own"))
	case c.Flags().Changed("trigger-at") && c.flagText("trigger") == lb.TriggerAlways:
		return flagError("trigger-at", fmt.Errorf("it has no effect under --trigger %s: expected %s or %s", lb.TriggerAlways, lb.TriggerCount, lb.TriggerNotify))
	}
	return nil
}
