package kale

import (
	"context"
	"math"

	"treesplit/internal/parallel"
	"treesplit/mapping"
	"treesplit/mapping/auto"
	"treesplit/mapping/bb"
	"treesplit/mapping/gen"
	"treesplit/search"
	"treesplit/study/reproduce/lab"
	"treesplit/study/reproduce/printed"
)

// tablePlan defines the runs for table 1 and the figures of Radhakrishnan, Brunner and Kalé.
// Searches stop after a number of nodes, and not after a time as in the paper, so that they give
// the same result on every machine of one architecture.
type tablePlan struct {
	arcs   []int // of the random graphs: one graph for each number and seed
	seeds  int
	draws  int // random maps per graph, whose mean is taken
	nodes  int // that branch and bound expands
	rounds int // questions after which annealing and auto stop
}

// The paper does not print the duration of its searches. With 16 times as many nodes the
// efficiencies of table 1 are higher by at most half a percentage point.
var fullPlan = tablePlan{arcs: []int{400, 1000, 3000}, seeds: 1, draws: 5, nodes: 1 << 14, rounds: 1 << 12}

// objectCount is the number of objects of table 1's graphs.
const objectCount = 100

// A mapper is a strategy of the comparison. Its name is the name of its column in the printed
// table, if there is one.
type mapper struct {
	name   string
	random bool // the mean over seeds is taken
	run    func(p *mapping.Problem, seed uint64, plan tablePlan) (mapping.Map, error)
}

// paperMappers is the number of mappers that are columns of table 1; they come first.
const paperMappers = 5

// mappers are the strategies of the paper, in the order of the columns, followed by some strategies
// of this project.
var mappers = []mapper{
	{"Greedy", false, namedStrategy("greedy")},
	{"Greedy-Refine", false, refinedStrategy("greedy")},
	{"Random", true, namedStrategy("random")},
	{"Random-Refine", true, refinedStrategy("random")},
	{"Branch & Bound", false, searchedStrategy(bb.Printed)},
	{"B&B, admissible bound", false, searchedStrategy(bb.Admissible)},
	{"lpt", false, namedStrategy("lpt")},
	{"comm-greedy", false, namedStrategy("comm-greedy")},
	{"greedy-refine", false, namedStrategy("greedy-refine")},
	{"random-refine", true, namedStrategy("random-refine")},
	{"anneal", false, namedStrategy("anneal")},
	{"auto", false, namedStrategy("auto")},
}

// namedStrategy returns a strategy by its name. The strategy ends after a number of questions if it
// does not end by itself.
func namedStrategy(name string) func(*mapping.Problem, uint64, tablePlan) (mapping.Map, error) {
	return func(p *mapping.Problem, seed uint64, plan tablePlan) (mapping.Map, error) {
		s, err := auto.FindStrategy(name)
		if err != nil {
			return nil, err
		}
		o := mapping.Options{Seed: seed}
		if s.Anytime {
			left := plan.rounds
			o.Stop = func() bool { left--; return left < 0 }
		}
		return s.Run(p, o), nil
	}
}

// refinedStrategy returns a strategy followed by the paper's Refine.
func refinedStrategy(name string) func(*mapping.Problem, uint64, tablePlan) (mapping.Map, error) {
	return func(p *mapping.Problem, seed uint64, plan tablePlan) (mapping.Map, error) {
		m, err := namedStrategy(name)(p, seed, plan)
		if err != nil {
			return nil, err
		}
		return printedRefine(p, m), nil
	}
}

// searchedStrategy returns branch and bound as in the paper: depth first, with the makespan of the
// greedy strategy as the first upper bound, and with the given lower bound.
func searchedStrategy(bound bb.Bound) func(*mapping.Problem, uint64, tablePlan) (mapping.Map, error) {
	return func(p *mapping.Problem, seed uint64, plan tablePlan) (mapping.Map, error) {
		first, err := namedStrategy("greedy")(p, seed, plan)
		if err != nil {
			return nil, err
		}
		in, err := bb.New(p, bb.Options{Bound: bound, Upper: p.EvaluateMap(first).Makespan})
		if err != nil {
			return nil, err
		}
		s := in.NewSearch(search.DefaultSplitting, true)
		s.Expand(plan.nodes)
		if m, _, ok := s.BestFoundMap(); ok {
			return m, nil
		}
		return first, nil
	}
}

// mapped holds the results of a mapper for a case of table 1, as means over graphs and draws.
type mapped struct {
	efficiency float64   // in per cent
	comm       float64   // ms of communication, the mean over processors
	graphs     []float64 // the efficiency of each graph, as the mean over draws
}

// mapGraphCase maps the graphs of one number of processors and one communication cost.
func (m mapper) mapGraphCase(processors int, cost float64, plan tablePlan) (mean mapped, err error) {
	draws := 1
	if m.random {
		draws = plan.draws
	}
	runs := float64(len(plan.arcs) * plan.seeds * draws)
	mean.graphs = make([]float64, len(plan.arcs)*plan.seeds)
	for k, arcs := range plan.arcs {
		for seed := range uint64(plan.seeds) {
			graph := &mean.graphs[k*plan.seeds+int(seed)]
			p := gen.RandomProblem(processors, objectCount, arcs, cost, seed+1)
			for draw := range uint64(draws) {
				found, err := m.run(p, draw+1, plan)
				if err != nil {
					return mean, err
				}
				e := p.EvaluateMap(found)
				*graph += 100 * e.Efficiency() / float64(draws)
				mean.efficiency += 100 * e.Efficiency() / runs
				mean.comm += float64(e.Comm) / float64(processors) / 1e6 / runs
			}
		}
	}
	return mean, nil
}

// caseResults holds the results of the mappers for the cases of table 1.
type caseResults struct {
	paper *printed.Table
	cases []int                     // of the printed table
	of    map[string]map[int]mapped // by mapper and case
}

// mapAllCases runs the first count mappers on the cases.
func mapAllCases(ctx context.Context, l *lab.Lab, plan tablePlan, cases []int, count int) (caseResults, error) {
	paper, err := printed.Read("kale-table1-efficiency")
	all := caseResults{paper: paper, cases: cases, of: map[string]map[int]mapped{}}
	if err != nil {
		return all, err
	}
	got, err := parallel.SideBySide(ctx, l.Workers, count*len(cases), func(_ context.Context, i int) (mapped, error) {
		processors, cost := all.caseGraph(cases[i%len(cases)])
		return mappers[i/len(cases)].mapGraphCase(processors, cost, plan)
	})
	if err != nil {
		return all, err
	}
	for i, v := range got {
		name := mappers[i/len(cases)].name
		if all.of[name] == nil {
			all.of[name] = map[int]mapped{}
		}
		all.of[name][cases[i%len(cases)]] = v
	}
	return all, nil
}

// caseGraph returns the values that the printed table gives for a case.
func (c caseResults) caseGraph(number int) (processors int, cost float64) {
	p, _ := c.paper.CellValue("processors", number)
	cost, _ = c.paper.CellValue("communication cost", number)
	return int(p), cost
}

// paperDistance returns the geometric mean of the factors, at least 1, between the measured values
// and a column of the paper.
func (c caseResults) paperDistance(column string) float64 {
	sum := 0.0
	for _, number := range c.cases {
		paper, _ := c.paper.CellValue(column, number)
		sum += math.Abs(math.Log(c.of[column][number].efficiency / paper))
	}
	return math.Exp(sum / float64(len(c.cases)))
}
