package sim

import (
	"bytes"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"reflect"
	"testing"

	"treesplit/lb"
	"treesplit/sat"
	"treesplit/sat/gen"
	"treesplit/search"
	"treesplit/search/replay"
	"treesplit/termination"
	"treesplit/uts"
)

var update = flag.Bool("update", false, "rewrite the golden transcripts in testdata")

// line returns an entry in the form of a transcript.
func line(e Entry) string {
	s := fmt.Sprintf("%10d rank %d %v", e.At, e.Rank, e.What)
	switch e.What {
	case Stepped:
		s += fmt.Sprintf(" %d", e.Nodes)
	case Sent:
		s += fmt.Sprintf(" %v to %d, tag %d, arg %d", e.Message.Kind, e.Message.To, e.Message.Tag, e.Message.Arg)
	case Received:
		s += fmt.Sprintf(" %v from %d", e.Message.Kind, e.Message.From)
	}
	return s + "\n"
}

// transcript runs a setup and returns its result and the hash of its transcript.
func (s setup) transcript(t testing.TB) (Result, uint64) {
	t.Helper()
	h := fnv.New64a()
	s.options.Trace = func(e Entry) { h.Write([]byte(line(e))) }
	s.options.PerRank = true
	r, err := s.run(t)
	if err != nil {
		t.Fatal(err)
	}
	return r, h.Sum64()
}

// Two runs with the same seed are equal, event by event. Another seed gives another run if anything
// is random.
func TestSeedDecidesAll(t *testing.T) {
	tree := small(t)
	for _, scheme := range lb.SchemeNames() {
		s := over(tree, nCUBE2, scheme, "tree", 11, 7)
		s.options.Faults = Faults{SlowOneIn: 4, SlowBy: 3, Jitter: 50 * us, PauseOneIn: 100, Pause: 1000 * us}
		first, hash := s.transcript(t)
		second, again := s.transcript(t)
		if hash != again || !reflect.DeepEqual(first, second) {
			t.Errorf("%s: two runs differ: %x %+v, %x %+v", scheme, hash, first, again, second)
		}
		s.seed++
		if _, other := s.transcript(t); other == hash {
			t.Errorf("%s: another seed gives the same run", scheme)
		}
	}
}

// A tiny run, written out. Rewrite it with -update, and read the difference.
func TestGolden(t *testing.T) {
	for _, scheme := range []string{"rp", "grr-m"} {
		var got bytes.Buffer
		s := over(small(t), nCUBE2, scheme, "ring", 4, 1)
		s.options.Trace = func(e Entry) { got.WriteString(line(e)) }
		r, err := s.run(t)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "%+v\n", r)
		path := "testdata/" + scheme + ".txt"
		if *update {
			if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		golden, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(golden, got.Bytes()) {
			t.Errorf("%s: the transcript differs from %s; -update rewrites it", scheme, path)
		}
	}
}

// A run over a recorded tree equals, event by event, the run over the live workload: for sat's rule
// paper and for uts, under every scheme and splitting function.
func TestReplayGivesTheSameRun(t *testing.T) {
	family, err := gen.FindFamily("random")
	if err != nil {
		t.Fatal(err)
	}
	f, _, err := family.MakeFormula(map[string]float64{"n": 22, "ratio": 5}, 1)
	if err != nil {
		t.Fatal(err)
	}
	rule := sat.NewPaper(f)
	params := uts.DefaultParams()
	params.Type, params.B0, params.Q, params.M, params.Seed = uts.Binomial, 100, 0.31, 3, 4
	shape, err := uts.TreeShape(params)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		shape search.Shape
		live  func(split search.Splitting, root bool) search.Work
	}{
		{"sat", rule.Shape(), func(split search.Splitting, root bool) search.Work {
			return rule.NewSearch(sat.Options{Splitting: split, Root: root, All: true})
		}},
		{"uts", shape, func(split search.Splitting, root bool) search.Work {
			w, err := uts.New(params, split, root)
			if err != nil {
				t.Fatal(err)
			}
			return w
		}},
	} {
		tree, err := replay.RecordTree(c.shape, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		for i, split := range []search.Splitting{
			{Rule: search.Half, MinOpen: 2}, {Rule: search.Bottom, MinOpen: 4}, {Rule: search.Half, MinOpen: 1, Cutoff: 10},
		} {
			for _, scheme := range lb.SchemeNames() {
				s := over(tree, nCUBE2, scheme, termination.DetectorNames()[i], 1<<(3+i), 3)
				s.share = func(root bool) search.Work { return c.live(split, root) }
				live, hash := s.transcript(t)
				s.share = func(root bool) search.Work { return tree.Share(split, root) }
				replayed, again := s.transcript(t)
				if hash != again || !reflect.DeepEqual(live, replayed) {
					t.Errorf("%s, %s, %+v: live %x %+v, replayed %x %+v", c.name, scheme, split, hash, live, again, replayed)
				}
				if live.Stats.Grants == 0 {
					t.Errorf("%s, %s, %+v: no work was moved", c.name, scheme, split)
				}
			}
		}
	}
}
