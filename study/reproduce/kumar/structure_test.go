package kumar

import (
	"context"
	"io"
	"testing"
	"time"

	"treesplit/search"
	"treesplit/study/reproduce/lab"
	"treesplit/study/reproduce/printed"
)

// The grid of docs/lab-notes.md has 16 structures, each with its own start.
func TestStructures(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Structures() {
		k := s.StartKnobs()
		seen[k.String()] = true
		if _, err := k.NCube2Machine(); err != nil {
			t.Errorf("%v: %v", s, err)
		}
		if (s.Split == "bottom") != (k.Rule == search.Bottom) || (s.Refuse == "depth") != (k.GiveAbove > 0) || (s.Serve == "rebuild") != (k.Rebuild > 0) {
			t.Errorf("%v starts at %v", s, k)
		}
	}
	if len(seen) != 16 {
		t.Errorf("%d different starts: expected 16", len(seen))
	}
}

// A move keeps the structure and the share of polls, changes the machine, and keeps all numbers valid
// even from the smallest ones.
func TestMoves(t *testing.T) {
	for _, s := range Structures() {
		small := s.StartKnobs()
		small.MinOpen, small.Quantum = 1, 1
		for _, k := range []lab.Knobs{s.StartKnobs(), small} {
			for _, size := range []float64{1, 0.5} {
				moves := s.Moves(k, size)
				if len(moves) < 5 {
					t.Errorf("%v: %d moves from %v: expected at least 5", s, len(moves), k)
				}
				for _, n := range moves {
					work := n.UCalc * time.Duration(n.Quantum)
					switch share := float64(n.Poll) / float64(work); {
					case n.String() == k.String():
						t.Errorf("%v: a move changes nothing: %v", s, n)
					case n.Rule != k.Rule || n.Serve != k.Serve || (n.GiveAbove > 0) != (k.GiveAbove > 0) || (n.Rebuild > 0) != (k.Rebuild > 0):
						t.Errorf("%v: a move leaves the structure: %v", s, n)
					case n.MinOpen < 1 || n.Quantum < 1 || n.UCalc < time.Microsecond:
						t.Errorf("%v: an invalid move: %v", s, n)
					case share < pollShare-0.007 || share > pollShare+0.007: // a poll is a whole number of microseconds
						t.Errorf("%v: a poll costs %.3f of the work: %v", s, share, n)
					}
				}
			}
		}
	}
}

// A descent never ends at a worse point than its start, however many points it may try.
func TestDescentImproves(t *testing.T) {
	l, err := lab.New("")
	if err != nil {
		t.Fatal(err)
	}
	b := blindFit{lab: l, log: io.Discard, instances: []lab.Instance{{Variables: 30, Ratio: 5, Seed: 1}, {Variables: 32, Ratio: 5, Seed: 2}}}
	if b.table3, err = printed.Read("kumar-table3-speedups-receiver-initiated"); err != nil {
		t.Fatal(err)
	}
	if b.table4, err = printed.Read("kumar-table4-work-requests"); err != nil {
		t.Fatal(err)
	}
	for _, s := range Structures()[:2] {
		var scores []float64
		for _, points := range []int{1, 6} {
			f, err := b.descend(context.Background(), s, s.StartKnobs(), []int{8, 16}, 1, points)
			if err != nil {
				t.Fatal(err)
			}
			scores = append(scores, f.Score)
		}
		if scores[1] > scores[0] {
			t.Errorf("%v: the score rises from %.4f to %.4f", s, scores[0], scores[1])
		}
	}
}
