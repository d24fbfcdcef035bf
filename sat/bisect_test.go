package sat

import (
	"math/rand/v2"
	"testing"

	"treesplit/search"
)

// All parts of a tree together count what the whole does, leaves and solutions too,
// and a solution on the way is a witness of the one part that counts it.
func TestPartsOfABisectionAddUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		f := mixed(rng)
		rule := NewPaper(f)
		want := wholeTree(f)
		k := rng.IntN(7)
		s := rule.NewSearch(Options{All: true, Root: rng.IntN(2) == 0})
		for part := range uint64(1) << k {
			before := s.Counts()
			expanded, _ := s.Bisect(k, part)
			if after := s.Counts(); after.Expanded != before.Expanded+int64(expanded) {
				t.Fatalf("part %d of 2^%d of %v: %+v after %+v and %d nodes", part, k, f, after, before, expanded)
			}
			if s.Empty() && !pristine(s) {
				t.Fatalf("part %d of 2^%d of %v is empty and not as it was", part, k, f)
			}
			run(s, 1+rng.IntN(5))

			own := run(bisected(rule, k, part), 1+rng.IntN(5))
			if solutions := s.Counts().Solutions - before.Solutions; own.Decided() != (solutions > 0) || own.Decided() != (own.Model() != nil) {
				t.Fatalf("part %d of 2^%d of %v: decided %v with %d solutions", part, k, f, own.Decided(), solutions)
			}
			if own.Decided() {
				if err := f.CheckModel(own.Model()); err != nil {
					t.Fatalf("part %d of 2^%d of %v: %v", part, k, f, err)
				}
			}
		}
		if got := s.Counts(); got != want {
			t.Fatalf("2^%d parts of %v: %+v, want %+v", k, f, got, want)
		}
	}
}

// bisected is a part of a search for one solution.
func bisected(rule *Paper, k int, part uint64) *Search {
	s := rule.NewSearch(Options{})
	s.Bisect(k, part)
	return s
}

// Where the root is a leaf, part 0 has it, and it can be packed.
func TestBisectAtALeaf(t *testing.T) {
	for _, c := range []struct {
		name string
		add  [][]int32
		want Counts
	}{
		{"no clauses", nil, Counts{Expanded: 1, Solutions: 1}},
		{"an empty clause", [][]int32{{1, 2}, {}}, Counts{Expanded: 1, Conflicts: 1}},
	} {
		f := new(Formula)
		for _, clause := range c.add {
			f.AddClause(clause...)
		}
		whole := accept(t, bisected(NewPaper(f), 1, 1), NewPaper(f).NewSearch(Options{Root: true}).Pack(nil))
		if run(whole, 10).Counts() != c.want {
			t.Errorf("%s, packed: %+v, want %+v", c.name, whole.Counts(), c.want)
		}
		for _, k := range []int{1, 2, search.MaxSplits} {
			for _, part := range []uint64{0, 1, 1<<k - 1} {
				s := bisected(NewPaper(f), k, part)
				want := c.want
				if part > 0 {
					want = Counts{}
				}
				if s.Counts() != want || !s.Empty() || s.Decided() != (want.Solutions > 0) {
					t.Errorf("%s, part %d of 2^%d: %+v, empty %v, decided %v", c.name, part, k, s.Counts(), s.Empty(), s.Decided())
				}
			}
		}
	}
}
