package mapping

import (
	"math/rand/v2"
	"testing"
)

// An instance added up by hand: two processors, a proxy group with two receivers on the
// other processor, an arc inside a processor, background load.
func TestEvaluateByHand(t *testing.T) {
	p := &Problem{
		Processors: 2, Background: []int64{100, 0},
		Objects: []Object{{Comp: 10}, {Comp: 20}, {Comp: 30}, {Comp: 40}},
		Arcs: []Arc{
			{From: 0, To: 1, Send: 1, Receive: 2, Proxy: NoProxy}, // 0 → 1: apart
			{From: 1, To: 2, Send: 5, Receive: 7, Proxy: NoProxy}, // 1 → 1: together
			{From: 0, To: 2, Send: 3, Receive: 4, Proxy: 0},       // with the next one message
			{From: 0, To: 1, Send: 6, Receive: 1, Proxy: 0},
			{From: 0, To: 3, Send: 9, Receive: 9, Proxy: 0}, // at home, but the largest
		},
	}
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	e := p.EvaluateMap(Map{0, 1, 1, 0})
	// Processor 0: 100 + 10 + 40 + 1 + 9; processor 1: 20 + 30 + 2 + 9.
	if e.Cost[0] != 160 || e.Cost[1] != 61 || e.Makespan != 160 || e.Comp != 100 || e.Comm != 21 {
		t.Errorf("%+v", e)
	}
}

// The evaluation agrees with the definition of section 2 applied to each processor: the sum of
// its payments.
func TestEvaluateAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		p, m := small(rng), Map(nil)
		for range p.Objects {
			m = append(m, int32(rng.IntN(p.Processors)))
		}
		e := p.EvaluateMap(m)
		for q := range p.Processors {
			if want := paid(p, m, int32(q)); e.Cost[q] != want {
				t.Fatalf("processor %d of %+v under %v: %d, want %d", q, p, m, e.Cost[q], want)
			}
		}
	}
}

// small draws a problem.
func small(rng *rand.Rand) *Problem {
	p := &Problem{Processors: 1 + rng.IntN(4)}
	if rng.IntN(2) == 0 {
		for range p.Processors {
			p.Background = append(p.Background, rng.Int64N(20))
		}
	}
	n := 1 + rng.IntN(7)
	for range n {
		p.Objects = append(p.Objects, Object{Comp: rng.Int64N(30), Home: Nowhere})
	}
	for range rng.IntN(20) {
		p.Arcs = append(p.Arcs, Arc{int32(rng.IntN(n)), int32(rng.IntN(n)), rng.Int64N(9), rng.Int64N(9), int32(rng.IntN(3)) - 1})
	}
	return p
}

// paid returns the payments of a processor.
func paid(p *Problem, m Map, q int32) (ns int64) {
	if p.Background != nil {
		ns = p.Background[q]
	}
	for i, o := range p.Objects {
		if m[i] == q {
			ns += o.Comp
		}
	}
	for i, a := range p.Arcs {
		if a.Proxy == NoProxy {
			if m[a.From] == q && m[a.To] != q {
				ns += a.Send
			}
			if m[a.To] == q && m[a.From] != q {
				ns += a.Receive
			}
			continue
		}
		// The first arc of its group to a processor speaks for all of them.
		first, send, receive := true, int64(0), int64(0)
		for j, b := range p.Arcs {
			if b.From == a.From && b.Proxy == a.Proxy {
				send, receive = max(send, b.Send), max(receive, b.Receive)
				first = first && (j >= i || m[b.To] != m[a.To])
			}
		}
		if !first || m[a.From] == m[a.To] {
			continue
		}
		if m[a.From] == q {
			ns += send
		}
		if m[a.To] == q {
			ns += receive
		}
	}
	return ns
}
