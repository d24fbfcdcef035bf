package feed

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"treesplit/comm"
)

// endColumn ends the current column at a time. When the board is full, the oldest column of real
// ranks is dropped. In virtual time two columns become one, so that the board shows the whole run.
func (b *Board) endColumn(now comm.Time) {
	c := Column{From: b.ended.Duration().Seconds(), Until: now.Duration().Seconds(), Cells: b.takeCells()}
	since := b.sent.minus(b.before)
	c.Asked, c.Given, c.Not = since.Requests, since.Grants, since.Refusals
	c.Pairs = b.takePairs()
	b.before, b.ended = b.sent, now
	b.columns = append(b.columns, c)
	if n := len(b.columns); n > pairColumns {
		b.columns[n-1-pairColumns].Pairs = nil
	}
	switch {
	case len(b.columns) <= MaxColumns:
	case b.virtual:
		b.joinColumns()
	default:
		b.columns = append(b.columns[:0], b.columns[1:]...)
		b.first++
	}
}

// takeCells returns the cells of the current column and begins the next one. A row without a new
// report keeps the cell of its last report, until its ranks are silent.
func (b *Board) takeCells() Cells {
	now := time.Now()
	for i := range b.rows {
		cell := b.lastCell[i*int(Activities) : (i+1)*int(Activities)]
		switch sum := b.rows[i].Sum(); {
		case sum > 0:
			fillCell(cell, &b.rows[i], sum)
		case b.isSilentRow(i, now):
			for a := range cell {
				cell[a] = Silent
			}
		}
		b.rows[i] = Times{}
	}
	return slices.Clone(b.lastCell)
}

// fillCell sets a cell to the shares of a row's time, in percent. Each share is rounded down, except
// the last one, which makes the sum 100.
func fillCell(cell []uint8, row *Times, sum comm.Time) {
	left := uint8(100)
	for a := range cell {
		cell[a] = uint8(min(100*float64(row[a])/float64(sum), float64(left)))
		left -= cell[a]
	}
	largest := 0
	for a := range cell {
		if row[a] > row[largest] {
			largest = a
		}
	}
	cell[largest] += left
}

// isSilentRow reports whether all ranks of a row are silent.
func (b *Board) isSilentRow(row int, now time.Time) bool {
	if b.virtual {
		return false
	}
	for rank := row * b.group; rank < min((row+1)*b.group, b.ranks); rank++ {
		if !b.isSilent(rank, now) {
			return false
		}
	}
	return true
}

// takePairs returns the transfers of the current column, in order, and begins the next one.
func (b *Board) takePairs() (pairs [][3]int) {
	for _, k := range slices.SortedFunc(maps.Keys(b.given), func(x, y [2]int) int { return cmp.Or(x[0]-y[0], x[1]-y[1]) }) {
		pairs = append(pairs, [3]int{k[0], k[1], b.given[k]})
	}
	clear(b.given)
	return pairs
}

// joinColumns joins each two columns.
func (b *Board) joinColumns() {
	b.era++
	n := len(b.columns) / 2
	for i := range n {
		b.columns[i] = joinTwo(&b.columns[2*i], &b.columns[2*i+1])
	}
	if len(b.columns)%2 > 0 {
		b.columns[n] = b.columns[len(b.columns)-1]
		n++
	}
	b.columns = b.columns[:n]
}

// joinTwo joins two columns that follow each other.
func joinTwo(x, y *Column) Column {
	c := Column{From: x.From, Until: y.Until, Cells: make(Cells, len(x.Cells)), Asked: x.Asked + y.Asked, Given: x.Given + y.Given, Not: x.Not + y.Not}
	weight := 0.5
	if y.Until > x.From {
		weight = (x.Until - x.From) / (y.Until - x.From)
	}
	for i := range c.Cells {
		if x.Cells[i] > 100 || y.Cells[i] > 100 { // unknown
			c.Cells[i] = y.Cells[i]
			continue
		}
		c.Cells[i] = uint8(weight*float64(x.Cells[i]) + (1-weight)*float64(y.Cells[i]) + 0.5)
	}
	pairs := map[[2]int]int{}
	for _, p := range slices.Concat(x.Pairs, y.Pairs) {
		pairs[[2]int{p[0], p[1]}] += p[2]
	}
	for _, k := range slices.SortedFunc(maps.Keys(pairs), func(x, y [2]int) int { return cmp.Or(x[0]-y[0], x[1]-y[1]) }) {
		c.Pairs = append(c.Pairs, [3]int{k[0], k[1], pairs[k]})
	}
	return c
}
