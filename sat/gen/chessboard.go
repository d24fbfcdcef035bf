package gen

// The mutilated chessboard: cover an n×n board without two opposite corners by dominoes. A domino
// covers one white and one black square. For even n the corners have one colour, so that more
// squares remain of the other colour. For odd n the number of squares is odd. So the formula is
// unsatisfiable. Every resolution refutation is exponentially long. The variables are the places
// of dominoes, by their upper left square: first to the right, then downwards. For each square a
// clause and pairs assert that exactly one domino covers it.
//
// Source: J. McCarthy, A Tough Nut for Proof Procedures, 1964; M. Alekhnovich, Mutilated
// Chessboard Problem Is Exponentially Hard for Resolution, Theoretical Computer Science 310 (2004).
var chessboardFamily = Family{
	Name:    "chessboard",
	Help:    "dominoes on an n by n board without two opposite corners; unsatisfiable",
	Example: "n=6",
	Params:  []Param{{Name: "n", Help: "rows and columns", Default: 6, Min: 3, Max: 1000}},
	build:   buildChessboard,
	status:  alwaysUnsatisfiable("a domino covers a white and a black square"),
}

func buildChessboard(v values, d *draft) error {
	n := v.wholeNumber("n")
	covers := make([][]int32, n*n) // dominoes on each square
	present := func(row, column int) bool {
		corner := row == column && (row == 0 || row == n-1)
		return row < n && column < n && !corner
	}
	place := func(a, b int) {
		domino := d.newVariables(1)
		covers[a], covers[b] = append(covers[a], domino), append(covers[b], domino)
	}
	for square := range n * n {
		row, column := square/n, square%n
		if present(row, column) && present(row, column+1) {
			place(square, square+1)
		}
		if present(row, column) && present(row+1, column) {
			place(square, square+n)
		}
	}
	for square, dominoes := range covers {
		if present(square/n, square%n) {
			d.addExactlyOne(dominoes)
		}
	}
	return nil
}
