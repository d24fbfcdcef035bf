package gen

import "fmt"

// Tseitin formulas: one variable per edge of a graph, and for each vertex the constraint that its
// edges have a given parity, the charge of the vertex. The first vertex has charge 1 and all
// others 0, so the charges add up to an odd number. But each edge is counted at both of its ends,
// so the formula is unsatisfiable. A vertex of degree d takes the 2^(d−1) clauses that exclude
// the wrong parity.
//
// tseitin-torus is the r×c grid closed to a torus. Vertex (i, j) is in row i; its edges to the
// right and downwards have the variables 2·(i·c + j) + 1 and + 2. Unit propagation with branching
// on the first open clause sets one edge of each independent cycle. There are rc + 1 cycles, so
// the tree has 2^(rc+2) − 1 nodes. tseitin-regular is a random d-regular graph.
//
// Source: G. Tseitin, On the Complexity of Derivation in Propositional Calculus, 1968;
// A. Urquhart, Hard Examples for Resolution, J. ACM 34 (1987), for expanders such as
// random regular graphs; A. Steger, N. Wormald, Generating Random Regular Graphs
// Quickly, Combinatorics, Probability and Computing 8 (1999), for making them.
var tseitinTorusFamily = Family{
	Name:    "tseitin-torus",
	Help:    "odd charge on an r by c torus; unsatisfiable",
	Example: "r=3 c=4",
	Params: []Param{
		{Name: "r", Help: "rows", Default: 4, Min: 3, Max: 1000},
		{Name: "c", Help: "columns", Default: 4, Min: 3, Max: 1000},
	},
	build:  buildTseitinTorus,
	status: alwaysUnsatisfiable(oddCharge),
}

var tseitinRegularFamily = Family{
	Name:    "tseitin-regular",
	Help:    "odd charge on a random d-regular graph of n vertices; unsatisfiable",
	Example: "n=14 d=3",
	Params: []Param{
		{Name: "n", Help: "vertices; n times d must be even", Default: 14, Min: 2, Max: 100000},
		{Name: "d", Help: "edges at each vertex", Default: 3, Min: 1, Max: 12},
	},
	Seeded: true,
	build:  buildTseitinRegular,
	status: alwaysUnsatisfiable(oddCharge),
}

// oddCharge is why Tseitin formulas have no model.
const oddCharge = "the charges add up to an odd number"

func buildTseitinTorus(v values, d *draft) error {
	rows, columns := v.wholeNumber("r"), v.wholeNumber("c")
	first := d.newVariables(2 * rows * columns)
	right := func(i, j int) int32 { return first + int32(2*((i+rows)%rows*columns+(j+columns)%columns)) }
	below := func(i, j int) int32 { return right(i, j) + 1 }
	for i := range rows {
		for j := range columns {
			d.addParity([]int32{right(i, j), below(i, j), right(i, j-1), below(i-1, j)}, i+j == 0)
		}
	}
	return nil
}

func buildTseitinRegular(v values, d *draft) error {
	n, degree := v.wholeNumber("n"), v.wholeNumber("d")
	switch {
	case n*degree%2 != 0:
		return fmt.Errorf("n = %d, d = %d: expected an even product, because each edge has two ends", n, degree)
	case degree >= n:
		return fmt.Errorf("d = %d: expected fewer than n = %d", degree, n)
	}
	first := d.newVariables(n * degree / 2)
	edgesAt := make([][]int32, n)
	for i, e := range d.regularGraph(n, degree) {
		x := first + int32(i)
		edgesAt[e[0]], edgesAt[e[1]] = append(edgesAt[e[0]], x), append(edgesAt[e[1]], x)
	}
	for vertex, edges := range edgesAt {
		d.addParity(edges, vertex == 0)
	}
	return nil
}

// addParity adds the clauses that make the number of true variables odd or even.
func (d *draft) addParity(variables []int32, odd bool) {
	clause := make([]int32, len(variables))
	for signs := range 1 << len(variables) {
		negated := 0
		for i, x := range variables {
			clause[i] = x
			if signs>>i&1 == 1 {
				clause[i] = -x
				negated++
			}
		}
		// The clause is false exactly if the negated variables are true and the others are false.
		// It is added if the number of negated variables has the wrong parity.
		if negated%2 == 1 != odd {
			d.addClause(clause...)
		}
	}
}

// regularGraph draws a simple d-regular graph. It joins free ends of edges at random. It puts a
// pair back that would make a loop or a double edge, and starts again if a graph cannot be
// completed. n·degree is even and degree < n.
func (d *draft) regularGraph(n, degree int) (edges [][2]int) {
	for {
		if edges = d.tryRegularGraph(n, degree); len(edges) == n*degree/2 {
			return edges
		}
	}
}

// tryRegularGraph returns fewer edges if it cannot complete the graph.
func (d *draft) tryRegularGraph(n, degree int) (edges [][2]int) {
	free := make([]int, 0, n*degree)
	for i := range n * degree {
		free = append(free, i%n)
	}
	joined := map[[2]int]bool{}
	for misses := 0; len(free) > 0 && misses < 100; {
		i, j := d.drawBelow(len(free)), d.drawBelow(len(free))
		e := [2]int{min(free[i], free[j]), max(free[i], free[j])}
		if e[0] == e[1] || joined[e] {
			misses++
			continue
		}
		misses = 0
		joined[e] = true
		edges = append(edges, e)
		for _, k := range []int{max(i, j), min(i, j)} {
			free[k] = free[len(free)-1]
			free = free[:len(free)-1]
		}
	}
	return edges
}
