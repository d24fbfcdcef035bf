package sweep

import (
	"fmt"
	"slices"
	"strings"

	"treesplit/ksbf"
	"treesplit/lb"
	"treesplit/sim/machinefile"
	"treesplit/termination"
)

// The worlds other than simulated machines.
const (
	WorldLocal = "local" // goroutine ranks
	WorldMPI   = "mpi"   // started by a launcher
)

// names matches the names of sweeps and instances, which become parts of keys and file names.
var names = compileLater(`^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$`)

// owned are the flags that a sweep sets itself.
var owned = []string{"-n", "--ranks", "--scheme", "--termination", "--seed", "--machine", "--json", "--progress", "--checkpoint", "--checkpoint-every", "--resume", "--restart"}

// checkPlan returns an error for a plan that is invalid as it was written.
func (p *Plan) checkPlan(d *document) error {
	if !names().MatchString(p.Name) {
		return d.errorAtPath("$.name", "name %q: expected up to 64 letters, digits and . _ + -", p.Name)
	}
	for _, check := range []func(*document) error{p.correctNames, p.checkLists, p.checkInstances, p.checkRest, p.checkBatch, p.checkOptions} {
		if err := check(d); err != nil {
			return err
		}
	}
	return nil
}

// checkList returns an error for an empty list, for an element that test refuses, and for an
// element that occurs twice.
func checkList[T comparable](d *document, path string, list []T, test func(T) error) error {
	if list != nil && len(list) == 0 {
		return d.errorAtPath(path, "an empty list: expected at least one value, or no such key")
	}
	seen := map[T]bool{}
	for i, v := range list {
		here := fmt.Sprintf("%s[%d]", path, i)
		if err := test(v); err != nil {
			return d.errorAtPath(here, "%v", err)
		}
		if seen[v] {
			return d.errorAtPath(here, "%v is there twice", v)
		}
		seen[v] = true
	}
	return nil
}

func checkDetector(name string) error {
	_, err := termination.New(name, 0, 1)
	return err
}

// checkWorld returns an error if the text names no world; it reads machine files.
func checkWorld(world string) error {
	if world == WorldLocal || world == WorldMPI {
		return nil
	}
	if !isFileName(world) {
		return fmt.Errorf("world %q: expected local, mpi, or a machine, in at most %d bytes without control characters", world, maxName)
	}
	if _, err := machinefile.ParseMachine(world); err != nil {
		return fmt.Errorf("world %q: expected local, mpi, or a machine: %w", world, err)
	}
	return nil
}

func (p *Plan) checkLists(d *document) error {
	if p.Ranks == nil {
		return d.errorAtPath("$", "no ranks: expected a list of numbers of ranks")
	}
	if err := checkList(d, "$.worlds", p.Worlds, checkWorld); err != nil {
		return err
	}
	if err := checkList(d, "$.ranks", p.Ranks, func(n int) error {
		if n < 1 || n > maxRanks {
			return fmt.Errorf("%d ranks: expected 1 to %d", n, maxRanks)
		}
		return nil
	}); err != nil {
		return err
	}
	if err := checkList(d, "$.schemes", p.Schemes, lb.CheckName); err != nil {
		return err
	}
	if err := checkList(d, "$.detectors", p.Detectors, checkDetector); err != nil {
		return err
	}
	return checkList(d, "$.seeds", p.Seeds, func(uint64) error { return nil })
}

func (p *Plan) checkInstances(d *document) error {
	if len(p.Instances) == 0 {
		return d.errorAtPath("$", "no instances: expected a list of problems, each with name, verb and args")
	}
	if err := checkArgs(d, "$.args", p.Args, false); err != nil {
		return err
	}
	seen := map[string]bool{}
	for i, in := range p.Instances {
		path := fmt.Sprintf("$.instances[%d]", i)
		switch {
		case !names().MatchString(in.Name):
			return d.errorAtPath(path+".name", "instance's name %q: expected up to 64 letters, digits and . _ + -", in.Name)
		case seen[in.Name]:
			return d.errorAtPath(path+".name", "instance %s is there twice", in.Name)
		case !slices.Contains(Verbs, in.Verb):
			return d.errorAtPath(path+".verb", "verb %q: expected one of %s", in.Verb, strings.Join(Verbs, ", "))
		}
		if p.Sequential == once && len(p.Seeds) > 1 && (Run{Verb: in.Verb, Args: slices.Concat(p.Args, in.Args)}).HasTreeOfSeed() {
			return d.errorAtPath("$.sequential", "instance %s has another tree for each seed: expected sequential per-seed or never", in.Name)
		}
		seen[in.Name] = true
		if err := checkArgs(d, path+".args", in.Args, in.Verb == "run"); err != nil {
			return err
		}
		if err := checkList(d, path+".schemes", in.Schemes, p.schemeTest(in)); err != nil {
			return err
		}
		if err := checkList(d, path+".detectors", in.Detectors, checkDetector); err != nil {
			return err
		}
	}
	return nil
}

