//go:build cadical && cgo

package cadical

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"treesplit/sat"
	"treesplit/sat/cdcl"
	"treesplit/sat/drat"
	"treesplit/sat/ruletest"
)

// record keeps a proof as text.
type record struct {
	text             bytes.Buffer
	lemmas, deleted  int
	beforeLast, last uint64 // ids
}

func (r *record) AddLemma(id uint64, clause []int32, _ []uint64) {
	r.beforeLast, r.last = r.last, id
	r.lemmas++
	r.writeLine("", clause)
}

func (r *record) DeleteClause(_ uint64, clause []int32) {
	r.deleted++
	r.writeLine("d ", clause)
}

func (r *record) writeLine(kind string, clause []int32) {
	r.text.WriteString(kind)
	for _, l := range clause {
		fmt.Fprint(&r.text, l, " ")
	}
	r.text.WriteString("0\n")
}

// withUnits returns the formula with more unit clauses.
func withUnits(f *sat.Formula, units []int32) *sat.Formula {
	with := &sat.Formula{Variables: f.Variables}
	for _, c := range f.Clauses() {
		with.AddClause(c...)
	}
	for _, l := range units {
		with.AddClause(l)
	}
	return with
}

// check returns an error unless the proof refutes the formula with more units.
func (r *record) check(f *sat.Formula, units []int32) error {
	report, err := drat.Check(withUnits(f, units).Clauses(), bytes.NewReader(append(r.text.Bytes(), "0\n"...)), "proof", drat.Options{})
	if err == nil && (!report.Verified || report.RAT > 0 || report.Missing > 0) {
		err = fmt.Errorf("the proof is not accepted: %+v", report)
	}
	return err
}

// newSolver returns a solver of a formula.
func newSolver(t testing.TB, f *sat.Formula, o Options) *Solver {
	t.Helper()
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	s.AddFormula(f)
	return s
}

// referee returns the verdict of sat/cdcl under assumptions.
func referee(f *sat.Formula, assumed []int32) cdcl.Status {
	s := cdcl.New(cdcl.Options{})
	s.AddFormula(f)
	s.Assume(assumed...)
	return s.Solve(cdcl.NoLimit)
}

// judge returns an error if a result under assumptions is wrong.
func judge(f *sat.Formula, s *Solver, r *record, assumed []int32, status cdcl.Status) error {
	if want := referee(f, assumed); status != want {
		return fmt.Errorf("%v, want %v", status, want)
	}
	if status == cdcl.Satisfiable {
		return withUnits(f, assumed).CheckModel(s.Model(f.Variables))
	}
	for _, l := range s.Failed() {
		if !slices.Contains(assumed, l) {
			return fmt.Errorf("%d failed, but is not assumed", l)
		}
	}
	if referee(f, s.Failed()) != cdcl.Unsatisfiable {
		return fmt.Errorf("the failed assumptions %d do not refute the formula", s.Failed())
	}
	return r.check(f, s.Failed())
}

// drawFormula draws a formula around the threshold, or one of odd shape.
func drawFormula(rng *rand.Rand, i int) *sat.Formula {
	switch i % 3 {
	case 0:
		return ruletest.MixedFormula(rng)
	case 1:
		return ruletest.RandomFormula(rng, 60, 255, 3)
	default:
		return ruletest.RandomFormula(rng, 50, 135, 2, 3, 4)
	}
}

// drawLiterals draws some literals.
func drawLiterals(rng *rand.Rand, variables, n int) (literals []int32) {
	for range n {
		l := int32(1 + rng.IntN(variables))
		if rng.IntN(2) == 0 {
			l = -l
		}
		literals = append(literals, l)
	}
	return literals
}

// Verdicts under assumptions, with clauses added between the calls, equal the verdicts of sat/cdcl. Failed
// assumptions refute the formula, by the proof too.
func TestIncremental(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	counts := map[cdcl.Status]int{}
	for i := range 240 {
		f, r := drawFormula(rng, i), new(record)
		s := newSolver(t, f, Options{Proof: r, Seed: uint64(i % 3)})
		for call := range 4 {
			var assumed []int32
			if f.Variables > 0 && call < 3 {
				assumed = drawLiterals(rng, f.Variables, rng.IntN(6))
			}
			s.Assume(assumed...)
			status := s.Solve(cdcl.NoLimit)
			if err := judge(f, s, r, assumed, status); err != nil {
				t.Fatalf("formula %d, %v, call %d under %d: %v", i, f, call, assumed, err)
			}
			counts[status]++
			if f.Variables > 0 {
				clause := drawLiterals(rng, f.Variables, 3)
				f.AddClause(clause...)
				s.AddClause(clause...)
			}
		}
		s.Close()
	}
	if counts[cdcl.Satisfiable] < 100 || counts[cdcl.Unsatisfiable] < 100 {
		t.Errorf("results %v: the test shows half", counts)
	}
}

