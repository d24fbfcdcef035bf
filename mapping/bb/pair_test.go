package bb

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"treesplit/mapping"
)

// improver draws a problem, a map of it, and a pair of its processors.
func improver(t *testing.T, rng *rand.Rand) (p *mapping.Problem, v *Improver, pair Pair) {
	t.Helper()
	for p == nil || p.Processors < 2 {
		p = tiny(rng, 8)
	}
	v, err := NewImprover(p, drawMap(rng, p))
	if err != nil {
		t.Fatal(err)
	}
	a := rng.IntN(p.Processors)
	b := (a + 1 + rng.IntN(p.Processors-1)) % p.Processors
	return p, v, Pair{int32(a), int32(b)}
}

func drawMap(rng *rand.Rand, p *mapping.Problem) mapping.Map {
	m := make(mapping.Map, len(p.Objects))
	for i, o := range p.Objects {
		if m[i] = o.Home; !o.Fixed {
			m[i] = int32(rng.IntN(p.Processors))
		}
	}
	return m
}

// exact reports whether no group has its sender elsewhere and several receivers on the pair.
func exact(v *Improver, pair Pair) bool {
	for _, g := range v.in.groups {
		inside := 0
		for _, j := range g.receivers {
			if slices.Contains(pair[:], v.where[j]) {
				inside++
			}
		}
		if inside > 1 && !slices.Contains(pair[:], v.where[g.sender]) {
			return false
		}
	}
	return true
}

// Where exact is true, a new map of the objects of two processors to the same two processors
// changes the cost of no other processor. The costs of the two are those of the reduced
// problem, in which an object also pays its own side of its messages to other processors.
// So the search of the reduced problem finds the best map of the pair.
func TestReducedProblemIsThePair(t *testing.T) {
	rng := rand.New(rand.NewPCG(30, 1))
	proxied, improved := 0, 0
	for range 3000 {
		p, v, pair := improver(t, rng)
		if !exact(v, pair) {
			continue
		}
		r := v.reducePair(pair, 0, nil)
		whole, best := slices.Clone(v.where), int64(None)
		completions(r.problem, nil, func(m mapping.Map) {
			for k, i := range r.objects {
				whole[i] = pair[m[k]]
			}
			got, want := r.problem.EvaluateMap(m).Cost, p.EvaluateMap(whole).Cost
			best = min(best, max(want[pair[0]], want[pair[1]]))
			for q, ns := range want {
				switch int32(q) {
				case pair[0]:
					ns -= got[0]
				case pair[1]:
					ns -= got[1]
				default:
					ns -= v.cost[q]
				}
				if ns != 0 {
					t.Fatalf("%+v with %v: costs %v, reduced %v, before %v", p, whole, want, got, v.cost)
				}
			}
		})
		if len(v.in.groups) > 0 {
			proxied++
		}
		before := max(v.cost[pair[0]], v.cost[pair[1]])
		c := v.SearchPair(pair, Limits{}, nil, nil)
		if better := v.ApplyChange(c); better != (best < before) || !c.Ended || max(v.cost[pair[0]], v.cost[pair[1]]) != min(best, before) {
			t.Fatalf("%+v: %+v gave %v, from %d, the best is %d", p, c, v.cost, before, best)
		} else if better {
			improved++
		}
		if want := p.EvaluateMap(v.CurrentMap()).Cost; !slices.Equal(v.cost, want) {
			t.Fatalf("%+v: costs %v, evaluated %v", p, v.cost, want)
		}
	}
	if proxied < 100 || improved < 100 {
		t.Errorf("%d with proxies, %d improved: the test shows little", proxied, improved)
	}
}

// With any proxies changes are kept only if the largest cost that they change falls, and
// so the costs, sorted, fall.
func TestChangesImprove(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	inexact, kept, refused := 0, 0, 0
	for range 4000 {
		p, v, pair := improver(t, rng)
		if exact(v, pair) {
			continue
		}
		inexact++
		before, where := sorted(v.cost), slices.Clone(v.where)
		c := v.SearchPair(pair, Limits{Objects: rng.IntN(9)}, rng, nil)
		better := v.ApplyChange(c)
		switch after := sorted(v.cost); {
		case better:
			kept++
			if slices.Compare(after, before) >= 0 {
				t.Fatalf("%+v: costs from %v to %v", p, before, after)
			}
		case !slices.Equal(where, v.where):
			t.Fatalf("%+v: a change that was not kept left %v of %v", p, v.where, where)
		case len(c.Moves) > 0:
			refused++
		}
		if err := p.CheckMap(v.where); err != nil || !slices.Equal(v.cost, p.EvaluateMap(v.where).Cost) {
			t.Fatalf("%+v: %v, costs %v", p, err, v.cost)
		}
	}
	t.Logf("%d inexact: %d kept, %d refused", inexact, kept, refused)
	if kept == 0 || refused == 0 {
		t.Error("nothing was kept, or nothing refused")
	}
}

