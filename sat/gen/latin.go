package gen

import "fmt"

// Latin squares with holes: complete a Latin square, in whose rows and columns each of n symbols
// occurs once. The complete square is the table of addition modulo n with its rows, columns and
// symbols in random order. Then a random set of cells loses its symbols. So the formula is
// satisfiable. Completion is hardest if about 0.4·n² to 0.5·n² cells are empty. Variable
// (r·n + c)·n + s + 1 means that the cell in row r and column c has symbol s. The unit clauses of
// the given symbols come first. Then come the clauses "exactly one": a symbol for each cell, a
// column for each row and symbol, and a row for each column and symbol.
//
// Source: C. Gomes, B. Selman, Problem Structure in the Presence of Perturbations, AAAI 1997;
// D. Achlioptas, C. Gomes, H. Kautz, B. Selman, Generating Satisfiable Problem Instances, AAAI
// 2000, for the holes.
var latinFamily = Family{
	Name:    "latin",
	Help:    "complete a Latin square with holes; satisfiable",
	Example: "n=9 holes=36",
	Params: []Param{
		{Name: "n", Help: "rows, columns and symbols", Default: 9, Min: 1, Max: 60},
		{Name: "holes", Help: "empty cells", Default: 36, Min: 0, Max: 3600},
	},
	Seeded: true,
	build:  buildLatin,
	status: always(Satisfiable, "the symbols were taken from a complete square"),
}

func buildLatin(v values, d *draft) error {
	n, holes := v.wholeNumber("n"), v.wholeNumber("holes")
	if holes > n*n {
		return fmt.Errorf("holes = %d: expected at most %d, the number of cells", holes, n*n)
	}
	first := d.newVariables(n * n * n)
	has := func(row, column, symbol int) int32 { return first + int32((row*n+column)*n+symbol) }
	rows, columns, symbols := d.shuffle(n), d.shuffle(n), d.shuffle(n)
	given := make([]bool, n*n)
	for _, cell := range d.shuffle(n * n)[holes:] {
		given[cell] = true
	}
	for cell := range given {
		if given[cell] {
			row, column := cell/n, cell%n
			d.addClause(has(row, column, symbols[(rows[row]+columns[column])%n]))
		}
	}
	d.addLatinLines(n, has)
	d.addLatinLines(n, func(row, symbol, column int) int32 { return has(row, column, symbol) })
	d.addLatinLines(n, func(column, symbol, row int) int32 { return has(row, column, symbol) })
	return nil
}

// addLatinLines asserts that for all i and j exactly one k has a true variable.
func (d *draft) addLatinLines(n int, variable func(i, j, k int) int32) {
	for i := range n {
		for j := range n {
			line := make([]int32, n)
			for k := range line {
				line[k] = variable(i, j, k)
			}
			d.addExactlyOne(line)
		}
	}
}
