package cubes_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"treesplit/sat"
	"treesplit/sat/cubes"
	"treesplit/sat/drat"
	"treesplit/sat/proof"
	"treesplit/sat/ruletest"
	"treesplit/search"
)

// pigeons returns a formula and rule cubes, with anchors of many cubes.
func pigeons(t testing.TB) (*sat.Formula, *cubes.Rule) {
	f := ruletest.MakeFamily(t, "php", 0, "n=5")
	return f, cubes.New(f, cubes.Options{Cut: cubes.Cut{Anchor: 4, Cube: 10}, Budget: 3})
}

// drainShare expands a share to its end and returns its counts.
func drainShare(s *sat.Search) sat.Counts {
	for !s.Empty() {
		s.Expand(10)
	}
	return s.Counts()
}

// A piece that is packed again before a node is expanded goes out unchanged, with the same weight.
func TestPieceIsHandedOn(t *testing.T) {
	_, rule := pigeons(t)
	from, to, middles := newShare(rule, true), newShare(rule, false), 0
	for !from.Empty() {
		for from.Expand(1) == 0 && !from.Empty() { // it repeats nodes
		}
		if from.Empty() {
			break
		}
		size := search.SizeOf(from)
		piece := from.Pack(nil)
		if err := to.Accept(piece); err != nil {
			t.Fatal(err)
		}
		if got := search.SizeOf(to); got != size {
			t.Fatalf("the size is %+v, want %+v", got, size)
		}
		if to.Settled() != (piece[0] == 1) {
			t.Fatalf("piece %x: settled %v", piece, to.Settled())
		}
		if piece[0] == 2 {
			middles++
		}
		if again := to.Pack(nil); !bytes.Equal(again, piece) {
			t.Fatalf("piece %x goes out as %x", piece, again)
		}
		if err := from.Accept(piece); err != nil {
			t.Fatal(err)
		}
	}
	if middles < 100 {
		t.Errorf("only %d pieces from the middle of an anchor", middles)
	}
}

// moveWhenSettled searches the tree in a share that moves whenever it has settled. It returns the counts of the
// two shares between which it moves.
func moveWhenSettled(t *testing.T, rule *cubes.Rule) (a, b sat.Counts, moves int) {
	t.Helper()
	shares := []*sat.Search{newShare(rule, true), newShare(rule, false)}
	for !shares[moves%2].Empty() {
		from, to := shares[moves%2], shares[1-moves%2]
		for from.Expand(1); !from.Settled(); {
			from.Expand(1)
		}
		if from.Empty() {
			break
		}
		if err := to.Accept(from.Pack(nil)); err != nil {
			t.Fatal(err)
		}
		if moves++; moves == 10_000 {
			t.Fatalf("the search does not end: %+v, %+v", shares[0].Counts(), shares[1].Counts())
		}
	}
	return shares[0].Counts(), shares[1].Counts(), moves
}

// A share that moves whenever it has settled searches the same tree. The repeated nodes are fewer than the
// nodes of the tree.
func TestShareMovesWhenSettled(t *testing.T) {
	_, rule := pigeons(t)
	want := drainShare(newShare(rule, true))
	a, b, moves := moveWhenSettled(t, rule)
	a.Expanded, a.Conflicts, a.Cubes, a.Split, a.Steps = a.Expanded+b.Expanded, a.Conflicts+b.Conflicts, a.Cubes+b.Cubes, a.Split+b.Split, a.Steps+b.Steps
	a.MaxDepth = max(a.MaxDepth, b.MaxDepth)
	if a != want {
		t.Errorf("after %d moves %+v, want %+v", moves, a, want)
	}
	if moves < 20 {
		t.Errorf("only %d moves", moves)
	}
}

// A share whose solver belongs to the rank settles when it has finished its cube, because a rank that takes over a
// begun cube begins it again. So the search ends if the share moves whenever it has settled.
func TestMovesEndWithoutAnchors(t *testing.T) {
	f := ruletest.MakeFamily(t, "php", 0, "n=6")
	rule := cubes.New(f, cubes.Options{Cut: cubes.Cut{Cube: 14}, Budget: 1 << 20, Shared: true})
	a, b, _ := moveWhenSettled(t, rule)
	if min(a.Cubes, b.Cubes) < 5 || a.Steps+b.Steps < 5*(a.Cubes+b.Cubes) {
		t.Errorf("%+v, %+v: expected at least 5 cubes of each share, with 5 steps in the mean", a, b)
	}
}

// logged is a share with its log.
type logged struct {
	*sat.Search
	log  *proof.Log
	data bytes.Buffer
}

func newLogged(rule sat.Rule, root bool) *logged {
	l := &logged{Search: newShare(rule, root)}
	l.log = proof.NewLog(func(block []byte) { l.data.Write(block) })
	l.LogTo(l.log)
	return l
}

