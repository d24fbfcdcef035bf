package simplify

import (
	"testing"

	"treesplit/sat"
)

// FuzzRun reads bytes as a formula of at most 8 variables and checks all that verify
// does. The first byte chooses the techniques, the second the number of variables.
func FuzzRun(f *testing.F) {
	f.Add([]byte{31, 2, 2, 4, 0, 3, 5, 0, 2, 5, 0, 3, 4, 0})
	f.Add([]byte{16, 3, 2, 4, 6, 0, 3, 5, 6, 0, 2, 5, 7, 0, 3, 4, 7, 0, 2, 4, 7, 0})
	f.Add([]byte{3, 4, 2, 3, 0, 0})
	f.Add([]byte{32, 2, 2, 4, 0, 3, 5, 6, 0, 2, 5, 7, 0, 3, 4, 0})
	f.Add([]byte{64, 2, 2, 4, 6, 0, 3, 5, 0, 2, 5, 0, 3, 4, 8, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 2 || len(data) > 200 {
			return
		}
		on := data[0]
		opt := Options{Pure: on&1 > 0, Subsume: on&2 > 0, Failed: on&4 > 0, Equivalent: on&8 > 0, XOR: on&16 > 0, Eliminate: on&32 > 0, Vivify: on&64 > 0}
		opt.Work = int(on>>7) * 300
		n := int32(1 + data[1]%8)
		formula := &sat.Formula{Variables: int(n)}
		var clause []int32
		for _, b := range data[2:] {
			switch l := int32(b>>1) % (n + 1) * (1 - 2*int32(b&1)); l {
			case 0:
				formula.AddClause(clause...)
				clause = clause[:0]
			default:
				clause = append(clause, l)
			}
		}
		if err := verify(formula, opt); err != nil {
			t.Error(err)
		}
	})
}
