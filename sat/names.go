package sat

import "slices"

// Names are the DIMACS numbers of the variables that occur in a formula, ascending. Rules
// number variables by their places in it, from 0, so that memory follows the length of
// the formula and not its header; a literal is 2·variable, plus 1 if negated.
type Names []int32

// VariableNamesOf lists the variables that occur in the formula. It sorts rather than marks them,
// O(L log L) for L literals: a mark each would cost what the header says.
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
