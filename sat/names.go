package sat

import "slices"

// Names are the DIMACS numbers of the variables that occur in a formula, ascending. Rules number
// variables by their indices in Names, from 0. So the memory is proportional to the length of the
// formula, not to the numbers in its header. A literal is 2·variable, plus 1 if negated.
type Names []int32

// VariableNamesOf returns the variables that occur in the formula. It sorts the literals, in O(L
// log L) for L literals. An array of marks would take memory for all variables of the header.
func VariableNamesOf(f *Formula) Names {
	names := slices.Clone(f.literals)
	for i, l := range names {
		names[i] = max(l, -l)
	}
	slices.Sort(names)
	return slices.Clip(slices.Compact(names))
}

// FromDIMACS returns the literal of a DIMACS number whose variable is among the names.
func (n Names) FromDIMACS(dimacs int32) int32 {
	v, _ := slices.BinarySearch(n, max(dimacs, -dimacs))
	if dimacs < 0 {
		return int32(2*v + 1)
	}
	return int32(2 * v)
}

// Name returns the DIMACS number of a literal.
func (n Names) Name(literal int32) int32 {
	if literal&1 != 0 {
		return -n[literal>>1]
	}
	return n[literal>>1]
}
