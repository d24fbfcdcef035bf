package sim

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"treesplit/comm"
)

// The agenda pops the same events as a sorted list, for every spread of times and every length of
// its slots, with pushes between pops. The events of a slot are sometimes few and sometimes many, and
// events are in the slots, in the spans and beyond.
func TestAgendaIsSorted(t *testing.T) {
	few, many, later := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		q := newAgenda(rapid.IntRange(1, 2000).Draw(t, "p"), comm.Time(rapid.IntRange(1, 1_000_000).Draw(t, "span")), 0)
		spread := rapid.SampledFrom([]int64{1, 10, 1000, 1_000_000, 10_000_000_000}).Draw(t, "spread")
		var sorted []event
		now, serial := comm.Time(0), uint64(0)
		for range rapid.IntRange(1, 300).Draw(t, "calls") {
			for range rapid.IntRange(0, 4).Draw(t, "pushes") {
				serial++
				e := event{at: now + comm.Time(rapid.Int64Range(0, spread).Draw(t, "at")), begin: serial<<serialBit | uint64(ring), item: int32(serial)}
				q.scheduleItem(e.at, ring, e.item)
				i, _ := slices.BinarySearchFunc(sorted, e, func(a, b event) int {
					if q.causes.comesBefore(&a, &b) {
						return -1
					}
					return 1
				})
				sorted = slices.Insert(sorted, i, e)
			}
			got, ok := q.popNextEvent()
			if ok != (len(sorted) > 0) {
				t.Fatalf("pop: %v with %d events", ok, len(sorted))
			}
			if !ok {
				continue
			}
			switch n := len(q.near.events); {
			case len(q.near.later) > 0:
				later++
			case n > fewEvents:
				many++
			case n > 0:
				few++
			}
			if want := sorted[0]; got.at != want.at || got.item != want.item || got.eventKind() != ring {
				t.Fatalf("popped %v, want %v", got, want)
			}
			sorted, now = sorted[1:], got.at
		}
	})
	if few == 0 || many == 0 || later == 0 {
		t.Errorf("%d times few events in a slot, %d times many, %d times later ones in a heap: expected all", few, many, later)
	}
}

// BenchmarkAgenda holds p events. Each new event follows the popped one by about the span.
func BenchmarkAgenda(b *testing.B) {
	for _, p := range []int{1 << 10, 1 << 20} {
		b.Run(size(p), func(b *testing.B) {
			const span = 200_000
			rng := rand.New(rand.NewPCG(1, 1))
			q := newAgenda(p, span, 0)
			for i := range p {
				q.scheduleItem(comm.Time(rng.IntN(span)), ready, int32(i))
			}
			for b.Loop() {
				e, _ := q.popNextEvent()
				q.scheduleItem(e.at+span/2+comm.Time(e.begin>>serialBit*0x9e3779b9%span), ready, e.item)
			}
		})
	}
}

func size(p int) string {
	if p >= 1<<20 {
		return "P=1Mi"
	}
	return "P=1Ki"
}
