package kumar

import (
	"slices"
	"testing"

	"treesplit/study/reproduce/lab"
)

// The exponent of a law in table 1 is over the numbers of ranks to which our exponent is fitted, and over all
// of them if no exponent is fitted. The exponent of NN on the cube is log2((1+1/α)/2).
// Reference: Kumar et al., table 1 and appendix B.
func TestLawsOverTheSameRanks(t *testing.T) {
	columns := []string{"NN", "RP"}
	results := map[string]lab.Growth{}
	for _, a := range architectures {
		for _, c := range columns {
			results[a.row+" "+c] = lab.Growth{Sizes: []float64{1, 2, 4, 8, 16}, Exponent: 1, R2: 1}
		}
	}
	results["Mesh RP"] = lab.Growth{Sizes: []float64{1, 2, 4, 0}, Exponent: 1, R2: 1}
	results["Ring RP"] = lab.Growth{Sizes: []float64{1, 0}}
	want := map[string][]string{ // the laws of NN and RP, fitted by another program
		"SM": {"2.30", "1.61"}, "Cube": {"2.46", "1.91"}, "Ring": {"–", "2.61"}, "Mesh": {"–", "2.24"}, "WS": {"3.30", "2.61"},
	}
	for _, row := range table1Section(columns, results).Tables[0].Rows {
		if got := []string{row[1], row[4]}; !slices.Equal(got, want[row[0]]) {
			t.Errorf("%s: the laws have the exponents %q, want %q", row[0], got, want[row[0]])
		}
	}
}
