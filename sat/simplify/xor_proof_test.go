package simplify

import (
	"slices"
	"testing"

	"treesplit/sat"
)

// Two sums of 13 variables, each added up of short parities, have a sum of two. What is
// left of its proof is that pair's clauses.
func TestSumOfLongSums(t *testing.T) {
	f := &sat.Formula{}
	y := &system{}
	found := func(odd bool, variables ...int32) int32 {
		slices.Sort(variables)
		addParity(f, odd, variables...)
		for i := range variables {
			variables[i]--
		}
		y.appendRow(row{odd: odd, a: -1, b: -1, forms: forms{short: true}}, variables)
		return int32(len(y.rows) - 1)
	}
	// Variables 1..12 in pieces of three, joined by cuts and ended by z.
	long := func(cut, z int32) int32 {
		parts := []int32{
			found(false, 1, 2, 3, cut), found(true, cut, 4, 5, 6, cut+1),
			found(true, cut+1, 7, 8, 9, cut+2), found(false, cut+2, 10, 11, 12, z),
		}
		sum := parts[0]
		for _, part := range parts[1:] {
			y.appendRowSum(sum, part)
			sum = int32(len(y.rows) - 1)
		}
		return sum
	}
	y.appendRowSum(long(20, 13), long(30, 14))
	last := int32(len(y.rows) - 1)
	if own := y.rowVariables(last); !slices.Equal(own, []int32{12, 13}) || y.rows[last].odd || y.rows[last].short {
		t.Fatalf("the sum is %d, %+v", own, y.rows[last])
	}
	k := &checker{slices.Collect(clauses(f)), f.Len()}
	opt := Options{
		Lemma: func(lemma []int32) {
			if err := k.add(lemma); err != nil {
				t.Fatal(err)
			}
		},
		Delete: func(lemma []int32) {
			if err := k.delete(lemma); err != nil {
				t.Fatal(err)
			}
		},
	}
	s := newSimplifier(f, opt)
	s.proveSums(y, []int32{last}, slices.Repeat([]bool{true}, len(y.rows)))
	for _, pair := range [][]int32{{13, -14}, {-13, 14}} {
		if !k.rup(pair) {
			t.Errorf("%d does not follow", pair)
		}
	}
	if lines := y.rows[last].lines; lines < 8*13 {
		t.Errorf("%d lines counted for the last sum", lines)
	}
}
