package parity

import (
	"math/bits"
	"slices"
)

// Writing the lines of a derivation, which sum.go describes.

// Line receives a line of a derivation: a clause of literals 2·variable, plus 1 if negated, and the
// numbers of the clauses that become unit one after the other if the line is false. It returns the
// line's own number. It must not keep the slices.
type Line func(clause []uint32, hints []uint64) (id uint64)

// Deriver derives clauses of rows. Its zero value is ready.
type Deriver struct {
	m    *Matrix
	line Line
	id   func(p, assignment int) uint64 // the number of the clause of parity p that excludes an assignment

	value  []uint64 // of each column, in the clause to be written next: the literals are false
	clause []uint32 // the derived clause
	prefix int      // its length

	sum  openSum // of the summands so far
	next openSum // with the current summand
	from int32   // the current summand
	cols []int32 // buffer: its columns
}

// openSum is a sum with a clause for each assignment of wrong parity of its open columns.
type openSum struct {
	from int32    // the only summand, or −1
	all  []uint64 // its columns, and the constant
	open []int32
	ids  []uint64 // by assignment of open
}

// Derive writes the lines that derive a clause of row r: the clause that the values of its columns
// make false. clause has its literals, value the value of a column; id returns the number of the
// clause of a parity that excludes an assignment. The last line is the clause.
func (d *Deriver) Derive(m *Matrix, r int32, clause []uint32, value func(column int32) bool, id func(parity, assignment int) uint64, line Line) (last uint64) {
	d.m, d.line, d.id = m, line, id
	d.clause, d.prefix = append(d.clause[:0], clause...), len(clause)
	steps := m.Steps
	m.makePlan(r, 1<<30)
	m.Steps = steps // the steps are the same with a proof and without one
	d.value = append(d.value[:0], m.plan.outside...)
	clear(d.value)
	d.cols = m.AppendColumns(d.cols[:0], r)
	for _, c := range d.cols {
		d.setValue(c, value(c))
	}
	n := int32(len(m.base.columns))
	d.value[n>>6] |= 1 << (n & 63)
	d.sum.open = nil
	for _, p := range m.plan.order {
		if done, last := d.addSummand(p); done {
			return last
		}
	}
	panic("parity: the values do not make the row false")
}

// addSummand adds a parity to the sum. done means that the clause is derived.
func (d *Deriver) addSummand(p int32) (done bool, last uint64) {
	d.from = p
	if len(d.sum.open) == 0 {
		return d.beginSum()
	}
	d.nextSum()
	d.next.ids = append(d.next.ids[:0], make([]uint64, 1<<len(d.next.open))...)
	common := d.commonColumns()
	for truths := range d.next.ids {
		d.setValues(d.next.open, truths)
		if d.isWrong(d.next.all) {
			d.clause = d.appendLiterals(d.clause[:d.prefix], d.next.open)
			d.next.ids[truths] = d.proveLine(common)
			done = len(d.next.open) == 0
		}
	}
	d.sum, d.next = d.next, d.sum
	return done, d.sum.ids[0]
}

// beginSum makes the sum a single parity, whose clauses are there.
func (d *Deriver) beginSum() (done bool, last uint64) {
	d.sum.from = d.from
	d.sum.all = append(d.sum.all[:0], d.m.originalRow(d.from)...)
	d.sum.open = d.openColumns(d.sum.open[:0], d.from)
	if len(d.sum.open) == 0 {
		if !d.isWrong(d.sum.all) {
			return false, 0
		}
		d.clause = d.clause[:d.prefix]
		return true, d.line(d.clause, []uint64{d.parityClause(d.from)})
	}
	d.sum.ids = append(d.sum.ids[:0], make([]uint64, 1<<len(d.sum.open))...)
	for truths := range d.sum.ids {
		d.setValues(d.sum.open, truths)
		if d.isWrong(d.sum.all) {
			d.sum.ids[truths] = d.parityClause(d.from)
		}
	}
	return false, 0
}

// nextSum sets the columns of the sum with the current summand.
func (d *Deriver) nextSum() {
	d.next.from = -1
	d.next.all = append(d.next.all[:0], d.sum.all...)
	for w, word := range d.m.originalRow(d.from) {
		d.next.all[w] ^= word
	}
	d.next.open = d.next.open[:0]
	for w, word := range d.next.all {
		for word &= d.m.plan.outside[w]; word != 0; word &= word - 1 {
			d.next.open = append(d.next.open, int32(w<<6+bits.TrailingZeros64(word)))
		}
	}
}

