package proof_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"treesplit/sat"
	"treesplit/sat/gen"
	"treesplit/sat/proof"
	"treesplit/search"
)

// shares are several shares of one tree, each with a log.
type shares struct {
	rng  *rand.Rand
	all  []*sat.Search
	logs []*proof.Log
	data []*bytes.Buffer
}

func newShares(rng *rand.Rand, rule sat.Rule, n int, root bool) *shares {
	s := &shares{rng: rng}
	split := search.DefaultSplitting
	if split.MinOpen = 1 + rng.IntN(3); rng.IntN(2) == 0 {
		split.Rule = search.Bottom
	}
	for i := range n {
		data := new(bytes.Buffer)
		log := proof.NewLog(func(block []byte) { data.Write(block) })
		share := sat.NewSearch(rule, sat.Options{Splitting: split, Root: root && i == 0})
		share.LogTo(log)
		s.all, s.logs, s.data = append(s.all, share), append(s.logs, log), append(s.data, data)
	}
	return s
}

// work expands the tree to its end, or to a solution, and moves pieces about.
func (s *shares) work(t testing.TB) {
	for busy := true; busy; {
		busy = false
		for _, from := range s.all {
			if from.Empty() {
				continue
			}
			busy = true
			if from.Expand(s.rng.IntN(6)); from.Decided() {
				return
			}
			s.move(t, from)
		}
	}
}

