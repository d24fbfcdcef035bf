package gen

// Van der Waerden formulas: colour 1..n with two colours so that no j numbers in arithmetic
// progression have the first colour and no k numbers the second. Variable i is true if number i
// has the second colour. So each progression of j numbers is a positive clause and each of k
// numbers a negative one, ordered by their first number and then by their step. The formula is
// satisfiable exactly if n is less than the van der Waerden number W(2; j, k): 9 for (3,3), 18
// for (3,4), 35 for (4,4), 58 for (3,8).
//
// Source: B. van der Waerden, Beweis einer Baudetschen Vermutung, 1927; as formulas:
// D. Knuth, The Art of Computer Programming 4B, 7.2.2.2, waerden(j, k; n).
var vdwFamily = Family{
	Name:    "vdw",
	Help:    "two colours for 1..n without progressions of j and k; satisfiable below W(2;j,k)",
	Example: "j=3 k=5 n=22",
	Params: []Param{
		{Name: "j", Help: "length of progression that the first colour must not have", Default: 3, Min: 2, Max: 1000},
		{Name: "k", Help: "length of progression that the second colour must not have", Default: 5, Min: 2, Max: 1000},
		{Name: "n", Help: "numbers to colour", Default: 22, Min: 1, Max: 10000},
	},
	build: buildVanDerWaerden,
}

func buildVanDerWaerden(v values, d *draft) error {
	n := v.wholeNumber("n")
	first := d.newVariables(n)
	for _, colour := range []struct {
		length int
		sign   int32
	}{{v.wholeNumber("j"), 1}, {v.wholeNumber("k"), -1}} {
		clause := make([]int32, colour.length)
		for start := range n {
			for step := 1; start+step*(colour.length-1) < n; step++ {
				for i := range clause {
					clause[i] = colour.sign * (first + int32(start+i*step))
				}
				d.addClause(clause...)
			}
		}
	}
	return nil
}