// openColumns appends the columns of a parity that the row does not have.
func (d *Deriver) openColumns(dst []int32, p int32) []int32 {
	for w, word := range d.m.originalRow(p) {
		for word &= d.m.plan.outside[w]; word != 0; word &= word - 1 {
			dst = append(dst, int32(w<<6+bits.TrailingZeros64(word)))
		}
	}
	return dst
}

// commonColumns returns the open columns that the sum and the current summand have in common.
func (d *Deriver) commonColumns() []int32 {
	d.cols = d.cols[:0]
	row := d.m.originalRow(d.from)
	for _, c := range d.sum.open {
		if hasBit(row, c) {
			d.cols = append(d.cols, c)
		}
	}
	return d.cols
}

// proveLine writes the current clause, for which the sum or the summand is false whatever the values
// of the common columns.
func (d *Deriver) proveLine(common []int32) (id uint64) {
	var hints [2]uint64
	switch len(common) {
	case 0:
		hints[0] = d.falseClause()
		return d.line(d.clause, hints[:1])
	case 1:
		for i, v := range [2]bool{false, true} {
			d.setValue(common[0], v)
			hints[i] = d.falseClause()
			if !d.falseClauseHas(common[0]) {
				return d.line(d.clause, hints[i:][:1])
			}
		}
	default:
		n := len(d.clause)
		for i, v := range [2]bool{false, true} {
			d.setValue(common[0], v)
			d.clause = d.appendLiterals(d.clause[:n], common[:1])
			hints[i] = d.proveLine(common[1:])
		}
		d.clause = d.clause[:n]
	}
	return d.line(d.clause, hints[:])
}

// falseClause returns the clause of the sum or of the summand that the values make false.
func (d *Deriver) falseClause() uint64 {
	if d.isWrong(d.sum.all) {
		return d.sum.ids[d.truths(d.sum.open)]
	}
	return d.parityClause(d.from)
}

// falseClauseHas reports whether that clause has a column. A clause of a parity may be shorter than
// the parity.
func (d *Deriver) falseClauseHas(c int32) bool {
	p := d.from
	if d.isWrong(d.sum.all) {
		p = d.sum.from
	}
	if p < 0 {
		return true
	}
	x := &d.m.base.parities[p]
	i, _ := slices.BinarySearch(x.Variables, d.m.base.columns[c])
	return x.By[d.assignmentOf(p)].Has>>i&1 != 0
}

// parityClause returns the clause of a parity that the values make false.
func (d *Deriver) parityClause(p int32) uint64 { return d.id(int(p), d.assignmentOf(p)) }

// assignmentOf returns the values of the variables of a parity as bits.
func (d *Deriver) assignmentOf(p int32) (assignment int) {
	for i, v := range d.m.base.parities[p].Variables {
		c := d.m.columnOf(v)
		assignment |= int(d.value[c>>6]>>(c&63)&1) << i
	}
	return assignment
}

// isWrong reports whether the sum of some columns and the constant, under the values, is not 0.
func (d *Deriver) isWrong(columns []uint64) bool {
	sum := uint64(0)
	for w, word := range columns {
		sum ^= word & d.value[w]
	}
	return bits.OnesCount64(sum)&1 != 0
}

// truths returns the values of columns as bits.
func (d *Deriver) truths(columns []int32) (b int) {
	for i, c := range columns {
		b |= int(d.value[c>>6]>>(c&63)&1) << i
	}
	return b
}

// setValues sets the values of columns from bits.
func (d *Deriver) setValues(columns []int32, truths int) {
	for i, c := range columns {
		d.setValue(c, truths>>i&1 != 0)
	}
}

func (d *Deriver) setValue(c int32, value bool) {
	d.value[c>>6] &^= 1 << (c & 63)
	if value {
		setBit(d.value, c)
	}
}

// appendLiterals appends the literals of columns that are false.
func (d *Deriver) appendLiterals(dst []uint32, columns []int32) []uint32 {
	for _, c := range columns {
		l := uint32(d.m.base.columns[c]) << 1
		if hasBit(d.value, c) {
			l++
		}
		dst = append(dst, l)
	}
	return dst
}
