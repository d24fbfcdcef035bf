package kale

import (
	"context"
	"fmt"

	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
	"treesplit/study/reproduce/printed"
)

// Figure1 is Radhakrishnan et al., figure 1: the cost of communication per processor under the maps
// of table 1.
func Figure1(ctx context.Context, l *lab.Lab, _ lab.Knobs) (figure.Section, error) {
	paper, err := printed.Read("kale-table1-efficiency")
	if err != nil {
		return figure.Section{}, err
	}
	c, err := mapAllCases(ctx, l, fullPlan, paper.P, paperMappers+1)
	if err != nil {
		return figure.Section{}, err
	}
	dearer := 0
	for _, number := range c.cases {
		bb := c.of["Branch & Bound"][number]
		for _, m := range mappers[:paperMappers-1] {
			if o := c.of[m.name][number]; o.comm < bb.comm && o.efficiency < bb.efficiency {
				dearer++
				break
			}
		}
	}
	return figure.Section{Title: "Mapping, figure 1: communication for each processor", Tables: []figure.Table{c.communication()}, Figures: []figure.Figure{c.communicationFigure(9), c.communicationFigure(20)}, Text: []string{
		"Communication: what all processors pay for it, both ends, over P, in ms, under the maps of " +
			"table 1; an object computes for 0.1 ms, a processor for 1.11 ms in the mean on 9 and for " +
			"0.5 ms on 20. The paper prints no numbers for the figure.",
		fmt.Sprintf("In %d of %d cases branch and bound's map is better than one that communicates less: what "+
			"counts is the busiest processor, not the sum. "+
			"The greedy strategy, whose second half of objects minimises communication, pays little for "+
			"it and has poor maps.", dearer, len(c.cases)),
	}}, nil
}

// communication returns figure 1 as a table.
func (c caseResults) communication() figure.Table {
	t := figure.Table{Name: "mapping-figure1", Title: "Communication for each processor, ms", Spread: &figure.Spread{Keys: 3, Variable: "strategy", Value: "communication in ms"}, Head: []string{"case", "P", "c"}}
	for _, m := range mappers[:paperMappers+1] {
		t.Head = append(t.Head, m.name)
	}
	for _, number := range c.cases {
		row := c.beginCaseRow(number)
		for _, m := range mappers[:paperMappers+1] {
			row = append(row, fmt.Sprintf("%.3f", c.of[m.name][number].comm))
		}
		t.AppendRow(row...)
	}
	return t
}

// communicationFigure draws the cases of one number of processors.
func (c caseResults) communicationFigure(processors int) figure.Figure {
	f := figure.Figure{Name: fmt.Sprintf("mapping-figure1-%d", processors), Title: fmt.Sprintf("Communication on %d processors", processors), X: "communication cost c", Y: "ms for each processor"}
	for _, m := range mappers[:paperMappers] {
		curve := figure.Curve{Name: m.name}
		for _, number := range c.cases {
			if p, cost := c.caseGraph(number); p == processors {
				curve.X, curve.Y = append(curve.X, cost), append(curve.Y, c.of[m.name][number].comm)
			}
		}
		f.Curves = append(f.Curves, curve)
	}
	return f
}
