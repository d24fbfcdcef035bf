package lb_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"treesplit/comm"
	"treesplit/internal/explore"
	"treesplit/lb"
	"treesplit/topology"
)

// The phases of a cycle. On a hypercube all dimensions are polled, on a mesh of r dimensions
// all except the last r·log2 log2 P, on a fat tree the first √(log2 P). The other dimensions
// serve a decision of all ranks, if there is one. If the number of ranks is no power of two,
// there are two more folds. Reference: Sanders, "Better Algorithms for Parallel Backtracking",
// sections 4.1 and 4.2 (S2).
func TestS2PhasesOfACycle(t *testing.T) {
	for _, c := range []struct {
		network        string
		p              int
		phases, polled int // with a decision of all ranks
	}{
		{"hypercube", 2, 1, 1}, {"hypercube", 3, 3, 3}, {"hypercube", 1024, 10, 10}, {"hypercube", 1023, 11, 11},
		{"mesh", 4, 2, 1}, {"mesh", 16, 4, 1}, {"mesh", 1024, 10, 3}, {"mesh", 65536, 16, 8}, {"mesh", 65535, 17, 9},
		{"mesh3", 4096, 12, 1}, {"mesh3", 1 << 18, 18, 5}, {"ring", 256, 8, 5},
		{"fattree", 16, 4, 2}, {"fattree", 1024, 10, 4}, {"fattree", 65536, 16, 4}, {"crossbar", 64, 6, 6},
	} {
		network, err := topology.Parse(c.network, c.p)
		if err != nil {
			t.Fatal(err)
		}
		phases, polled := lb.CycleLen(network, false)
		if phases != c.phases || polled != c.polled {
			t.Errorf("%s, P = %d: %d phases, %d of them polled; want %d and %d", c.network, c.p, phases, polled, c.phases, c.polled)
		}
		if phases, _ := lb.CycleLen(network, true); phases != c.polled {
			t.Errorf("%s, P = %d: %d phases if every cycle ends in a shuffle, want %d", c.network, c.p, phases, c.polled)
		}
	}
}

// notifier is the Env of a rank that only notifies rank 0.
type notifier struct {
	caller
	sent *int
}

func (n notifier) Send(m comm.Message) {
	if m.Kind == comm.Notify && m.To == 0 {
		*n.sent++
	}
}

// estimates makes n ranks, the last f·n of them idle, notify rank 0 at rate c for four windows
// of log n phases. It returns the error of rank 0's estimate at the end and the number of
// notifications in the last window.
func estimates(c, n int, f float64, stream *rand.Rand) (off float64, came int) {
	window := int(math.Log2(float64(n)))
	first, other := lb.NewNotifyTrigger(c, n), lb.NewNotifyTrigger(c, n)
	idle, sent := int(f*float64(n)), 0
	var env comm.Env = notifier{caller{rank: 1, size: n, stream: stream}, &sent}
	for phase := range 4 * window {
		first.Phase(notifier{}, false)
		sent = 0
		for range idle {
			other.Phase(env, true)
		}
		for range sent {
			first.Notified()
		}
		if phase >= 3*window {
			came += sent
		}
	}
	return first.Share() - float64(idle)/float64(n), came
}

