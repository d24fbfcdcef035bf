package gen

import "fmt"

// Van der Waerden formulas: colour 1..n with two colours so that no j numbers in arithmetic
// progression have the first colour and no k numbers the second. Variable i is true if number i
// has the second colour. So each progression of j numbers is a positive clause and each of k
// numbers a negative one, ordered by their first number and then by their step. The formula is
// satisfiable exactly if n is less than the van der Waerden number W(2; j, k): 9 for (3,3), 18
// for (3,4), 35 for (4,4), 58 for (3,8).
//
// Source: B. van der Waerden, Beweis einer Baudetschen Vermutung, 1927; as formulas:
// D. Knuth, The Art of Computer Programming 4B, 7.2.2.2, waerden(j, k; n). The known numbers are
// listed in T. Ahmed, O. Kullmann, H. Snevily, On the van der Waerden Numbers w(2;3,t), Discrete
// Applied Mathematics 174 (2014).
var vdwFamily = Family{
	Name:    "vdw",
	Help:    "two colours for 1..n without progressions of j and k; satisfiable below W(2;j,k)",
	Example: "j=3 k=5 n=22",
	Params: []Param{
		{Name: "j", Help: "length of progression that the first colour must not have", Default: 3, Min: 2, Max: 1000},
		{Name: "k", Help: "length of progression that the second colour must not have", Default: 5, Min: 2, Max: 1000},
		{Name: "n", Help: "numbers to colour", Default: 22, Min: 1, Max: 10000},
	},
	build:  buildVanDerWaerden,
	status: statusOfVanDerWaerden,
}

// vanDerWaerden lists the known numbers W(2; j, k) by j ≥ 3, from k = j on.
var vanDerWaerden = map[int][]int{
	3: {9, 18, 22, 32, 46, 58, 77, 97, 114, 135, 160, 186, 218, 238, 279, 312, 349},
	4: {35, 55, 73, 109, 146, 309},
	5: {178, 206, 260},
	6: {1132},
}

func buildVanDerWaerden(v values, d *draft) error {
	n := v.wholeNumber("n")
	first := d.newVariables(n)
	for _, colour := range twoColours(v) {
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

// colourClass is what one of two colours must not have: progressions of a length. The clause of a
// progression has literals of the sign.
type colourClass struct {
	length int
	sign   int32
}

// twoColours returns the classes of the parameters j and k: false and true.
func twoColours(v values) []colourClass {
	return []colourClass{{v.wholeNumber("j"), 1}, {v.wholeNumber("k"), -1}}
}

// statusOfVanDerWaerden compares n with the number W(2; j, k), if it is known.
func statusOfVanDerWaerden(v values) Status {
	j, k := v.wholeNumber("j"), v.wholeNumber("k")
	return statusBelow(v.wholeNumber("n"), vanDerWaerdenNumber(j, k), fmt.Sprintf("W(2;%d,%d)", j, k))
}

// vanDerWaerdenNumber returns W(2; j, k), 0 if it is not known. W(2; 2, k), where at most one
// number has the first colour, is 2k for odd k and 2k−1 for even k.
func vanDerWaerdenNumber(j, k int) int {
	j, k = min(j, k), max(j, k)
	row := vanDerWaerden[j]
	switch {
	case j == 2:
		return 2*k - 1 + k%2
	case k-j < len(row):
		return row[k-j]
	}
	return 0
}
