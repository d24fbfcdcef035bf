package gen

// Small hard formulas after Spence's generator sgen1. The 4g + 1 variables are partitioned at
// random into g − 1 groups of four and a group of five. Every three variables of a group are a
// positive clause, so that at least two of each four and three of the five are true: at least
// 2g + 1. A second random partition gives negative clauses, so that at least 2g + 1 variables are
// false. These are more than there are variables: the formula is unsatisfiable. The clauses are
// short and similar to one another, and hardness grows fast: each further group takes solvers
// about two to three times as long.
//
// Source: I. Spence, sgen1: A Generator of Small but Difficult Satisfiability Benchmarks, ACM J.
// Experimental Algorithmics 15 (2010). Spence draws the second partition by simulated annealing,
// here it is uniform.
var sgenFamily = Family{
	Name:    "sgen",
	Help:    "small hard formulas of random groups, after sgen1; unsatisfiable",
	Example: "groups=8",
	Params:  []Param{{Name: "groups", Help: "groups; there are four variables per group and one more", Default: 8, Min: 1, Max: 100000}},
	Seeded:  true,
	build:   buildSgen,
	status:  alwaysUnsatisfiable("more than half of the variables would be true, and more than half false"),
}

func buildSgen(v values, d *draft) error {
	groups := v.wholeNumber("groups")
	n := 4*groups + 1
	first := d.newVariables(n)
	for _, sign := range []int32{1, -1} {
		order := d.shuffle(n)
		for g := range groups {
			size := 4
			if g == groups-1 {
				size = 5
			}
			d.addTriples(order[4*g:4*g+size], first, sign)
		}
	}
	return nil
}

// addTriples adds the clauses of all three members of a group.
func (d *draft) addTriples(group []int, first, sign int32) {
	for set := firstSubset(len(group), 3); set != nil; set = nextSubset(len(group), set) {
		d.addNumbered([]int{group[set[0]], group[set[1]], group[set[2]]}, first, sign)
	}
}

// shuffle returns the numbers 0..n−1 in random order.
func (d *draft) shuffle(n int) []int {
	order := make([]int, n)
	for i := range order {
		j := d.drawBelow(i + 1)
		order[i], order[j] = order[j], i
	}
	return order
}
