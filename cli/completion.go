package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"treesplit/ksbf"
	"treesplit/lb"
	"treesplit/mapping/auto"
	"treesplit/mapping/objects"
	"treesplit/puzzle"
	"treesplit/run/workloads"
	"treesplit/search"
	"treesplit/sim"
	"treesplit/study/reproduce"
	"treesplit/study/reproduce/kumar"
	"treesplit/study/sweep"
	"treesplit/termination"
	"treesplit/topology"
	"treesplit/uts"
)

// Completion by the shell: treesplit completion bash, zsh, fish and powershell are cobra's
// own. This file defines the completions of flags and arguments, from the registries that
// also check their values.

// completion is what cobra asks for what can stand in a place.
type completion = cobra.CompletionFunc

// completeWords completes to one of a few words.
func completeWords(words ...string) completion {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// completeList completes to several words with commas between.
func completeList(words ...string) completion {
	return func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		before := begun[:strings.LastIndexByte(begun, ',')+1]
		taken := strings.Split(before, ",")
		var all []string
		for _, w := range words {
			if !slices.Contains(taken, w) {
				all = append(all, before+w)
			}
		}
		return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// completeFiles completes to files whose names end so.
func completeFiles(extensions ...string) completion {
	return cobra.FixedCompletions(extensions, cobra.ShellCompDirectiveFilterFileExt)
}

// anyFile completes to any file, folder to folders alone.
var (
	anyFile = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)
	folder  = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
)

// completeMachines completes to a built-in machine, or to files where none begins so.
func completeMachines(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return sim.MachineNames(), cobra.ShellCompDirectiveDefault
}

// strategyNames returns the names of the mapping strategies, followed by more.
func strategyNames(more ...string) []string {
	var names []string
	for _, s := range auto.Strategies() {
		names = append(names, s.Name)
	}
	return append(names, more...)
}

// Endings of files that are compressed.
var (
	compressions = []string{"gz", "zst", "xz", "bz2"} // that are read
	written      = []string{"gz", "zst"}
)

func completeFormulas() completion {
	return completeFiles(append([]string{"cnf", "dnf", "icnf"}, compressions...)...)
}

// flagWords are the values of flags that have a few, of all commands with a flag of that
// name, or of one command alone, whose path then stands before it.
func flagWords() map[string][]string {
	return map[string][]string{
		"scheme":           lb.SchemeNames(),
		"ring scheme":      ksbf.SchemeNames(),
		"termination":      termination.DetectorNames(),
		"topology":         topology.NetworkNames(),
		"split":            {search.Half.String(), search.Bottom.String()},
		"trigger":          lb.Triggers,
		"permutation":      lb.ShufflePermutations,
		"progress":         {"auto", "on", "off"},
		"runtime":          {runtimeSimulated, runtimeGoroutines, runtimeMPI},
		"log-level":        {"error", "warning", "info", "debug"},
		"sat rule":         workloads.RuleNames(),
		"engine":           workloads.EngineNames(),
		"gauss":            workloads.GaussNames(),
		"learn":            workloads.LearnNames(),
		"cut":              {"auto"},
		"proof-format":     {"text", "binary", "lrat"},
		"tree":             uts.SampleNames(),
		"heuristic":        {"md", "wd", "pdb", "pdb78"},
		"goal":             {puzzle.BlankFirst.String(), puzzle.BlankLast.String()},
		"sweep batch":      sweep.Schedulers,
		"map strategy":     strategyNames(compareAll),
		"objects strategy": strategyNames(workloads.Stay),
		"first-bound":      firstBounds(),
		"sort":             sorts,
		"child-order":      childOrders,
		"symmetry":         symmetries,
		"bound":            bounds,
		"mode":             {"auto", "forward", "backward"},
		"check format":     {"auto", "drat", "lrat"},
		"format":           {"auto", "metis", "scotch", "vt"},
		"objects start":    objects.Starts,
		"sizes":            objects.Sizes,
		"family":           ksbf.BadFamilies,
		"function":         ksbf.FunctionNames(),
	}
}

// flagLists are the values of flags that take several, with commas between.
func flagLists() map[string][]string {
	return map[string][]string{
		"schemes":           append(lb.SchemeNames(), "all"),
		"reproduce schemes": append(slices.Clone(kumar.Table3Schemes), "all"),
		"simplify":          workloads.SimplifyNames(),
	}
}

// flagValues are the completions of flags, named as in flagWords.
func flagValues() map[string]completion {
	values := map[string]completion{
		"machine":       completeMachines,
		"quantum":       completeWords("auto"),
		"splits":        completeWords("auto"),
		"phase":         completeWords("auto"),
		"checkpoint":    anyFile,
		"resume":        anyFile,
		"trace":         completeFiles("json", "gz", "zst"),
		"progress-file": completeFiles("jsonl"),
		"live":          completeWords("127.0.0.1:8080"),
		"live-speed":    completeWords("0.01x", "1x", "max"),
		"cubes":         completeFiles(append([]string{"icnf"}, written...)...),
		"proof":         completeFiles(append([]string{"drat", "lrat"}, written...)...),
		"lrat":          completeFiles(append([]string{"lrat"}, written...)...),
		"pdb-file":      anyFile,
		"problem":       completeFiles("json", "gz", "zst"),
		"problem-json":  cobra.NoFileCompletions,
		"puzzle batch":  completeFiles("csv"),
		"map start":     completeFiles("part", "map"),
		"score":         completeFiles("part", "map"),
		"map out":       completeFiles("part", "json"),
		"graph":         completeFiles("json"),
		"calibrate out": completeFiles("yaml"),
		"out":           folder,
		"output":        completeFiles(append([]string{"cnf"}, written...)...),
		"results":       completeFiles("jsonl"),
		"launcher":      completeWords("local", "mpirun", "srun"),

		"reproduce launcher": completeWords("mpirun", "srun"),
		"binary":             anyFile,
	}
	for name, all := range flagWords() {
		values[name] = completeWords(all...)
	}
	for name, all := range flagLists() {
		values[name] = completeList(all...)
	}
	values["scheme"] = completeWords(append(lb.SchemeNames(), "static+")...)
	return values
}

// flagEntry is the entry of a table of flags for the flag of a command, given by its path.
func flagEntry[T any](table map[string]T, command, flag string) (entry T, ok bool) {
	for name := command; name != ""; name = parentPath(name) {
		if entry, ok = table[name+" "+flag]; ok {
			return entry, ok
		}
	}
	entry, ok = table[flag]
	return entry, ok
}

// argumentValues returns the completions of the arguments of commands, by the path of the command without the program's name.
func argumentValues() map[string]completion {
	return map[string]completion{
		"sat":          completeArguments(completeFormulas()),
		"check":        completeArguments(completeFormulas(), completeFiles(append([]string{"drat", "lrat"}, compressions...)...)),
		"map":          completeArguments(completeFiles("graph", "metis", "grf", "scotch", "json", "br", "gz", "zst", "xz", "bz2")),
		"run":          anyFile,
		"worker check": anyFile,
		"sweep":        completeArguments(completeFiles("yaml", "yml")),
		"report":       completeFiles("jsonl", "json", "gz", "zst"),
		"reproduce":    completeWords(append(reproduce.ExperimentNames(), "all")...),
		"help":         completeTopics,
		"predict":      completeArguments(completeMachines, completeWords("sat", "puzzle", "uts")),
	}
}

// completeArguments completes the first argument, the second, …, and none after those.
func completeArguments(of ...completion) completion {
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= len(of) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return of[len(args)](cmd, args, begun)
	}
}

