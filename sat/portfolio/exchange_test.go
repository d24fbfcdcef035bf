package portfolio_test

import (
	"math/rand/v2"
	"testing"

	"treesplit/sat"
	"treesplit/sat/cdcl"
	"treesplit/sat/portfolio"
	"treesplit/sat/proof"
	"treesplit/sat/ruletest"
)

// couple lets two attempts search a formula and exchange what they learn. It returns the share that has decided
// the formula, and the number of clauses that were taken in.
func couple(t *testing.T, f *sat.Formula, exchange bool) (decided *portfolio.Share, taken int64) {
	t.Helper()
	p := portfolio.New(f, portfolio.NewSolver, nil)
	shares := []*portfolio.Share{p.NewShare(portfolio.Options{Root: true, Exchange: exchange}), p.NewShare(portfolio.Options{Exchange: exchange})}
	piece, _ := shares[0].Split(nil)
	if err := shares[1].Accept(piece); err != nil {
		t.Fatal(err)
	}
	for turn := 0; ; turn++ {
		from, to := shares[turn%2], shares[1-turn%2]
		from.Expand(20)
		if from.Decided() {
			return from, from.Counts().Taken + to.Counts().Taken
		}
		if !from.Exchanges() {
			continue
		}
		if facts := from.Export(nil, 1000); len(facts) > 0 {
			if err := to.Import(facts); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// alone returns the verdict of one attempt.
func alone(f *sat.Formula) cdcl.Status {
	s := portfolio.New(f, portfolio.NewSolver, nil).NewShare(portfolio.Options{Root: true})
	s.Expand(1 << 30)
	return s.Status()
}

// Attempts that exchange clauses decide formulas as one attempt does, and their models hold.
func TestExchangedClauses(t *testing.T) {
	rng, refuted, taken := rand.New(rand.NewPCG(3, 5)), 0, int64(0)
	for range fewer(100) {
		f := ruletest.RandomFormula(rng, 110, 480, 3)
		s, n := couple(t, f, true)
		taken += n
		if want := alone(f); s.Status() != want {
			t.Fatalf("%v, want %v: %v", s.Status(), want, f)
		}
		if s.Model() == nil {
			refuted++
		} else if err := f.CheckModel(s.Model()); err != nil {
			t.Fatal(err)
		}
	}
	if t.Logf("%d refuted, %d clauses taken in", refuted, taken); refuted < fewer(30) || taken < int64(fewer(150)) {
		t.Errorf("only %d refuted, %d clauses taken in", refuted, taken)
	}
}

// Attempts that exchange clauses need fewer conflicts for formulas without a model than attempts that do not.
func TestExchangeSavesConflicts(t *testing.T) {
	rng, nodes, taken := rand.New(rand.NewPCG(7, 5)), map[bool]int64{}, map[bool]int64{}
	for range 5 {
		f := ruletest.RandomFormula(rng, 170, 780, 3)
		for _, exchange := range []bool{false, true} {
			s, n := couple(t, f, exchange)
			taken[exchange] += n
			nodes[exchange] += s.Counts().Conflicts
		}
	}
	if taken[true] == 0 || taken[false] > 0 {
		t.Errorf("clauses taken in: %v", taken)
	}
	if t.Logf("conflicts of the deciding attempts: %v", nodes); nodes[true] >= nodes[false] {
		t.Errorf("%d conflicts with the exchange, %d without", nodes[true], nodes[false])
	}
}

// A contradiction that comes in changes the verdict of attempt 1, so the exchange matters, and the test of
// verdicts above would find unsound clauses. Attempt 0 takes nothing in, and makes the same search as alone.
func TestOnlyOthersTakeIn(t *testing.T) {
	rng, wrong, satisfiable := rand.New(rand.NewPCG(5, 5)), 0, 0
	contradiction := []byte{0, 1, 2, 1, 1} // clock 0; the clauses 1 and -1
	for range 60 {
		f := ruletest.RandomFormula(rng, 130, 540, 3)
		one := newShares(f, 1)[0]
		one.Expand(1 << 30)
		p := portfolio.New(f, portfolio.NewSolver, nil)
		first := p.NewShare(portfolio.Options{Root: true, Exchange: true})
		second := p.NewShare(portfolio.Options{Exchange: true})
		piece, _ := first.Split(nil)
		if err := second.Accept(piece); err != nil {
			t.Fatal(err)
		}
		for _, s := range []*portfolio.Share{first, second} {
			for !s.Decided() {
				if err := s.Import(contradiction); err != nil {
					t.Fatal(err)
				}
				s.Expand(10)
			}
		}
		if first.Status() != one.Status() || first.Counts().Conflicts != one.Counts().Conflicts || first.Counts().Taken != 0 {
			t.Fatalf("attempt 0: %v, %+v; alone %v, %+v", first.Status(), first.Counts(), one.Status(), one.Counts())
		}
		if one.Status() == cdcl.Satisfiable {
			satisfiable++
			if second.Status() == cdcl.Unsatisfiable {
				wrong++
			}
		}
	}
	if t.Logf("%d satisfiable, %d wrong verdicts of attempt 1", satisfiable, wrong); wrong == 0 {
		t.Error("attempt 1 takes nothing in")
	}
}

// A share with a log exchanges nothing, because the lemmas of one attempt are the proof.
func TestNoExchangeForProofs(t *testing.T) {
	p := portfolio.New(ruletest.MakeFamily(t, "php", 0, "n=5"), portfolio.NewSolver, nil)
	s := p.NewShare(portfolio.Options{Root: true, Exchange: true})
	if !s.Exchanges() {
		t.Error("a share without a log exchanges no clauses")
	}
	if s.LogTo(proof.NewAttemptLog(func([]byte) {})); s.Exchanges() {
		t.Error("a share with a log exchanges clauses")
	}
}
