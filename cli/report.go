package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"treesplit/cli/internal/help"
	"treesplit/internal/outfile"
	"treesplit/run"
	"treesplit/run/observe/trace"
	"treesplit/study/figure"
	"treesplit/study/report"
)

func (a *app) reportCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "report FILE…",
		Short: "Make tables, figures and a page from the results of sweeps",
		Long: `report summarises measurements.

It reads files of results, as treesplit sweep writes them (.jsonl), and traces, as --trace writes
them (.json, .json.gz, .json.zst).

For each sweep and world it prints the speedups of all schemes by number of ranks, the efficiencies,
the work requests, and the isoefficiency if the instances are enough to fit it. The average speedup
of several instances is the sum of their sequential times divided by the sum of their parallel times.
Times are medians of the repeats; a range has the slowest and the fastest repeat. For a trace
it prints the time that ranks were in each state, and draws a timeline.

--out writes the tables as CSV files in long form (one observation per row, one quantity per column),
cells.csv with all measurements, the figures as SVG files, and all of them as one page, index.html. A
trace also becomes an interactive timeline, timeline-NAME.html.`,
		Example: `  treesplit sweep testdata/sweep.yaml && treesplit report example.jsonl --out pages
  treesplit uts --tree T3 -n 3 --trace run.json.zst && treesplit report run.json.zst --out pages`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return run.InputError{Err: errors.New("report: no files: expected results, as treesplit sweep writes them, or traces")}
			}
			return nil
		},
		RunE: a.withOutcome(func(_ *cobra.Command, args []string) (outcome, error) { return a.runReport(args, out) }),
	}
	cmd.Flags().StringVar(&out, "out", "", "`directory` for tables, figures and the page; default: none")
	setExit(cmd, "the report is printed")
	help.SetFiles(cmd, [2]string{"FILE.jsonl", "results of a sweep"}, [2]string{"FILE.json", "a trace"}, [2]string{"index.html", "the page, in the directory of --out"})
	return cmd
}

func (a *app) runReport(paths []string, out string) (o outcome, err error) {
	var traces []string
	paths = slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		_, ok := trace.TrimExtension(path)
		if ok {
			traces = append(traces, path)
		}
		return ok
	})
	inputs := slices.Concat(paths, traces)
	if err := checkPlaces(slices.Concat(inputPlaces(inputs), a.streamPlaces())...); err != nil {
		return o, err
	}
	results, err := report.ReadFiles(paths)
	if err != nil {
		return o, run.InputError{Err: err}
	}
	timelines, err := traceSections(traces)
	if err != nil {
		return o, run.InputError{Err: err}
	}
	for _, name := range results.Torn {
		fmt.Fprintf(a.stderr, "treesplit: %s: the program ignores the incomplete last line\n", name)
	}
	var sections []figure.Section
	if len(paths) > 0 {
		sections = results.BuildSections()
	}
	sections = append(sections, timelines...)
	if out != "" { // before anything is printed, which may end at a closed pipe
		if err := checkPlaces(slices.Concat(reportPlaces(out, sections, results, inputs), a.streamPlaces())...); err != nil {
			return o, err
		}
		if err := os.MkdirAll(out, 0o755); err != nil {
			return o, flagError("out", err)
		}
		o.trouble = a.writeReport(out, sections, results, paths, traces)
	}
	for i := range sections {
		sections[i].PrintText(a.stdout)
	}
	return o, nil
}

// inputPlaces are the places of files that arguments name.
func inputPlaces(paths []string) (all []place) {
	for _, path := range paths {
		all = append(all, input("", path))
	}
	return all
}

// reportPlaces are the files that a report reads and writes.
func reportPlaces(out string, sections []figure.Section, results *report.Results, inputs []string) (all []place) {
	all = inputPlaces(inputs)
	names := []string{"index.html", results.CellsTable().Name + ".csv"} // no name may occur twice
	for _, s := range sections {
		for _, t := range s.Tables {
			names = append(names, t.Name+".csv")
		}
		for _, f := range s.Figures {
			names = append(names, f.Name+".svg")
		}
		for _, p := range s.Pictures {
			names = append(names, p.Name+".svg")
		}
		for _, p := range s.Pages {
			names = append(names, p.Name)
		}
	}
	for _, name := range names {
		all = append(all, output("out", outfile.InFolder(out, name)))
	}
	return all
}

// writeReport writes the figures, the cells of sweeps and the page into a directory that is there.
func (a *app) writeReport(out string, sections []figure.Section, results *report.Results, paths, traces []string) error {
	for _, s := range sections {
		if _, err := writeSection(out, s); err != nil {
			return err
		}
	}
	cells := results.CellsTable()
	if len(paths) > 0 {
		if err := outfile.WriteFile(outfile.InFolder(out, cells.Name+".csv"), cells.WriteCSV); err != nil {
			return err
		}
	}
	return outfile.WriteFile(outfile.InFolder(out, "index.html"), a.newPage("treesplit: "+pageSubject(paths, traces), sections).Write)
}

// pageSubject returns the subject of a page for its title.
func pageSubject(results, traces []string) string {
	switch {
	case len(traces) == 0:
		return "sweeps"
	case len(results) == 0:
		return "traces"
	}
	return "sweeps and traces"
}