// completes reports whether a shell calls the program to complete a command line. Only then are
// completions registered: cobra keeps the flags of all registrations until the process ends, so that a
// process that calls Main many times would need more and more memory.
func (a *app) completes() bool {
	return len(a.args) > 0 && (a.args[0] == cobra.ShellCompRequestCmd || a.args[0] == cobra.ShellCompNoDescRequestCmd)
}

// registerCompletions registers the completions of root and of all commands below it.
func registerCompletions(root *cobra.Command) {
	flags, arguments := flagValues(), argumentValues()
	var visit func(cmd *cobra.Command, path string)
	visit = func(cmd *cobra.Command, path string) {
		switch values := arguments[path]; {
		case values != nil:
			cmd.ValidArgsFunction = values
		case len(cmd.ValidArgs) == 0:
			cmd.ValidArgsFunction = cobra.NoFileCompletions
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if values, ok := flagEntry(flags, path, f.Name); ok {
				// It fails where the flag has a completion already, and no flag is met twice.
				_ = cmd.RegisterFlagCompletionFunc(f.Name, values)
			}
		})
		for _, sub := range cmd.Commands() {
			visit(sub, strings.TrimSpace(path+" "+sub.Name()))
		}
	}
	visit(root, "")
}

// describeCompletion adds the command completion, whose scripts are cobra's, and its help.
func describeCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "completion" {
			continue
		}
		cmd.Use = "completion SHELL"
		cmd.Short = "Print a script that completes commands and flags in a shell"
		cmd.Long = "completion prints a script for bash, zsh, fish or powershell. The shell then completes commands, flags, names of schemes and files with the Tab key. The help of completion bash and of the other shells shows how to load the script."
		cmd.Example = "  treesplit completion bash"
		cmd.Args, cmd.RunE = onlyCommands("shell"), printHelp
		setExit(cmd, "the help was printed")
		for _, shell := range cmd.Commands() {
			shell.Short = "Print the script for " + shell.Name()
			shell.Long = loadCompletion[shell.Name()]
			shell.Example = "  treesplit completion " + shell.Name()
			setExit(shell, "the script is printed")
		}
	}
}

// loadCompletion is the help of the commands below completion.
var loadCompletion = map[string]string{
	"bash": `bash prints a script for bash, which needs the package bash-completion. Load it in each session:

  source <(treesplit completion bash)

or write it to a file once, on Linux:

  treesplit completion bash > \
    /etc/bash_completion.d/treesplit`,
	"zsh": `zsh prints a script for zsh. Completion must be switched on: "autoload -U compinit; compinit". Load it in each session:

  source <(treesplit completion zsh)

or write it to a file once:

  treesplit completion zsh > "${fpath[1]}/_treesplit"`,
	"fish": `fish prints a script for fish. Load it in each session:

  treesplit completion fish | source

or write it to a file once:

  treesplit completion fish > \
    ~/.config/fish/completions/treesplit.fish`,
	"powershell": `powershell prints a script for PowerShell. Load it in each session, from the profile:

  treesplit completion powershell |
    Out-String | Invoke-Expression`,
}

// parentPath returns the path of a command's parent.
func parentPath(path string) string { return path[:max(strings.LastIndexByte(path, ' '), 0)] }
