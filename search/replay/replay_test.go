package replay_test

import (
	"fmt"
	"iter"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"treesplit/sat"
	"treesplit/sat/gen"
	"treesplit/search"
	"treesplit/search/replay"
	"treesplit/search/searchtest"
	"treesplit/uts"
)

// formula returns a random formula with the given number of variables, satisfiable or not.
func formula(t testing.TB, variables float64, seed uint64) *sat.Formula {
	t.Helper()
	family, err := gen.FindFamily("random")
	if err != nil {
		t.Fatal(err)
	}
	f, _, err := family.MakeFormula(map[string]float64{"n": variables, "ratio": 5}, seed)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// workload is a tree as its own workload searches it.
type workload struct {
	name  string
	shape search.Shape
	share func(split search.Splitting, root bool) search.Work
}

func workloads(t testing.TB) []workload {
	t.Helper()
	var all []workload
	for seed := range uint64(3) {
		f := formula(t, 22, seed)
		rule := sat.NewPaper(f)
		all = append(all, workload{fmt.Sprintf("sat %d", seed), rule.Shape(), func(split search.Splitting, root bool) search.Work {
			return rule.NewSearch(sat.Options{Splitting: split, Root: root, All: true})
		}})
	}
	binomial := uts.DefaultParams()
	binomial.Type, binomial.B0, binomial.Q, binomial.M = uts.Binomial, 200, 0.19, 5
	deep := binomial
	deep.B0, deep.Q, deep.M = 3, 0.498, 2
	hybrid := uts.DefaultParams()
	hybrid.Type, hybrid.Depth, hybrid.Q, hybrid.Seed = uts.Hybrid, 12, 0.23, 7
	for i, p := range []uts.Params{uts.DefaultParams(), binomial, deep, hybrid} {
		shape, err := uts.TreeShape(p)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, workload{fmt.Sprintf("uts %d", i), shape, func(split search.Splitting, root bool) search.Work {
			w, err := uts.New(p, split, root)
			if err != nil {
				t.Fatal(err)
			}
			return w
		}})
	}
	return all
}

