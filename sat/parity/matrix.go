package parity

import (
	"cmp"
	"math/bits"
	"slices"
)

// Gauss-Jordan elimination during a search. The rows of a matrix are sums of parities. Each row has
// a basic column, which no other row has. While the search gives values to columns, the matrix
// changes such that the basic column of a row has no value as long as any column of the row has
// none. Then the rows restricted to columns without values are in reduced echelon form, so that
// every value that follows from all parities together is the last free column of a row. A second
// column of each row is watched: a row is examined only if its basic or its watched column gets a
// value.
//
// Backtracking only makes columns free again. The rows stay as they are, because they are sums of the same
// parities. A row without a free column does not change: elimination adds rows only to rows that
// have the new basic column, which is free. So a row that has implied a value is the reason of the
// value until it is undone.
//
// Source: C.-S. Han, J.-H. Jiang, When Boolean Satisfiability Meets Gaussian Elimination in a
// Simplex Way, CAV 2012; M. Soos, K. Nohl, C. Castelluccia, SAT 2009.

// Matrix is a set of parities under a partial assignment of their variables.
type Matrix struct {
	Steps int64 // about the number of words that were read or changed

	base   *base    // does not change; copies share it
	data   []uint64 // rows of base.stride words: the columns, with the constant, and the numbers of the summands
	basic  []int32  // of each row, the column that no other row has; −1: the row has no column
	watch  []int32  // of each row, another column; −1: the row changed and must be examined
	price  []int32  // of each row, the number of lines that derive it; 0: not yet known; −n: more than n
	free   []uint64 // columns without a value
	truth  []uint64 // true columns, and the constant; only valid for columns with a value
	fresh  []uint64 // columns that got a value since the rows were examined
	cursor int      // the next row to examine
	again  bool     // some row before the cursor may have to be examined
	plan   plan
}

// base is the part of a matrix that does not change.
type base struct {
	parities []Parity
	columns  []int32  // the variable of each column, ascending
	words    int      // words of a row for its columns and the constant
	stride   int      // words of a row
	original []uint64 // the parities as rows of words words
}

// Finding is what Next has found.
type Finding int8

// The findings.
const (
	Nothing  Finding = iota // no row has a consequence
	Implied                 // the last free column of a row has a value
	Conflict                // a row is false
)

// NewMatrix returns the matrix of some parities, all of whose columns are free. If summands is set,
// rows know of which parities they are the sums.
func NewMatrix(parities []Parity, summands bool) Matrix {
	b := newBase(parities, summands)
	m := Matrix{base: b, free: make([]uint64, b.words), truth: make([]uint64, b.words), fresh: make([]uint64, b.words), again: true}
	for c := range b.columns {
		setBit(m.free, int32(c))
	}
	setBit(m.truth, int32(len(b.columns)))
	m.enterRows()
	m.eliminateAll()
	m.cursor = len(m.basic)
	return m
}

// MatrixWords returns the number of words of 64 bits of the matrix of some parities before its elimination, which
// takes about this number times the number of parities as steps.
func MatrixWords(parities []Parity, summands bool) int {
	return len(parities) * newBase(parities, summands).stride
}

// newBase returns the columns of some parities, and the lengths of rows.
func newBase(parities []Parity, summands bool) *base {
	b := &base{parities: parities}
	for _, p := range parities {
		b.columns = append(b.columns, p.Variables...)
	}
	slices.Sort(b.columns)
	b.columns = slices.Compact(b.columns)
	b.words = (len(b.columns) + 64) / 64
	b.stride = b.words
	if summands {
		b.stride += (len(parities) + 63) / 64
	}
	return b
}

// enterRows makes a row of each parity.
func (m *Matrix) enterRows() {
	b := m.base
	m.data = make([]uint64, len(b.parities)*b.stride)
	b.original = make([]uint64, len(b.parities)*b.words)
	for p, x := range b.parities {
		row := m.row(p)
		for _, v := range x.Variables {
			setBit(row, m.columnOf(v))
		}
		if x.Odd {
			setBit(row, int32(len(b.columns)))
		}
		copy(b.original[p*b.words:], row[:b.words])
		if b.stride > b.words {
			setBit(row[b.words:], int32(p))
		}
	}
}

// eliminateAll gives each row its basic column: the column that the fewest parities have. It
// removes rows that are sums of others.
func (m *Matrix) eliminateAll() {
	count := make([]int32, len(m.base.columns))
	for _, p := range m.base.parities {
		for _, v := range p.Variables {
			count[m.columnOf(v)]++
		}
	}
	rows := len(m.base.parities)
	m.basic = slices.Repeat([]int32{-1}, rows)
	m.watch = slices.Repeat([]int32{-1}, rows)
	m.price = make([]int32, rows)
	for r := range rows {
		columns := m.AppendColumns(nil, int32(r))
		if len(columns) > 0 {
			m.pivot(r, slices.MinFunc(columns, func(a, b int32) int { return cmp.Compare(count[a], count[b]) }))
		}
	}
	m.dropEmpty()
}

