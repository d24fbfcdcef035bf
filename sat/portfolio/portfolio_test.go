package portfolio_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"treesplit/sat"
	"treesplit/sat/cdcl"
	"treesplit/sat/drat"
	"treesplit/sat/portfolio"
	"treesplit/sat/proof"
	"treesplit/sat/ruletest"
	"treesplit/search"
)

// shelf is a Depot for one goroutine.
type shelf map[portfolio.Key]*portfolio.Running

func (s shelf) Leave(key portfolio.Key, e *portfolio.Running) { s[key] = e }
func (s shelf) Fetch(key portfolio.Key) *portfolio.Running {
	e := s[key]
	delete(s, key)
	return e
}

// world is some shares of one portfolio, with logs.
type world struct {
	rng    *rand.Rand
	shares []*portfolio.Share
	logs   []*proof.AttemptLog
	data   []*bytes.Buffer
}

// newWorld returns n shares; the first has all attempts.
func newWorld(rng *rand.Rand, f *sat.Formula, n int, depot portfolio.Depot) *world {
	w := &world{rng: rng}
	p := portfolio.New(f, portfolio.NewSolver, depot)
	split := search.DefaultSplitting
	if rng.IntN(2) == 0 {
		split.Rule = search.Bottom
	}
	for i := range n {
		s, data := p.NewShare(portfolio.Options{Splitting: split, Root: i == 0}), new(bytes.Buffer)
		log := proof.NewAttemptLog(func(block []byte) { data.Write(block) })
		s.LogTo(log)
		w.shares, w.logs, w.data = append(w.shares, s), append(w.logs, log), append(w.data, data)
	}
	return w
}

// movePiece moves a piece in one of three ways, if a share is empty.
func (w *world) movePiece(t testing.TB) {
	from, to := w.shares[w.rng.IntN(len(w.shares))], w.shares[w.rng.IntN(len(w.shares))]
	if from == to || from.Empty() || !to.Empty() {
		return
	}
	var piece []byte
	ok := true
	switch w.rng.IntN(3) {
	case 0:
		piece = from.Pack(nil)
	case 1:
		piece, _, ok = from.Subtask(nil, 1+w.rng.IntN(4), 0)
	default:
		piece, ok = from.Split(nil)
	}
	if !ok {
		return
	}
	if err := to.Accept(piece); err != nil {
		t.Fatal(err)
	}
}

// searchToEnd searches until a share has decided the formula, and returns it.
func (w *world) searchToEnd(t testing.TB) *portfolio.Share {
	for turn := 0; ; turn++ {
		for _, s := range w.shares {
			if s.Expand(1+w.rng.IntN(5)) > 0 && s.Decided() {
				return s
			}
		}
		if turn < 200 { // attempts without a depot begin again at each move
			w.movePiece(t)
		}
	}
}

// streams returns the logs.
func (w *world) streams() (all []proof.Stream) {
	for i, l := range w.logs {
		l.Flush()
		all = append(all, bytes.NewReader(w.data[i].Bytes()))
	}
	return all
}

