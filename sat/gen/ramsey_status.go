package gen

import "fmt"

// The known Ramsey numbers. R(2, t) = t. The others were found between 1955 and 1995.
//
// Source: S. Radziszowski, Small Ramsey Numbers, Electronic J. Combinatorics, Dynamic Survey DS1,
// which lists them and who found them.

// ramseyNumbers lists R(s, t) by s ≥ 3, from t = s on.
var ramseyNumbers = map[int][]int{
	3: {6, 9, 14, 18, 23, 28, 36},
	4: {18, 25},
}

// ramseyNumber returns R(s, t), 0 if it is not known.
func ramseyNumber(s, t int) int {
	s, t = min(s, t), max(s, t)
	row := ramseyNumbers[s]
	switch {
	case s == 2:
		return t
	case t-s < len(row):
		return row[t-s]
	}
	return 0
}

// statusOfRamsey compares n with the number R(s, t), if it is known. Breaking a symmetry does not
// change the answer.
func statusOfRamsey(v values) Status {
	s, t := v.wholeNumber("s"), v.wholeNumber("t")
	return statusBelow(v.wholeNumber("n"), ramseyNumber(s, t), fmt.Sprintf("R(%d,%d)", s, t))
}