// sorted returns costs, the largest first.
func sorted(cost []int64) []int64 {
	s := slices.Sorted(slices.Values(cost))
	slices.Reverse(s)
	return s
}

// The pairs of a round can be searched at the same time: without proxies every change that was
// found before any change was made is still an improvement.
func TestPairsOfARoundAreIndependent(t *testing.T) {
	rng := rand.New(rand.NewPCG(32, 1))
	made := 0
	for range 100 {
		p := graph(rng, 20, 6, 2, 20)
		v, err := NewImprover(p, drawMap(rng, p))
		if err != nil {
			t.Fatal(err)
		}
		var found []Change
		for _, pair := range RoundPairs(6, rng.IntN(TournamentRounds(6))) {
			found = append(found, v.SearchPair(pair, Limits{}, nil, nil))
		}
		for _, c := range found {
			if better := v.ApplyChange(c); better != (len(c.Moves) > 0) {
				t.Fatalf("%+v: kept %v", c, better)
			} else if better {
				made++
			}
		}
	}
	if made < 100 {
		t.Errorf("%d changes: the test shows little", made)
	}
}

// In a tournament every two processors meet once, and no processor is in two pairs of a round.
func TestRounds(t *testing.T) {
	for p := range 40 {
		met := map[Pair]int{}
		for r := range TournamentRounds(p) {
			busy := map[int32]bool{}
			for _, pair := range RoundPairs(p, r) {
				met[pair]++
				for _, q := range pair {
					if busy[q] || q < 0 || int(q) >= p {
						t.Fatalf("P = %d, round %d: %v", p, r, RoundPairs(p, r))
					}
					busy[q] = true
				}
			}
		}
		for pair, n := range met {
			if n != 1 || pair[0] >= pair[1] {
				t.Fatalf("P = %d: %v met %d times", p, pair, n)
			}
		}
		if len(met) != p*(p-1)/2 {
			t.Fatalf("P = %d: %d pairs", p, len(met))
		}
	}
}

// Where a tournament ends by itself no pair can be improved.
func TestTournamentEndsAtALocalOptimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 1))
	for seed := range uint64(100) {
		p := graph(rng, 12, 2+int(seed%4), 2, 20)
		v, err := NewImprover(p, drawMap(rng, p))
		if err != nil {
			t.Fatal(err)
		}
		tournament := NewTournament(v)
		for round, ok := tournament.NextRound(); ok; round, ok = tournament.NextRound() {
			for _, pair := range round {
				tournament.TakeChange(v.SearchPair(pair, tournament.Limits, rng, nil))
			}
		}
		for r := range TournamentRounds(p.Processors) {
			for _, pair := range RoundPairs(p.Processors, r) {
				if c := v.SearchPair(pair, Limits{}, nil, nil); len(c.Moves) > 0 {
					t.Fatalf("seed %d: %+v was left", seed, c)
				}
			}
		}
	}
}

// Invalid changes are refused and change nothing.
func TestImproverRefuses(t *testing.T) {
	p := &mapping.Problem{Processors: 3, Objects: []mapping.Object{{Comp: 5, Home: 1}, {Comp: 6, Home: 0, Fixed: true}, {Comp: 7, Home: mapping.Nowhere}}}
	for _, m := range []mapping.Map{nil, {0, 0, 3}, {0, 1, 0}} {
		if _, err := NewImprover(p, m); err == nil {
			t.Errorf("%v was taken", m)
		}
	}
	v, err := NewImprover(p, mapping.Map{0, 0, 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []Change{{Pair: Pair{0, 1}}, {Pair: Pair{0, 1}, Moves: []int32{1}}, {Pair: Pair{0, 1}, Moves: []int32{2}}, {Pair: Pair{0, 1}, Moves: []int32{3}}, {Pair: Pair{0, 1}, Moves: []int32{-1}}} {
		if v.ApplyChange(c) || fmt.Sprint(v.CurrentMap(), v.cost) != "[0 0 2] [11 0 7]" {
			t.Errorf("%+v was made: %v %v", c, v.CurrentMap(), v.cost)
		}
	}
	if !v.ApplyChange(Change{Pair: Pair{0, 1}, Moves: []int32{0}}) || fmt.Sprint(v.CurrentMap(), v.cost) != "[1 0 2] [6 5 7]" {
		t.Errorf("%v %v", v.CurrentMap(), v.cost)
	}
}