// For a suitable c the estimate of the idle fraction has an error of at most ε with
// probability at least 1 − 1/n. c = 16 is sufficient for ε = 1/4: at most two of 2n estimates
// have a larger error. c = 1 is not, so the test can fail. The scheme uses c = 4, which is
// sufficient for ε = 1/2 only; its purpose is to distinguish many idle ranks from few. In log
// n phases at most 2c·log n notifications arrive. Reference: Sanders, "Better Algorithms for
// Parallel Backtracking", section 5, lemmas 4 and 5 (S4).
func TestS4EstimateOfIdleRanks(t *testing.T) {
	sizes := []int{64, 256, 1024}
	if testing.Short() {
		sizes = sizes[:1]
	}
	for _, n := range sizes {
		for _, want := range []struct {
			c       int
			epsilon float64
			holds   bool
		}{{16, 0.25, true}, {4, 0.5, true}, {1, 0.25, false}} {
			worst, missed, most := 0.0, 0, 0
			stream := rand.New(rand.NewPCG(uint64(n), uint64(want.c)))
			trials := 2 * n
			for trial := range trials {
				off, came := estimates(want.c, n, []float64{0.05, 0.25, 0.5, 0.9}[trial%4], stream)
				worst, most = max(worst, math.Abs(off)), max(most, came)
				if math.Abs(off) > want.epsilon {
					missed++
				}
			}
			t.Logf("n = %d, c = %d: error above %.2f in %d of %d estimates, at most %.3f; at most %d notifications in %.0f phases",
				n, want.c, want.epsilon, missed, trials, worst, most, math.Log2(float64(n)))
			if within := missed <= trials/n; within != want.holds {
				t.Errorf("n = %d, c = %d: %d of %d estimates have an error above %.2f", n, want.c, missed, trials, want.epsilon)
			}
			if limit := 2 * want.c * int(math.Log2(float64(n))); want.c > 1 && most > limit {
				t.Errorf("n = %d, c = %d: %d notifications in log n phases, want at most %d", n, want.c, most, limit)
			}
		}
	}
}

// shuffled returns a world under poll and shuffle, and its ranks.
func shuffled(t *testing.T, network string, o lb.Options, p int, shape explore.Shape, seed uint64) (*explore.World, []lb.Balancer) {
	v := variant{scheme: "shuffle", network: network, options: o}
	var ranks []lb.Balancer
	make_ := v.maker(t, "tree")
	w := explore.New(p, shape, seed, func(work *explore.Toy, rank, size int) lb.Balancer {
		b := make_(work, rank, size)
		ranks = append(ranks, b)
		return b
	})
	return w, ranks
}

// There is no global clock, and yet ranks are never further apart than their pairwise meetings
// allow. A rank that has left a phase has the partner's report of it. On a hypercube any d
// successive phases include all dimensions, so no rank is more than d phases ahead of another.
// In some schedule ranks are d phases apart. Reference: Sanders, "Better Algorithms for
// Parallel Backtracking", section 6.3, figure 4 (S5).
func TestS5LocalSynchronisation(t *testing.T) {
	for _, dims := range []int{1, 2, 3, 4} {
		p, furthest := 1<<dims, int32(0)
		for seed := range uint64(30) {
			w, ranks := shuffled(t, "hypercube", lb.Options{PhaseNodes: 1 + int(seed%3)}, p, explore.Shape{Seed: seed, Depth: 7, Width: 4}, seed)
			choose := explore.RandomChooser(seed)
			check := func(w *explore.World, enabled []explore.Actor) explore.Actor {
				apart, err := distances(ranks)
				if err != nil {
					t.Fatalf("P = %d, seed %d: %v", p, seed, err)
				}
				furthest = max(furthest, apart)
				return choose(w, enabled)
			}
			if _, err := explore.Run(w, check, 100_000); err != nil {
				t.Fatal(err)
			}
		}
		if furthest != int32(dims) {
			t.Errorf("P = %d: ranks are up to %d phases apart, want %d", p, furthest, dims)
		}
	}
}

// distances returns the largest difference between the phases of two ranks. It returns an
// error if a rank has left a phase that its partner has not reported.
func distances(ranks []lb.Balancer) (most int32, err error) {
	for a := range ranks {
		ahead := lb.PositionOf(ranks[a], a)
		for b := range ranks {
			behind := lb.PositionOf(ranks[b], b)
			most = max(most, ahead.Phase-behind.Phase)
			if behind.Partner == a && ahead.Phase > behind.Phase && !behind.Reported {
				return most, fmt.Errorf("rank %d is in phase %d, while its partner %d has not reported phase %d", a, ahead.Phase, b, behind.Phase)
			}
		}
	}
	return most, nil
}

