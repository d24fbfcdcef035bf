package gen

// Ramsey formulas: colour the edges of the complete graph on n vertices with two colours so that
// no s vertices have all edges of the first colour and no t vertices all edges of the second.
// Variables stand for the edges {a < b} of vertices 0..n−1 in the order {0,1}, {0,2}, {1,2},
// {0,3}, …; true means the first colour. Each set of s vertices is a negative clause, each set of
// t vertices a positive one, in lexicographic order. The formula is satisfiable exactly if n is
// less than the Ramsey number R(s, t): 6 for (3,3), 9 for (3,4), 14 for (3,5), 18 for (4,4).
//
// The vertices can be renamed. With break-symmetry = 1 the edges of vertex 0 are sorted: {0,b} has the
// first colour if {0,b+1} has it. Vertices 1..n−1 can be renamed so that this holds, so that the
// answer stays the same. The n−2 clauses of two literals come last.
//
// Source: F. Ramsey, On a Problem of Formal Logic, 1930; R. Greenwood, A. Gleason,
// Combinatorial Relations and Chromatic Graphs, Canadian J. Math. 7 (1955), for the
// numbers.
var ramseyFamily = Family{
	Name:    "ramsey",
	Help:    "two colours for the edges of K_n without cliques of s and t; satisfiable below R(s,t)",
	Example: "s=3 t=4 n=9",
	Params: []Param{
		{Name: "s", Help: "size of clique that the first colour must not have", Default: 3, Min: 2, Max: 100},
		{Name: "t", Help: "size of clique that the second colour must not have", Default: 4, Min: 2, Max: 100},
		{Name: "n", Help: "vertices", Default: 9, Min: 2, Max: 1000},
		{Name: "break-symmetry", Help: "1 sorts the edges of a vertex by colour; 0 does not", Default: 0, Min: 0, Max: 1},
	},
	build:  buildRamsey,
	status: statusOfRamsey,
}

func buildRamsey(v values, d *draft) error {
	n := v.wholeNumber("n")
	first := d.newVariables(n * (n - 1) / 2)
	edge := func(a, b int) int32 { return first + int32(b*(b-1)/2+a) } // a < b
	for _, colour := range []struct {
		size int
		sign int32
	}{{v.wholeNumber("s"), -1}, {v.wholeNumber("t"), 1}} {
		for set := firstSubset(n, colour.size); set != nil; set = nextSubset(n, set) {
			var clause []int32
			for i, b := range set {
				for _, a := range set[:i] {
					clause = append(clause, colour.sign*edge(a, b))
				}
			}
			d.addClause(clause...)
		}
	}
	if v.wholeNumber("break-symmetry") == 1 {
		for b := 1; b < n-1; b++ {
			d.addClause(edge(0, b), -edge(0, b+1))
		}
	}
	return nil
}

// firstSubset returns {0, …, k−1}, or nil if k > n.
func firstSubset(n, k int) []int {
	if k > n {
		return nil
	}
	set := make([]int, k)
	for i := range set {
		set[i] = i
	}
	return set
}

// nextSubset changes the subset of 0..n−1 to its successor in lexicographic order. It returns nil
// after the last subset.
func nextSubset(n int, set []int) []int {
	k := len(set)
	for i := k - 1; i >= 0; i-- {
		if set[i] < n-k+i {
			set[i]++
			for j := i + 1; j < k; j++ {
				set[j] = set[j-1] + 1
			}
			return set
		}
	}
	return nil
}