// fewer returns n, or a tenth of it in a short test.
func fewer(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// However attempts move, the verdict agrees with a truth table, the model satisfies the formula, and
// the logs give a proof that the checker accepts.
func TestVerdictsAndProofs(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	refuted := 0
	for i := range fewer(300) {
		f := ruletest.MixedFormula(rng)
		if i%3 == 0 {
			f = ruletest.RandomFormula(rng, 14, 75, 3)
		}
		var depot portfolio.Depot
		if i%2 == 0 {
			depot = shelf{}
		}
		w := newWorld(rng, f, 1+rng.IntN(4), depot)
		s := w.searchToEnd(t)
		if want := ruletest.CountModels(f) > 0; want != (s.Status() == cdcl.Satisfiable) || want != (s.Model() != nil) {
			t.Fatalf("formula %d: %v, satisfiable %v: %v", i, s.Status(), want, f)
		}
		if s.Model() != nil {
			if err := f.CheckModel(s.Model()); err != nil {
				t.Fatalf("formula %d: %v", i, err)
			}
			continue
		}
		refuted++
		if err := checkProof(f, w, s); err != nil {
			t.Fatalf("formula %d: %v: %v", i, err, f)
		}
	}
	if refuted < fewer(80) {
		t.Errorf("%d formulas refuted: expected more", refuted)
	}
}

// checkProof checks the proof of the logs of a world in which a share has refuted the formula.
func checkProof(f *sat.Formula, w *world, s *portfolio.Share) error {
	var text bytes.Buffer
	out := proof.NewWriter(&text, proof.Text)
	attempt, err := proof.MergeAttempts(out, w.streams())
	if err != nil {
		return err
	}
	if got := int64(attempt) + 1; got != s.Counts().Decided {
		return fmt.Errorf("the proof is of attempt %d, the verdict of attempt %d", attempt, s.Counts().Decided-1)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err = drat.Check(f.Clauses(), &text, "proof", drat.Options{})
	return err
}

// An attempt whose engine waits in the depot takes the same steps as one that never moves.
func TestDepotKeepsTheSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 6))
	for range fewer(40) {
		f := ruletest.RandomFormula(rng, 60, 285, 3)
		p := portfolio.New(f, portfolio.NewSolver, shelf{})
		still := p.NewShare(portfolio.Options{Root: true})
		want := still.Expand(1 << 30)
		a, b := p.NewShare(portfolio.Options{Root: true}), p.NewShare(portfolio.Options{})
		nodes := 0
		for !a.Decided() {
			if nodes += a.Expand(1 + rng.IntN(9)); a.Decided() {
				break
			}
			if err := b.Accept(a.Pack(nil)); err != nil {
				t.Fatal(err)
			}
			a, b = b, a
		}
		if nodes != want || a.Status() != still.Status() || a.Counts().Conflicts+b.Counts().Conflicts != still.Counts().Conflicts {
			t.Fatalf("%d nodes, %v with moves; %d nodes, %v without", nodes, a.Status(), want, still.Status())
		}
	}
}

// mayMove reports whether a scheme that moves shares may move this one.
func mayMove(w search.Work) bool {
	settler, settles := search.As[search.Settler](w)
	return !settles || settler.Settled()
}

