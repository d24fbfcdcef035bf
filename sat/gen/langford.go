package gen

// Langford pairs: put two copies of each number 1..n into a row of 2n places so that k numbers lie
// between the copies of k. Each variable is one way to put a number: k = 1..n, and the place of its
// first copy. Exactly one way of each number is chosen, and exactly one way covers each place.
// A row exists exactly if n or n + 1 is a multiple of 4.
//
// A row can be read backwards. With break-symmetry = 1 unit clauses at the end restrict the number n to
// the first half of its ways. If n is even, there is a middle way, which is its own reverse and stays.
//
// Source: C. Langford, Problem, Mathematical Gazette 42 (1958); R. Davies, On Langford's Problem
// (II), Mathematical Gazette 43 (1959), for the theorem; as a formula: D. Knuth, The Art of Computer
// Programming 4B, 7.2.2.2, langford(n).
var langfordFamily = Family{
	Name:    "langford",
	Help:    "pairs of 1..n with k numbers between the two k; satisfiable if n mod 4 is 0 or 3",
	Example: "n=6",
	Params: []Param{
		{Name: "n", Help: "numbers", Default: 6, Min: 1, Max: 200},
		{Name: "break-symmetry", Help: "1 puts n into the first half of its places; 0 does not", Default: 0, Min: 0, Max: 1},
	},
	build:  buildLangford,
	status: statusOfLangford,
}

func buildLangford(v values, d *draft) error {
	n := v.wholeNumber("n")
	places := make([][]int32, 2*n)
	var ways []int32
	for k := 1; k <= n; k++ {
		ways = ways[:0]
		for i := 0; i+k+1 < 2*n; i++ {
			way := d.newVariables(1)
			ways = append(ways, way)
			places[i], places[i+k+1] = append(places[i], way), append(places[i+k+1], way)
		}
		d.addExactlyOne(ways)
	}
	for _, covering := range places {
		d.addExactlyOne(covering)
	}
	if v.wholeNumber("break-symmetry") == 1 { // ways now has the ways of n; way i backwards is way len(ways)−1−i
		for _, way := range ways[(len(ways)+1)/2:] {
			d.addClause(-way)
		}
	}
	return nil
}

func statusOfLangford(v values) Status {
	const reason = "rows exist exactly if n mod 4 is 0 or 3"
	if r := v.wholeNumber("n") % 4; r == 0 || r == 3 {
		return Status{Satisfiable, reason}
	}
	return Status{Unsatisfiable, reason}
}
