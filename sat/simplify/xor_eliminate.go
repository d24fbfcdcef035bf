package simplify

// Gaussian elimination on parities: a variable is eliminated by adding one row that contains it
// to all other rows that contain it. The variable whose sums are shortest goes first. That keeps
// the sums short if the parities have few variables in common, as minimum degree does for
// matrices. Rows are never changed: each sum is a new row that stores the two rows it came from.
// So only the sums that are used need a proof, afterwards.
//
// Source: W. Tinney, J. Walker, Direct Solutions of Sparse Network Equations by
// Optimally Ordered Triangular Factorization, Proc. IEEE 55 (1967), for the order.

// system is a list of parities.
type system struct {
	rows      []row
	variables []int32 // of all rows, one after the other
}

// row means that the sum of its variables is odd, or even.
type row struct {
	start, size int32 // the variables, ascending, in system.variables
	a, b        int32 // the two rows of which it is the sum; −1 for a parity of the formula
	odd         bool
	gone        bool // no longer used to make sums
	lines       int  // lines of its proof, without the proofs of a and b
	forms            // forms in which it would be written by now if all rows were written
}

// rowVariables returns the variables of row r.
func (y *system) rowVariables(r int32) []int32 {
	at := y.rows[r]
	return y.variables[at.start : at.start+at.size]
}

// appendRow appends a row.
func (y *system) appendRow(r row, variables []int32) {
	r.start, r.size = int32(len(y.variables)), int32(len(variables))
	y.variables = append(y.variables, variables...)
	y.rows = append(y.rows, r)
}

// appendRowSum appends the sum of rows a and b.
func (y *system) appendRowSum(a, b int32) {
	r := row{start: int32(len(y.variables)), a: a, b: b, odd: y.rows[a].odd != y.rows[b].odd}
	y.variables = appendSum(y.variables, y.rowVariables(a), y.rowVariables(b))
	r.size = int32(len(y.variables)) - r.start
	y.planRowProof(&r)
	y.rows = append(y.rows, r)
}

// appendSum appends to sum the variables that are in exactly one of two ascending lists.
func appendSum(sum, p, q []int32) []int32 {
	for len(p) > 0 && len(q) > 0 {
		switch {
		case p[0] < q[0]:
			sum = append(sum, p[0])
			p = p[1:]
		case p[0] > q[0]:
			sum = append(sum, q[0])
			q = q[1:]
		default:
			p, q = p[1:], q[1:]
		}
	}
	return append(append(sum, p...), q...)
}

// planRowProof sets the form and the number of lines of the proof of row r.
func (y *system) planRowProof(r *row) {
	a, b := &y.rows[r.a], &y.rows[r.b]
	r.forms, r.lines = planProof(int(a.size), int(b.size), int(r.size), a.forms, b.forms)
	for _, part := range [...]*row{a, b} {
		part.short = part.short || r.short
		part.long = part.long || r.long
	}
}

// longestSums ends the elimination: it stops when the sums of every remaining variable together
// have at least this number of variables.
const longestSums = 1 << 12

// elimination is the state of eliminating variables.
type elimination struct {
	*system
	work    *int
	columns [][]int32 // by variable: the rows that contain it, and some rows that are gone
	cost    []int32   // by variable: total length of its sums; −1 if eliminated or in no row
	queue   [][]int32 // by cost: variables, including some whose cost has changed
	lowest  int       // all shorter queues are empty
	pivots  []pivot   // in the order of elimination
}

// pivot is an eliminated variable with the row that expresses it by the variables that were not
// yet eliminated.
type pivot struct{ variable, row int32 }

