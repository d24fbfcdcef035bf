package gen

// The pigeonhole principle PHP(n): n+1 pigeons do not fit in n holes. Variable p·n + h + 1 means
// that pigeon p = 0..n sits in hole h = 0..n−1. The clauses "pigeon p has a hole" come first, for
// each p, then for each hole and each p < q "not both". The formula is unsatisfiable, and every
// resolution refutation is exponentially long.
//
// Source: S. Cook, R. Reckhow, The Relative Efficiency of Propositional Proof
// Systems, J. Symbolic Logic 44 (1979); A. Haken, The Intractability of Resolution,
// Theoretical Computer Science 39 (1985).
var phpFamily = Family{
	Name:    "php",
	Help:    "pigeonhole principle, n+1 pigeons in n holes; unsatisfiable",
	Example: "n=8",
	Params:  []Param{{Name: "n", Help: "holes", Default: 8, Min: 1, Max: 1000}},
	build:   buildPigeonhole,
	status:  alwaysUnsatisfiable("there are more pigeons than holes"),
}

func buildPigeonhole(v values, d *draft) error {
	d.addPigeonholes(v.wholeNumber("n"), 1, false, false)
	return nil
}