// dropEmpty removes the rows without columns that are true.
func (m *Matrix) dropEmpty() {
	kept := 0
	for r := range m.basic {
		if m.basic[r] < 0 && !hasBit(m.row(r), int32(len(m.base.columns))) {
			continue
		}
		copy(m.row(kept), m.row(r))
		m.basic[kept] = m.basic[r]
		kept++
	}
	m.basic, m.watch, m.price = m.basic[:kept], m.watch[:kept], m.price[:kept]
	m.data = m.data[:kept*m.base.stride]
}

// row returns the words of a row.
func (m *Matrix) row(r int) []uint64 { return m.data[r*m.base.stride:][:m.base.stride] }

// Rows returns the number of rows.
func (m *Matrix) Rows() int { return len(m.basic) }

// Columns returns the variable of each column, ascending.
func (m *Matrix) Columns() []int32 { return m.base.columns }

// Words returns the size of the matrix.
func (m *Matrix) Words() int { return len(m.data) }

// AppendColumns appends the columns of a row.
func (m *Matrix) AppendColumns(dst []int32, r int32) []int32 {
	for w, word := range m.row(int(r))[:m.base.words] {
		for ; word != 0; word &= word - 1 {
			if c := int32(w<<6 + bits.TrailingZeros64(word)); int(c) < len(m.base.columns) {
				dst = append(dst, c)
			}
		}
	}
	return dst
}

// Assign gives a free column a value.
func (m *Matrix) Assign(column int32, value bool) {
	w, bit := column>>6, uint64(1)<<(column&63)
	m.free[w] &^= bit
	m.fresh[w] |= bit
	m.truth[w] &^= bit
	if value {
		m.truth[w] |= bit
	}
	m.again = true
}

// Unassign takes the value of a column back.
func (m *Matrix) Unassign(column int32) {
	w, bit := column>>6, uint64(1)<<(column&63)
	m.free[w] |= bit
	m.fresh[w] &^= bit
}

// Next examines rows until one has a consequence. An implied column must be assigned before the next
// call, or the consequence is lost.
func (m *Matrix) Next() (f Finding, row, column int32, value bool) {
	for {
		for m.cursor < len(m.basic) {
			r := m.cursor
			m.cursor++
			if w := m.watch[r]; w >= 0 && !hasBit(m.fresh, w) && !hasBit(m.fresh, m.basic[r]) {
				continue
			}
			if f, column, value = m.examine(r); f != Nothing {
				return f, int32(r), column, value
			}
		}
		m.Steps += int64(len(m.basic)) >> 2
		if !m.again {
			clear(m.fresh)
			return Nothing, 0, 0, false
		}
		m.again, m.cursor = false, 0
	}
}

// examine finds the consequence of a row. If the row has none, it makes its basic and its watched
// column free, where that is possible.
func (m *Matrix) examine(r int) (f Finding, column int32, value bool) {
	first, second := int32(-1), int32(-1)
	sum := uint64(0)
	for w, word := range m.row(r)[:m.base.words] {
		sum ^= word & m.truth[w] &^ m.free[w]
		for open := word & m.free[w]; open != 0 && second < 0; open &= open - 1 {
			first, second = int32(w<<6+bits.TrailingZeros64(open)), first
		}
	}
	m.Steps += int64(m.base.words)
	odd := bits.OnesCount64(sum)&1 != 0
	switch {
	case first < 0 && odd:
		return Conflict, -1, false
	case first < 0:
		return Nothing, -1, false
	case second < 0:
		return Implied, first, odd
	}
	b := m.basic[r]
	if !hasBit(m.free, b) {
		b = first
		m.pivot(r, b)
	}
	m.watch[r] = first
	if b == first {
		m.watch[r] = second
	}
	return Nothing, -1, false
}

// pivot makes a column the basic column of row r.
func (m *Matrix) pivot(r int, column int32) {
	m.basic[r] = column
	own := m.row(r)
	w, bit := int(column>>6), uint64(1)<<(column&63)
	for q, at := 0, w; q < len(m.basic); q, at = q+1, at+m.base.stride {
		if m.data[at]&bit == 0 || q == r {
			continue
		}
		for i, word := range m.row(q) {
			m.data[at-w+i] = word ^ own[i]
		}
		m.Steps += int64(m.base.stride)
		m.watch[q], m.price[q] = -1, 0
		m.again = m.again || q < r
	}
}

// CopyFrom makes the matrix equal to another one.
func (m *Matrix) CopyFrom(o *Matrix) {
	own := *m
	*m = *o
	m.data = append(own.data[:0], o.data...)
	m.basic = append(own.basic[:0], o.basic...)
	m.watch = append(own.watch[:0], o.watch...)
	m.price = append(own.price[:0], o.price...)
	m.free = append(own.free[:0], o.free...)
	m.truth = append(own.truth[:0], o.truth...)
	m.fresh = append(own.fresh[:0], o.fresh...)
	m.plan = own.plan
}

func hasBit(words []uint64, i int32) bool { return words[i>>6]>>(i&63)&1 != 0 }

func setBit(words []uint64, i int32) { words[i>>6] |= 1 << (i & 63) }

// columnOf returns the column of a variable, which must have one.
func (m *Matrix) columnOf(v int32) int32 {
	c, _ := slices.BinarySearch(m.base.columns, v)
	return int32(c)
}

// Clause returns the number of the clause of parity p that excludes an assignment.
func (m *Matrix) Clause(p, assignment int) int32 { return m.base.parities[p].By[assignment].Clause }