// record records a workload's tree.
func (w workload) record(t testing.TB) *replay.Tree {
	t.Helper()
	tree, err := replay.RecordTree(w.shape, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestConformance(t *testing.T) {
	for _, w := range workloads(t) {
		t.Run(w.name, func(t *testing.T) {
			tree := w.record(t)
			split := search.Splitting{Rule: search.Half, MinOpen: 2}
			searchtest.Run(t,
				func() search.Work { return tree.Share(split, true) },
				func() search.Work { return tree.Share(split, false) }, tree.NodeCount())
		})
	}
}

// twin is a share of a workload and a share of its recorded tree. No difference between them
// must be observable.
type twin struct {
	live   search.Work
	replay *replay.Share
	batch  int // of the tree's shape
}

// checkCount compares the number of nodes that the replayed share counts with the number in its stack.
func (w *twin) checkCount(t *rapid.T) {
	want := w.replay.Left()
	if w.batch > 1 {
		want = 0
	}
	if n := w.replay.NodesLeft(); n != want {
		t.Fatalf("NodesLeft is %d with %d nodes in the stack: expected %d", n, w.replay.Left(), want)
	}
}

// expand makes the same call on both and compares the observable results.
func (w *twin) expand(t *rapid.T, limit int) {
	a, b := w.live.Expand(limit), w.replay.Expand(limit)
	if a != b || w.live.Empty() != w.replay.Empty() {
		t.Fatalf("Expand(%d) is %d live (empty %v) and %d replayed (empty %v)", limit, a, w.live.Empty(), b, w.replay.Empty())
	}
	w.checkCount(t)
}

// bisect makes both shares a part of the tree.
func (w *twin) bisect(t *rapid.T, k int, part uint64) {
	a, b := w.live.(search.Bisecter).Bisect(k, part)
	c, d := w.replay.Bisect(k, part)
	if a != c || b != d || w.live.Empty() != w.replay.Empty() {
		t.Fatalf("Bisect(%d, %d) expands %d and %d nodes live (empty %v), and %d and %d replayed (empty %v)",
			k, part, a, b, w.live.Empty(), c, d, w.replay.Empty())
	}
	w.checkCount(t)
}

// move gives part of a twin to an empty one, by Split or, if depth > 0, by Subtask. If depth
// is −1 it gives everything, by Pack.
func (w *twin) move(t *rapid.T, to *twin, depth int) {
	var a, b []byte
	var okA, okB bool
	switch depth {
	case -1:
		a, okA = w.live.(search.Packer).Pack(nil), true
		b, okB = w.replay.Pack(nil), true
	case 0:
		a, okA = w.live.Split(nil)
		b, okB = w.replay.Split(nil)
	default:
		var n, m int
		a, n, okA = w.live.(search.Subtasker).Subtask(nil, depth, 50)
		b, m, okB = w.replay.Subtask(nil, depth, 50)
		if n != m {
			t.Fatalf("a subtask at depth %d comes after %d nodes live and %d replayed", depth, n, m)
		}
	}
	if okA != okB {
		t.Fatalf("a piece live: %v, replayed: %v", okA, okB)
	}
	if !okA {
		return
	}
	if err := to.live.Accept(a); err != nil {
		t.Fatal(err)
	}
	if err := to.replay.Accept(b); err != nil {
		t.Fatal(err)
	}
	w.checkCount(t)
	to.checkCount(t)
}

// For any operations on a workload's shares, the recorded shares behave the same: they expand
// as many nodes, become empty and refuse to be split at the same moments, under every
// splitting function.
func TestReplayIsTheWorkload(t *testing.T) {
	for _, w := range workloads(t) {
		t.Run(w.name, func(t *testing.T) {
			tree := w.record(t)
			rapid.Check(t, func(t *rapid.T) {
				split := search.Splitting{
					Rule:    rapid.SampledFrom([]search.Rule{search.Half, search.Bottom}).Draw(t, "rule"),
					MinOpen: rapid.IntRange(1, 12).Draw(t, "min open"),
					Cutoff:  rapid.SampledFrom([]int{0, 0, 5, 9, 15}).Draw(t, "cutoff"),
				}
				twins := make([]*twin, 5)
				for i := range twins {
					twins[i] = &twin{w.share(split, i == 0), tree.Share(split, i == 0), w.shape.Batch}
				}
				if whole := twins[0]; rapid.Bool().Draw(t, "pack the root") {
					whole.move(t, whole, -1)
				}
				for range 300 {
					from := twins[rapid.IntRange(0, 4).Draw(t, "from")]
					to := twins[rapid.IntRange(0, 4).Draw(t, "to")]
					if from != to && to.live.Empty() && !from.live.Empty() {
						from.move(t, to, rapid.SampledFrom([]int{0, 0, 0, 3, 8, -1}).Draw(t, "depth"))
					}
					if rapid.IntRange(0, 9).Draw(t, "bisect") == 0 && from.live.Empty() {
						k := rapid.SampledFrom([]int{0, 1, 5, 12, 30, search.MaxSplits}).Draw(t, "k")
						from.bisect(t, k, rapid.Uint64Max(1<<k-1).Draw(t, "part"))
					}
					from.expand(t, rapid.IntRange(1, 40).Draw(t, "limit"))
				}
				for _, tw := range twins {
					for !tw.live.Empty() {
						tw.expand(t, 1000)
					}
				}
			})
		})
	}
}

// Left and NodesInPiece return the number of nodes that Expand then finds.
func TestLeft(t *testing.T) {
	for _, w := range workloads(t) {
		tree := w.record(t)
		share := tree.Share(search.DefaultSplitting, true)
		expanded := int64(0)
		for !share.Empty() {
			if share.Left() != tree.NodeCount()-expanded {
				t.Fatalf("%s: Left returns %d after %d of %d nodes", w.name, share.Left(), expanded, tree.NodeCount())
			}
			expanded += int64(share.Expand(100))
			piece, ok := share.Split(nil)
			if !ok {
				continue
			}
			other := tree.Share(search.DefaultSplitting, false)
			if err := other.Accept(piece); err != nil {
				t.Fatal(err)
			}
			left := other.Left()
			if n := int64(other.Expand(1 << 30)); n != left || n != tree.NodesInPiece(piece) || n == 0 {
				t.Fatalf("%s: for a piece of %d nodes Left returns %d and NodesInPiece %d", w.name, n, left, tree.NodesInPiece(piece))
			}
			expanded += left
		}
		if expanded != tree.NodeCount() {
			t.Errorf("%s: %d nodes, recorded %d", w.name, expanded, tree.NodeCount())
		}
	}
}

func TestRecordRefuses(t *testing.T) {
	for _, c := range []struct {
		name     string
		children []int
		batch    int
		limit    int64
	}{
		{"no tree", nil, 1, 10},
		{"incomplete", []int{2, 0}, 1, 10},
		{"two trees", []int{1, 0, 0}, 1, 10},
		{"negative", []int{-1}, 1, 10},
		{"too large", []int{2, 0, 0}, 1, 2},
		{"no batch", []int{0}, 0, 10},
		{"no limit", []int{0}, 1, 0},
	} {
		var seq iter.Seq[int] = slices.Values(c.children)
		if _, err := replay.RecordTree(search.Shape{Children: seq, Batch: c.batch}, c.limit); err == nil {
			t.Errorf("%s is recorded without an error", c.name)
		}
	}
}

// BenchmarkExpand compares replaying with searching, in nodes per second, in steps of 4 as in
// a simulation.
func BenchmarkExpand(b *testing.B) {
	f := formula(b, 30, 1)
	rule := sat.NewPaper(f)
	tree, err := replay.RecordTree(rule.Shape(), replay.MaxNodes)
	if err != nil {
		b.Fatal(err)
	}
	for name, share := range map[string]func() search.Work{
		"sat":    func() search.Work { return rule.NewSearch(sat.Options{Root: true, All: true}) },
		"replay": func() search.Work { return tree.Share(search.DefaultSplitting, true) },
	} {
		b.Run(name, func(b *testing.B) {
			nodes := int64(0)
			for b.Loop() {
				for w := share(); !w.Empty(); {
					nodes += int64(w.Expand(4))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(nodes), "ns/node")
			b.ReportMetric(float64(tree.MemoryBytes())/float64(tree.NodeCount()), "B/node")
		})
	}
}
