package simplify

// What parities imply of single variables and pairs, though no sum of the elimination
// says so: 64 solutions of the system with all parities even are drawn at once, a word
// for each variable that was not eliminated, and the others from their rows, last
// eliminated first. A variable whose word is 0 is the same in every solution, and so are
// two with equal words up to their signs, or chance, at 2^−64, has it so; the rows are
// then summed up that say it exactly.

// longestDerivation is the most rows that are summed up for one variable or pair.
const longestDerivation = 1 << 10

// deriveImplied appends the sums that give fixed variables and pairs.
func (e *elimination) deriveImplied() {
	words := make([]uint64, len(e.columns))
	for _, v := range e.variables {
		words[v] = hashVariable(v)
	}
	rowOf := make([]int32, len(e.columns)) // by variable: its place among the pivots, from 1
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

// sortedVariables lists the variables of the system in ascending order.
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

// deriveParity appends the sums that lead to a parity of just the target's variables, if
// there is one that takes more than a row: each is replaced by the rest of its row, those
// that were eliminated first before the others, until nothing is left.
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