// eliminate makes sums until no variable remains, a sum is a contradiction, or the steps are used
// up. Without a contradiction it also derives the sums of xor_implied.go. It returns the
// contradiction, or −1.
func (y *system) eliminate(variables int, work *int) (contradiction int32) {
	e := elimination{
		system:  y,
		work:    work,
		columns: make([][]int32, variables),
		cost:    make([]int32, variables),
		queue:   make([][]int32, longestSums),
	}
	for r := range y.rows {
		for _, v := range y.rowVariables(int32(r)) {
			e.columns[v] = append(e.columns[v], int32(r))
		}
	}
	for v := range e.columns {
		e.cost[v] = -1
		e.enqueueVariable(int32(v))
	}
	for *work > 0 {
		v, ok := e.popCheapest()
		if !ok {
			break
		}
		if r := e.eliminate(v); r >= 0 {
			return r
		}
	}
	e.deriveImplied()
	return -1
}

// popCheapest removes and returns the variable with the shortest sums.
func (e *elimination) popCheapest() (v int32, ok bool) {
	for ; e.lowest < longestSums; e.lowest++ {
		for q := e.queue[e.lowest]; len(q) > 0; q = e.queue[e.lowest] {
			v := q[len(q)-1]
			e.queue[e.lowest] = q[:len(q)-1]
			if e.cost[v] == int32(e.lowest) {
				e.cost[v] = -1
				return v, true
			}
		}
	}
	return 0, false
}

// enqueueVariable computes the cost of eliminating v and queues v if the cost has changed.
func (e *elimination) enqueueVariable(v int32) {
	column := e.columns[v][:0]
	for _, r := range e.columns[v] {
		if !e.rows[r].gone {
			column = append(column, r)
		}
	}
	*e.work -= len(e.columns[v]) + 1
	e.columns[v] = column
	if len(column) == 0 {
		e.cost[v] = -1
		return
	}
	c := e.priceColumn(column)
	if c == e.cost[v] {
		return
	}
	e.cost[v] = c
	if c >= longestSums {
		return
	}
	e.queue[c] = append(e.queue[c], v)
	e.lowest = min(e.lowest, int(c))
}

// priceColumn returns the number of variables in the sums of the rows of a column. It is exact
// for two short rows, which is the usual case. Otherwise it ignores variables that the rows share
// besides the eliminated one.
func (e *elimination) priceColumn(column []int32) int32 {
	shortest, total := int32(1<<30), int32(0)
	for _, r := range column {
		shortest = min(shortest, e.rows[r].size)
		total += e.rows[r].size
	}
	n := int32(len(column))
	if n == 2 && total <= 64 {
		*e.work -= int(total)
		return total - 2*e.countCommon(column[0], column[1])
	}
	return min(total-shortest+(n-1)*(shortest-2), longestSums)
}

// countCommon returns the number of variables that two rows share.
func (e *elimination) countCommon(a, b int32) (n int32) {
	p, q := e.rowVariables(a), e.rowVariables(b)
	for len(p) > 0 && len(q) > 0 {
		switch {
		case p[0] < q[0]:
			p = p[1:]
		case p[0] > q[0]:
			q = q[1:]
		default:
			p, q = p[1:], q[1:]
			n++
		}
	}
	return n
}

// eliminate adds the shortest row that contains v to the other rows that contain v.
func (e *elimination) eliminate(v int32) (contradiction int32) {
	column := e.columns[v]
	e.columns[v] = nil
	pivotRow := column[0]
	for _, r := range column {
		if e.rows[r].size < e.rows[pivotRow].size {
			pivotRow = r
		}
	}
	e.pivots = append(e.pivots, pivot{v, pivotRow})
	for _, r := range column {
		e.rows[r].gone = true
		if r == pivotRow {
			continue
		}
		e.appendRowSum(pivotRow, r)
		*e.work -= int(e.rows[pivotRow].size + e.rows[r].size)
		sum := int32(len(e.rows) - 1)
		if e.rows[sum].size == 0 && e.rows[sum].odd {
			return sum
		}
		for _, x := range e.rowVariables(sum) {
			e.columns[x] = append(e.columns[x], sum)
		}
	}
	for _, r := range column {
		for _, x := range e.rowVariables(r) {
			if x != v {
				e.enqueueVariable(x)
			}
		}
	}
	return -1
}