// A piece with wrong numbers of nodes ends in an error of the share, of the merger, of the comparison of counts
// or of the proof check. If it does not, the proof holds: then only counts are wrong, because steps of a cube
// are counted twice or not at all, or because the skipped cubes follow by propagation. Nodes that two shares
// have written are always found.
func TestWrongRepetition(t *testing.T) {
	f, rule := pigeons(t)
	caught, harmless := map[string]int{}, 0
	for steps := 3; steps < 300; steps += 7 {
		for _, change := range [][2]int{{0, -1}, {0, 1}, {-1, 0}, {1, 1}, {-1, -1}, {5, 5}, {0, 1 << 20}, {1 << 20, 1 << 20}, {0, 0}} {
			donor := newLogged(rule, true)
			if donor.Expand(steps); donor.Empty() {
				continue
			}
			piece, whole, all := changedPiece(donor.Pack(nil), change)
			if piece == nil {
				continue
			}
			receiver := newLogged(rule, false)
			if err := receiver.Accept(piece); err != nil {
				t.Fatalf("piece %x: %v", piece, err)
			}
			drainShare(receiver.Search)
			how := fmt.Sprintf("%d steps, %d of %d nodes changed by %v", steps, whole, all, change)
			switch by := judge(t, how, f, donor, receiver); {
			case by != "" && change == [2]int{}:
				t.Fatalf("%s: refused by the %s", how, by)
			case by != "":
				caught[by]++
			case change[0] < 0:
				t.Fatalf("%s: the proof is accepted", how)
			case change[1] != 0:
				harmless++
			}
		}
	}
	if t.Logf("%v, %d harmless", caught, harmless); caught["share"] == 0 || caught["merger"] == 0 || harmless == 0 {
		t.Errorf("caught by %v, %d harmless: expected each of them", caught, harmless)
	}
}

// changedPiece changes the two numbers of a piece from the middle of an anchor: the whole cubes and all
// nodes. It returns nil for another piece, or if the numbers become invalid.
func changedPiece(piece []byte, change [2]int) (changed []byte, whole, all uint64) {
	if piece[0] != 2 {
		return nil, 0, 0
	}
	all, n := binary.Uvarint(piece[1:])
	whole, m := binary.Uvarint(piece[1+n:])
	w, a := int64(whole)+int64(change[0]), int64(all)+int64(change[1])
	if w < 0 || a < 1 || w > a {
		return nil, 0, 0
	}
	changed = binary.AppendUvarint(binary.AppendUvarint([]byte{2}, uint64(a)), uint64(w))
	return append(changed, piece[1+n+m:]...), whole, all
}

// judge returns the part of the program that refuses the search of two shares. "" means that the proof of both
// holds, and all nodes are counted.
func judge(t *testing.T, how string, f *sat.Formula, donor, receiver *logged) string {
	t.Helper()
	if err := receiver.Err(); err != nil {
		if !errors.As(err, &search.Failure{}) || !receiver.Empty() {
			t.Fatalf("%s: empty %v, %v", how, receiver.Empty(), err)
		}
		return "share"
	}
	donor.log.Flush()
	receiver.log.Flush()
	var text bytes.Buffer
	out := proof.NewWriter(&text, proof.Text)
	nodes, err := proof.MergeLogs(out, []proof.Stream{bytes.NewReader(donor.data.Bytes()), bytes.NewReader(receiver.data.Bytes())})
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return "merger"
	}
	a, b := donor.Counts(), receiver.Counts()
	if nodes != a.Expanded+b.Expanded-a.Steps-b.Steps {
		return "counts"
	}
	if r, err := drat.Check(f.Clauses(), &text, "proof", drat.Options{}); err != nil || !r.Verified {
		return "check"
	}
	return ""
}

