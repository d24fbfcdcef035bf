package searchtest

import (
	"fmt"
	"math/rand/v2"

	"treesplit/search"
)

// checkSubtasks checks, for a Subtasker, that a call either expands nodes or cuts one off. It
// also checks that a tree has W nodes in all if it is cut into subtasks at random depths, and
// these again at larger depths.
func (s suite) checkSubtasks() error {
	if _, ok := search.As[search.Subtasker](s.newRoot()); !ok {
		return nil
	}
	rng := rand.New(rand.NewPCG(4, uint64(s.wantW)))
	for range s.schedules(2, 8) {
		depth := 1 + rng.IntN(12)
		below := []search.Subtasker{asCapability[search.Subtasker](s.newEmpty()), asCapability[search.Subtasker](s.newEmpty()), asCapability[search.Subtasker](s.newEmpty())}
		got, err := s.takeApart(asCapability[search.Subtasker](s.newRoot()), depth, below, rng)
		if err != nil {
			return err
		}
		if got != s.wantW {
			return fmt.Errorf("the tree has %d nodes when cut into subtasks at depth %d, want %d", got, depth, s.wantW)
		}
	}
	return nil
}

// takeApart cuts a share into subtasks at a depth, and one in four of these again at a larger
// depth. The first of the empty shares below takes all subtasks of a level, one after the
// other. It returns the number of expanded nodes.
func (s suite) takeApart(w search.Subtasker, depth int, below []search.Subtasker, rng *rand.Rand) (total int64, err error) {
	for !w.Empty() {
		limit := 1 + rng.IntN(20)
		piece, n, ok := w.Subtask([]byte("dst"), depth, limit)
		total += int64(n)
		if n > limit || string(piece[:3]) != "dst" || ok == (len(piece) == 3) {
			return total, fmt.Errorf("method Subtask with limit %d expanded %d nodes and returned %q, %v", limit, n, piece, ok)
		}
		if (n == 0) != ok && !w.Empty() {
			return total, fmt.Errorf("method Subtask with limit %d expanded %d nodes and returned a piece: %v: expected either nodes or a piece", limit, n, ok)
		}
		if !ok {
			continue
		}
		sub := below[0]
		if err := sub.Accept(piece[3:]); err != nil {
			return total, fmt.Errorf("a subtask is refused: %w", err)
		}
		if len(below) > 1 && rng.IntN(4) == 0 {
			n, err := s.takeApart(sub, depth+1+rng.IntN(8), below[1:], rng)
			total += n
			if err != nil {
				return total, err
			}
		}
		total += drainShare(sub, s.wantW)
		if total > s.wantW {
			return total, fmt.Errorf("the subtasks have %d nodes in all, want %d", total, s.wantW)
		}
	}
	return total, nil
}
