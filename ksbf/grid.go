package ksbf

import "fmt"

// MaxGrid bounds the side of a grid.
const MaxGrid = 1 << 20

// Grid is the pyramidal grid of N(N+1)/2 tasks ⟨k,l⟩, k+l < N. The left child of ⟨k,l⟩
// is ⟨k,l+1⟩, the right one ⟨k+1,l⟩; so a task inside has two parents, and is executed
// once both have been. All of column k runs on rank k mod p (lemma 1.1b), where the
// two parents' halves of a task meet without a further message.
type Grid struct {
	N int // 1 … MaxGrid
}

// Validate checks N.
func (w Grid) Validate() error {
	if w.N < 1 || w.N > MaxGrid {
		return fmt.Errorf("a grid of side %d: expected 1 to %d", w.N, MaxGrid)
	}
	return nil
}

// Root is ⟨0,0⟩.
func (Grid) Root() Task { return Task{} }

// Column is the k of a grid's task ⟨k,l⟩.
func (t *Task) Column() int { return int(t.Place[0]) }

// Row is the l of a grid's task ⟨k,l⟩.
func (t *Task) Row() int { return int(t.Level) - t.Column() }

// Execute creates ⟨k,l+1⟩ and ⟨k+1,l⟩ above the last level.
func (w Grid) Execute(t *Task, c *Children, _ *Sum) {
	if int(t.Level)+1 >= w.N {
		return
	}
	c.HasLeft, c.HasRight = true, true
	c.Left = t.leftChild()
	c.Right = c.Left
	c.Right.Place[0]++
}

// Parents is 2 inside the grid and 1 on its border.
func (Grid) Parents(t *Task) int {
	if t.Column() > 0 && t.Row() > 0 {
		return 2
	}
	return 1
}

// Joins is true.
func (Grid) Joins() bool { return true }

// Check knows every right child of the grid: all tasks but ⟨0,l⟩.
func (w Grid) Check(t *Task) error {
	switch {
	case t.Level < 1 || int(t.Level) >= w.N:
		return fmt.Errorf("a task of level %d: expected 1 to %d", t.Level, w.N-1)
	case t.Credit < 0 || t.Credit > t.Level:
		return fmt.Errorf("a task of level %d and credit 2^-%d: expected 2^-%d at least", t.Level, t.Credit, t.Level)
	case t.Place[0] < 1 || t.Place[0] > uint64(t.Level):
		return fmt.Errorf("a task of level %d in column %d: expected 1 to %d", t.Level, t.Place[0], t.Level)
	case t.Place != [4]uint64{t.Place[0]} || t.State != [2]uint64{}:
		return fmt.Errorf("a task of a grid with more than a level and a column")
	}
	return nil
}
