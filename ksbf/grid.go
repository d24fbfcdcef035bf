package ksbf

import "fmt"

// MaxGrid is the largest side of a grid.
const MaxGrid = 1 << 20

// Grid is the pyramidal grid of N(N+1)/2 tasks ⟨k,l⟩, k+l < N. The left child of ⟨k,l⟩ is
// ⟨k,l+1⟩, the right one ⟨k+1,l⟩. So a task inside the grid has two parents, and is executed
// after both. All tasks of column k run on rank k mod p (lemma 1.1b). The two parents' halves
// of a task meet there without a further message.
type Grid struct {
	N int // 1 … MaxGrid
}

// Validate returns an error if N is out of range.
func (w Grid) Validate() error {
	if w.N < 1 || w.N > MaxGrid {
		return fmt.Errorf("a grid cannot have side %d: expected 1 to %d", w.N, MaxGrid)
	}
	return nil
}

// Root returns ⟨0,0⟩.
func (Grid) Root() Task { return Task{} }

// Column returns the k of a grid's task ⟨k,l⟩.
func (t *Task) Column() int { return int(t.Place[0]) }

// Row returns the l of a grid's task ⟨k,l⟩.
func (t *Task) Row() int { return int(t.Level) - t.Column() }

// Execute creates ⟨k,l+1⟩ and ⟨k+1,l⟩, except on the last level.
func (w Grid) Execute(t *Task, c *Children, _ *Sum) {
	if int(t.Level)+1 >= w.N {
		return
	}
	c.HasLeft, c.HasRight = true, true
	c.Left = t.leftChild()
	c.Right = c.Left
	c.Right.Place[0]++
}

// Parents returns 2 inside the grid and 1 on its border.
func (Grid) Parents(t *Task) int {
	if t.Column() > 0 && t.Row() > 0 {
		return 2
	}
	return 1
}

// Joins returns true.
func (Grid) Joins() bool { return true }

// Check returns an error unless t is a right child of the grid: any task except ⟨0,l⟩.
func (w Grid) Check(t *Task) error {
	switch {
	case t.Level < 1 || int(t.Level) >= w.N:
		return fmt.Errorf("a task cannot have level %d: expected 1 to %d", t.Level, w.N-1)
	case t.Credit < 0 || t.Credit > t.Level:
		return fmt.Errorf("a task of level %d cannot have credit 2^-%d: expected at least 2^-%d", t.Level, t.Credit, t.Level)
	case t.Place[0] < 1 || t.Place[0] > uint64(t.Level):
		return fmt.Errorf("a task of level %d cannot be in column %d: expected 1 to %d", t.Level, t.Place[0], t.Level)
	case t.Place != [4]uint64{t.Place[0]} || t.State != [2]uint64{}:
		return fmt.Errorf("a task of a grid cannot have data other than its level and column")
	}
	return nil
}
