package report

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"treesplit/study/figure"
	"treesplit/study/sweep"
)

// none is the text of a cell without a measurement.
const none = "–"

// instanceCommand returns the instance as it is written on the command line.
func instanceCommand(l sweep.Line) string {
	text := strings.Join(append([]string{l.Verb}, l.Args...), " ")
	return printable(text)
}

// schemeLabel returns the name of a row, with the detector if there are several detectors.
func (s *set) schemeLabel(r row) string {
	for _, other := range s.rows {
		if other.detector != r.detector {
			return r.scheme + ", " + r.detector
		}
	}
	return r.scheme
}

// formatDigits writes a value with n significant digits, and with an exponent if it is very large
// or very small.
func formatDigits(v float64, n int) string {
	if v == 0 || v >= 1e6 || v < 1e-4 {
		return strconv.FormatFloat(v, 'g', n, 64)
	}
	return strconv.FormatFloat(v, 'f', max(0, n-1-int(math.Floor(math.Log10(v)))), 64)
}

// gridTable returns a table of rows by numbers of ranks.
func (s *set) gridTable(name, title string, keep func(problem) bool, cell func(sp speedup, ranks int) string) figure.Table {
	t := figure.Table{Name: name, Title: title, Head: []string{"scheme"}}
	for _, p := range s.ranks {
		t.Head = append(t.Head, fmt.Sprintf("P = %d", p))
	}
	for _, r := range s.rows {
		line := []string{s.schemeLabel(r)}
		for _, p := range s.ranks {
			text := none
			if sp, ok := s.speedupAt(place{r, p}, keep); ok {
				text = cell(sp, p)
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

// withRange writes a speedup, followed by the speedups of the slowest and the fastest repeats.
func withRange(sp speedup, _ int) string {
	text := formatDigits(sp.value, 4)
	if sp.low < sp.high {
		text += fmt.Sprintf(" (%s–%s)", formatDigits(sp.low, 3), formatDigits(sp.high, 3))
	}
	return text
}

// buildTables returns all tables of a set, except the tables of fits.
func (s *set) buildTables(name string) []figure.Table {
	all := []figure.Table{
		s.instancesTable(name + "-instances"),
		s.gridTable(name+"-speedup", "Average speedup: cumulative sequential time divided by cumulative parallel time, over all instances", everyProblem, withRange),
		s.gridTable(name+"-efficiency", "Efficiency: average speedup divided by the number of ranks", everyProblem, func(sp speedup, p int) string { return formatDigits(sp.value/float64(p), 3) }),
		s.gridTable(name+"-requests", "Work requests, mean over all instances", everyProblem, func(sp speedup, _ int) string { return sp.requests.FloatString(0) }),
	}
	if len(s.instances) > 1 {
		for i, in := range s.instances {
			all = append(all, s.gridTable(fmt.Sprintf("%s-speedup-%d", name, i+1), "Speedup, "+in, ofInstance(in), withRange))
		}
	}
	return all
}

// instancesTable lists the instances.
func (s *set) instancesTable(name string) figure.Table {
	t := figure.Table{Name: name, Title: "Instances, and the time of one rank alone", Head: []string{"instance", "seed", "W", "T1 in s", "repeats", "slowest/fastest", "run as"}}
	for _, p := range s.cases {
		line := []string{p.instance, strconv.FormatUint(p.seed, 10), strconv.FormatInt(s.problemSize(p), 10), none, none, none, s.commands[p.instance]}
		if t1, ok := s.sequentialTime(p); ok {
			line[3] = formatDigits(t1, 4)
		}
		if one := s.sequential[p]; one != nil {
			line[4] = strconv.Itoa(len(one.seconds))
			least, most := one.seconds[0], one.seconds[0]
			for _, v := range one.seconds {
				least, most = min(least, v), max(most, v)
			}
			line[5] = formatDigits(most/least, 3)
		}
		t.AppendRow(line...)
	}
	return t
}

// formatDecimal writes a mean of counters with all digits before the decimal point, and two digits
// after it unless they are zeros.
func formatDecimal(v *big.Rat) string {
	if v.IsInt() {
		return v.Num().String()
	}
	return v.FloatString(2)
}

// CellsTable returns all results in long form, one line per place and instance, for other programs.
func (r *Results) CellsTable() figure.Table {
	t := figure.Table{Name: "cells", Title: "Every cell", Head: []string{"sweep", "world", "instance", "scheme", "detector", "P", "cases", "repeats", "T1", "TP", "speedup", "lowest", "highest", "efficiency", "requests"}}
	for _, s := range r.groupIntoSets() {
		for _, in := range s.instances {
			s.addCellRows(&t, in, ofInstance(in))
		}
		s.addCellRows(&t, "all", everyProblem)
	}
	return t
}

// addCellRows adds the rows of one instance, or of all instances.
func (s *set) addCellRows(t *figure.Table, called string, keep func(problem) bool) {
	plain := func(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
	for _, r := range s.rows {
		for _, p := range s.ranks {
			if sp, ok := s.speedupAt(place{r, p}, keep); ok {
				t.AppendRow(s.sweep, s.world, called, r.scheme, r.detector, strconv.Itoa(p), strconv.Itoa(sp.cases), strconv.Itoa(sp.repeats),
					plain(sp.t1), plain(sp.tp), plain(sp.value), plain(sp.low), plain(sp.high), plain(sp.value/float64(p)), formatDecimal(sp.requests))
			}
		}
	}
}
