package gen

import "fmt"

// Graph colouring: give each vertex one of c colours so that no edge joins two vertices of the
// same colour. Variable v·c + k + 1 means that vertex v has colour k. The clauses "vertex v has a
// colour" come first, then for each edge and colour "not both". A vertex with two colours may
// take either of them, so no clause forbids two colours.
//
// mycielski: the graph of order k has no triangle and needs k colours. Order 2 is an edge. Each
// further order adds a twin for every vertex, joined to the vertex's neighbours, and a vertex
// joined to all twins. queens: the squares of an n×n board, joined if a queen can move between
// them. random-colouring: each pair of vertices is joined with probability p.
//
// Source: J. Mycielski, Sur le coloriage des graphes, Colloquium Mathematicum 3 (1955);
// DIMACS colouring challenge 1993 (myciel and queen graphs); E. Gilbert, Random Graphs,
// Annals of Mathematical Statistics 30 (1959).
var mycielskiFamily = Family{
	Name:    "mycielski",
	Help:    "colours for Mycielski's graph of some order; satisfiable with as many colours as the order",
	Example: "order=5 colours=4",
	Params: []Param{
		{Name: "order", Help: "order and chromatic number of the graph", Default: 5, Min: 2, Max: 14},
		{Name: "colours", Help: "colours to use", Default: 4, Min: 1, Max: 100},
	},
	build: func(v values, d *draft) error {
		d.addColouring(mycielski(v.wholeNumber("order")), v.wholeNumber("colours"))
		return nil
	},
	status: func(v values) Status {
		return statusOfColouring(v.wholeNumber("colours"), v.wholeNumber("order"), "the chromatic number")
	},
}

var queensFamily = Family{
	Name:    "queens",
	Help:    "colours for the squares of an n by n board so that queens of a colour do not attack",
	Example: "n=5 colours=5",
	Params: []Param{
		{Name: "n", Help: "rows and columns", Default: 5, Min: 1, Max: 100},
		{Name: "colours", Help: "colours to use", Default: 5, Min: 1, Max: 1000},
	},
	build: func(v values, d *draft) error {
		d.addColouring(queensGraph(v.wholeNumber("n")), v.wholeNumber("colours"))
		return nil
	},
	status: statusOfQueens,
}

var randomColouringFamily = Family{
	Name:    "random-colouring",
	Help:    "colours for a random graph; satisfiable or not according to p and luck",
	Example: "n=30 p=0.16 colours=3",
	Params: []Param{
		{Name: "n", Help: "vertices", Default: 30, Min: 1, Max: 3000},
		{Name: "p", Help: "probability of each edge", Default: 0.16, Min: 0, Max: 1, Real: true},
		{Name: "colours", Help: "colours to use", Default: 3, Min: 1, Max: 1000},
	},
	Seeded: true,
	build: func(v values, d *draft) error {
		d.addColouring(d.randomGraph(v.wholeNumber("n"), v["p"]), v.wholeNumber("colours"))
		return nil
	},
}

// statusOfColouring compares a number of colours with the chromatic number of a graph.
func statusOfColouring(colours, chromatic int, name string) Status {
	known := Status{Unsatisfiable, fmt.Sprintf("%s is %d", name, chromatic)}
	if colours >= chromatic {
		known.Answer = Satisfiable
	}
	return known
}

// statusOfQueens knows the chromatic number of the graphs of boards whose size n is not divisible
// by 2 or 3, which is n (G. Pólya, Über die doppelt-periodischen Lösungen des n-Damen-Problems,
// 1918), and of the smallest other boards. A row needs n colours.
func statusOfQueens(v values) Status {
	const name = "the chromatic number"
	n, colours := v.wholeNumber("n"), v.wholeNumber("colours")
	small := map[int]int{2: 4, 3: 5, 4: 5, 6: 7}
	switch {
	case small[n] > 0:
		return statusOfColouring(colours, small[n], name)
	case n%2 != 0 && n%3 != 0:
		return statusOfColouring(colours, n, name)
	case colours < n:
		return Status{Unsatisfiable, "the squares of a row need different colours"}
	}
	return Status{}
}

// graph is a simple graph with vertices 0..n−1.
type graph struct {
	n     int
	edges [][2]int
}

// addColouring adds the clauses for colouring g with the given number of colours.
func (d *draft) addColouring(g graph, colours int) {
	first := d.newVariables(g.n * colours)
	has := func(vertex, k int) int32 { return first + int32(vertex*colours+k) }
	for vertex := range g.n {
		clause := make([]int32, colours)
		for k := range clause {
			clause[k] = has(vertex, k)
		}
		d.addClause(clause...)
	}
	for _, e := range g.edges {
		for k := range colours {
			d.addClause(-has(e[0], k), -has(e[1], k))
		}
	}
}

// mycielski returns Mycielski's graph of an order ≥ 2: 3·2^(order−2) − 1 vertices.
func mycielski(order int) graph {
	g := graph{2, [][2]int{{0, 1}}}
	for range order - 2 {
		top := 2 * g.n
		edges := g.edges
		for _, e := range g.edges {
			edges = append(edges, [2]int{e[0], g.n + e[1]}, [2]int{e[1], g.n + e[0]})
		}
		for twin := g.n; twin < top; twin++ {
			edges = append(edges, [2]int{twin, top})
		}
		g = graph{top + 1, edges}
	}
	return g
}

// queensGraph returns the graph of an n×n board whose edges join squares in the same row, column
// or diagonal.
func queensGraph(n int) graph {
	g := graph{n: n * n}
	for a := range g.n {
		for b := a + 1; b < g.n; b++ {
			down, right := b/n-a/n, b%n-a%n
			if down == 0 || right == 0 || down == right || down == -right {
				g.edges = append(g.edges, [2]int{a, b})
			}
		}
	}
	return g
}

// randomGraph returns a graph of the model G(n, p).
func (d *draft) randomGraph(n int, p float64) graph {
	g := graph{n: n}
	for a := range n {
		for b := a + 1; b < n; b++ {
			if d.rng.Float64() < p {
				g.edges = append(g.edges, [2]int{a, b})
			}
		}
	}
	return g
}
