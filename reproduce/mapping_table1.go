package reproduce

import (
	"context"
	"fmt"
)

// mappingTable1 is Radhakrishnan et al., table 1: the efficiency of five strategies for
// 100 objects on 9 and 20 processors.
func mappingTable1(ctx context.Context, l *Lab, _ Knobs) (Section, error) {
	plan := mappingTable1Plan
	paper, err := printed("kale-table1-efficiency")
	if err != nil {
		return Section{}, err
	}
	c, err := l.mapCases(ctx, plan, paper.P, len(mappers))
	if err != nil {
		return Section{}, err
	}
	s := Section{Title: "Mapping, table 1: efficiency of strategies in per cent", Tables: []Table{c.besidePaper(), c.others()}, Text: []string{
		fmt.Sprintf("Efficiency: all computation over P times the makespan. The paper does not print its graphs. Ours have %d objects that compute for 80 to 120 µs, %d, %d and %d arcs between random objects, one graph each, of which the mean is given, and communication that would take 0.0022·c of the time of all computation if no two objects shared a processor, c being the paper's communication cost: these are the parameters that fit the paper's Branch & Bound column best. Random and Random-Refine are means over %d maps of each graph.",
			mappingObjects, plan.arcs[0], plan.arcs[1], plan.arcs[2], plan.draws),
		fmt.Sprintf("Branch & Bound is the paper's, with its bound minRemaining, which is not admissible, and Greedy-Refine's makespan as the first upper bound; it ends after %d nodes, where the paper's ended after a time that is not printed.", plan.nodes),
		fmt.Sprintf("How many times ours is above or below the paper's, in the geometric mean over the rows: %s.", c.distances()),
		fmt.Sprintf("Claim B1, that branch and bound is better than the other four in every case: it is in %d of %d, and not worse in %d. Without communication and on 9 processors Random-Refine is better: objects are about equally long, and the search, which changes the last ones first, does not come to better maps. Refine is the paper's, from busy processors to idle ones; package mapping's own, greedy-refine and random-refine in the second table, which also takes objects to the busiest processor and lets two change places, is better than the paper's branch and bound in %d cases: against a good local search the claim does not hold.",
			c.best(true), len(c.cases), c.best(false), c.beaten()),
		"The Greedy columns cannot be reproduced: no greedy strategy that looks at loads is as bad as the printed one (an honest one, comm-greedy, is in the second table). Ours is the text's, whose second half of objects goes where it adds the least communication, whatever the load; this has the printed column's shape, but not its numbers. In rows 1 and 2, printed, Random-Refine is exactly as good as Random, though without communication any refinement moves objects off the busiest processor: these two cells are implausible.",
	}}
	return s, nil
}

// besidePaper sets ours beside the printed columns.
func (c mappingCases) besidePaper() Table {
	t := Table{Name: "mapping-table1", Title: "Efficiency in per cent (Radhakrishnan et al., table 1)", Head: []string{"case", "P", "c"}}
	for _, m := range mappers[:paperMappers] {
		t.Head = append(t.Head, m.name+" paper", "ours")
	}
	for _, number := range c.cases {
		row := c.row(number)
		for _, m := range mappers[:paperMappers] {
			paper, _ := c.paper.At(m.name, number)
			row = append(row, fmt.Sprintf("%.1f", paper), fmt.Sprintf("%.1f", c.of[m.name][number].efficiency))
		}
		t.Add(row...)
	}
	return t
}

// others lists strategies that the paper does not have, on the same graphs.
func (c mappingCases) others() Table {
	t := Table{Name: "mapping-table1-others", Title: "Efficiency in per cent of other strategies on the same graphs", Head: []string{"case", "P", "c"}}
	for _, m := range mappers[paperMappers:] {
		t.Head = append(t.Head, m.name)
	}
	for _, number := range c.cases {
		row := c.row(number)
		for _, m := range mappers[paperMappers:] {
			row = append(row, fmt.Sprintf("%.1f", c.of[m.name][number].efficiency))
		}
		t.Add(row...)
	}
	return t
}

// best counts the cases in which branch and bound is better than the paper's other
// strategies, or, if not strictly, as good.
func (c mappingCases) best(strictly bool) (count int) {
	const last = paperMappers - 1
	for _, number := range c.cases {
		best, searched := true, c.of[mappers[last].name][number].efficiency
		for _, m := range mappers[:last] {
			other := c.of[m.name][number].efficiency
			best = best && searched >= other && (!strictly || searched > other)
		}
		if best {
			count++
		}
	}
	return count
}

// beaten counts the cases in which random-refine is better than branch and bound.
func (c mappingCases) beaten() (count int) {
	for _, number := range c.cases {
		if c.of["random-refine"][number].efficiency > c.of["Branch & Bound"][number].efficiency {
			count++
		}
	}
	return count
}

// row begins a row for a case.
func (c mappingCases) row(number int) []string {
	processors, cost := c.graph(number)
	return []string{fmt.Sprint(number), fmt.Sprint(processors), fmt.Sprint(cost)}
}

// distances says how far columns are from the paper's.
func (c mappingCases) distances() (text string) {
	for i, m := range mappers[:paperMappers] {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s %.2f", m.name, c.distance(m.name))
	}
	return text
}
