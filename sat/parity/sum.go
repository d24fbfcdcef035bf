package parity

import "math/bits"

// Derivation of a clause of a row. The row is the sum of some parities, the summands. Their clauses
// are clauses of the formula. The clause, assumed false, gives values to all columns of the row, so
// that only the columns remain that the sum cancels. The summands are added one after the other. A
// sum so far is written as clauses: the derived clause, extended by each assignment of wrong parity
// of the remaining columns of the sum, its frontier. If a sum and the next summand have one open
// column in common, such a clause follows by unit propagation: the sum gives the common column one
// value and the summand the other one. With more common columns the clauses with all values of the
// others come first. The last sum has no open column, so that it is the derived clause.
//
// The number of lines grows exponentially with the frontier, and linearly with the number of summands.
// The next summand is always one that makes the frontier smallest. Every line follows by unit
// propagation and no line has a new variable, so that the lines of several searches can be merged
// into one proof.
//
// Source: T. Philipp, A. Rebola-Pardo, DRAT Proofs for XOR Reasoning, JELIA 2016, for sums as
// clauses. Restricting the sums to the falsified clause is our own.

// Bounds of a derivation.
const (
	mostSummands = 64
	mostOpen     = 12 // columns of a frontier and its extensions
)

// plan is the order of a derivation, and its buffers.
type plan struct {
	order    []int32
	rest     []int32
	frontier []uint64
	outside  []uint64 // columns that the row does not have
}

// Price returns the number of lines that derive a clause of a row, or limit+1 if there are more than
// limit lines. The matrix must have summands.
func (m *Matrix) Price(r int32, limit int32) int32 {
	if p := m.price[r]; p == 0 || p < 0 && limit > -p {
		m.price[r] = m.makePlan(r, limit)
		if m.price[r] > limit {
			m.price[r] = -limit
		}
	}
	if m.price[r] < 0 {
		return limit + 1
	}
	return min(m.price[r], limit+1)
}

// makePlan orders the summands of a row, and returns the number of lines, at most limit+1.
func (m *Matrix) makePlan(r int32, limit int32) (lines int32) {
	m.beginPlan(r)
	if len(m.plan.rest) > mostSummands {
		return limit + 1
	}
	for p := &m.plan; len(p.rest) > 0; {
		i, common, next := m.chooseSummand()
		q := p.rest[i]
		p.rest = append(p.rest[:i], p.rest[i+1:]...)
		first := isZero(p.frontier)
		p.order = append(p.order, q)
		for w, word := range m.originalRow(q) {
			p.frontier[w] ^= word & p.outside[w]
		}
		if first && next > 0 {
			continue // the clauses of the parity are there
		}
		if common+next > mostOpen {
			return limit + 1
		}
		if lines += int32(1<<max(next-1, 0)) * max(int32(1)<<common-1, 1); lines > limit {
			return limit + 1
		}
	}
	return lines
}

// beginPlan lists the summands of a row.
func (m *Matrix) beginPlan(r int32) {
	p, b, row := &m.plan, m.base, m.row(int(r))
	p.order, p.rest = p.order[:0], p.rest[:0]
	p.frontier, p.outside = p.frontier[:0], p.outside[:0]
	for _, word := range row[:b.words] {
		p.frontier = append(p.frontier, 0)
		p.outside = append(p.outside, ^word)
	}
	n := int32(len(b.columns))
	p.outside[n>>6] &= 1<<(n&63) - 1
	for w, word := range row[b.words:] {
		for ; word != 0; word &= word - 1 {
			p.rest = append(p.rest, int32(w<<6+bits.TrailingZeros64(word)))
		}
	}
	m.Steps += int64(b.stride)
}

// chooseSummand returns the place of the next summand in the rest: it makes the frontier smallest. common
// is the number of open columns that it has in common with the frontier, next the size of the frontier
// with it.
func (m *Matrix) chooseSummand() (place int, common, next int32) {
	p := &m.plan
	start, next := isZero(p.frontier), 1<<30
	for i, q := range p.rest {
		c, n := 0, 0
		for w, word := range m.originalRow(q) {
			open := word & p.outside[w]
			c += bits.OnesCount64(open & p.frontier[w])
			n += bits.OnesCount64(open ^ p.frontier[w])
		}
		if n < int(next) && (start || c > 0) {
			place, common, next = i, int32(c), int32(n)
		}
	}
	m.Steps += int64(len(p.rest) * m.base.words)
	return place, common, next
}

// originalRow returns the columns of a parity.
func (m *Matrix) originalRow(p int32) []uint64 {
	return m.base.original[int(p)*m.base.words:][:m.base.words]
}

func isZero(words []uint64) bool {
	for _, w := range words {
		if w != 0 {
			return false
		}
	}
	return true
}
