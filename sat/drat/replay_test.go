package drat

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// readAllParts reads a proof in parts.
func readAllParts(t *testing.T, c *checker, d division, proof string) (parts []*part) {
	t.Helper()
	r := &partReader{parser: newParser(strings.NewReader(proof)), names: c.handOver(), division: d}
	for more := true; more; {
		k := &part{before: r.names.variables.count}
		more = r.readPart(k)
		k.seen = r.names.variables.count
		parts = append(parts, k)
	}
	if r.err != nil {
		t.Fatal(r.err)
	}
	return parts
}

// withoutPairs returns the part as if no lemma were deleted in it: all its steps are applied.
func withoutPairs(k *part) *part {
	copied := *k
	copied.steps = slices.Clone(k.steps)
	for i := range copied.steps {
		copied.steps[i].mate = none
	}
	return &copied
}

// state is what later checks depend on.
type state struct {
	clauses       [][]literal
	top           []literal
	words, wasted int
	refuted       bool
}

// stateOf returns the state of a checker.
func stateOf(c *checker) (s state) {
	for r := ref(0); r != none && int(r) < len(c.arena); r = c.nextClause(r) {
		if !c.isDeleted(r) {
			s.clauses = append(s.clauses, slices.Sorted(slices.Values(c.clauseLiterals(r))))
		}
	}
	slices.SortFunc(s.clauses, slices.Compare)
	s.top = slices.Sorted(slices.Values(c.queue))
	s.words, s.wasted, s.refuted = c.words, c.wasted, c.refuted
	return s
}

// equals reports whether two states are the same.
func (s state) equals(o state) bool {
	return slices.EqualFunc(s.clauses, o.clauses, slices.Equal) && slices.Equal(s.top, o.top) &&
		s.words == o.words && s.wasted == o.wasted && s.refuted == o.refuted
}

// passing returns a checker of a formula, which is ready to pass parts.
func passing(t *testing.T, formula [][]int32, b bounded) *checker {
	t.Helper()
	c := newChecker()
	c.room, c.slack = b.room, b.slack
	if err := c.loadClauses(slices.All(formula)); err != nil {
		t.Fatal(err)
	}
	return c
}

// A worker that leaves out lemmas has, after every part, the clauses, the literals of the top level
// and the counted words of a worker that applies every step, as far as the clauses are not refuted
// and fit the memory.
func TestReplay(t *testing.T) {
	var parts, left, exact, growing, refuted, full int
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 14))
		variables := 4 + r.IntN(12)
		formula := random3SAT(r, variables, 2*variables)
		var proof, open []step
		for range 100 {
			if len(open) > 0 && r.IntN(2) == 0 {
				c := slices.Clone(open[r.IntN(len(open))].clause)
				r.Shuffle(len(c), func(i, j int) { c[i], c[j] = c[j], c[i] })
				proof = append(proof, step{true, c})
				continue
			}
			lemma := step{false, randomClause(r, variables+3, 1+bit(r.IntN(8) > 0), 4)}
			proof, open = append(proof, lemma), append(open, lemma)
		}
		b := bounded{[]int{maxLemmaWords, 60 + r.IntN(200)}[bit(r.IntN(4) == 0)], r.IntN(60)}
		fast, slow := passing(t, formula, b), passing(t, formula, b)
		if fast.refuted {
			continue
		}
		slow.handOver()
		for _, k := range readAllParts(t, fast, division{partSteps: 1 + r.IntN(30), partSize: 1000}, text(proof)) {
			before := len(slow.queue)
			more, want := fast.Pass(k), slow.Pass(withoutPairs(k))
			if a, b := stateOf(fast), stateOf(slow); more != want || more && !a.equals(b) {
				t.Fatalf("seed %d: %v, %+v, want %v, %+v\n%v\n%s", seed, more, a, want, b, formula, text(proof))
			}
			if len(fast.arena) > fast.words {
				t.Fatalf("seed %d: %d words, of which %d are counted", seed, len(fast.arena), fast.words)
			}
			parts++
			left += bit(len(fast.arena) < len(slow.arena))
			growing += bit(len(slow.queue) > before)
			exact += bit(len(slow.queue) > before && slices.ContainsFunc(k.steps, func(s partStep) bool { return s.mate != none }))
			if !more {
				refuted += bit(slow.refuted)
				full += bit(!slow.refuted)
				break
			}
		}
	}
	t.Logf("%d parts, after %d the arena is smaller, in %d the top level grows, in %d of these with pairs; %d refuted, %d too large", parts, left, growing, exact, refuted, full)
	if min(left, growing, exact, refuted, full) < 15 {
		t.Error("the parts do not exercise every case")
	}
}
