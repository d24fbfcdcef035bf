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
	"treesplit/study/sweep"
	"treesplit/termination"
	"treesplit/topology"
	"treesplit/uts"
)

// Completion by the shell. cobra provides treesplit completion bash, zsh, fish and powershell. The
// tables below list the values of flags and arguments; they come from the registries that check the
// values later.

// completion is cobra's type of a function that returns the possible words at a place.
type completion = cobra.CompletionFunc

// completeWords completes to one of a few words.
func completeWords(words ...string) completion {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// completeList completes to several words, separated by commas.
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

// completeFiles completes to files with one of the given extensions.
func completeFiles(extensions ...string) completion {
	return cobra.FixedCompletions(extensions, cobra.ShellCompDirectiveFilterFileExt)
}

// anyFile completes to any file, folder only to folders.
var (
	anyFile = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)
	folder  = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
)

// completeMachines completes to built-in machines, or to files if no machine's name begins with the
// word.
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

// Extensions of files that may be compressed.
var (
	compressions = []string{"gz", "zst", "xz", "bz2"} // compressions that can be read
	written      = []string{"gz", "zst"}
)

func completeFormulas() completion {
	return completeFiles(append([]string{"cnf", "dnf"}, compressions...)...)
}

// flagWords returns the values of flags with a few values, for all commands with a flag of that
// name. If a command's path stands before the name, the entry is for that command alone.
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
		"log-level":        {"error", "warning", "info", "debug"},
		"sat rule":         workloads.RuleNames(),
		"proof-format":     {"text", "binary"},
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
		"format":           {"auto", "metis", "scotch", "vt"},
		"objects start":    objects.Starts,
		"sizes":            objects.Sizes,
		"family":           ksbf.BadFamilies,
		"function":         ksbf.FunctionNames(),
	}
}

// flagLists returns the values of flags that take several values, separated by commas.
func flagLists() map[string][]string {
	return map[string][]string{
		"schemes":  append(lb.SchemeNames(), "all"),
		"simplify": workloads.SimplifyNames(),
	}
}

// flagValues returns the completions of flags, named as in flagWords.
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
		"proof":         completeFiles(append([]string{"drat"}, written...)...),
		"pdb-file":      anyFile,
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
		"binary":        anyFile,
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

// flagEntry returns the entry of a table of flags for the flag of a command, given by the command's
// path.
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
		"sat":       completeArguments(completeFormulas()),
		"check":     completeArguments(completeFormulas(), completeFiles(append([]string{"drat"}, compressions...)...)),
		"map":       completeArguments(completeFiles("graph", "metis", "grf", "scotch", "json", "br", "gz", "zst", "xz", "bz2")),
		"sweep":     completeArguments(completeFiles("yaml", "yml")),
		"report":    completeFiles("jsonl", "json", "gz", "zst"),
		"reproduce": completeWords(append(reproduce.ExperimentNames(), "all")...),
		"predict":   completeArguments(completeMachines, completeWords("sat", "puzzle", "uts")),
	}
}

// completeArguments completes the first argument, the second, …, and no further arguments.
func completeArguments(of ...completion) completion {
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= len(of) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return of[len(args)](cmd, args, begun)
	}
}

// registerCompletions registers the completions of root and of all commands below it.
func registerCompletions(root *cobra.Command) {
	flags, arguments := flagValues(), argumentValues()
	var visit func(cmd *cobra.Command, verb string)
	visit = func(cmd *cobra.Command, verb string) {
		switch values := arguments[verb]; {
		case values != nil:
			cmd.ValidArgsFunction = values
		case len(cmd.ValidArgs) == 0:
			cmd.ValidArgsFunction = cobra.NoFileCompletions
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if values, ok := flagEntry(flags, verb, f.Name); ok {
				// It fails only if the flag already has a completion. Every flag is visited once.
				_ = cmd.RegisterFlagCompletionFunc(f.Name, values)
			}
		})
		for _, sub := range cmd.Commands() {
			visit(sub, strings.TrimSpace(verb+" "+sub.Name()))
		}
	}
	visit(root, "")
}

// parentPath returns the path of a command's parent.
func parentPath(verb string) string { return verb[:max(strings.LastIndexByte(verb, ' '), 0)] }
