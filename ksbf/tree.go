package ksbf

import (
	"fmt"
	"math/bits"
)

// MaxTree is the largest number of levels of a complete tree, so that its tasks can be
// counted.
const MaxTree = 62

// Complete is T_n, the complete binary tree of N levels, 0 … N−1, and 2^N−1 tasks. (The paper
// has the leaves of T_n "at level n"; it must be n−1.)
type Complete struct {
	tree
	N int // 1 … MaxTree
}

// Validate returns an error if N is out of range.
func (w Complete) Validate() error {
	if w.N < 1 || w.N > MaxTree {
		return fmt.Errorf("a complete tree cannot have %d levels: expected 1 to %d", w.N, MaxTree)
	}
	return nil
}

// Root returns the root.
func (Complete) Root() Task { return Task{} }

// Execute creates two children, except on the last level.
func (w Complete) Execute(t *Task, c *Children, _ *Sum) {
	if int(t.Level)+1 < w.N {
		c.setBothChildren(t)
	}
}

// Check returns an error unless t is a right child of the tree.
func (w Complete) Check(t *Task) error { return checkTree(t, w.N, [2]uint64{}) }

// checkTree checks a task of a tree with the given number of levels in which all tasks have
// the same state.
func checkTree(t *Task, levels int, state [2]uint64) error {
	if err := checkPlace(t, levels); err != nil {
		return err
	}
	if t.State != state {
		return fmt.Errorf("a task cannot have the state %x: expected %x", t.State, state)
	}
	return nil
}

// checkPlace checks the level, the credit and the path of a tree's right child.
func checkPlace(t *Task, levels int) error {
	if t.Level < 1 || int(t.Level) >= min(levels, MaxLevels) {
		return fmt.Errorf("a task cannot have level %d: expected 1 to %d", t.Level, min(levels, MaxLevels)-1)
	}
	if t.Credit < 0 || t.Credit > t.Level {
		return fmt.Errorf("a task of level %d cannot have credit 2^-%d: expected at least 2^-%d", t.Level, t.Credit, t.Level)
	}
	for i, word := range t.Place {
		if turns := int(t.Level) - 64*i; turns < 64 && word<<max(turns, 0) != 0 {
			return fmt.Errorf("a task of level %d cannot have more turns than levels", t.Level)
		}
	}
	if last := t.Level - 1; t.Place[last/64]>>(63-last%64)&1 == 0 {
		return fmt.Errorf("a task of level %d is a left child: expected a right one", t.Level)
	}
	return nil
}

// RightTurns returns the number of right turns on the path to a tree's task, its weight. The
// task runs on rank RightTurns mod p (lemma 1.1a).
func (t *Task) RightTurns() int {
	n := 0
	for _, word := range t.Place {
		n += bits.OnesCount64(word)
	}
	return n
}

// HeapNumber returns the number of a tree's task in heap order, for levels up to 62: 1 for the
// root, 2x and 2x+1 for the children of x. The paper's table 1 uses these numbers.
func (t *Task) HeapNumber() uint64 { return 1<<t.Level | t.Place[0]>>(63-t.Level)>>1 }
