package run

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"treesplit/local"
	"treesplit/search"
)

// preparing is a Helping whose workers answer a question with their data and the question. ask makes
// the preparations.
type preparing struct {
	Loaded
	ask    func(h Helpers)
	helped *atomic.Int64 // number of answers of other workers
	err    error         // of LoadFor
}

func (p preparing) LoadFor(l Loading) (Problem, error) {
	if l.Helpers != nil {
		p.ask(l.Helpers)
	}
	return p.Problem, p.err
}

func (p preparing) Help(data []byte, _ Loading) (func([]byte) []byte, error) {
	if string(data) == "bad" {
		return nil, errors.New("bad data")
	}
	return func(question []byte) []byte {
		p.helped.Add(1)
		return fmt.Appendf(nil, "%s %s", data, question)
	}, nil
}

// emptyProblem is a problem that is loaded and never searched.
type emptyProblem struct{ Problem }

func (emptyProblem) Encode() ([]byte, error)                  { return nil, nil }
func (emptyProblem) Share(search.Splitting, bool) search.Work { return nil }

// askAbout asks n questions about data, and returns the number of answers, which must be right. An
// answer may be missing if missing is set.
func askAbout(t *testing.T, h Helpers, data string, n int, missing bool) (answered int) {
	var questions [][]byte
	for i := range n {
		questions = append(questions, fmt.Append(nil, i))
	}
	h.Begin([]byte(data))
	answers := h.Ask(questions, func(question []byte) []byte { return fmt.Appendf(nil, "%s %s", data, question) })
	for i, got := range answers {
		switch want := fmt.Sprintf("%s %d", data, i); {
		case string(got) == want:
			answered++
		case len(got) > 0 || !missing:
			t.Errorf("%d workers: answer %d of %d is %q, want %q", h.Size(), i, n, got, want)
		}
	}
	return answered
}

// askAll asks in turn. It checks that each worker answers its part.
func askAll(t *testing.T, h Helpers) {
	for _, n := range []int{0, 1, 2, 7, 30} {
		if got := askAbout(t, h, "one", n, false); got != n {
			t.Errorf("%d workers: %d answers to %d questions", h.Size(), got, n)
		}
		if got, want := askAbout(t, h, "bad", n, true), (n+h.Size()-1)/h.Size(); got != want {
			t.Errorf("%d workers, of which one can answer: %d answers to %d questions, want %d", h.Size(), got, n, want)
		}
		if got := askAbout(t, h, "two", n, false); got != n {
			t.Errorf("%d workers: %d answers to %d questions", h.Size(), got, n)
		}
	}
}

// Helpers answer all questions, in the order of the questions. A worker without data does not answer.
func TestLocalHelpers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	w := preparing{ask: func(h Helpers) { askAll(t, h) }, helped: new(atomic.Int64)}
	for ranks, size := range map[int]int{1: 0, 2: 2, 3: 3, 100: 4} {
		h := newLocalHelpers(w, Loading{}, ranks)
		if (h == nil) != (size == 0) || h != nil && h.Size() != size {
			t.Fatalf("%d ranks: helpers %v, want %d", ranks, h, size)
		}
		if h != nil {
			w.ask(h)
		}
	}
	if w.helped.Load() == 0 {
		t.Error("no other worker has answered")
	}
	if h := newLocalHelpers(Loaded{}, Loading{}, 2); h != nil {
		t.Errorf("a workload that needs no help has %v", h)
	}
}

// loadOnRanks loads the problem of a workload on some ranks, and returns the errors by rank.
func loadOnRanks(w Workload, ranks int) []error {
	errs := make([]error, ranks)
	var wg sync.WaitGroup
	for i, end := range local.New(ranks) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			_, errs[i] = bringProblem(end, DefaultPlan(ranks), w, Hooks{})
		}()
	}
	wg.Wait()
	return errs
}

// All ranks up to a number answer the questions of rank 0. An error on rank 0 ends the loading on all ranks.
func TestRankHelpers(t *testing.T) {
	for _, ranks := range []int{1, 2, 3, 8, 20} {
		asked := false
		w := preparing{Loaded: Loaded{emptyProblem{}}, helped: new(atomic.Int64), ask: func(h Helpers) {
			asked = true
			if want := min(ranks, mostHelpers); h.Size() != want {
				t.Errorf("%d ranks: %d workers, want %d", ranks, h.Size(), want)
			}
			askAll(t, h)
		}}
		for rank, err := range loadOnRanks(w, ranks) {
			if err != nil {
				t.Errorf("rank %d of %d: %v", rank, ranks, err)
			}
		}
		if asked != (ranks > 1) || (w.helped.Load() > 0) != asked {
			t.Errorf("%d ranks: asked %v, %d answers of other ranks", ranks, asked, w.helped.Load())
		}
		w.err = errors.New("the file is missing")
		for rank, err := range loadOnRanks(w, ranks) {
			if err == nil || !strings.Contains(err.Error(), "the file is missing") || !errors.As(err, &InputError{}) {
				t.Errorf("rank %d of %d: %v", rank, ranks, err)
			}
		}
	}
}