// schemeTest returns the test of the schemes of an instance. On real ranks ring has a single scheme.
func (p *Plan) schemeTest(in Instance) func(string) error {
	_, check := schemesOf(in.Verb)
	if in.Verb != "ring" || slices.ContainsFunc(slices.Concat(p.Args, in.Args), isStepsFlag) {
		return check
	}
	return func(name string) error {
		if only := ksbf.Schemes[0].Name; check(name) == nil && name != "" && name != only {
			return fmt.Errorf("scheme %s exists only in a simulation: expected --steps in args, or %s", name, only)
		}
		return check(name)
	}
}

// isStepsFlag reports whether an argument of ring begins a simulation in steps.
func isStepsFlag(arg string) bool {
	flag, _, _ := strings.Cut(arg, "=")
	return flag == "--steps" || flag == "--compare"
}

// checkArgs returns an error for a flag that the sweep sets itself. Only the args of run have a
// command, which must be there.
func checkArgs(d *document, path string, args []string, isRun bool) error {
	flags, command := cutCommand(args)
	for i, a := range args {
		here := fmt.Sprintf("%s[%d]", path, i)
		if strings.ContainsRune(a, 0) {
			return d.errorAtPath(here, "a zero byte: expected text")
		}
		if i >= len(flags) {
			continue
		}
		if flag, _, _ := strings.Cut(a, "="); slices.Contains(owned, flag) || strings.HasPrefix(a, "-n") && !strings.HasPrefix(a, "--") {
			return d.errorAtPath(here, "%s is set by the sweep itself: expected other flags", flag)
		}
	}
	switch {
	case isRun && len(command) < 2:
		return d.errorAtPath(path, "no worker: expected flags, --, and the command that starts a worker")
	case !isRun && command != nil:
		return d.errorAtPath(fmt.Sprintf("%s[%d]", path, len(flags)), "--: expected it only before the command of verb run, and ./-NAME for a file whose name begins with -")
	}
	return nil
}

// cutCommand divides args into the flags and the command after them, which begins with --. command
// is nil if there is none.
func cutCommand(args []string) (flags, command []string) {
	if i := slices.Index(args, "--"); i >= 0 {
		return args[:i], args[i:]
	}
	return args, nil
}

func (p *Plan) checkRest(d *document) error {
	for _, c := range []struct {
		ok         bool
		path, text string
	}{
		{p.Repeats >= 0 && p.Repeats <= 1000, "$.repeats", fmt.Sprintf("%d repeats: expected 1 to 1000", p.Repeats)},
		{slices.Contains([]string{"", perSeed, once, never}, p.Sequential), "$.sequential", fmt.Sprintf("sequential %q: expected per-seed, once or never", p.Sequential)},
		{p.Retries == nil || *p.Retries >= 0 && *p.Retries <= maxRetries, "$.retries", fmt.Sprintf("retries: expected 0 to %d", maxRetries)},
		{p.Timeout >= 0, "$.timeout", "expected a span above 0, such as 10m"},
		{p.CheckpointEvery >= 0, "$.checkpoint-every", "expected a span above 0, such as 5m"},
	} {
		if !c.ok {
			return d.errorAtPath(c.path, "%s", c.text)
		}
	}
	if p.Launcher != "" {
		if !isFileName(p.Launcher) {
			return d.errorAtPath("$.launcher", "launcher %q: expected at most %d bytes without control characters", p.Launcher, maxName)
		}
		if _, err := launcherKind(p.Launcher); err != nil {
			return d.errorAtPath("$.launcher", "%v", err)
		}
	}
	for i, a := range p.LauncherArgs {
		if !isOneWord(a) || toOneLine(a) != a {
			return d.errorAtPath(fmt.Sprintf("$.launcher-args[%d]", i), "%q: expected one argument without blanks", a)
		}
	}
	if n := p.estimateRuns(); n > maxRuns {
		return d.errorAtPath("$", "the plan has %.0f runs: expected at most %d", n, maxRuns)
	}
	return nil
}

// estimateRuns returns the approximate number of runs of a plan without its defaults. It cannot
// overflow.
func (p *Plan) estimateRuns() float64 {
	of := func(own, all int) float64 { return float64(max(1, own, all)) }
	n := 0.0
	for _, in := range p.Instances {
		n += of(len(in.Schemes), len(p.Schemes))*of(len(in.Detectors), len(p.Detectors))*float64(len(p.Ranks)) + 1
	}
	return n * of(len(p.Worlds), 0) * of(len(p.Seeds), 0) * float64(max(1, p.Repeats))
}
