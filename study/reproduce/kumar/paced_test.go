package kumar

import (
	"context"
	"errors"
	"testing"
	"time"

	"treesplit/comm"
	"treesplit/study/reproduce/lab"
)

// A message takes the same time on the emulated network as on the simulated nCUBE/2, over the mean number
// of hops. A piece counts as many bytes as on the simulated machine, whatever the length of its encoding.
func TestEmulatedNetwork(t *testing.T) {
	for _, words := range []int{1, 4} {
		k := lab.Fitted
		k.HeaderWords = words
		m, err := k.NCube2Machine()
		if err != nil {
			t.Fatal(err)
		}
		for scale := range comm.Time(3) {
			e := Emulation{Node: (scale + 1) * comm.Time(k.UCalc)}
			for hops, ranks := range []int{1, 4, 16, 64} { // on average half of log2 P
				n, route := e.network(k, m, ranks), comm.Time(hops)*m.PerHop
				control := comm.Message{Kind: comm.Reject}
				if got, want := n.ArrivalTime(control), (scale+1)*(m.PerWord*comm.Time(words)+route); got != want {
					t.Errorf("%d ranks, scale %d: a message without a body takes %v, want %v", ranks, scale+1, got.Duration(), want.Duration())
				}
				for _, piece := range []int{0, 3, 9000} {
					grant := comm.Message{Kind: comm.Grant, Body: make([]byte, piece)}
					if got, want := n.ArrivalTime(grant), (scale+1)*(m.PerWord*comm.Time(words+125)+route); got != want {
						t.Errorf("%d ranks, scale %d: a piece of %d bytes takes %v, want %v", ranks, scale+1, piece, got.Duration(), want.Duration())
					}
				}
			}
		}
	}
}

// If a run fails, the runs beside it end, and the table has the error of the failed run.
func TestFailedRunStopsOthers(t *testing.T) {
	l, err := lab.New("")
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("no such host")
	k := lab.Fitted
	k.Instances = []lab.Instance{{Variables: 20, Ratio: 5, Seed: 2}}
	e := Emulation{Ranks: []int{8}, Node: 100_000, Formulas: 1, Name: "table3-ranks", Run: func(ctx context.Context, p PacedRun) (PacedOutcome, error) {
		if p.Cell.Scheme == schemeOf["NN"] {
			return PacedOutcome{}, broken
		}
		select {
		case <-ctx.Done():
			return PacedOutcome{}, context.Cause(ctx)
		case <-time.After(time.Minute):
			t.Errorf("%s: the run does not end", p.Cell.Scheme)
			return PacedOutcome{T1: 1, TP: 1}, nil
		}
	}}
	if _, err := Table3OnRanks(t.Context(), l, k, e); !errors.Is(err, broken) || errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, broken)
	}
}