// A busy rank works while it waits: if none of its messages arrive, it works until its share
// is empty. Reference: Sanders, "Better Algorithms for Parallel Backtracking", section 6.3,
// figure 4 (S5).
func TestS5BusyRankWorksWhileItWaits(t *testing.T) {
	shape := explore.Shape{Seed: 1, Depth: 8, Width: 4}
	for _, p := range []int{2, 5, 8} {
		w, ranks := shuffled(t, "hypercube", lb.Options{PhaseNodes: 1}, p, shape, 1)
		waited := int64(0)
		_, err := explore.Run(w, func(_ *explore.World, enabled []explore.Actor) explore.Actor {
			if enabled[0] == 0 { // rank 0 can work
				if lb.PositionOf(ranks[0], 0).Reported {
					waited++
				}
				return enabled[0]
			}
			if n := ranks[0].Stats().Expanded; n != int64(shape.CountNodes()) {
				t.Fatalf("P = %d: rank 0 has stopped after %d nodes of %d", p, n, shape.CountNodes())
			}
			return enabled[len(enabled)-1]
		}, 100_000)
		if err != nil {
			t.Fatal(err)
		}
		if want := int64(shape.CountNodes()) - 1; waited != want { // the first node ends the phase
			t.Errorf("P = %d: %d nodes were expanded while waiting, want %d", p, waited, want)
		}
	}
}

// meetings counts, over many shuffles of 8 ranks, how often the shares of each pair of ranks
// move to adjacent ranks 2i and 2i+1, and to which rank each share moves.
type meetings struct {
	together, place map[[2]int]float64
	shuffles        float64
	fixed           float64
}

func (m *meetings) add(to []int) {
	m.shuffles++
	for a, x := range to {
		m.place[[2]int{a, x}]++
		if a == x {
			m.fixed++
		}
		for b, y := range to[:a] {
			if x/2 == y/2 {
				m.together[[2]int{b, a}]++
			}
		}
	}
}

// chiSquare compares counts with an equal expectation of n.
func chiSquare(counts map[[2]int]float64, cells int, n float64) (sum float64) {
	for _, c := range counts {
		sum += (c - n) * (c - n) / n
	}
	return sum + float64(cells-len(counts))*n
}

// The ranks that a shuffle brings together. Under pseudorandom permutations, which are
// products of three out of sixteen generators that all ranks know, as well as under truly
// random ones, every pair meets equally often, and shares move to all ranks equally often. The
// test uses 8 ranks and many runs. The truly random permutations are taken from the moves of
// shares in explored worlds. Reference: Sanders, "Better Algorithms for Parallel
// Backtracking", section 3.2 (S6).
func TestS6WhoMeetsInAShuffle(t *testing.T) {
	const p = 8
	runs := uint64(200)
	kinds := map[string]func(m *meetings){
		"pseudo": func(m *meetings) {
			for seed := range runs {
				for cycle := range int32(10) {
					m.add(lb.PseudoShuffle(seed, cycle, p))
				}
			}
		},
		"exact": func(m *meetings) {
			for seed := range runs {
				for _, to := range shufflesOf(t, lb.Options{Seed: seed, Trigger: lb.TriggerAlways, Permutation: "exact", PhaseNodes: 1}, p, seed) {
					m.add(to)
				}
			}
		},
	}
	for name, collect := range kinds {
		m := meetings{together: map[[2]int]float64{}, place: map[[2]int]float64{}}
		collect(&m)
		pairs := chiSquare(m.together, p*(p-1)/2, m.shuffles/(p-1))
		places := chiSquare(m.place, p*p, m.shuffles/p)
		t.Logf("%s: %.0f shuffles, χ² of pairs %.1f, of places %.1f, %.3f shares stay", name, m.shuffles, pairs, places, m.fixed/m.shuffles)
		// χ² of pairs has less than 27 degrees of freedom, χ² of places 49. They exceed these
		// bounds with a probability below 1e-6.
		if pairs > 80 || places > 120 || m.shuffles < 1000 {
			t.Errorf("%s: χ² of pairs %.1f and of places %.1f over %.0f shuffles", name, pairs, places, m.shuffles)
		}
	}
}

// spy records the Moves that its rank receives.
type spy struct {
	lb.Balancer
	moves map[int32][]int // by cycle: the rank to which each rank's share moves
	size  int
}