// structured are formulas that CaDiCaL simplifies before it searches.
var structured = []struct{ family, params string }{
	{"php", "n=7"}, {"adder", "n=8"}, {"multiplier", "n=4"}, {"parity", "n=40"}, {"tseitin-torus", "r=3 c=4"},
	{"vdw", "j=3 k=6 n=32"}, {"sgen", "groups=7"}, {"langford", "n=6"}, {"latin", "n=9 holes=30"}, {"schur", "colours=3 n=14"},
}

// A complete formula is decided in parts, with a proof that may eliminate variables. The proof has
// no deletions of missing clauses, and its ids are in sequence.
func TestComplete(t *testing.T) {
	deleted, parts := 0, 0
	for _, c := range structured {
		f, r := ruletest.MakeFamily(t, c.family, 1, c.params), new(record)
		s := newSolver(t, f, Options{Proof: r, Complete: true})
		status := cdcl.Unknown
		for status == cdcl.Unknown {
			var nodes int
			if nodes, status = s.Search(1); nodes != 1 {
				t.Fatalf("%s: %d nodes", c.family, nodes)
			}
			parts++
		}
		if err := judge(f, s, r, nil, status); err != nil {
			t.Errorf("%s %s: %v", c.family, c.params, err)
		}
		if status == cdcl.Unsatisfiable && (r.last != uint64(f.Len()+r.lemmas) || r.beforeLast+1 != r.last) {
			t.Errorf("%s %s: the last lemma has id %d after %d clauses and %d lemmas", c.family, c.params, r.last, f.Len(), r.lemmas)
		}
		deleted += r.deleted
	}
	if deleted == 0 || parts == len(structured) {
		t.Errorf("%d deletions, %d parts of %d searches", deleted, parts, len(structured))
	}
}

// A limit is kept, and the same calls give the same results.
func TestLimit(t *testing.T) {
	f := ruletest.MakeFamily(t, "php", 1, "n=7")
	run := func(seed uint64) (calls, conflicts int64) {
		s := newSolver(t, f, Options{Seed: seed})
		defer s.Close()
		for s.Solve(200) == cdcl.Unknown {
			calls++
		}
		return calls, s.Conflicts()
	}
	calls, conflicts := run(1)
	if again, same := run(1); again != calls || same != conflicts {
		t.Errorf("%d calls and %d conflicts, again %d and %d", calls, conflicts, again, same)
	}
	if calls < 3 || conflicts < 180*calls || conflicts > 220*(calls+1) {
		t.Errorf("%d calls of 200 conflicts: %d conflicts", calls, conflicts)
	}
	if _, other := run(4); other == conflicts {
		t.Errorf("another seed has the same %d conflicts", conflicts)
	}
}

// A mistake in the proof is found: without one of its lemmas, or with a shorter one, it is refused.
func TestTamperedProof(t *testing.T) {
	f, r := ruletest.MakeFamily(t, "php", 1, "n=5"), new(record)
	s := newSolver(t, f, Options{Proof: r, Complete: true})
	status := s.Solve(cdcl.NoLimit)
	if status != cdcl.Unsatisfiable || r.check(f, nil) != nil {
		t.Fatalf("%v, or no proof", status)
	}
	refused := 0
	lines := bytes.SplitAfter(r.text.Bytes(), []byte("\n"))
	for i, line := range lines {
		if bytes.HasPrefix(line, []byte("d")) || bytes.IndexByte(line, ' ') < 0 {
			continue
		}
		short := slices.Clone(lines)
		short[i] = line[bytes.IndexByte(line, ' ')+1:] // without the first literal
		damaged := &record{text: *bytes.NewBuffer(bytes.Join(short, nil))}
		if damaged.check(f, nil) != nil {
			refused++
		}
	}
	if refused < len(lines)/4 {
		t.Errorf("%d of %d shortened lemmas are refused", refused, len(lines))
	}
}

// A literal that is no DIMACS number panics.
func TestInvalidLiteral(t *testing.T) {
	for _, l := range []int32{0, sat.MaxVariables + 1, -1 << 31} {
		err := func() (err error) {
			defer func() {
				if recover() != nil {
					err = errors.New("panic")
				}
			}()
			newSolver(t, &sat.Formula{}, Options{}).AddClause(1, l)
			return nil
		}()
		if err == nil {
			t.Errorf("literal %d is accepted", l)
		}
	}
}