// move gives something of a share to another that is empty.
func (s *shares) move(t testing.TB, from *sat.Search) {
	to := s.all[s.rng.IntN(len(s.all))]
	if from.Empty() || !to.Empty() {
		return
	}
	var piece []byte
	ok := true
	switch s.rng.IntN(8) {
	case 0:
		piece = from.Pack(nil)
	case 1:
		piece, _, ok = from.Subtask(nil, 1+s.rng.IntN(8), 1+s.rng.IntN(20))
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

// deal bisects the tree into 2^k parts and works on them in any order.
func (s *shares) deal(t testing.TB, k int) {
	for _, part := range s.rng.Perm(1 << k) {
		for i := 0; ; i = (i + 1) % len(s.all) {
			if share := s.all[i]; share.Empty() {
				share.Bisect(k, uint64(part))
				break
			}
			s.all[i].Expand(1 + s.rng.IntN(10))
		}
		s.move(t, s.all[s.rng.IntN(len(s.all))])
	}
	s.work(t)
}

// expanded is the number of nodes that all shares have visited.
func (s *shares) expanded() (n int64) {
	for _, share := range s.all {
		n += share.Counts().Expanded
	}
	return n
}

// streams are the logs, in any order.
func (s *shares) streams() (streams []proof.Stream) {
	for _, i := range s.rng.Perm(len(s.logs)) {
		s.logs[i].Flush()
		streams = append(streams, bytes.NewReader(s.data[i].Bytes()))
	}
	return streams
}

// merge merges logs into a proof.
func merge(streams []proof.Stream, format proof.Format) (data []byte, nodes int64, err error) {
	var out bytes.Buffer
	w := proof.NewWriter(&out, format)
	nodes, err = proof.MergeLogs(w, streams)
	if err := w.Flush(); err != nil {
		return nil, nodes, err
	}
	return out.Bytes(), nodes, err
}

// formula is an unsatisfiable one.
func formula(t testing.TB, family string, seed uint64, values map[string]float64) *sat.Formula {
	t.Helper()
	fam, err := gen.FindFamily(family)
	if err != nil {
		t.Fatal(err)
	}
	f, _, err := fam.MakeFormula(values, seed)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The proof does not depend on which share has visited which part of the tree: it is the same
// byte by byte, and each of its lemmas follows.
func TestMergedProofRefutes(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	proved := 0
	for i := range 60 {
		f := formula(t, "random", uint64(i), map[string]float64{"n": float64(10 + rng.IntN(9)), "ratio": 5.5})
		rule := sat.NewPaper(f)
		one := newShares(rng, rule, 1, true)
		one.work(t)
		if one.all[0].Decided() {
			continue
		}
		proved++
		text, _, err := merge(one.streams(), proof.Text)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := parseText(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := refutes(f, lines); err != nil {
			t.Fatalf("formula %d: %v\n%s", i, err, text)
		}
		binary, _, err := merge(one.streams(), proof.Binary)
		if err != nil {
			t.Fatal(err)
		}
		again, err := parseBinary(binary)
		if err != nil || !reflect.DeepEqual(again, lines) {
			t.Fatalf("formula %d: the binary proof differs from the text: %v", i, err)
		}
		for range 20 {
			many := newShares(rng, rule, 1+rng.IntN(6), true)
			if rng.IntN(3) == 0 {
				many = newShares(rng, rule, 1+rng.IntN(6), false)
				many.deal(t, rng.IntN(6))
			}
			many.work(t)
			got, nodes, err := merge(many.streams(), proof.Text)
			if err != nil || nodes != many.expanded() || nodes != one.expanded() {
				t.Fatalf("formula %d, %d shares: %d nodes merged, %d visited: %v", i, len(many.all), nodes, many.expanded(), err)
			}
			if !bytes.Equal(got, text) {
				t.Fatalf("formula %d, %d shares: the proof differs from that of one share", i, len(many.all))
			}
		}
	}
	if proved < 30 {
		t.Errorf("only %d formulas were unsatisfiable", proved)
	}
}

// If a share's log, or a part of it, is missing or occurs twice, MergeLogs returns an error and
// does not write the empty clause.
func TestMergeRefusesWhatIsNoTree(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	missing, twice := 0, 0
	for i := range 40 {
		f := formula(t, "random", uint64(i), map[string]float64{"n": 10, "ratio": 15})
		s := newShares(rng, sat.NewPaper(f), 4, true)
		s.work(t)
		for j, log := range s.logs {
			log.Flush()
			if s.data[j].Len() == 0 {
				continue
			}
			var less []proof.Stream
			for k := range s.logs {
				if k != j {
					less = append(less, bytes.NewReader(s.data[k].Bytes()))
				}
			}
			wantNoProof(t, less, "")
			missing++
			wantNoProof(t, append(s.streams(), bytes.NewReader(s.data[j].Bytes())), "twice")
			twice++
		}
	}
	if missing < 100 || twice < 100 {
		t.Errorf("%d logs were left out, %d were doubled", missing, twice)
	}
}

func wantNoProof(t *testing.T, streams []proof.Stream, want string) {
	t.Helper()
	text, nodes, err := merge(streams, proof.Text)
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Fatalf("%d nodes, error %v, want %q", nodes, err, want)
	}
	if bytes.HasSuffix(text, []byte("\n0\n")) || bytes.Equal(text, []byte("0\n")) {
		t.Fatalf("the empty clause was written with error %v", err)
	}
}

// Every node of a log is needed: with any single one left out, or one literal or branch
// changed, there is no proof.
func TestEveryNodeIsNeeded(t *testing.T) {
	whole := tree(func(l *proof.Log, skip int) {
		nodes := []struct {
			depth   int
			literal int32
			second  bool
		}{{0, 0, false}, {1, 1, false}, {2, 2, false}, {2, -2, true}, {1, -1, true}, {2, 3, false}, {2, -3, true}}
		for i, n := range nodes {
			switch {
			case i == skip:
			case n.depth == 0:
				l.WriteRoot()
			default:
				l.WriteNode(n.depth, n.literal, n.second)
			}
		}
	})
	if text, nodes, err := merge(whole(-1), proof.Text); err != nil || nodes != 7 {
		t.Fatalf("%d nodes: %v\n%s", nodes, err, text)
	}
	for skip := range 7 {
		wantNoProof(t, whole(skip), "")
	}
}

// tree makes logs of one share by hand.
func tree(log func(l *proof.Log, variant int)) func(variant int) []proof.Stream {
	return func(variant int) []proof.Stream {
		var data bytes.Buffer
		l := proof.NewLog(func(block []byte) { data.Write(block) })
		log(l, variant)
		l.Flush()
		return []proof.Stream{bytes.NewReader(data.Bytes())}
	}
}

// Lemmas have the literals of the first branches on the path before them. They follow the
// refutation of the branch that was left, and are deleted when their own branch is refuted.
func TestLinesOfATree(t *testing.T) {
	streams := tree(func(l *proof.Log, _ int) {
		l.WriteRoot()
		l.WriteLemma(9)
		l.WriteNode(1, 1, false)
		l.WriteLemma(7, 8)
		l.WriteNode(2, -2, false)
		l.WriteLemma()
		l.WriteLemma()
		l.WriteNode(2, 2, true)
		l.WriteLemma(5)
		l.WriteLemma(-6, 4)
		l.WriteNode(3, 3, false)
		l.WriteNode(3, -3, true)
		l.WriteNode(1, -1, true)
		l.WriteLemma(10)
	})
	text, nodes, err := merge(streams(0), proof.Text)
	want := `9 0
-1 7 8 0
-1 2 0
-1 5 0
-1 -6 4 0
-1 -3 0
-1 0
d -1 7 8 0
d -1 2 0
d -1 5 0
d -1 -6 4 0
d -1 -3 0
10 0
0
`
	if err != nil || nodes != 7 || string(text) != want {
		t.Errorf("%d nodes, error %v:\n%swant\n%s", nodes, err, text, want)
	}
}

// A branch that differs from its sibling's complement is no second branch.
func TestSharesThatBranchDifferently(t *testing.T) {
	one := tree(func(l *proof.Log, variant int) {
		l.WriteRoot()
		l.WriteNode(1, 1, false)
		l.WriteNode(1, int32(variant), true)
	})
	wantNoProof(t, one(-2), "differently")
	other := tree(func(l *proof.Log, variant int) {
		l.WriteRunStart(1)
		l.WriteStep(int32(variant), true)
		l.WriteNode(2, 2, false)
		l.WriteNode(2, -2, true)
	})
	if _, nodes, err := merge(append(one(-1), other(-1)...), proof.Text); err != nil || nodes != 5 {
		t.Errorf("%d nodes: %v", nodes, err)
	}
	wantNoProof(t, append(one(-1), other(-3)...), "differently")
}

// Two runs that go on at the same node have both visited it.
func TestTwoRunsAtOneNode(t *testing.T) {
	one := tree(func(l *proof.Log, _ int) {
		l.WriteRoot()
		l.WriteNode(1, 1, false)
		l.WriteNode(1, -1, true)
	})
	other := tree(func(l *proof.Log, depth int) {
		l.WriteRunStart(1)
		l.WriteStep(1, false)
		l.WriteNode(2, 2, false)
		l.WriteNode(2, -2, true)
		if depth > 0 {
			l.WriteNode(depth, -int32(depth), true)
		}
	})
	if _, nodes, err := merge(append(one(0), other(0)...), proof.Text); err != nil || nodes != 5 {
		t.Errorf("%d nodes: %v", nodes, err)
	}
	wantNoProof(t, append(one(0), other(1)...), "twice")
	wantNoProof(t, append(one(0), other(2)...), "twice")
	again := tree(func(l *proof.Log, _ int) {
		l.WriteRunStart(0)
		l.WriteNode(1, 1, false)
		l.WriteNode(1, -1, true)
	})
	wantNoProof(t, append(one(0), again(0)...), "twice")
}

// A run that begins below a leaf is of no tree.
func TestStrayRun(t *testing.T) {
	one := tree(func(l *proof.Log, _ int) {
		l.WriteRoot()
		l.WriteNode(1, 1, false)
		l.WriteNode(1, -1, true)
	})
	stray := tree(func(l *proof.Log, _ int) {
		l.WriteRunStart(1)
		l.WriteStep(1, false)
		l.WriteNode(2, -2, true)
	})
	wantNoProof(t, append(one(0), stray(0)...), "a place without a node")
}
