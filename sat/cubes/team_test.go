package cubes

import (
	"context"
	"testing"

	"treesplit/internal/parallel"
	"treesplit/sat"
	"treesplit/sat/ruletest"
)

// crew is a team of goroutines. spoil changes the answers of the other workers.
type crew struct {
	others []*Assistant
	spoil  func(answer []byte) []byte
	asked  int
}

func newCrew(f *sat.Formula, size int) *crew {
	c := &crew{spoil: func(answer []byte) []byte { return answer }}
	for range size - 1 {
		c.others = append(c.others, NewAssistant(f, Assigned, nil))
	}
	return c
}

func (c *crew) Size() int { return len(c.others) + 1 }

// Ask gives question i to worker i modulo Size.
func (c *crew) Ask(questions [][]byte, own func([]byte) []byte) [][]byte {
	c.asked += len(questions)
	answers := make([][]byte, len(questions))
	_, _ = parallel.SideBySide(context.Background(), c.Size(), c.Size(), func(_ context.Context, worker int) (bool, error) {
		for i := worker; i < len(questions); i += c.Size() {
			if worker == 0 {
				answers[i] = own(questions[i])
			} else {
				answers[i] = c.spoil(c.others[worker-1].Answer(questions[i]))
			}
		}
		return true, nil
	})
	return answers
}

// The choice is the same for any team.
func TestChooseInTeam(t *testing.T) {
	for name, parameters := range map[string]string{"vdw": "n=40 j=3 k=7", "palindromic-vdw": "j=3 k=10 n=97", "multiplier": "n=4"} {
		f := ruletest.MakeFamily(t, name, 0, parameters)
		want := Choose(f, Assigned, nil, nil)
		for _, size := range []int{1, 2, 8} {
			team := newCrew(f, size)
			if got := Choose(f, Assigned, team, nil); got != want {
				t.Errorf("%s: a team of %d chooses %+v, want %+v", name, size, got, want)
			}
			if (team.asked > 0) != (size > 1) {
				t.Errorf("%s: a team of %d is asked %d questions", name, size, team.asked)
			}
		}
	}
}

// The choice is the same if other workers give no answers or invalid ones.
func TestChooseWithWrongAnswers(t *testing.T) {
	f := ruletest.MakeFamily(t, "vdw", 0, "n=40 j=3 k=7")
	want := Choose(f, Assigned, nil, nil)
	for what, spoil := range map[string]func([]byte) []byte{
		"nothing":     func([]byte) []byte { return nil },
		"a part":      func(answer []byte) []byte { return answer[:len(answer)-1] },
		"more":        func(answer []byte) []byte { return append(answer, 0) },
		"half a bool": func(answer []byte) []byte { return append(answer[:len(answer)-1], 2) },
	} {
		team := newCrew(f, 3)
		team.spoil = spoil
		if got := Choose(f, Assigned, team, nil); got != want {
			t.Errorf("a team that answers %s chooses %+v, want %+v", what, got, want)
		}
	}
}

// A trial of the whole formula has the same result for any team, and for any limit.
func TestTryWholeInTeam(t *testing.T) {
	f := ruletest.MakeFamily(t, "palindromic-vdw", 0, "j=3 k=12 n=134")
	s := newSampler(f, Assigned, nil)
	c := s.enter(s.grid()[0]).cut
	all := s.tryRoot(c, 1e9)
	for _, limit := range []float64{0, 0.2, 0.5, 0.9, 0.99, 1.01} {
		s.team = alone{}
		want := s.tryRoot(c, limit*all.seconds())
		s.team = newCrew(f, 2)
		got := s.tryRoot(c, limit*all.seconds())
		if got.complete != want.complete || got.complete != (limit > 1) || got.complete && got != want {
			t.Errorf("with %v of the time %+v, on one worker %+v", limit, got, want)
		}
	}
}

// A question that does not fit the formula has no answer.
func TestWrongQuestion(t *testing.T) {
	f := ruletest.MakeFamily(t, "vdw", 0, "n=40 j=3 k=7")
	a := NewAssistant(f, Assigned, nil)
	good := question{cut: Cut{Anchor: 5, Cube: 10}, limit: 1e9, path: []int32{a.branch}}
	if a.Answer(good.encode(nil)) == nil {
		t.Fatal("no answer to a valid question")
	}
	far := good
	far.cut = Cut{Anchor: 1e9, Cube: 1e9}
	far.path = append([]int32{a.branch}, a.branch)
	other := good
	other.path = []int32{a.branch ^ 2}
	for what, q := range map[string][]byte{
		"no data": nil, "short": good.encode(nil)[:23], "the same variable twice": far.encode(nil),
		"another variable": other.encode(nil), "a long number": append(good.encode(nil), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f),
	} {
		if got := a.Answer(q); got != nil {
			t.Errorf("%s: answer %x", what, got)
		}
		if a.walk.depth() != 0 {
			t.Fatalf("%s: the walk is at depth %d", what, a.walk.depth())
		}
	}
}

// A question from outside never makes an assistant fail.
func FuzzAnswer(f *testing.F) {
	a := NewAssistant(ruletest.MakeFamily(f, "php", 0, "n=4"), Assigned, nil)
	f.Add(question{cut: Cut{Anchor: 2, Cube: 5}, limit: 0.01, path: []int32{a.branch}}.encode(nil))
	f.Add(question{cut: Cut{Anchor: 2, Cube: 5}, limit: 0.01, path: []int32{a.branch, a.branch ^ 1}}.encode(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		a.Answer(data)
		if a.walk.depth() != 0 {
			t.Fatalf("the walk is at depth %d", a.walk.depth())
		}
	})
}
