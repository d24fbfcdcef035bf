package mapping

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// fan is a problem whose object 0 sends to all others, one on each processor.
func fan(receivers int, send, receive int64, proxy int32) *Problem {
	p := &Problem{Processors: receivers + 1, Objects: make([]Object, receivers+1)}
	for i := 1; i <= receivers; i++ {
		p.Objects[i].Home = int32(i)
		p.Arcs = append(p.Arcs, Arc{From: 0, To: int32(i), Proxy: proxy})
	}
	p.Arcs[receivers/2].Send, p.Arcs[receivers-1].Receive = send, receive
	return p
}

// The cost of a proxy group is paid up to once per receiver, at the cost of its largest arc.
// Check accepts a group that then costs exactly MaxTotal and refuses one that costs more,
// although the sum over its arcs would be far below. Other costs are added.
func TestCheckBoundsGroups(t *testing.T) {
	const k = 1 << 10
	p := fan(k, MaxTotal/k/2, MaxTotal/k/2, 3)
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	m := make(Map, len(p.Objects))
	for i, o := range p.Objects {
		m[i] = o.Home
	}
	if e := p.EvaluateMap(m); e.Comm != MaxTotal || e.Makespan != MaxTotal/2 {
		t.Errorf("the dearest map costs %d, want %d", e.Comm, int64(MaxTotal))
	}
	p.Objects[0].Comp = 1
	refused(t, p, "receive cost of arc 1023")
	refused(t, fan(k, MaxTotal/k/2+1, MaxTotal/k/2, 3), "receive cost of arc 1023")
	refused(t, fan(k, MaxTotal/k/2, MaxTotal/k/2+1, 3), "receive cost of arc 1023")
	refused(t, fan(k, MaxTotal, MaxTotal, 3), "arc 512")
	refused(t, fan(k, 1<<62, 1<<62, 3), "arc 512")
	refused(t, fan(k, -1, 0, 3), "send cost of arc 512: -1 ns")
	refused(t, fan(k, 0, -1, 3), "receive cost of arc 1023: -1 ns")
	if err := fan(k, MaxTotal/2, MaxTotal/2, NoProxy).Check(); err != nil {
		t.Errorf("without a group: %v", err)
	}
}

func refused(t *testing.T, p *Problem, want string) {
	t.Helper()
	if err := p.Check(); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v: expected a refusal that names %q", err, want)
	}
}

// Evaluate adds up the costs of every problem that Check accepts without an overflow: the sums
// equal those of integers of any size and are at most MaxTotal together.
func TestAcceptedIsAddedUpExactly(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	accepted := 0
	for range 20_000 {
		p := small(rng)
		scale := int64(MaxTotal) / 30 >> rng.IntN(10)
		for i := range p.Background {
			p.Background[i] *= scale / 20
		}
		for i := range p.Objects {
			p.Objects[i].Comp = rng.Int64N(scale)
		}
		for i := range p.Arcs {
			p.Arcs[i].Send, p.Arcs[i].Receive = rng.Int64N(scale), rng.Int64N(scale)
		}
		if p.Check() != nil {
			continue
		}
		accepted++
		m := anywhere(p, rng)
		e := p.EvaluateMap(m)
		sum := new(big.Int)
		for q, got := range e.Cost {
			want := bigPaid(p, m, int32(q))
			sum.Add(sum, want)
			if want.Cmp(big.NewInt(got)) != 0 {
				t.Fatalf("%+v mapped by %v: processor %d pays %d, want %v", p, m, q, got, want)
			}
		}
		if sum.Cmp(big.NewInt(MaxTotal)) > 0 {
			t.Fatalf("%+v mapped by %v: %v in all", p, m, sum)
		}
	}
	if accepted < 1000 {
		t.Errorf("only %d problems accepted", accepted)
	}
}

// bigPaid is what a processor pays: paid's sum for the low and the high halves of all
// costs, which are too small to overflow. Halves of a group's largest are taken from the
// largest, so that both halves are of the same arc.
func bigPaid(p *Problem, m Map, q int32) *big.Int {
	const half = 30
	low, high := *p, *p
	largest := map[[2]int32][2]int64{}
	for _, a := range p.Arcs {
		k := [2]int32{a.From, a.Proxy}
		largest[k] = [2]int64{max(largest[k][0], a.Send), max(largest[k][1], a.Receive)}
	}
	part := func(of *Problem, take func(ns int64) int64) *big.Int {
		of.Background, of.Objects, of.Arcs = nil, nil, nil
		for _, ns := range p.Background {
			of.Background = append(of.Background, take(ns))
		}
		for _, o := range p.Objects {
			o.Comp = take(o.Comp)
			of.Objects = append(of.Objects, o)
		}
		for _, a := range p.Arcs {
			if a.Proxy != NoProxy {
				a.Send, a.Receive = largest[[2]int32{a.From, a.Proxy}][0], largest[[2]int32{a.From, a.Proxy}][1]
			}
			a.Send, a.Receive = take(a.Send), take(a.Receive)
			of.Arcs = append(of.Arcs, a)
		}
		return big.NewInt(paid(of, m, q))
	}
	sum := part(&high, func(ns int64) int64 { return ns >> half })
	return sum.Add(sum.Lsh(sum, half), part(&low, func(ns int64) int64 { return ns & (1<<half - 1) }))
}
