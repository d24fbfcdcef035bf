package kale

import (
	"context"
	"fmt"

	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
	"treesplit/study/reproduce/printed"
)

// Table1 is Radhakrishnan et al., table 1: the efficiency of five strategies for 100 objects on 9
// and 20 processors.
func Table1(ctx context.Context, l *lab.Lab, _ lab.Knobs) (figure.Section, error) {
	plan := fullPlan
	paper, err := printed.Read("kale-table1-efficiency")
	if err != nil {
		return figure.Section{}, err
	}
	c, err := mapAllCases(ctx, l, plan, paper.P, len(mappers))
	if err != nil {
		return figure.Section{}, err
	}
	s := figure.Section{Title: "Mapping, table 1: efficiency of strategies in per cent", Tables: []figure.Table{c.besidePaper(), c.otherStrategies()}, Text: []string{
		fmt.Sprintf("Efficiency: all computation over P times the makespan. The paper does not print its graphs. "+
			"Ours have %d objects that compute for 80 to 120 µs, %d, %d and %d arcs between random "+
			"objects, one graph each, of which the mean is given, and communication that would take "+
			"0.0022·c of the time of all computation if no two objects shared a processor, c being the "+
			"paper's communication cost: these are the parameters that fit the paper's Branch & Bound "+
			"column best. Random and Random-Refine are means over %d maps of each graph.",
			objectCount, plan.arcs[0], plan.arcs[1], plan.arcs[2], plan.draws),
		fmt.Sprintf("Branch & Bound is the paper's, with its bound minRemaining, which is not admissible, and "+
			"Greedy's makespan as the first upper bound; it ends after %d nodes, where the paper's ended "+
			"after a time that is not printed.", plan.nodes),
		fmt.Sprintf("How many times ours is above or below the paper's, in the geometric mean over the rows: %s.", c.distances()),
		fmt.Sprintf("Claim B1, that branch and bound is better than the other four in every case. "+
			"Graph by graph, where there is communication, it is better, and worse: %s. "+
			"Refine is the paper's, from busy processors to idle ones. "+
			"The last is package mapping's own, in the second table, which also takes objects to the "+
			"busiest processor and lets two change places.",
			c.verdictText()),
		"The Greedy columns cannot be reproduced: no greedy strategy that looks at loads is as bad " +
			"as the printed one (an honest one, comm-greedy, is in the second table). " +
			"Ours is the text's, whose second half of objects goes where it adds the least " +
			"communication, whatever the load; this has the printed column's shape, but not its numbers. " +
			"In rows 1 and 2, printed, Random-Refine is exactly as good as Random, though without " +
			"communication any refinement moves objects off the busiest processor: these two cells are " +
			"implausible.",
	}}
	return s, nil
}

// besidePaper returns a table of the measured and the printed columns.
func (c caseResults) besidePaper() figure.Table {
	t := figure.Table{Name: "mapping-table1", Title: "Efficiency in per cent (Radhakrishnan et al., table 1)", Head: []string{"case", "P", "c"}}
	t.Long = &figure.Long{Head: []string{"case", "P", "c", "strategy", "paper", "ours", "error"}}
	for _, m := range mappers[:paperMappers] {
		t.Head = append(t.Head, m.name+" paper", "ours")
	}
	for _, number := range c.cases {
		row := c.beginCaseRow(number)
		for _, m := range mappers[:paperMappers] {
			paper, _ := c.paper.CellValue(m.name, number)
			ours := c.of[m.name][number].efficiency
			t.Long.AppendRow(row[0], row[1], row[2], m.name, paper, ours, ours/paper-1)
			row = append(row, fmt.Sprintf("%.1f", paper), fmt.Sprintf("%.1f", ours))
		}
		t.AppendRow(row...)
	}
	return t
}

// otherStrategies lists strategies that the paper does not have, on the same graphs.
func (c caseResults) otherStrategies() figure.Table {
	t := figure.Table{Name: "mapping-table1-others", Title: "Efficiency in per cent of other strategies on the same graphs", Spread: &figure.Spread{Keys: 3, Variable: "strategy", Value: "efficiency in per cent"}, Head: []string{"case", "P", "c"}}
	for _, m := range mappers[paperMappers:] {
		t.Head = append(t.Head, m.name)
	}
	for _, number := range c.cases {
		row := c.beginCaseRow(number)
		for _, m := range mappers[paperMappers:] {
			row = append(row, fmt.Sprintf("%.1f", c.of[m.name][number].efficiency))
		}
		t.AppendRow(row...)
	}
	return t
}

// countBeaten counts the graphs with communication for which the map of branch and bound is better
// than the map of another strategy, and the graphs for which it is worse.
func (c caseResults) countBeaten(other string) (better, worse int) {
	for _, number := range c.cases {
		if _, cost := c.caseGraph(number); cost == 0 {
			continue
		}
		for k, searched := range c.of["Branch & Bound"][number].graphs {
			switch o := c.of[other][number].graphs[k]; {
			case searched > o:
				better++
			case searched < o:
				worse++
			}
		}
	}
	return better, worse
}

// verdictText compares branch and bound with the other strategies in words.
func (c caseResults) verdictText() (text string) {
	for _, name := range []string{"Greedy", "Greedy-Refine", "Random", "Random-Refine", "random-refine"} {
		better, worse := c.countBeaten(name)
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf("than %s in %d and %d", name, better, worse)
	}
	return text
}

// beginCaseRow begins a row for a case.
func (c caseResults) beginCaseRow(number int) []string {
	processors, cost := c.caseGraph(number)
	return []string{fmt.Sprint(number), fmt.Sprint(processors), fmt.Sprint(cost)}
}

// distances describes the distances of the columns from the paper's columns.
func (c caseResults) distances() (text string) {
	for i, m := range mappers[:paperMappers] {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s %.2f", m.name, c.paperDistance(m.name))
	}
	return text
}
