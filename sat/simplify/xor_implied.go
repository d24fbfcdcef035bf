package simplify

import "treesplit/sat/parity"

// Parities can imply values of single variables and pairs that no sum of the elimination gives.
// To find them, 64 random solutions of the system with all parities even are drawn at once, one
// word per variable. The words of variables that were not eliminated are random. The others
// follow from their rows, the last eliminated first. A variable whose word is 0 has the same
// value in every solution, except with probability 2^−64. Two variables with equal words are
// equal up to their signs, with the same exception. Then the rows are added up that prove the
// value exactly.

// longestDerivation is the largest number of rows that are added up for one variable or pair.
const longestDerivation = 1 << 10

// deriveImplied appends the sums that give fixed variables and equivalent pairs.
func (e *elimination) deriveImplied() {
	words := make([]uint64, len(e.columns))
	for _, v := range e.variables {
		words[v] = parity.HashVariable(v)
	}
	rowOf := make([]int32, len(e.columns)) // by variable: its index among the pivots, from 1
	for i := len(e.pivots) - 1; i >= 0; i-- {
		p := e.pivots[i]
		rowOf[p.variable] = int32(i + 1)
		words[p.variable] = 0
		for _, x := range e.rowVariables(p.row) {
			if x != p.variable {
				words[p.variable] ^= words[x]
			}
		}
	}
	first := map[uint64]int32{}
	for _, v := range e.sortedVariables() {
		if words[v] == 0 {
			e.deriveParity([]int32{v}, rowOf)
		} else if u, ok := first[words[v]]; ok {
			e.deriveParity([]int32{u, v}, rowOf)
		} else {
			first[words[v]] = v
		}
	}
}

// sortedVariables returns the variables of the system in ascending order.
func (e *elimination) sortedVariables() (list []int32) {
	in := make([]bool, len(e.columns))
	for _, v := range e.variables {
		in[v] = true
	}
	for v := range in {
		if in[v] {
			list = append(list, int32(v))
		}
	}
	return list
}

// deriveParity appends the sums that lead to a parity of exactly the target's variables, if there
// is one and it takes more than one row. Each variable is replaced by the rest of its row, in the
// order of elimination, until no variable remains.
func (e *elimination) deriveParity(target, rowOf []int32) {
	var rows, next []int32
	for len(target) > 0 {
		earliest := int32(0)
		for _, x := range target {
			if p := rowOf[x]; p > 0 && (earliest == 0 || p < earliest) {
				earliest = p
			}
		}
		*e.work -= len(target)
		if earliest == 0 || len(rows) == longestDerivation || *e.work <= 0 {
			return
		}
		row := e.pivots[earliest-1].row
		rows = append(rows, row)
		*e.work -= int(e.rows[row].size)
		next = appendSum(next[:0], target, e.rowVariables(row))
		target, next = next, target
	}
	sum := rows[0]
	for _, row := range rows[1:] {
		e.appendRowSum(sum, row)
		sum = int32(len(e.rows) - 1)
	}
}
