package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"treesplit/study/figure"
	"treesplit/study/sweep"
)

// If the args of an instance or the launcher are changed, the file of results has runs of both command lines. They
// are runs of different problems, and not repeats of one run. A report compares the runs of the newest command
// line, and lists all other runs.

// caseName names an instance of a sweep in a world.
type caseName struct{ sweep, world, instance string }

func caseOf(l sweep.Line) caseName { return caseName{l.Sweep, l.World, l.Instance} }

// commandOf returns the part of the command line that all runs of an instance in a world share.
func commandOf(l sweep.Line) string {
	return fmt.Sprintf("%q %q %q %q", l.Launcher, l.LauncherArgs, l.Verb, l.Args)
}

// newestCommands returns the command of each instance that was started last.
func (r *Results) newestCommands() map[caseName]string {
	commands, started := map[caseName]string{}, map[caseName]time.Time{}
	for _, key := range r.keys {
		l := r.lines[key]
		if name := caseOf(l); !l.Start.Before(started[name]) {
			commands[name], started[name] = commandOf(l), l.Start
		}
	}
	return commands
}

// earlierTable lists the commands of instances that were run with another command later, and returns the number of
// their runs.
func (r *Results) earlierTable() (t figure.Table, runs int) {
	t = figure.Table{Name: "earlier", Title: "Command lines of instances that were run with another command line later", Head: []string{"sweep", "world", "instance", "runs", "run as"}}
	newest, counts := r.newestCommands(), map[string]int{}
	var first []sweep.Line // of each command
	id := func(l sweep.Line) string { return fmt.Sprintf("%q %s", caseOf(l), commandOf(l)) }
	for _, key := range r.keys {
		l := r.lines[key]
		if newest[caseOf(l)] == commandOf(l) {
			continue
		}
		runs++
		if counts[id(l)]++; counts[id(l)] == 1 {
			first = append(first, l)
		}
	}
	for _, l := range first {
		command := slices.Concat([]string{l.Launcher}, l.LauncherArgs, []string{l.Verb}, l.Args)
		if l.Launcher == sweep.LocalLauncher {
			command = command[1:]
		}
		t.AppendRow(printable(l.Sweep), printable(l.World), printable(l.Instance), fmt.Sprint(counts[id(l)]), printable(strings.Join(command, " ")))
	}
	t.Long = &figure.Long{Head: t.Head, Rows: t.Rows} // names that look like numbers stay as they are
	return t, runs
}
