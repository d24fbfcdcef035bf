package sat

import "testing"

// A formula with exactly the largest number of literals is read from its binary form. One literal more is refused.
func TestBinaryLimit(t *testing.T) {
	f := &Formula{Variables: 3}
	f.AddClause(1, -2)
	f.AddClause(3)
	f.AddClause()
	data, _ := f.MarshalBinary()
	for most, want := range map[int]bool{2: false, 3: true, 4: true} {
		var g Formula
		if err := g.unmarshalUpTo(most, data); (err == nil) != want || want && (g.LiteralCount() != 3 || g.Len() != 3) {
			t.Errorf("at most %d literals: %v, %d literals in %d clauses; accepted: want %v", most, err, g.LiteralCount(), g.Len(), want)
		}
	}
}
