package sat

import (
	"math/rand/v2"
	"slices"
	"testing"

	"treesplit/search"
	"treesplit/search/searchtest"
)

// reference is rule paper as the definition reads, without any state but the
// assignment: value[v] is +1, -1 or 0.
type reference struct {
	f      *Formula
	value  []int32
	counts Counts
}

func (r *reference) visit(depth int64) {
	r.counts.Expanded++
	r.counts.MaxDepth = max(r.counts.MaxDepth, depth)
	branch, openClauses := int32(0), 0
	for i := range r.f.Len() {
		free, satisfied := int32(0), false
		for _, l := range r.f.Clause(i) {
			switch v := r.value[max(l, -l)]; {
			case v*l > 0:
				satisfied = true
			case v == 0 && free == 0:
				free = l
			}
		}
		if satisfied {
			continue
		}
		if free == 0 {
			r.counts.Conflicts++
			return
		}
		if openClauses++; openClauses == 1 {
			branch = free
		}
	}
	if openClauses == 0 {
		r.counts.Solutions++
		return
	}
	v, sign := max(branch, -branch), int32(1)
	if branch < 0 {
		sign = -1
	}
	for _, value := range []int32{sign, -sign} {
		r.value[v] = value
		r.visit(depth + 1)
	}
	r.value[v] = 0
}

func wholeTree(f *Formula) Counts {
	r := reference{f: f, value: make([]int32, f.Variables+1)}
	r.visit(0)
	return r.counts
}

// run expands a share in steps until it is empty or decided.
func run(s *Search, quantum int) *Search {
	for !s.Empty() && !s.Decided() {
		s.Expand(quantum)
	}
	return s
}

// The engine visits the nodes that the definition visits: all counters agree on
// thousands of small formulas of every shape.
func TestAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	satisfiable, unsatisfiable := 0, 0
	for i := range 10_000 {
		f := mixed(rng)
		want := wholeTree(f)
		s := run(NewPaper(f).NewSearch(Options{Root: true, All: true}), 1+rng.IntN(20))
		if s.Counts() != want {
			t.Fatalf("formula %d %v: %+v, want %+v", i, f, s.Counts(), want)
		}
		model := s.Model()
		if (model != nil) != (want.Solutions > 0) {
			t.Fatalf("formula %d %v: model %v with %d solutions", i, f, model, want.Solutions)
		}
		if model == nil {
			unsatisfiable++
			continue
		}
		satisfiable++
		if err := f.CheckModel(model); err != nil {
			t.Fatalf("formula %d %v: %v", i, f, err)
		}
	}
	if satisfiable < 1000 || unsatisfiable < 1000 {
		t.Errorf("%d satisfiable, %d unsatisfiable: the formulas are too much alike", satisfiable, unsatisfiable)
	}
}

func TestAgainstDefinitionRandom3SAT(t *testing.T) {
	for seed := range uint64(20) {
		f := random3SAT(seed, 20, 60+4*int(seed))
		want := wholeTree(f)
		if got := run(NewPaper(f).NewSearch(Options{Root: true, All: true}), 1000).Counts(); got != want {
			t.Errorf("seed %d: %+v, want %+v", seed, got, want)
		}
	}
}

// Node counts of the pigeonhole formulas, on which independent programs agree.
func TestPigeonholeNodes(t *testing.T) {
	for n, want := range map[int]int64{3: 97, 4: 521, 5: 3261, 6: 23485, 7: 191801, 8: 1753617} {
		s := run(NewPaper(php(n)).NewSearch(Options{Root: true}), 1<<20)
		c := s.Counts()
		if c.Expanded != want || c.Conflicts != (want+1)/2 || c.Solutions != 0 || s.Model() != nil || s.Decided() {
			t.Errorf("PHP(%d): %+v, want %d nodes, half of them conflicts", n, c, want)
		}
	}
}

func TestTrivialFormulas(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(f *Formula)
		want  Counts
		model int // length of the model, -1 for none
	}{
		{"no clauses", func(f *Formula) { f.Variables = 3 }, Counts{Expanded: 1, Solutions: 1}, 3},
		{"nothing at all", func(*Formula) {}, Counts{Expanded: 1, Solutions: 1}, 0},
		{"an empty clause", func(f *Formula) { f.AddClause(1, 2); f.AddClause() }, Counts{Expanded: 1, Conflicts: 1}, -1},
		{"a unit clause", func(f *Formula) { f.AddClause(-2) }, Counts{Expanded: 3, Conflicts: 1, Solutions: 1, MaxDepth: 1}, 2},
		{"a tautological clause", func(f *Formula) { f.AddClause(-1, 1) }, Counts{Expanded: 3, Solutions: 2, MaxDepth: 1}, 1},
		{"a repeated literal", func(f *Formula) { f.AddClause(1, 1) }, Counts{Expanded: 3, Conflicts: 1, Solutions: 1, MaxDepth: 1}, 1},
		{"most variables do not occur", func(f *Formula) { f.Variables = MaxVariables; f.AddClause(MaxVariables) },
			Counts{Expanded: 3, Conflicts: 1, Solutions: 1, MaxDepth: 1}, MaxVariables},
	} {
		f := new(Formula)
		c.build(f)
		s := run(NewPaper(f).NewSearch(Options{Root: true, All: true}), 10)
		if s.Counts() != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, s.Counts(), c.want)
		}
		model := s.Model()
		if (model == nil) != (c.model < 0) || model != nil && (len(model) != c.model || f.CheckModel(model) != nil) {
			t.Errorf("%s: a model of %d variables", c.name, len(model))
		}
	}
}

// Without All the search stops at the first solution in depth-first order, and the
// share does nothing more.
func TestStopsAtFirstSolution(t *testing.T) {
	f := random3SAT(7, 20, 60)
	rule := NewPaper(f)
	s := run(rule.NewSearch(Options{Root: true}), 1000)
	c := s.Counts()
	if !s.Decided() || c.Solutions != 1 || s.Expand(100) != 0 || s.Counts() != c {
		t.Fatalf("decided %v, %+v", s.Decided(), c)
	}
	if err := f.CheckModel(s.Model()); err != nil {
		t.Error(err)
	}
	all := run(rule.NewSearch(Options{Root: true, All: true}), 1000)
	if all.Decided() || all.Counts().Expanded <= c.Expanded || all.Counts().Solutions < 2 {
		t.Errorf("all: %+v; first: %+v", all.Counts(), c)
	}
	if !slices.Equal(s.Model(), all.Model()) {
		t.Error("the model kept is not the first")
	}
}

func TestWork(t *testing.T) {
	for _, c := range []struct {
		name string
		f    *Formula
	}{
		{"php-6", php(6)},
		{"random unsatisfiable", random3SAT(1, 30, 150)},
		{"random satisfiable", random3SAT(7, 20, 60)},
	} {
		for _, split := range []search.Splitting{
			search.DefaultSplitting,
			{Rule: search.Bottom, MinOpen: 1},
			{Rule: search.Half, MinOpen: 3, Cutoff: 12},
		} {
			t.Run(c.name+" "+split.Rule.String(), func(t *testing.T) {
				rule := NewPaper(c.f)
				share := func(root bool) func() search.Work {
					return func() search.Work {
						return rule.NewSearch(Options{Splitting: split, Root: root, All: true})
					}
				}
				searchtest.Run(t, share(true), share(false), wholeTree(c.f).Expanded)
			})
		}
	}
}
