package lb_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"treesplit/comm"
	"treesplit/internal/explore"
	"treesplit/lb"
	"treesplit/search"
	"treesplit/termination"
)

// shuffleVariants returns variants of poll and shuffle, each with one of the detectors. The
// scheme itself is tested with all detectors.
func shuffleVariants() []variant {
	always := lb.Options{Trigger: lb.TriggerAlways}
	count := lb.Options{Trigger: lb.TriggerCount, TriggerAt: 0.25}
	notify := lb.Options{Trigger: lb.TriggerNotify, TriggerAt: 0.1}
	nodes := func(o lb.Options, n int) lb.Options { o.PhaseNodes = n; return o }
	span := func(o lb.Options) lb.Options { o.Phase = 7; return o }
	exact := func(o lb.Options) lb.Options { o.Permutation = "exact"; return o }
	rests := func(o lb.Options) lb.Options { o.Backoff = 10; return o }
	var all []variant
	detectors := termination.DetectorNames()
	for i, v := range []variant{
		{name: "always", network: "hypercube", options: nodes(always, 1)},
		{name: "always, exact", network: "hypercube", options: nodes(exact(always), 1)},
		{name: "always on a mesh", network: "mesh", options: nodes(always, 1)},
		{name: "always on a mesh, in time", network: "mesh", options: span(exact(always))},
		{name: "always on a fat tree", network: "fattree", options: rests(nodes(always, 3))},
		{name: "count", network: "hypercube", options: nodes(count, 3)},
		{name: "count, exact", network: "hypercube", options: span(exact(count))},
		{name: "count on a mesh", network: "mesh3", options: nodes(count, 1)},
		{name: "notify", network: "hypercube", options: rests(nodes(notify, 1))},
		{name: "notify on a fat tree", network: "fattree", options: nodes(exact(notify), 1)},
	} {
		v.name, v.scheme, v.detector = "shuffle, "+v.name, "shuffle", detectors[i%len(detectors)]
		all = append(all, v)
	}
	return append(all, variant{name: "static+shuffle", scheme: "static+shuffle", network: "ring", options: nodes(always, 1), detector: "ring"})
}

// All ranks decide alike under every trigger and on every network: any two ranks in the same
// cycle have shuffled equally often. Under the triggers that choose, there are cycles with and
// without a shuffle.
func TestRanksDecideAlike(t *testing.T) {
	for _, trigger := range lb.Triggers {
		with, without := 0, 0
		for _, network := range []string{"hypercube", "mesh", "fattree"} {
			for _, p := range []int{2, 3, 6, 8, 11, 16} {
				for seed := range uint64(4) {
					shuffles := map[int32]int32{}
					o := lb.Options{Trigger: trigger, TriggerAt: 0.5, PhaseNodes: 3}
					w, ranks := shuffled(t, network, o, p, explore.Shape{Seed: 9, Depth: 11, Width: 4}, seed)
					choose := explore.RandomChooser(seed)
					_, err := explore.Run(w, func(w *explore.World, enabled []explore.Actor) explore.Actor {
						for i, b := range ranks {
							at := lb.PositionOf(b, i)
							if n, ok := shuffles[at.Cycle]; ok && n != at.Shuffles {
								t.Fatalf("%s on a %s, P = %d, seed %d: rank %d comes to cycle %d after %d shuffles, another after %d", trigger, network, p, seed, i, at.Cycle, at.Shuffles, n)
							}
							shuffles[at.Cycle] = at.Shuffles
						}
						return choose(w, enabled)
					}, 200_000)
					if err != nil {
						t.Fatal(err)
					}
					for c, n := range shuffles {
						if next, ok := shuffles[c+1]; ok && next > n {
							with++
						} else if ok {
							without++
						}
					}
				}
			}
		}
		if with < 20 || (without < 20) != (trigger == lb.TriggerAlways) {
			t.Errorf("%s: %d cycles end in a shuffle and %d do not", trigger, with, without)
		}
	}
}

// plenty is a share that never becomes empty once it has work, and can always be split.
type plenty struct{ has bool }

func (w *plenty) Expand(limit int) int            { return limit }
func (w *plenty) Empty() bool                     { return !w.has }
func (w *plenty) Split(dst []byte) ([]byte, bool) { return append(dst, 1), true }
func (w *plenty) Pack(dst []byte) []byte          { w.has = false; return append(dst, 1) }
func (w *plenty) Accept([]byte) error             { w.has = true; return nil }

