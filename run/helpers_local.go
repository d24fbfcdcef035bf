package run

import (
	"runtime"
	"sync"
)

// localHelpers lets goroutines answer.
type localHelpers struct {
	w       Helping
	loading Loading
	data    []byte
	answers []func([]byte) []byte // by worker, without the asking one; nil: it has not begun
}

// newLocalHelpers returns the helpers of a run on goroutine ranks, or nil if there are none.
func newLocalHelpers(w Workload, l Loading, ranks int) Helpers {
	helping, ok := w.(Helping)
	size := min(ranks, runtime.GOMAXPROCS(0), mostHelpers)
	if !ok || size < 2 {
		return nil
	}
	return &localHelpers{w: helping, loading: l, answers: make([]func([]byte) []byte, size-1)}
}

func (h *localHelpers) Size() int { return len(h.answers) + 1 }

// Begin keeps the data for workers, which begin with their first question.
func (h *localHelpers) Begin(data []byte) {
	h.data = data
	clear(h.answers)
}

func (h *localHelpers) Ask(questions [][]byte, own func([]byte) []byte) [][]byte {
	answers := make([][]byte, len(questions))
	var wg sync.WaitGroup
	for i := range min(len(h.answers), len(questions)-1) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if h.answers[i] == nil {
				h.answers[i] = beginHelp(h.w, h.data, h.loading)
			}
			answerPart(questions, i+1, h.Size(), h.answers[i], answers)
		}()
	}
	answerPart(questions, 0, h.Size(), own, answers)
	wg.Wait()
	return answers
}
