package feed

import (
	"sync"
	"time"

	"treesplit/comm"
	"treesplit/internal/histogram"
	"treesplit/run/observe/ledger"
)

// A Board holds the activity of all ranks, on rank 0 or in a simulation. A row stands for a rank, or
// for several ranks if there are more than MaxRows; a column stands for a time. Ranks write to the
// board and other goroutines read it, so that it has a lock. It needs O(MaxRows · MaxColumns + P)
// memory.
type Board struct {
	mu      sync.Mutex
	ranks   int // 0: the search has not begun
	group   int // ranks per row
	virtual bool

	columns  []Column // the last ones
	first    int      // number of the first column kept
	era      int      // number of times that columns were joined
	ended    comm.Time
	rows     []Times // since the last column
	total    Times   // of all ranks
	sent     Messages
	before   Messages // at the last column
	earlier  Messages // of earlier runs of the same search
	pieces   histogram.Histogram
	given    map[[2]int]int // transfers since the last column, by the rows of donor and requester
	heard    []time.Time    // when the last report of each real rank arrived
	paused   bool           // real ranks send no reports, because they do not search
	invalid  int64          // reports that could not be decoded
	lastCell []uint8
}

// The sizes of a board.
const (
	MaxRows    = 64
	MaxColumns = 480
	// pairColumns is the number of last columns that keep their pairs of donor and requester. A column
	// has at most MaxRows · MaxRows pairs. The page shows the pairs of at most 30 columns.
	pairColumns = 64
)

// Column is the activity of all rows during a time.
type Column struct {
	From  float64 `json:"from"` // seconds since the search began
	Until float64 `json:"until"`
	Cells Cells   `json:"cells"`
	Asked int64   `json:"requests"` // messages in this time
	Given int64   `json:"grants"`
	Not   int64   `json:"refusals"`
	// Pairs are the row of the donor, the row of the requester, and the number of pieces that ranks have
	// named. Only the last columns of a board have them.
	Pairs [][3]int `json:"pairs,omitempty"`
}

// Cells has one number for each row and activity: its share of the row's time in percent. Silent
// stands in all four numbers of a row from which no report has arrived for a while.
type Cells []uint8

// Silent is the value of a cell without reports. Unknown is the value before the first report.
const (
	Silent  = 255
	Unknown = 254
)

// begin makes the rows for a number of ranks, once.
func (b *Board) begin(ranks int, virtual bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ranks > 0 {
		return
	}
	b.ranks, b.virtual, b.paused = ranks, virtual, true
	b.group = (ranks + MaxRows - 1) / MaxRows
	rows := (ranks + b.group - 1) / b.group
	b.rows, b.given = make([]Times, rows), map[[2]int]int{}
	b.lastCell = make([]uint8, rows*int(Activities))
	for i := range b.lastCell {
		b.lastCell[i] = Unknown
	}
	if !virtual {
		b.heard = make([]time.Time, ranks)
	}
}

// BeginReal begins a board of real ranks.
func (b *Board) BeginReal(ranks int) { b.begin(ranks, false) }

// NoteEarlierRuns adds the messages of earlier runs of the same search to the totals.
func (b *Board) NoteEarlierRuns(m Messages) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.earlier = m
}

// Pause notes that the real ranks do not search, and send no reports, until the next call of
// TakeReport. No rank is silent during this time.
func (b *Board) Pause() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.paused = true
}

// TakeReport takes in a report of a rank that arrived at a time on the clock of rank 0. The report
// of rank 0 itself ends a column. Invalid reports are counted and ignored.
func (b *Board) TakeReport(rank int, data []byte, now comm.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.paused {
		b.paused = false
		for i := range b.heard {
			b.heard[i] = time.Now()
		}
	}
	if b.addReport(rank, data) && rank == 0 {
		b.endColumn(now)
	}
}

// TakeLastReports takes in the last reports of all ranks after the end of the search. They end the
// last column. If it is much shorter than the column before, the two columns become one: the reports
// cover more time than the last column, and its messages per second would be too many.
func (b *Board) TakeLastReports(reports [][]byte, now comm.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for rank, data := range reports {
		b.addReport(rank, data)
	}
	b.endColumn(now)
	n := len(b.columns)
	if n < 2 {
		return
	}
	if x, y := &b.columns[n-2], &b.columns[n-1]; 2*(y.Until-y.From) < x.Until-x.From {
		b.columns = append(b.columns[:n-2], joinTwo(x, y))
		b.era++ // readers have the shorter column
	}
}

// addReport adds a report to the current column and to the totals. It returns false if the report is
// invalid.
func (b *Board) addReport(rank int, data []byte) bool {
	report, err := decodeReport(data, rank, b.ranks)
	if err != nil || uint(rank) >= uint(b.ranks) {
		b.invalid++
		return false
	}
	b.heard[rank] = time.Now()
	row := &b.rows[rank/b.group]
	for a, span := range report.Spent {
		row[a] += span
		b.total[a] += span
	}
	b.sent.add(report.Sent)
	b.addTransfers(report.Transfers)
	return true
}

// addTransfers adds pieces.
func (b *Board) addTransfers(all []ledger.Transfer) {
	for _, t := range all {
		b.pieces.AddNumber(t.Bytes)
		b.given[[2]int{int(t.From) / b.group, int(t.To) / b.group}]++
	}
}

// A rank is shown as silent after silentAfter and two times between its reports. Tests change silentAfter.
var silentAfter = 2 * time.Second

// isSilent reports whether no report of a real rank has arrived for a while, although the ranks search.
func (b *Board) isSilent(rank int, now time.Time) bool {
	return !b.paused && now.Sub(b.heard[rank]) > silentAfter+2*b.reportEvery()
}

func (b *Board) reportEvery() time.Duration { return reportEvery(b.ranks).Duration() }
