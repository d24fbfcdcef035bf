package feed

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"treesplit/comm"
	"treesplit/run/observe/ledger"
	"treesplit/run/observe/trace"
	"treesplit/spmd"
)

// drawReport draws a report of a rank among ranks.
func drawReport(t *rapid.T, ranks int) Report {
	var r Report
	for a := range r.Spent {
		r.Spent[a] = comm.Time(rapid.Int64Range(0, maxNumber).Draw(t, "span"))
	}
	number := rapid.Int64Range(0, maxNumber)
	r.Sent = Messages{number.Draw(t, "requests"), number.Draw(t, "grants"), number.Draw(t, "refusals")}
	for range rapid.IntRange(0, MaxTransfers).Draw(t, "transfers") {
		r.Transfers = append(r.Transfers, ledger.Transfer{From: 1, To: int32(rapid.IntRange(0, ranks-1).Draw(t, "to")), Bytes: number.Draw(t, "bytes")})
	}
	return r
}

// A report that is encoded and decoded is the same report, and it fits into a Beat.
func TestReportsTravel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const ranks = 1 << 20
		want := drawReport(t, ranks)
		data := want.AppendBinary(nil)
		got, err := decodeReport(data, 1, ranks)
		if err != nil || got.Spent != want.Spent || got.Sent != want.Sent || !slices.Equal(got.Transfers, want.Transfers) {
			t.Fatalf("%+v is %+v, error %v", want, got, err)
		}
		if len(data) > spmd.MaxReport {
			t.Fatalf("%d bytes", len(data))
		}
	})
}

// Bytes from another rank never change more than the numbers of a report, and never panic.
func FuzzReport(f *testing.F) {
	f.Add([]byte{})
	r := Report{Spent: Times{1, 2, 3, 4}, Transfers: []ledger.Transfer{{From: 2, To: 3, Bytes: 500}}}
	f.Add(r.AppendBinary(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		b := new(Board)
		b.BeginReal(5)
		b.TakeReport(2, data, 10)
		b.TakeReport(0, data, 20)
		columns, whole, _ := b.ColumnsSince(Place{})
		totals := b.Totals()
		if !whole || len(columns) > 1 || totals.Invalid > 0 && totals.Pieces.Count > 0 {
			t.Fatalf("%d columns, %+v", len(columns), totals)
		}
		if (totals.Invalid == 2) != (len(columns) == 0) {
			t.Fatalf("%d invalid reports, %d columns", totals.Invalid, len(columns))
		}
	})
}

// A rank's reports add up to its account: nothing is lost between two reports.
func TestReporterAddsUp(t *testing.T) {
	counts := new(ledger.Counts)
	rank := ledger.New(3, counts, nil, 0)
	rank.BeginSearch()
	r := NewReporter(rank, 4)
	var sum Times
	var sent Messages
	at := comm.Time(0)
	for i := range 100 {
		at += 50 * 1e6
		rank.SpendTime(trace.State(i%int(trace.States)), at, 1)
		rank.Sent(at, comm.Message{To: 1, Kind: comm.WorkRequest}, 0, 0)
		data := r.AppendReport(nil)
		if data == nil {
			if at-r.last >= leastEvery {
				t.Errorf("no report after %v", (at - r.last).Duration())
			}
			continue
		}
		report, err := decodeReport(data, 3, 4)
		if err != nil {
			t.Fatal(err)
		}
		for a := range sum {
			sum[a] += report.Spent[a]
		}
		sent.add(report.Sent)
	}
	if sum.Sum() != r.last || sum.Sum() < at-leastEvery || sent.Requests < 97 {
		t.Errorf("reports account for %v of %v, with %d requests", sum.Sum().Duration(), at.Duration(), sent.Requests)
	}
}

// reportOf returns the encoded report of a rank that was in one activity for a time.
func reportOf(a Activity, span comm.Time, to ...int32) []byte {
	var r Report
	r.Spent[a] = span
	for _, one := range to {
		r.Transfers = append(r.Transfers, ledger.Transfer{To: one, Bytes: 100})
		r.Sent.Grants++
	}
	return r.AppendBinary(nil)
}

// The board shows the activity of each row, the pieces by rows, and the totals. Above 64 ranks a row
// stands for several.
func TestBoardOfRanks(t *testing.T) {
	b := new(Board)
	b.BeginReal(130) // 3 ranks per row, 44 rows
	if s := b.Shape(); s != (Shape{130, 44, 3, false}) {
		t.Fatalf("%+v", s)
	}
	b.TakeReport(3, reportOf(Working, 30), 50)
	b.TakeReport(4, reportOf(Asking, 10), 60)
	b.TakeReport(129, reportOf(Idle, 10, 0, 1, 5), 70)
	b.TakeReport(0, reportOf(Transferring, 10), 100)
	columns, _, place := b.ColumnsSince(Place{})
	if len(columns) != 1 {
		t.Fatalf("%d columns", len(columns))
	}
	c := columns[0]
	if got := c.Cells[4:8]; !slices.Equal(got, Cells{75, 25, 0, 0}) {
		t.Errorf("the row of ranks 3 to 5 is %v", got)
	}
	if got := c.Cells[8:12]; !slices.Equal(got, Cells{Unknown, Unknown, Unknown, Unknown}) {
		t.Errorf("a row without reports is %v", got)
	}
	if want := [][3]int{{43, 0, 2}, {43, 1, 1}}; !slices.Equal(c.Pairs, want) || c.Given != 3 {
		t.Errorf("pieces %v, %d grants", c.Pairs, c.Given)
	}
	if totals := b.Totals(); totals.Grants != 3 || totals.Pieces.Sum != 300 || totals.Working != 0.5 {
		t.Errorf("%+v", totals)
	}
	b.TakeReport(0, reportOf(Working, 10), 200)
	next, whole, _ := b.ColumnsSince(place)
	if whole || len(next) != 1 || next[0].From != c.Until || !slices.Equal(next[0].Cells[4:8], c.Cells[4:8]) {
		t.Errorf("then %v, %v", whole, next)
	}
}

