package kumar

import (
	"context"
	"fmt"
	"strconv"

	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
	"treesplit/study/reproduce/printed"
)

// The readings of ARR, SB and ML in this file were chosen after the errors of tables 3 and 5 were
// known. So their numbers are no predictions: they show whether another reading of the text can explain
// a column. docs/lab-notes.md has the sentences of the paper.

// reading is another reading of one column of a table.
type reading struct {
	column string
	name   string
	apply  func(c *lab.Cell)
}

// readings are the readings of columns of table 3.
var readings = []reading{
	{"ARR", "all targets begin at rank 0", func(c *lab.Cell) { c.Equal = true }},
	{"SB", "pieces go through the scheduler", func(c *lab.Cell) { c.Route = true }},
}

// Trees of generators for ML: multiples of the default m = ⌈√P⌉, and cutoff depths. Each number of ranks
// gets the best.
var (
	arityFactors   = []int{1, 2, 3}
	informedDepths = []int{14, 17, 20, 22}
)

// Informed shows the columns ARR, SB and ML of tables 3 and 5 with the readings that come nearest to the
// printed values.
func Informed(ctx context.Context, l *lab.Lab, k lab.Knobs) (figure.Section, error) {
	table3, err := printed.Read("kumar-table3-speedups-receiver-initiated")
	if err != nil {
		return figure.Section{}, err
	}
	table5, err := printed.Read("kumar-table5-speedups-sender-initiated")
	if err != nil {
		return figure.Section{}, err
	}
	read, err := runReadings(ctx, l, k, table3)
	if err != nil {
		return figure.Section{}, err
	}
	ml, arity, err := runArities(ctx, l, k, table5)
	if err != nil {
		return figure.Section{}, err
	}
	s := figure.Section{
		Title: "Informed readings of ARR, SB and ML",
		Tables: []figure.Table{
			read.errorTable("informed-table3", "Average speedups with other readings (Kumar et al., table 3)"),
			ml.errorTable("informed-table5", "Average speedups of ML with the best tree of generators (Kumar et al., table 5)"),
			arity,
		},
	}
	for _, r := range readings {
		s.Text = append(s.Text, errorSummary(r.column+", "+r.name, read.relativeErrors(r.column)))
	}
	s.Text = append(s.Text, errorSummary("ML, the best m and depth", ml.relativeErrors("ML")),
		"These readings were chosen after the errors of tables 3 and 5 were known: the numbers are no predictions.")
	return s, nil
}

// runReadings runs the readings on all numbers of ranks that the paper prints.
func runReadings(ctx context.Context, l *lab.Lab, k lab.Knobs, paper *printed.Table) (comparison, error) {
	m, err := k.NCube2Machine()
	if err != nil {
		return comparison{}, err
	}
	c := comparison{paper.SelectColumns("ARR", "SB"), map[lab.Place]float64{}}
	sets := map[lab.Place][]lab.Cell{}
	for _, r := range readings {
		for _, p := range paper.P {
			if _, printed := paper.CellValue(r.column, p); !printed {
				continue
			}
			cells := k.SchemeCells(m, schemeOf[r.column], p)
			for i := range cells {
				r.apply(&cells[i])
			}
			sets[lab.At(r.column, p)] = cells
		}
	}
	got, err := l.RunCellSets(ctx, sets)
	for at, a := range got {
		c.ours[at] = a.Speedup()
	}
	return c, err
}

// generatorTree is a tree of generators of ML.
type generatorTree struct{ factor, depth int }

// column names the runs of a tree of generators.
func (t generatorTree) column() string { return fmt.Sprint("ML ", t.factor, " ", t.depth) }

// runArities runs ML with all trees of generators, and returns the best speedups and the trees.
func runArities(ctx context.Context, l *lab.Lab, k lab.Knobs, paper *printed.Table) (comparison, figure.Table, error) {
	m, err := k.NCube2Machine()
	if err != nil {
		return comparison{}, figure.Table{}, err
	}
	var trees []generatorTree
	for _, f := range arityFactors {
		for _, d := range informedDepths {
			trees = append(trees, generatorTree{f, d})
		}
	}
	sets := map[lab.Place][]lab.Cell{}
	for _, t := range trees {
		for _, p := range paper.P {
			cells := k.SchemeCells(m, schemeOf["ML"], p)
			for i := range cells {
				cells[i].Cutoff, cells[i].Arity = t.depth, t.factor*squareRootUp(p)
			}
			sets[lab.At(t.column(), p)] = cells
		}
	}
	got, err := l.RunCellSets(ctx, sets)
	if err != nil {
		return comparison{}, figure.Table{}, err
	}
	c := comparison{paper.SelectColumns("ML"), map[lab.Place]float64{}}
	best := figure.Table{Name: "informed-table5-trees", Title: "Trees of generators of the best runs", Head: []string{"P", "m", "depth"}}
	for _, p := range paper.P {
		var chosen generatorTree
		for _, t := range trees {
			if s := got[lab.At(t.column(), p)].Speedup(); s > c.ours[lab.At("ML", p)] {
				c.ours[lab.At("ML", p)], chosen = s, t
			}
		}
		best.AppendRow(strconv.Itoa(p), strconv.Itoa(chosen.factor*squareRootUp(p)), strconv.Itoa(chosen.depth))
	}
	return c, best, nil
}

// squareRootUp returns ⌈√p⌉.
func squareRootUp(p int) int {
	r := 1
	for r*r < p {
		r++
	}
	return r
}