// Attempts end although their shares move to another process as soon as they may, and begin again there. A
// save, which takes the share out and puts it back, does not change when it may move.
func TestMovedAttemptsEnd(t *testing.T) {
	f := ruletest.MakeFamily(t, "php", 0, "n=6")
	alone := newShares(f, 1)[0]
	need := alone.Expand(1 << 30)
	for _, every := range []int{1 << 30, 7} { // nodes between two saves
		shares := newShares(f, 2)
		at, nodes, moves := 0, 0, 0
		for !shares[at].Decided() && nodes < 20*need {
			if mayMove(shares[at]) {
				if err := shares[1-at].Accept(shares[at].Pack(nil)); err != nil {
					t.Fatal(err)
				}
				at = 1 - at
				moves++
			}
			if nodes += shares[at].Expand(1); nodes%every == 0 && !shares[at].Decided() {
				if err := shares[at].Accept(shares[at].Pack(nil)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if !shares[at].Decided() || moves < 5 || need < 500 {
			t.Errorf("saves after each %d nodes: decided %v after %d nodes and %d moves; alone after %d nodes", every, shares[at].Decided(), nodes, moves, need)
		}
	}
}

// newShares returns shares of processes of their own. The first one has all attempts.
func newShares(f *sat.Formula, n int) (all []*portfolio.Share) {
	for i := range n {
		p := portfolio.New(f, portfolio.NewSolver, shelf{})
		all = append(all, p.NewShare(portfolio.Options{Root: i == 0}))
	}
	return all
}

// In one process a share may move after one node, because its engine waits in the depot.
func TestMovesInOneProcess(t *testing.T) {
	p := portfolio.New(ruletest.MakeFamily(t, "php", 0, "n=6"), portfolio.NewSolver, shelf{})
	a, b := p.NewShare(portfolio.Options{Root: true}), p.NewShare(portfolio.Options{})
	for range 50 {
		if mayMove(a) {
			t.Fatal("a share may move without a node")
		}
		if a.Expand(1); !mayMove(a) {
			t.Fatal("a share may not move after a node")
		}
		if err := b.Accept(a.Pack(nil)); err != nil {
			t.Fatal(err)
		}
		if a, b = b, a; !mayMove(b) {
			t.Fatal("an empty share may not move")
		}
	}
}

// A share leaves at most one engine in the depot, also if its attempts never come back.
func TestDepotStaysSmall(t *testing.T) {
	f := ruletest.RandomFormula(rand.New(rand.NewPCG(1, 1)), 60, 250, 3)
	kept := shelf{}
	s := portfolio.New(f, portfolio.NewSolver, kept).NewShare(portfolio.Options{Root: true})
	for range 20 {
		if s.Expand(1); s.Decided() {
			t.Fatal("the formula is too easy for this test")
		}
		piece := s.Pack(nil)
		if piece[1] = piece[1] + 1; s.Accept(piece) != nil { // another attempt comes
			t.Fatal("the piece is refused")
		}
	}
	if len(kept) != 1 {
		t.Errorf("%d engines in the depot, want 1", len(kept))
	}
}

// No attempt is in two shares, and none up to a number is lost, whatever was split and cut off.
func TestEachAttemptOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	f := &sat.Formula{}
	f.AddClause(1, 2)
	for range fewer(300) {
		p := portfolio.New(f, portfolio.NewSolver, nil)
		lists := []*portfolio.Share{p.NewShare(portfolio.Options{Root: true, Splitting: search.Splitting{Rule: search.Rule(rng.IntN(2))}})}
		if rng.IntN(3) == 0 {
			lists = bisected(p, rng.IntN(4))
		}
		for range 30 {
			from := lists[rng.IntN(len(lists))]
			piece, ok := []byte(nil), false
			if rng.IntN(2) == 0 {
				piece, _, ok = from.Subtask(nil, 1+rng.IntN(5), 0)
			} else {
				piece, ok = from.Split(nil)
			}
			if !ok {
				continue
			}
			to := p.NewShare(portfolio.Options{})
			if err := to.Accept(piece); err != nil {
				t.Fatal(err)
			}
			lists = append(lists, to)
		}
		if err := checkAttempts(lists, 200); err != nil {
			t.Fatal(err)
		}
	}
}

// bisected returns the 2^k parts of a portfolio.
func bisected(p *portfolio.Portfolio, k int) (all []*portfolio.Share) {
	for part := range uint64(1) << k {
		s := p.NewShare(portfolio.Options{})
		s.Bisect(k, part)
		all = append(all, s)
	}
	return all
}

// checkAttempts checks that the shares have each attempt below a number once.
func checkAttempts(shares []*portfolio.Share, below uint64) error {
	times := make([]int, below)
	for _, s := range shares {
		for _, attempt := range s.AttemptsBelow(below) {
			times[attempt]++
		}
	}
	for attempt, n := range times {
		if n != 1 {
			return fmt.Errorf("attempt %d is in %d shares", attempt, n)
		}
	}
	return nil
}

// The nodes of an attempt do not depend on how many are searched at a time, and no call searches
// more than its limit.
func TestNodesAreTheSame(t *testing.T) {
	f := ruletest.RandomFormula(rand.New(rand.NewPCG(9, 1)), 80, 370, 3)
	totals := map[int]bool{}
	for _, limit := range []int{1, 3, 1000, 1 << 30} {
		s := portfolio.New(f, portfolio.NewSolver, nil).NewShare(portfolio.Options{Root: true})
		nodes := 0
		for !s.Decided() {
			n := s.Expand(limit)
			if n > limit || n < limit && !s.Decided() {
				t.Fatalf("%d nodes in a call with limit %d", n, limit)
			}
			nodes += n
		}
		totals[nodes] = true
	}
	if len(totals) != 1 {
		t.Errorf("different numbers of nodes: %v", totals)
	}
}

// Pieces that are damaged are refused and leave the share empty, or are some attempts.
func FuzzPieces(f *testing.F) {
	formula := &sat.Formula{}
	formula.AddClause(1, -2)
	p := portfolio.New(formula, portfolio.NewSolver, nil)
	root := p.NewShare(portfolio.Options{Root: true})
	piece, _ := root.Split(nil)
	f.Add(piece)
	f.Add(root.Pack(nil))
	f.Add([]byte{2, 0, 0, 5, 0})
	f.Fuzz(func(t *testing.T, piece []byte) {
		s := p.NewShare(portfolio.Options{})
		if err := s.Accept(piece); err != nil {
			if !s.Empty() {
				t.Fatalf("the share is not empty after %v", err)
			}
			return
		}
		if s.Expand(10) < 1 || s.Status() != cdcl.Satisfiable {
			t.Fatalf("the verdict is %v", s.Status())
		}
	})
}