// A share repeats at most as many nodes per call as the limit allows, and counts none of them. Until the last of them
// it has the size and the piece of the donor, and it may not move. In the end each node counts once.
func TestRepetitionInParts(t *testing.T) {
	_, rule := pigeons(t)
	want, restarts := drainShare(newShare(rule, true)), 0
	for steps := 5; steps < int(want.Expanded); steps += 3 {
		donor := newShare(rule, true)
		donor.Expand(steps)
		size, piece := search.SizeOf(donor), donor.Pack(nil)
		if piece[0] != 2 {
			continue
		}
		owed, _ := binary.Uvarint(piece[1:])
		receiver, repeated := newShare(rule, false), int64(0)
		for limit, restarted := 1+steps%7, false; ; {
			if receiver.Empty() {
				if err := receiver.Accept(piece); err != nil {
					t.Fatal(err)
				}
				repeated = 0
			}
			n := receiver.Expand(limit)
			part := receiver.TakeRedundant()
			if repeated += part; int64(n)+part != int64(limit) {
				t.Fatalf("%d steps: %d nodes, and %d of %d repeated, with a limit of %d", steps, n, part, owed, limit)
			}
			if n > 0 || repeated == int64(owed) {
				break
			}
			if got := search.SizeOf(receiver); got != size || receiver.Settled() || receiver.NodesToRepeat() != int64(owed) || receiver.Counts() != (sat.Counts{}) {
				t.Fatalf("%d steps: size %v, want %v; settled %v, %d nodes to repeat of %d; %+v", steps, got, size, receiver.Settled(), receiver.NodesToRepeat(), owed, receiver.Counts())
			}
			if !restarted && repeated > int64(owed)/2 {
				restarted = true
				restarts++
				if again := receiver.Pack(nil); !bytes.Equal(again, piece) {
					t.Fatalf("%d steps: piece %x goes out as %x after %d nodes", steps, piece, again, repeated)
				}
			}
		}
		if repeated != int64(owed) {
			t.Fatalf("%d steps: %d of %d nodes repeated", steps, repeated, owed)
		}
		a, b := donor.Counts(), drainShare(receiver)
		if sum := a.Expanded + b.Expanded; sum != want.Expanded || a.Cubes+b.Cubes != want.Cubes || a.Conflicts+b.Conflicts != want.Conflicts || a.Steps+b.Steps != want.Steps {
			t.Fatalf("%d steps: %+v and %+v, want %+v", steps, a, b, want)
		}
	}
	if restarts < 20 {
		t.Errorf("only %d pieces were packed during a repetition", restarts)
	}
}

// A share is packed, split and cut off at any time, also while it repeats whole cubes or the current one. The
// proof equals the proof of one share, and each node counts once.
func TestProofOfInterruptedRepetitions(t *testing.T) {
	f := ruletest.MakeFamily(t, "php", 0, "n=6")
	rule := cubes.New(f, cubes.Options{Cut: cubes.Cut{Anchor: 6, Cube: 14}, Budget: 20})
	one := newLogged(rule, true)
	want := mergeLogged(t, one, drainShare(one.Search).Expanded)
	if r, err := drat.Check(f.Clauses(), bytes.NewReader(want), "proof", drat.Options{}); err != nil || !r.Verified {
		t.Fatalf("%+v, %v", r, err)
	}
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 7))
		shares, moves := []*logged{newLogged(rule, true), newLogged(rule, false), newLogged(rule, false)}, 0
		for busy := true; busy; {
			busy = false
			for _, from := range shares {
				to := shares[rng.IntN(len(shares))]
				if from.Empty() {
					continue
				}
				busy = true
				if from.Expand(1 + rng.IntN(30)); from.Empty() || from != to && !to.Empty() {
					continue
				}
				piece, ok := []byte(nil), true
				switch kind := rng.IntN(4); {
				case from == to || kind == 0 && (from.Settled() || moves < 200):
					if from == to && !from.Settled() && moves >= 200 {
						continue
					}
					piece = from.Pack(nil)
				case kind == 1 && (from.Settled() || moves < 200):
					piece, _, ok = from.Subtask(nil, 1+rng.IntN(8), 5)
				default:
					piece, ok = from.Split(nil)
				}
				if !ok {
					continue
				}
				moves++
				if err := to.Accept(piece); err != nil {
					t.Fatal(err)
				}
			}
		}
		nodes := int64(0)
		for _, s := range shares {
			nodes += s.Counts().Expanded
		}
		t.Logf("%d moves, %d nodes", moves, nodes)
		if got := mergeLogged(t, shares[0], nodes, shares[1:]...); !bytes.Equal(got, want) || nodes != one.Counts().Expanded {
			t.Errorf("seed %d, %d moves: %d nodes and a proof of %d bytes, want %d and %d, and the same", seed, moves, nodes, len(got), one.Counts().Expanded, len(want))
		}
	}
}

// mergeLogged returns the proof of shares.
func mergeLogged(t *testing.T, first *logged, nodes int64, others ...*logged) []byte {
	t.Helper()
	var streams []proof.Stream
	for _, l := range append([]*logged{first}, others...) {
		l.log.Flush()
		streams = append(streams, bytes.NewReader(l.data.Bytes()))
		nodes -= l.Counts().Steps
	}
	var text bytes.Buffer
	out := proof.NewWriter(&text, proof.Text)
	merged, err := proof.MergeLogs(out, streams)
	if err == nil {
		err = out.Flush()
	}
	if err != nil || merged != nodes {
		t.Fatalf("%d nodes merged of %d: %v", merged, nodes, err)
	}
	return text.Bytes()
}
