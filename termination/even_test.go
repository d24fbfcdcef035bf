package termination

import "testing"

// The credits of all leaves add up to 1.
func TestEvenExponentsAddUp(t *testing.T) {
	for n := 1; n <= 300; n++ {
		var sum Fraction
		for i := range n {
			sum.AddCredit(EvenExponent(i, n))
		}
		if !sum.IsExactlyOne() {
			t.Errorf("%d leaves: %v", n, &sum)
		}
	}
}
