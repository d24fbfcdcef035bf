package feed

import (
	"slices"
	"testing"
	"time"

	"treesplit/comm"
	"treesplit/run/observe/ledger"
	"treesplit/run/observe/trace"
)

// While the ranks do not search, none is silent. Silence is measured again from the next report on.
func TestNoSilenceWithoutSearch(t *testing.T) {
	b := new(Board)
	b.BeginReal(40)
	if n := b.Totals().SilentCount; n != 0 {
		t.Errorf("%d ranks are silent before the first report", n)
	}
	longAgo := func() {
		for rank := range b.heard {
			b.heard[rank] = time.Now().Add(-time.Minute)
		}
	}
	b.TakeReport(0, reportOf(Working, 10), 10)
	longAgo()
	if totals := b.Totals(); totals.SilentCount != 40 || len(totals.Silent) != maxQuiet {
		t.Errorf("%d ranks are silent, of which %d are listed", totals.SilentCount, len(totals.Silent))
	}
	b.Pause()
	if totals := b.Totals(); totals.SilentCount != 0 || totals.Silent != nil {
		t.Errorf("%d ranks are silent during a pause", totals.SilentCount)
	}
	b.TakeReport(1, reportOf(Working, 10), 20)
	if n := b.Totals().SilentCount; n != 0 {
		t.Errorf("%d ranks are silent after a pause", n)
	}
	longAgo()
	b.Pause()
	b.TakeLastReports(make([][]byte, 40), 30)
	if n := b.Totals().SilentCount; n != 0 {
		t.Errorf("%d ranks are silent at the end", n)
	}
}

// The last reports of all ranks end the last column. A short last column becomes part of the column
// before it, so that its messages per second are not too many.
func TestLastReports(t *testing.T) {
	last := [][]byte{reportOf(Working, 1), reportOf(Idle, 150, 0, 0, 0)}
	for _, c := range []struct {
		end     comm.Time
		columns int
	}{{201, 1}, {260, 1}, {300, 2}} {
		b := new(Board)
		b.BeginReal(2)
		b.TakeReport(1, reportOf(Working, 50, 0), 50)
		b.TakeReport(0, reportOf(Working, 200), 200)
		_, _, place := b.ColumnsSince(Place{})
		b.Pause()
		b.TakeLastReports(last, c.end)
		columns, whole, _ := b.ColumnsSince(place)
		if all, _, _ := b.ColumnsSince(Place{}); len(all) != c.columns || whole != (c.columns == 1) {
			t.Fatalf("end %d: %d columns, a reader gets all again: %v", c.end, len(all), whole)
		}
		end, given := columns[len(columns)-1], int64(4)
		if c.columns == 2 {
			given = 3
		}
		if end.Until != c.end.Duration().Seconds() || end.Given != given || b.Totals().Grants != 4 {
			t.Errorf("end %d: %+v", c.end, end)
		}
	}
}

// A column has all pairs of 64 ranks. Only the last columns keep their pairs.
func TestAllPairsAreKept(t *testing.T) {
	const ranks, columns = 64, pairColumns + 6
	b := new(Board)
	b.BeginReal(ranks)
	for i := range columns {
		for rank := ranks - 1; rank >= 0; rank-- {
			for to := int32(0); to < ranks; to += 16 {
				b.addTransfers(reported(rank, to, 16))
			}
			b.TakeReport(rank, reportOf(Working, 10), comm.Time(10*(i+1)))
		}
	}
	all, _, _ := b.ColumnsSince(Place{})
	for i, c := range all {
		want := ranks * ranks
		if i < columns-pairColumns {
			want = 0
		}
		if len(c.Pairs) != want {
			t.Fatalf("column %d of %d has %d pairs, expected %d", i, columns, len(c.Pairs), want)
		}
	}
	if joined := joinTwo(&all[columns-2], &all[columns-1]); len(joined.Pairs) != ranks*ranks || joined.Pairs[0][2] != 2 {
		t.Errorf("two columns together have %d pairs", len(joined.Pairs))
	}
}

// reported returns transfers of a rank to n ranks from a rank on.
func reported(from int, to int32, n int32) (all []ledger.Transfer) {
	for i := range n {
		all = append(all, ledger.Transfer{From: int32(from), To: to + i, Bytes: 1})
	}
	return all
}

// A machine counts all transfers of a column, however many there are.
func TestAllTransfersOfMachine(t *testing.T) {
	const n = 10_000
	b := new(Board)
	m := b.BeginMachine(2, 100)
	counts := new(ledger.Counts)
	var ranks [2]Rank
	for i := range ranks {
		ranks[i] = Rank{ledger.New(i, counts, nil, 0), trace.Idle}
		ranks[i].Given = m.Transfers()
	}
	for i := range n {
		from := 0
		if i >= n-10 {
			from = 1
		}
		ranks[from].Sent(1, comm.Message{To: int32(1 - from), Kind: comm.Grant, Body: []byte{1}}, 7, 0)
	}
	m.EndLastColumn(10, counts, func(i int) Rank { return ranks[i] })
	columns, _, _ := b.ColumnsSince(Place{})
	if want := [][3]int{{0, 1, n - 10}, {1, 0, 10}}; len(columns) != 1 || !slices.Equal(columns[0].Pairs, want) {
		t.Errorf("%+v, expected pairs %v", columns, want)
	}
	if p := b.Totals().Pieces; p.Count != n {
		t.Errorf("%d sizes of pieces", p.Count)
	}
}

// The totals include the messages of earlier runs; the columns do not.
func TestEarlierRuns(t *testing.T) {
	b := new(Board)
	b.NoteEarlierRuns(Messages{Requests: 1000, Grants: 100, Refusals: 10})
	b.BeginReal(1)
	b.TakeReport(0, reportOf(Working, 10, 0, 0), 10)
	columns, _, _ := b.ColumnsSince(Place{})
	if totals := b.Totals(); totals.Requests != 1000 || totals.Grants != 102 || totals.Refusals != 10 || columns[0].Given != 2 {
		t.Errorf("%+v, %+v", totals, columns)
	}
}