// hub is the Env of ranks whose messages the test delivers.
type hub struct {
	caller
	mail *[]comm.Message
}

func (h hub) Now() comm.Time  { return 0 }
func (h hub) Alarm(comm.Time) {}
func (h hub) Send(m comm.Message) {
	m.From = int32(h.rank)
	*h.mail = append(*h.mail, m)
}

// Phases without a grant or a shuffle do not allocate.
func TestPhasesDoNotAllocate(t *testing.T) {
	const p = 5
	var mail []comm.Message
	var envs []comm.Env
	var ranks []lb.Balancer
	for i := range p {
		envs = append(envs, hub{caller{rank: i, size: p, stream: rand.New(rand.NewPCG(1, uint64(i)))}, &mail})
		ranks = append(ranks, lb.NewShuffleRank(lb.Options{Work: &plenty{i == 0}, Detector: &termination.Credit{}, PhaseNodes: 2}, i, p))
		ranks[i].Start(envs[i])
	}
	round := func() {
		for i, b := range ranks {
			if b.State() == lb.Busy {
				b.Step(envs[i], 1)
			}
		}
		for next := 0; next < len(mail); next++ {
			m := mail[next]
			ranks[m.To].Deliver(envs[m.To], m)
		}
		mail = mail[:0]
	}
	for range 100 { // afterwards all ranks are busy
		round()
	}
	before := lb.PositionOf(ranks[3], 3).Phase
	if n := testing.AllocsPerRun(1000, round); n != 0 {
		t.Errorf("a round makes %v allocations, want none", n)
	}
	if after := lb.PositionOf(ranks[3], 3).Phase; after < before+100 {
		t.Errorf("only %d phases went by", after-before)
	}
}

// Unknown words are refused with a list of the known ones.
func TestShuffleRefusesUnknownWords(t *testing.T) {
	for _, o := range []lb.Options{{Trigger: "sometimes"}, {Permutation: "reverse"}} {
		o.Work = explore.NewToy(explore.Shape{}, true)
		_, err := lb.New("shuffle", o, 0, 1)
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q: expected one of", o.Trigger+o.Permutation)) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if !lb.MovesShares("shuffle") || !lb.MovesShares("static+shuffle") || lb.MovesShares("rp") {
		t.Error("MovesShares is wrong")
	}
}

// restless is a share that has settled when it has expanded 7 nodes since it was accepted.
type restless struct {
	plenty
	expanded int
	early    *int // counts the moves of shares that had not settled
}

func (w *restless) Expand(limit int) int { w.expanded += limit; return limit }
func (w *restless) Accept(p []byte) error {
	w.expanded = 0
	return w.plenty.Accept(p)
}
func (w *restless) Settled() bool { return !w.has || w.expanded >= 7 }
func (w *restless) Pack(dst []byte) []byte {
	if !w.Settled() {
		*w.early++
	}
	return w.plenty.Pack(dst)
}

// A share moves only after it has settled, under permutations of both kinds.
func TestShuffleWaitsUntilSharesSettle(t *testing.T) {
	for _, permutation := range lb.ShufflePermutations {
		const p = 5
		var mail []comm.Message
		var envs []comm.Env
		var ranks []lb.Balancer
		early := 0
		for i := range p {
			envs = append(envs, hub{caller{rank: i, size: p, stream: rand.New(rand.NewPCG(1, uint64(i)))}, &mail})
			work := &restless{plenty: plenty{i == 0}, early: &early}
			ranks = append(ranks, lb.NewShuffleRank(lb.Options{Work: work, Detector: &termination.Credit{}, PhaseNodes: 2, Trigger: lb.TriggerAlways, Permutation: permutation}, i, p))
			ranks[i].Start(envs[i])
		}
		for range 1000 {
			for i, b := range ranks {
				if b.State() == lb.Busy {
					b.Step(envs[i], 1)
				}
			}
			for next := 0; next < len(mail); next++ {
				ranks[mail[next].To].Deliver(envs[mail[next].To], mail[next])
			}
			mail = mail[:0]
		}
		if at := lb.PositionOf(ranks[3], 3); early > 0 || at.Shuffles < 50 {
			t.Errorf("%s: %d shares moved before they had settled, in %d shuffles", permutation, early, at.Shuffles)
		}
	}
}

var (
	_ search.Packer  = (*plenty)(nil)
	_ search.Settler = (*restless)(nil)
)
