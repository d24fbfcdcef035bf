package report

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"treesplit/study/figure"
	"treesplit/study/sweep"
)

// none stands where nothing was measured.
const none = figure.None

// instanceCommand is what an instance is called on the command line.
func instanceCommand(l sweep.Line) string {
	text := strings.Join(append([]string{l.Verb}, l.Args...), " ")
	return printable(text)
}

// schemeLabel names a row; the detector is there if there are several.
func (s *set) schemeLabel(r row) string {
	for _, other := range s.rows {
		if other.detector != r.detector {
			return r.scheme + ", " + r.detector
		}
	}
	return r.scheme
}

// formatDigits writes a value with n significant digits, with an exponent if the value is very
// large or small.
func formatDigits(v float64, n int) string {
	if v == 0 || v >= 1e6 || v < 1e-4 {
		return strconv.FormatFloat(v, 'g', n, 64)
	}
	return strconv.FormatFloat(v, 'f', max(0, n-1-int(math.Floor(math.Log10(v)))), 64)
}

// quantity is what a grid shows: as text in its cells, and as numbers in its long form.
type quantity struct {
	names   []string // of the numbers
	cell    func(sp speedup, ranks int) string
	numbers func(sp speedup, ranks int) []any
}

// The quantities of the grids.
var (
	speedupQuantity = quantity{[]string{"speedup", "lowest", "highest"}, withRange, func(sp speedup, _ int) []any {
		return []any{sp.value, sp.low, sp.high}
	}}
	efficiencyQuantity = quantity{[]string{"efficiency"},
		func(sp speedup, p int) string { return formatDigits(sp.value/float64(p), 3) },
		func(sp speedup, p int) []any { return []any{sp.value / float64(p)} }}
	requestsQuantity = quantity{[]string{"requests"},
		func(sp speedup, _ int) string { return sp.requests.FloatString(0) },
		func(sp speedup, _ int) []any { return []any{formatDecimal(sp.requests)} }}
)

// plainNumber writes a number with six significant digits, for other programs.
func plainNumber(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// gridTable is a table of rows by numbers of ranks. In long form it has one line per cell.
func (s *set) gridTable(name, title string, keep func(problem) bool, q quantity) figure.Table {
	t := figure.Table{Name: name, Title: title, Head: []string{"scheme"}}
	t.Long = &figure.Long{Head: append([]string{"P", "scheme", "detector", "cases", "wanted"}, q.names...)}
	for _, p := range s.ranks {
		t.Head = append(t.Head, fmt.Sprintf("P = %d", p))
	}
	for _, r := range s.rows {
		line := []string{s.schemeLabel(r)}
		for _, p := range s.ranks {
			text := none
			if sp, ok := s.speedupAt(place{r, p}, keep); ok {
				t.Long.AppendRow(append([]any{p, r.scheme, r.detector, sp.cases, sp.wanted}, q.numbers(sp, p)...)...)
				text = q.cell(sp, p)
				if sp.cases < sp.wanted {
					text += " *"
				}
			}
			line = append(line, text)
		}
		t.AppendRow(line...)
	}
	return t
}

// withRange writes a speedup, and those of the slowest and fastest repeats beside it.
func withRange(sp speedup, _ int) string {
	text := formatDigits(sp.value, 4)
	if sp.low < sp.high {
		text += fmt.Sprintf(" (%s–%s)", formatDigits(sp.low, 3), formatDigits(sp.high, 3))
	}
	return text
}

// buildTables are all tables of a set, except for the fits.
func (s *set) buildTables(name string) []figure.Table {
	all := []figure.Table{
		s.instancesTable(name + "-instances"),
		s.gridTable(name+"-speedup", "Average speedup: cumulative sequential over cumulative parallel time of all instances", everyProblem, speedupQuantity),
		s.gridTable(name+"-efficiency", "Efficiency: average speedup over the number of ranks", everyProblem, efficiencyQuantity),
		s.gridTable(name+"-requests", "Work requests, mean over all instances", everyProblem, requestsQuantity),
	}
	if len(s.instances) > 1 {
		for i, in := range s.instances {
			all = append(all, s.gridTable(fmt.Sprintf("%s-speedup-%d", name, i+1), "Speedup, "+in, ofInstance(in), speedupQuantity))
		}
	}
	return all
}

// instancesTable lists the instances.
func (s *set) instancesTable(name string) figure.Table {
	t := figure.Table{Name: name, Title: "Instances, and one rank alone on them", Head: []string{"instance", "seed", "W", "T1 in s", "repeats", "slowest/fastest", "run as"}}
	t.Long = &figure.Long{Head: t.Head}
	for _, p := range s.cases {
		line := []string{p.instance, strconv.FormatUint(p.seed, 10), none, none, none, none, s.commands[p.instance]}
		long := []any{line[0], line[1], nil, nil, nil, nil, line[6]} // nil: missing
		if w, ok := s.problemSize(p); ok {
			line[2], long[2] = strconv.FormatInt(w, 10), w
		}
		if t1, ok := s.sequentialTime(p); ok {
			line[3], long[3] = formatDigits(t1, 4), t1
		}
		if one := s.sequential[p]; one.hasSeconds() {
			n, ratio := len(one.seconds), slices.Max(one.seconds)/slices.Min(one.seconds)
			line[4], long[4] = strconv.Itoa(n), n
			line[5], long[5] = formatDigits(ratio, 3), ratio
		}
		t.AppendRow(line...)
		t.Long.AppendRow(long...)
	}
	return t
}

// formatDecimal writes a mean of counters with all digits before the point, which a float64 may not
// hold, and two after it unless they are zeros.
func formatDecimal(v *big.Rat) string {
	if v.IsInt() {
		return v.Num().String()
	}
	return v.FloatString(2)
}

// CellsTable returns all measurements in long form, one row per place and instance, for other programs.
func (r *Results) CellsTable() figure.Table {
	t := figure.Table{Name: "cells", Title: "Every cell", Head: []string{"sweep", "world", "instance", "scheme", "detector", "P", "cases", "repeats", "T1", "TP", "speedup", "lowest", "highest", "efficiency", "requests"}}
	for _, s := range r.groupIntoSets() {
		for _, in := range s.instances {
			s.addCellRows(&t, in, ofInstance(in))
		}
		s.addCellRows(&t, "all", everyProblem)
	}
	t.Long = &figure.Long{Head: t.Head, Rows: t.Rows} // names that look like numbers stay as they are
	return t
}

// addCellRows adds the cells of one instance, or of all instances.
func (s *set) addCellRows(t *figure.Table, called string, keep func(problem) bool) {
	for _, r := range s.rows {
		for _, p := range s.ranks {
			if sp, ok := s.speedupAt(place{r, p}, keep); ok {
				t.AppendRow(s.sweep, s.world, called, r.scheme, r.detector, strconv.Itoa(p), strconv.Itoa(sp.cases), strconv.Itoa(sp.repeats),
					plainNumber(sp.t1), plainNumber(sp.tp), plainNumber(sp.value), plainNumber(sp.low), plainNumber(sp.high), plainNumber(sp.value/float64(p)), formatDecimal(sp.requests))
			}
		}
	}
}
