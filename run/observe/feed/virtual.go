package feed

import (
	"treesplit/comm"
	"treesplit/run/observe/ledger"
	"treesplit/run/observe/trace"
)

// Machine writes the activity of all ranks of a simulation to a board, in columns of virtual time.
type Machine struct {
	board *Board
	width comm.Time // of a column
	next  comm.Time // end of the current column
	sums  []Times   // of the rows, at the last column
	given *ledger.Transfers
}

// columnQuanta is the width of the first columns, in quanta of nodes. Columns become wider when the
// board is full.
const columnQuanta = 4

// BeginMachine begins a board of simulated ranks, of which a quantum takes a time. Ranks note their
// transfers in the returned machine's list.
func (b *Board) BeginMachine(ranks int, quantum comm.Time) *Machine {
	b.begin(ranks, true)
	width := max(columnQuanta*quantum, 1)
	m := &Machine{board: b, width: width, next: width, sums: make([]Times, len(b.rows)), given: ledger.NewTransfers(1 << 12)}
	m.given.Full = func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		m.takeTransfers()
	}
	return m
}

// Transfers returns the list in which ranks note their transfers.
func (m *Machine) Transfers() *ledger.Transfers { return m.given }

// takeTransfers moves the noted transfers to the board, which is locked.
func (m *Machine) takeTransfers() {
	m.board.addTransfers(m.given.All)
	m.given.Clear()
}

// Next returns the end of the current column.
func (m *Machine) Next() comm.Time { return m.next }

// Rank is a simulated rank, as Machine looks at it.
type Rank struct {
	*ledger.Rank
	Without trace.State // its state while it has nothing to do
}

// EndColumn ends the current column if its end has been reached. rank returns a rank; counts are of
// all ranks. It takes O(P) time.
func (m *Machine) EndColumn(now comm.Time, counts *ledger.Counts, rank func(i int) Rank) bool {
	if now < m.next {
		return false
	}
	m.endColumn(now, counts, rank)
	return true
}

// EndLastColumn ends the last column, which may be shorter than others, at the end of the run.
func (m *Machine) EndLastColumn(now comm.Time, counts *ledger.Counts, rank func(i int) Rank) {
	if now > m.board.ended { // no other goroutine changes the time
		m.endColumn(now, counts, rank)
	}
}

func (m *Machine) endColumn(now comm.Time, counts *ledger.Counts, rank func(i int) Rank) {
	b := m.board
	b.mu.Lock()
	defer b.mu.Unlock()
	b.total = Times{}
	for row := range b.rows {
		sum := Times{}
		for i := row * b.group; i < min((row+1)*b.group, b.ranks); i++ {
			addUntil(&sum, rank(i), now)
		}
		for a := range sum {
			b.rows[row][a] = max(sum[a]-m.sums[row][a], 0)
			b.total[a] += sum[a]
		}
		m.sums[row] = sum
	}
	b.sent = messagesOf(counts)
	m.takeTransfers()
	era := b.era
	b.endColumn(now)
	if b.era > era {
		m.width *= 2
	}
	m.next = now + m.width
}

// addUntil adds the times of a rank until a moment. A rank whose last event was earlier has had
// nothing to do since then. A rank whose clock is ahead has work until its clock.
func addUntil(sum *Times, r Rank, now comm.Time) {
	sum.addAccount(&r.Account)
	if pending := now - r.AccountedUntil(); pending > 0 {
		sum[activityOf[r.Without]] += pending
	} else {
		sum[Working] += pending
	}
}
