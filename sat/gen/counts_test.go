package gen

import (
	"fmt"
	"testing"
)

// choose2 returns the number of pairs of n things.
func choose2(n int) int { return n * (n - 1) / 2 }

// Numbers of variables and clauses that follow from the parameters.
func TestClosedCounts(t *testing.T) {
	check := func(variables, clauses int, family, format string, arguments ...any) {
		t.Helper()
		example := fmt.Sprintf(format, arguments...)
		if f := generate(t, family, example, 1); f.Variables != variables || f.Len() != clauses {
			t.Errorf("%s %s: %d variables, %d clauses, want %d, %d", family, example, f.Variables, f.Len(), variables, clauses)
		}
	}
	for n := 3; n <= 12; n++ {
		check(3*choose2(n), 3*n+langfordPairs(n), "langford", "n=%d", n)
		check(3*choose2(n), 3*n+langfordPairs(n)+(n-1)/2, "langford", "n=%d break-symmetry=1", n)
		check(2*n*(n-1)-4, n*n-2+chessboardPairs(n), "chessboard", "n=%d", n)
		check(4*n+1, 8*(n-1)+20, "sgen", "groups=%d", n)
		check(n*n*n, n*n-n+3*n*n*(1+choose2(n)), "latin", "n=%d holes=%d", n, n)
		check(8*n, 2*n*(1+6)+4*n*n, "schur", "colours=4 n=%d", 2*n)
		check(choose2(n), n*(n-1)*(n-2)/3+n-2, "ramsey", "s=3 t=3 n=%d break-symmetry=1", n)
		check(n*(n+1), (n+1)*(1+choose2(n))+n*choose2(n+1)+n, "php-variant", "n=%d functional=1 onto=1", n)
		check(n*(2*n+1), 2*n+1+n*(2*n+1)*(2*n)*(2*n-1)/6, "php-variant", "n=%d capacity=2", n)
	}
}

// langfordPairs returns the number of pairs of ways that exclude each other: of one number, or on
// one place.
func langfordPairs(n int) (pairs int) {
	covering := make([]int, 2*n)
	for k := 1; k <= n; k++ {
		pairs += choose2(2*n - k - 1)
		for i := range 2*n - k - 1 {
			covering[i]++
			covering[i+k+1]++
		}
	}
	for _, c := range covering {
		pairs += choose2(c)
	}
	return pairs
}

// chessboardPairs returns the number of pairs of dominoes on a common square: 4 neighbours make 6
// pairs, 3 make 3, 2 make 1. Each missing corner takes a neighbour from two squares of the border.
func chessboardPairs(n int) int {
	if n == 3 { // the centre, 2 corners, 4 squares of the border with 2 neighbours
		return 6 + 2 + 4
	}
	inner, border := (n-2)*(n-2), 4*(n-2)-4
	return 6*inner + 3*border + 4 + 2
}

// Numbers of variables and clauses that others published for the same encodings: of Schur and
// Ramsey formulas and of sgen in solver tests, of Pythagorean triples in Heule, Kullmann, Marek,
// and of palindromic formulas in the OKlibrary.
func TestPublishedCounts(t *testing.T) {
	for _, c := range []struct {
		family, example    string
		variables, clauses int
	}{
		{"vdw", "j=3 k=11 n=114", 114, 3786},
		{"palindromic-vdw", "j=3 k=18 n=312", 156, 13277},
		{"palindromic-vdw", "j=3 k=20 n=389", 195, 20327},
		{"palindromic-vdw", "j=3 k=21 n=405", 203, 21950},
		{"schur", "colours=4 n=45 break-symmetry=2", 180, 2341},
		{"ramsey", "s=4 t=4 n=18 break-symmetry=1", 153, 6136},
		{"pythagorean", "n=7825 k=3", 7825, 18944},
		{"sgen", "groups=14", 57, 124},
	} {
		if f := generate(t, c.family, c.example, 1); f.Variables != c.variables || f.Len() != c.clauses {
			t.Errorf("%s %s: %d variables, %d clauses, want %d, %d", c.family, c.example, f.Variables, f.Len(), c.variables, c.clauses)
		}
	}
}

// Numbers of models that are known: of Langford's rows and of Latin squares.
func TestModelCounts(t *testing.T) {
	for _, c := range []struct {
		family, example string
		models          int
	}{
		{"langford", "n=3", 2}, {"langford", "n=4", 2}, {"langford", "n=7", 52},
		{"langford", "n=3 break-symmetry=1", 1}, {"langford", "n=4 break-symmetry=1", 1}, {"langford", "n=7 break-symmetry=1", 26},
		{"latin", "n=2 holes=4", 2}, {"latin", "n=3 holes=9", 12}, {"latin", "n=4 holes=16", 576}, {"latin", "n=5 holes=0", 1},
	} {
		if s := search(generate(t, c.family, c.example, 1), true, false); s.models != c.models {
			t.Errorf("%s %s: %d models, want %d", c.family, c.example, s.models, c.models)
		}
	}
}
