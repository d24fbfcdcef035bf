package ksbf

import (
	"fmt"
	"math"

	"treesplit/internal/splitmix"
)

// Random is a Galton-Watson tree. Every task draws, independently and from the seed alone,
// whether it has two children, one child, which is left or right with the same probability, or
// none. The tree is cut off after Levels levels.
type Random struct {
	tree
	Binary float64 // the probability of two children
	Unary  float64 // the probability of one child
	Levels int     // 1 … MaxLevels
	Seed   uint64
}

// Validate returns an error if a parameter is out of range.
func (w Random) Validate() error {
	switch {
	case !(w.Binary >= 0 && w.Unary >= 0 && w.Binary+w.Unary <= 1):
		return fmt.Errorf("the probabilities cannot be %v for two children and %v for one: expected 0 or more, and a sum of at most 1", w.Binary, w.Unary)
	case w.Levels < 1 || w.Levels > MaxLevels:
		return fmt.Errorf("a random tree cannot have %d levels: expected 1 to %d", w.Levels, MaxLevels)
	}
	return nil
}

// Root returns the root.
func (w Random) Root() Task { return Task{State: [2]uint64{splitmix.Next(w.Seed)}} }

// The words that distinguish the draws of a task.
const (
	drawLeft uint64 = iota + 1
	drawRight
	drawKind
	drawSide
)

// uniformFloat returns a number in [0,1) with 53 bits.
func uniformFloat(x uint64) float64 { return math.Ldexp(float64(x>>11), -53) }

// Execute draws the children.
func (w Random) Execute(t *Task, c *Children, _ *Sum) {
	if int(t.Level)+1 >= w.Levels {
		return
	}
	state := t.State[0]
	switch u := uniformFloat(splitmix.Next(state ^ drawKind)); {
	case u < w.Binary:
		c.setBothChildren(t)
	case u < w.Binary+w.Unary && splitmix.Next(state^drawSide)&1 == 0:
		c.Left, c.HasLeft = t.leftChild(), true
	case u < w.Binary+w.Unary:
		c.Right, c.HasRight = t.rightChild(), true
	}
	c.Left.State[0], c.Right.State[0] = splitmix.Next(state^drawLeft), splitmix.Next(state^drawRight)
}

// Check returns an error if a task is impossible at its place; it cannot check its state.
func (w Random) Check(t *Task) error {
	if t.State[1] != 0 {
		return fmt.Errorf("a task of a random tree cannot have a second word of state")
	}
	return checkPlace(t, w.Levels)
}