func (s spy) Deliver(env comm.Env, m comm.Message) {
	if m.Kind == comm.Move {
		if s.moves[m.Tag] == nil {
			s.moves[m.Tag] = make([]int, s.size)
			for i := range s.size {
				s.moves[m.Tag][i] = i // a rank that gets no Move keeps its own share
			}
		}
		s.moves[m.Tag][m.From] = env.Rank()
	}
	s.Balancer.Deliver(env, m)
}

// shufflesOf returns the permutations by which shares move in a world, except the last, and
// fails if one is no permutation.
func shufflesOf(t *testing.T, o lb.Options, p int, seed uint64) [][]int {
	moves := map[int32][]int{}
	make_ := variant{scheme: "shuffle", network: "hypercube", options: o}.maker(t, "tree")
	w := explore.New(p, explore.Shape{Seed: 9, Depth: 13, Width: 4}, seed, func(work *explore.Toy, rank, size int) lb.Balancer {
		return spy{make_(work, rank, size), moves, size}
	})
	if _, err := explore.Run(w, explore.RandomChooser(seed), 100_000); err != nil {
		t.Fatal(err)
	}
	var all [][]int
	for cycle := int32(0); moves[cycle] != nil; cycle++ {
		seen := make([]bool, p)
		for _, to := range moves[cycle] {
			seen[to] = true
		}
		if moves[cycle+1] == nil {
			break // the run may have ended in this cycle
		}
		if all = append(all, moves[cycle]); slices.Contains(seen, false) {
			t.Fatalf("P = %d, seed %d, cycle %d: %v is no permutation", p, seed, cycle, moves[cycle])
		}
	}
	return all
}

// The exact permutations depend on the seed and not on the schedule. They are permutations for
// any number of ranks.
func TestExactShuffleIsTheSeeds(t *testing.T) {
	for p := 2; p <= 9; p++ {
		o := lb.Options{Seed: 5, Trigger: lb.TriggerAlways, Permutation: "exact", PhaseNodes: 1}
		first := shufflesOf(t, o, p, 1)
		for schedule := range uint64(10) {
			other := shufflesOf(t, o, p, schedule)
			for c := range min(len(first), len(other)) {
				if fmt.Sprint(first[c]) != fmt.Sprint(other[c]) {
					t.Fatalf("P = %d, cycle %d: %v and, in another schedule, %v", p, c, first[c], other[c])
				}
			}
		}
	}
}

// Pseudorandom shuffles permute any number of ranks.
func TestPseudoShufflePermutes(t *testing.T) {
	for p := 2; p <= 70; p++ {
		for cycle := range int32(20) {
			seen := make([]bool, p)
			for _, to := range lb.PseudoShuffle(1, cycle, p) {
				if to < 0 || to >= p || seen[to] {
					t.Fatalf("P = %d, cycle %d: rank %d is missing or occurs twice", p, cycle, to)
				}
				seen[to] = true
			}
		}
	}
}

// At the end of a cycle all ranks have the same values, the number of idle ranks and rank 0's
// wish, for every number of ranks and on networks of all kinds.
func TestAllRanksHearTheSame(t *testing.T) {
	for p := 2; p <= 40; p++ {
		for _, name := range []string{"hypercube", "mesh", "mesh4", "fattree", "ring"} {
			network, err := topology.Parse(name, p)
			if err != nil {
				t.Fatal(err)
			}
			for pattern := range uint64(6) {
				stream := rand.New(rand.NewPCG(pattern, uint64(p)))
				idle, want := make([]bool, p), int64(0)
				for i := range idle {
					if idle[i] = pattern == 5 || stream.IntN(4) < int(pattern); idle[i] {
						want++
					}
				}
				wish := pattern%2 == 0
				counts, wishes := lb.ReduceWords(network, func(rank int) bool { return idle[rank] }, wish)
				for i := range p {
					if counts[i] != want || wishes[i] != wish {
						t.Fatalf("%s, P = %d: rank %d holds %d, %v; want %d, %v", name, p, i, counts[i], wishes[i], want, wish)
					}
				}
			}
		}
	}
}
