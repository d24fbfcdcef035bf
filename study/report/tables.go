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

// none stands where nothing was measured.
const none = "–"

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

// formatDigits writes a value with so many significant digits, with an exponent where it is very
// large or small.
func formatDigits(v float64, n int) string {
	if v == 0 || v >= 1e6 || v < 1e-4 {
		return strconv.FormatFloat(v, 'g', n, 64)
	}
	return strconv.FormatFloat(v, 'f', max(0, n-1-int(math.Floor(math.Log10(v)))), 64)
}

// gridTable is a table of rows by numbers of ranks.
func (s *set) gridTable(name, title string, keep func(problem) bool, cell func(sp speedup, ranks int) string, quantity string, value func(sp speedup, ranks int) float64) figure.Table {
	t := figure.Table{Name: name, Title: title, Head: []string{"scheme"}, Long: s.longGrid(quantity, keep, value)}
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

// longGrid has one row per scheme and number of ranks. A cell is complete if all instances and seeds
// were measured.
func (s *set) longGrid(quantity string, keep func(problem) bool, value func(sp speedup, ranks int) float64) *figure.Long {
	l := &figure.Long{Head: []string{"scheme", "detector", "P", quantity, "measured cases", "cases"}}
	if quantity == speedupQuantity {
		l.Head = append(l.Head, "lowest", "highest")
	}
	for _, r := range s.rows {
		for _, p := range s.ranks {
			sp, ok := s.speedupAt(place{r, p}, keep)
			if !ok {
				continue
			}
			cells := []any{r.scheme, r.detector, p, value(sp, p), sp.cases, sp.wanted}
			if quantity == speedupQuantity {
				cells = append(cells, sp.low, sp.high)
			}
			l.AppendRow(cells...)
		}
	}
	return l
}

// speedupQuantity is the name of a column of speedups, beside which the range stands.
const speedupQuantity = "speedup"

func speedupValue(sp speedup, _ int) float64 { return sp.value }

func requestsValue(sp speedup, _ int) float64 {
	v, _ := sp.requests.Float64()
	return v
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
		s.gridTable(name+"-speedup", "Average speedup: cumulative sequential over cumulative parallel time of all instances", everyProblem, withRange, speedupQuantity, speedupValue),
		s.gridTable(name+"-efficiency", "Efficiency: average speedup over the number of ranks", everyProblem, func(sp speedup, p int) string { return formatDigits(sp.value/float64(p), 3) },
			"efficiency", func(sp speedup, p int) float64 { return sp.value / float64(p) }),
		s.gridTable(name+"-requests", "Work requests, mean over all instances", everyProblem, func(sp speedup, _ int) string { return sp.requests.FloatString(0) }, "requests", requestsValue),
	}
	if len(s.instances) > 1 {
		for i, in := range s.instances {
			all = append(all, s.gridTable(fmt.Sprintf("%s-speedup-%d", name, i+1), "Speedup, "+in, ofInstance(in), withRange, speedupQuantity, speedupValue))
		}
	}
	return all
}

// instancesTable lists the instances.
func (s *set) instancesTable(name string) figure.Table {
	t := figure.Table{Name: name, Title: "Instances, and one rank alone on them", Head: []string{"instance", "seed", "W", "T1 in s", "repeats", "slowest/fastest", "run as"}}
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

// formatDecimal writes a mean of counters with all digits before the point, and two after it unless
// they are zeros.
func formatDecimal(v *big.Rat) string {
	if v.IsInt() {
		return v.Num().String()
	}
	return v.FloatString(2)
}

// CellsTable is everything in long form, one line a place and instance, for other programs.
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

// addCellRows adds those of one instance, or of all.
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
