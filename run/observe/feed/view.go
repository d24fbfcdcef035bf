package feed

import (
	"time"

	"treesplit/internal/histogram"
)

// Shape describes the rows of a board.
type Shape struct {
	Ranks   int  `json:"ranks"` // 0: the search has not begun
	Rows    int  `json:"rows"`
	Group   int  `json:"group"`   // ranks per row
	Virtual bool `json:"virtual"` // times are virtual
}

// Totals are sums over all ranks since the run began. Requests, Grants and Refusals include the
// earlier runs of a resumed search.
type Totals struct {
	Requests int64               `json:"requests"`
	Grants   int64               `json:"grants"`
	Refusals int64               `json:"refusals"`
	Pieces   histogram.Histogram `json:"pieceBytes"` // of the transfers that ranks have named
	// Seconds is the time of all ranks by activity, and Working the share of it on nodes, or 0.
	Seconds [Activities]float64 `json:"seconds"`
	Working float64             `json:"working"`
	Silent  []Quiet             `json:"quiet,omitempty"` // at most maxQuiet of the silent ranks
	// SilentCount is the number of silent ranks.
	SilentCount int   `json:"silentCount"`
	Invalid     int64 `json:"invalidReports,omitempty"`
}

// Quiet is a rank from which no report has arrived for a while.
type Quiet struct {
	Rank    int     `json:"rank"`
	Seconds float64 `json:"seconds"` // since its last report
}

// maxQuiet bounds the ranks in Totals.Silent.
const maxQuiet = 16

// Shape returns the shape of the board.
func (b *Board) Shape() Shape {
	b.mu.Lock()
	defer b.mu.Unlock()
	return Shape{b.ranks, len(b.rows), b.group, b.virtual}
}

// Totals returns the sums until now.
func (b *Board) Totals() Totals {
	b.mu.Lock()
	defer b.mu.Unlock()
	sent := b.earlier
	sent.add(b.sent)
	t := Totals{Requests: sent.Requests, Grants: sent.Grants, Refusals: sent.Refusals, Pieces: b.pieces, Invalid: b.invalid}
	for a, span := range b.total {
		t.Seconds[a] = span.Duration().Seconds()
	}
	if sum := b.total.Sum(); sum > 0 {
		t.Working = float64(b.total[Working]) / float64(sum)
	}
	for rank, now := 0, time.Now(); rank < len(b.heard); rank++ {
		if !b.isSilent(rank, now) {
			continue
		}
		if t.SilentCount++; t.SilentCount <= maxQuiet {
			t.Silent = append(t.Silent, Quiet{rank, now.Sub(b.heard[rank]).Seconds()})
		}
	}
	return t
}

// Place is a reader's place on a board. The zero value is the beginning.
type Place struct{ era, next int }

// ColumnsSince returns the columns after a place, and the next place. whole reports that these are
// all columns of the board and replace the columns that the reader knows.
func (b *Board) ColumnsSince(p Place) (columns []Column, whole bool, next Place) {
	b.mu.Lock()
	defer b.mu.Unlock()
	end := Place{b.era, b.first + len(b.columns)}
	if p.era != b.era || p.next < b.first || p == (Place{}) {
		return append([]Column(nil), b.columns...), true, end
	}
	return append([]Column(nil), b.columns[p.next-b.first:]...), false, end
}
