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

// script is a team whose trials take as many seconds as it says, by Cut.Cube.
type script map[float64]float64

func (script) Size() int { return 2 }

func (s script) Ask(questions [][]byte, _ func([]byte) []byte) (answers [][]byte) {
	for _, data := range questions {
		q, _ := decodeQuestion(data, Assigned)
		t := trial{ticks: int64(s[q.cut.Cube] / TickTime), complete: true, cubes: cubesOfAnchor, conflicts: 1}
		if t.seconds() > q.limit {
			t.ticks, t.complete = int64(q.limit/TickTime), false
		}
		answers = append(answers, t.encode(nil))
	}
	return answers
}

// If a cut with more look-ahead is a little worse, the cuts beyond it are tried too. A cut whose trials are
// short has more of them.
func TestGoUp(t *testing.T) {
	s := newSampler(ruletest.MakeFamily(t, "random", 1, "n=400 ratio=4.6"), Assigned, nil)
	for _, c := range []struct {
		worse float64 // time of the cut in between, in times of the first cut
		goes  bool    // past that cut
	}{{near - 0.1, true}, {near + 0.1, false}} {
		race := s.enterAll()
		start := startOf(race, startCubes)
		between, beyond := start+stride, start+2*stride
		if beyond >= len(race) {
			t.Fatalf("%d cuts, and cut %d is the first one that is tried", len(race), start)
		}
		team := script{}
		for i, multiple := range map[int]float64{start: 1, between: c.worse, beyond: 0.5} {
			team[race[i].cut.Cube] = 100 * multiple / race[i].anchors
		}
		s.team, s.spent = team, 0
		s.tryMore(race[start], firstTrials, 1e9)
		want, trials := start, 0
		if c.goes {
			want, trials = beyond, 2*firstTrials
		}
		if got := s.goUp(race, start); got != want {
			t.Errorf("%v times as slow in between: cut %d, want %d", c.worse, got, want)
		}
		if got := race[beyond].tried; got < trials || got > 0 && !c.goes {
			t.Errorf("%v times as slow in between: %d trials of the cut beyond, want %d", c.worse, got, trials)
		}
	}
}

// After an incomplete trial there is no other one, also if the sum of the times is rounded to the limit. So
// the number of trials does not depend on the size of the team.
func TestIncompleteTrialIsLast(t *testing.T) {
	s := newSampler(ruletest.MakeFamily(t, "random", 1, "n=400 ratio=4.6"), Assigned, nil)
	race := s.enterAll()
	e := race[startOf(race, startCubes)]
	s.team, s.spent = script{e.cut.Cube: 100}, 1e18
	s.tryMore(e, firstTrials, 1)
	if e.tried != 1 || e.next != len(s.dives) {
		t.Errorf("%d trials, then trials from dive %d on: expected one trial, and none after it", e.tried, e.next)
	}
}
