package ledger_test

import (
	"testing"

	"treesplit/comm"
	"treesplit/internal/histogram"
	"treesplit/lb"
	"treesplit/run/observe/ledger"
	"treesplit/run/observe/trace"
)

// Every nanosecond counts for exactly one state, whatever events are reported. A time in the past
// adds nothing.
func TestTimeAddsUp(t *testing.T) {
	r := ledger.New(3, new(ledger.Counts), nil, 50)
	for _, s := range []struct {
		state trace.State
		until comm.Time
	}{{trace.Busy, 60}, {trace.Overhead, 61}, {trace.Busy, 55}, {trace.Waiting, 70}, {trace.Seeking, 72}, {trace.Idle, 80}, {trace.Done, 100}} {
		r.SpendTime(s.state, s.until, 1)
	}
	a := &r.Account
	if a.WorkingTime() != 10 || a.OverheadTime() != 1 || a.SearchTime() != 11 || a.IdlingTime() != 28 || a.TotalTime() != 50 || r.AccountedUntil() != 100 {
		t.Errorf("%v", a)
	}
}

// A rank without work searches while its request is in flight, and is idle otherwise.
func TestWithout(t *testing.T) {
	r := ledger.New(1, new(ledger.Counts), nil, 0)
	for state, want := range map[lb.State]trace.State{lb.Seeking: trace.Seeking, lb.Done: trace.Done, lb.Waiting: trace.Idle} {
		if got := r.StateWithoutWork(state); got != want {
			t.Errorf("%v is %v, want %v", state, got, want)
		}
	}
}

// Messages to the rank itself and forwarded pieces are not counted.
func TestMessages(t *testing.T) {
	var c ledger.Counts
	r := ledger.New(1, &c, trace.New(1, 10, 0), 0)
	r.Begin(5, 7)
	grant := comm.Message{From: 1, To: 2, Kind: comm.Grant, Body: make([]byte, 40)}
	r.Sent(6, grant, 40, 8)
	r.Sent(7, grant, 40, 8) // forwarded
	r.Sent(8, comm.Message{From: 1, To: 1, Kind: comm.Reject}, 0, 8)
	r.Sent(9, comm.Message{From: 1, To: 0, Kind: comm.Reject}, 0, 8)
	want := [comm.Kinds]int64{comm.Grant: 2, comm.Reject: 1}
	if c.Messages != want || c.Pieces.Count != 1 || c.Pieces.Sum != 40 || r.Account.OverheadTime() != 5 {
		t.Errorf("%+v", c)
	}
}

// Counts of several ranks add up.
func TestMerge(t *testing.T) {
	var a, b, want ledger.Counts
	for i := range int64(20) {
		one := &a
		if i%3 == 0 {
			one = &b
		}
		for _, c := range []*ledger.Counts{one, &want} {
			c.Messages[i%5]++
			c.Unanswered++
			for _, h := range []*histogram.Histogram{&c.Pieces, &c.Granted, &c.Refused} {
				h.AddNumber(i * i)
			}
		}
	}
	if a.MergeFrom(&b); a != want {
		t.Errorf("%+v, want %+v", a, want)
	}
}

// Without a trace, reporting an event allocates no memory.
func TestNoAllocations(t *testing.T) {
	var c ledger.Counts
	r := ledger.New(1, &c, nil, 0)
	r.BeginSearch()
	at, pieces := comm.Time(0), int64(0)
	m := comm.Message{From: 1, To: 2, Kind: comm.Grant, Body: make([]byte, 40)}
	if n := testing.AllocsPerRun(1000, func() {
		at += 10
		pieces++
		r.SpendTime(trace.Busy, at-5, 3)
		r.Waited(lb.Waiting, at)
		r.Sent(at, m, 40, pieces)
		r.Received(at, m)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
