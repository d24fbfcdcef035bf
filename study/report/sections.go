package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"treesplit/study/figure"
	"treesplit/study/sweep"
)

// BuildSections returns the report: one section for each sweep and world, and one on the runs
// themselves.
func (r *Results) BuildSections() []figure.Section {
	var sections []figure.Section
	for i, s := range r.groupIntoSets() {
		sections = append(sections, s.buildSection(fmt.Sprintf("%s-%d", shortenSlug(fileNameSlug(s.sweep+"-"+s.world)), i+1)))
	}
	return append(sections, r.runsSection())
}

// fileNameSlug returns a name as a part of file names and anchors.
func fileNameSlug(name string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_':
			return r
		}
		return '-'
	}, name), "-.")
}

// maxSlug is the longest part of a file name that comes from a sweep and its world. File systems allow
// 255 bytes; a table or figure adds its own name, and a file that is being written adds more.
const maxSlug = 150

// shortenSlug leaves out the middle of a long slug: the start names the sweep, and the end names the
// machine's file.
func shortenSlug(slug string) string {
	if len(slug) <= maxSlug {
		return slug
	}
	return slug[:maxSlug/2] + slug[len(slug)-maxSlug/2:]
}

// buildSection returns the section of one set.
func (s *set) buildSection(name string) figure.Section {
	lines := s.isoefficiencyLines()
	sec := figure.Section{Name: name, Title: cmp.Or(s.sweep, "sweep") + ", world " + s.world, Tables: s.buildTables(name), Figures: s.buildFigures(name, lines)}
	sec.Text = append(sec.Text, "A time is the median over the repeats of a run. "+
		"A speedup is the sum of the times of one rank alone divided by the sum of the parallel times. "+
		"The parentheses have the speedups with the slowest and with the fastest repeat of each run.")
	for _, t := range sec.Tables {
		if slices.ContainsFunc(t.Rows, func(row []string) bool {
			return slices.ContainsFunc(row, func(cell string) bool { return strings.HasSuffix(cell, " *") })
		}) {
			sec.Text = append(sec.Text, "* not all instances and seeds were measured. The cell cannot be compared with other cells, and is in no figure.")
			break
		}
	}
	if len(lines) > 0 {
		sec.Tables = append(sec.Tables, s.isoefficiencyTable(name+"-isoefficiency", lines))
		sec.Text = append(sec.Text, "W is taken from a line fitted to log(E/(1−E)) as a function of log W, for each number of ranks. "+
			"The fit needs problems of at least three different W with E above 0.4, and gives no W outside of their efficiencies. "+
			"The exponent is e in W = c·P^e, fitted to at least three points.")
	} else {
		sec.Text = append(sec.Text, "There is no isoefficiency. It needs problems of at least three different W whose efficiencies on the same number of ranks lie on both sides of 0.5, 0.6, 0.7, 0.8 or 0.9.")
	}
	return sec
}

// runsSection lists the number of runs, the machines on which they were made, and the failed runs.
func (r *Results) runsSection() figure.Section {
	on := figure.Table{Name: "machines", Title: "Runs and their machines", Head: []string{"runs", "host", "processor", "cores", "system", "Go", "build", "MPI", "launcher", "scheduler"}}
	bad := figure.Table{Name: "failures", Title: "Runs that have failed", Head: []string{"run", "status", "why", "last words"}}
	again := figure.Table{Name: "launches", Title: "Launches that failed without a failure of the program, and were repeated", Head: []string{"run", "launches", "why"}}
	counts := map[string]int{}
	rows := map[string][]string{}
	var order []string
	resumed, relaunched, instant := 0, 0, 0
	for _, key := range r.keys {
		l := r.lines[key]
		cells := machineCells(l)
		id := strings.Join(cells, "\x00")
		if counts[id]++; counts[id] == 1 {
			rows[id] = cells
			order = append(order, id)
		}
		if !l.OK() {
			bad.AppendRow(printable(l.Key), fmt.Sprint(l.Status), printable(l.Error), printable(lastLine(l.Stderr)))
		}
		if o, ok := r.runs[key]; ok && o.Seconds == 0 {
			instant++
		}
		if l.Resumed {
			resumed++
		}
		if l.Attempts > 1 {
			relaunched++
		}
		for _, why := range l.LaunchFailures {
			again.AppendRow(printable(l.Key), fmt.Sprint(max(1, l.Attempts)), printable(why))
		}
	}
	for _, id := range order {
		on.AppendRow(append([]string{fmt.Sprint(counts[id])}, rows[id]...)...)
	}
	s := figure.Section{Name: "runs", Title: "The runs", Text: []string{fmt.Sprintf("%d runs, of which %d have failed.", len(r.keys), len(r.keys)-len(r.runs))}}
	if len(on.Rows) > 0 {
		s.Tables = append(s.Tables, on)
	}
	if len(bad.Rows) > 0 {
		s.Tables = append(s.Tables, bad)
	}
	if relaunched > 0 {
		s.Tables = append(s.Tables, again)
		s.Text = append(s.Text, fmt.Sprintf("%d runs were launched more than once: %d launches failed without a failure of the program.", relaunched, len(again.Rows)))
	}
	if instant > 0 {
		s.Text = append(s.Text, fmt.Sprintf("%d runs took 0 s. They are in no speedup.", instant))
	}
	if earlier, n := r.earlierTable(); n > 0 {
		s.Tables = append(s.Tables, earlier)
		s.Text = append(s.Text, fmt.Sprintf("%d runs are in no speedup, because their instance was run with another command line later.", n))
	}
	if resumed > 0 {
		s.Text = append(s.Text, fmt.Sprintf("%d runs resumed from a checkpoint.", resumed))
	}
	if len(r.Torn) > 0 {
		s.Text = append(s.Text, "An incomplete last line was left out of "+printable(strings.Join(r.Torn, ", "))+".")
	}
	return s
}

// machineCells returns the machine of a run, as cells.
func machineCells(l sweep.Line) []string {
	built := l.Build.SHA256[:min(12, len(l.Build.SHA256))]
	if revision := l.Build.Settings["vcs.revision"]; revision != "" {
		hash := built
		built = revision[:min(12, len(revision))]
		if l.Build.Settings["vcs.modified"] == "true" { // builds with different changes have the same commit
			built += "-dirty " + hash
		}
	}
	cells := []string{l.Host, l.CPU, fmt.Sprint(l.Cores), l.OS + "/" + l.Arch, l.Build.Go, built, l.MPI, l.Launcher, l.Scheduler}
	for i := range cells {
		cells[i] = cmp.Or(printable(cells[i]), none)
	}
	return cells
}

// lastLine returns the last line that is not blank.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// printable replaces characters that a terminal obeys, and truncates long texts.
func printable(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	if runes := []rune(text); len(runes) > 160 {
		return string(runes[:160]) + "…"
	}
	return text
}