// A rank that sends no reports becomes silent, and is heard again.
func TestBoardShowsSilence(t *testing.T) {
	b := new(Board)
	b.BeginReal(2)
	b.TakeReport(0, reportOf(Working, 10), 5)
	b.heard[1] = time.Now().Add(-time.Minute)
	b.TakeReport(0, reportOf(Working, 10), 10)
	columns, _, _ := b.ColumnsSince(Place{})
	if got := columns[1].Cells[4:8]; !slices.Equal(got, Cells{Silent, Silent, Silent, Silent}) {
		t.Errorf("a silent rank is %v", got)
	}
	if quiet := b.Totals().Silent; len(quiet) != 1 || quiet[0].Rank != 1 || quiet[0].Seconds < 60 {
		t.Errorf("silent are %v", quiet)
	}
	b.TakeReport(1, reportOf(Idle, 10), 20)
	b.TakeReport(0, reportOf(Working, 10), 30)
	columns, _, _ = b.ColumnsSince(Place{})
	if got := columns[2].Cells[4:8]; !slices.Equal(got, Cells{0, 0, 100, 0}) || len(b.Totals().Silent) > 0 {
		t.Errorf("a rank that is heard again is %v", got)
	}
}

// A full board of real ranks keeps the last columns. A reader who was away gets all of them again.
func TestBoardIsBounded(t *testing.T) {
	b := new(Board)
	b.BeginReal(1)
	for i := range comm.Time(3 * MaxColumns) {
		b.TakeReport(0, reportOf(Working, 10), 10*(i+1))
	}
	columns, whole, place := b.ColumnsSince(Place{0, 5})
	if !whole || len(columns) != MaxColumns {
		t.Errorf("%v, %d columns", whole, len(columns))
	}
	if columns, whole, _ := b.ColumnsSince(place); whole || len(columns) > 0 {
		t.Errorf("then %v, %d columns", whole, len(columns))
	}
}

// The last column of a machine ends with the run, and is written once.
func TestLastColumnOfMachine(t *testing.T) {
	b := new(Board)
	m := b.BeginMachine(1, 100)
	counts := new(ledger.Counts)
	one := Rank{ledger.New(0, counts, nil, 0), trace.Idle}
	one.SpendTime(trace.Busy, 30, 1)
	if m.EndColumn(30, counts, func(int) Rank { return one }) {
		t.Fatal("a column has ended early")
	}
	for range 2 {
		m.EndLastColumn(30, counts, func(int) Rank { return one })
	}
	columns, _, _ := b.ColumnsSince(Place{})
	if len(columns) != 1 || columns[0].Until != 30e-9 || !slices.Equal(columns[0].Cells, Cells{100, 0, 0, 0}) || b.Totals().Working != 1 {
		t.Errorf("%+v, %+v", columns, b.Totals())
	}
}

// In virtual time the board shows the whole run, however long it is, and every nanosecond of every
// rank counts for one activity.
func TestBoardOfMachine(t *testing.T) {
	b := new(Board)
	m := b.BeginMachine(3, 10)
	counts := new(ledger.Counts)
	var ranks [3]Rank
	for i := range ranks {
		ranks[i] = Rank{ledger.New(i, counts, nil, 0), trace.Idle}
	}
	now := comm.Time(0)
	for now < 1e6 {
		now += 7
		ranks[0].SpendTime(trace.Busy, now+3, 1) // its clock is ahead
		if now%5 == 0 {
			ranks[1].SpendTime(trace.Waiting, now, 0)
		}
		if m.EndColumn(now, counts, func(i int) Rank { return ranks[i] }) && m.Next() <= now {
			t.Fatal("no next column")
		}
	}
	columns, whole, _ := b.ColumnsSince(Place{})
	if !whole || len(columns) > MaxColumns || len(columns) < MaxColumns/4 || columns[0].From != 0 {
		t.Fatalf("%v, %d columns", whole, len(columns))
	}
	for i, c := range columns {
		if i > 0 && c.From != columns[i-1].Until {
			t.Errorf("column %d begins at %v, the one before ends at %v", i, c.From, columns[i-1].Until)
		}
		if !slices.Equal(c.Cells[:4], Cells{100, 0, 0, 0}) || !slices.Equal(c.Cells[8:], Cells{0, 0, 100, 0}) {
			t.Fatalf("column %d is %v", i, c.Cells)
		}
	}
	total := 0.0
	for _, s := range b.Totals().Seconds {
		total += s
	}
	if end := columns[len(columns)-1].Until; total < 3*end*(1-1e-9) || total > 3*end*(1+1e-9) {
		t.Errorf("%v s of 3 ranks in %v s", total, end)
	}
}
