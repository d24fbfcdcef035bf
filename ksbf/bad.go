package ksbf

import (
	"fmt"
	"slices"
	"strings"
)

// Bad is a tree on which KS does badly (section 1.3): no task has more than Weight
// right turns above it, so that Weight+1 ranks do all the work. With Weight = log2 p
// these are log p + 1 of p ranks; the paper prints log p.
//
// The paper's own family is chained: all tasks of less than Levels turns, at most Weight of
// them to the right. The paper requires trees to be full, with two children or none for
// each task, and this family is not. The other two are variants:
//
//	capped    a task of less than Weight right turns has two children, one of that
//	          many has none; this family is full
//	chained   the same, but one of that many has a left child alone
//	complete  the first Weight levels have two children each, so that the tree is
//	          Weight-complete, and all below a left child alone
type Bad struct {
	tree
	Family string // one of BadFamilies
	Levels int    // 1 … MaxLevels
	Weight int    // 0 … Levels
}

// BadFamilies lists the families of Bad.
var BadFamilies = []string{"capped", "chained", "complete"}

// Validate returns an error if a parameter is out of range.
func (w Bad) Validate() error {
	switch {
	case !slices.Contains(BadFamilies, w.Family):
		return fmt.Errorf("unknown family %q: expected one of %s", w.Family, strings.Join(BadFamilies, ", "))
	case w.Levels < 1 || w.Levels > MaxLevels:
		return fmt.Errorf("a tree cannot have %d levels: expected 1 to %d", w.Levels, MaxLevels)
	case w.Weight < 0 || w.Weight > w.Levels:
		return fmt.Errorf("the weight cannot be %d: expected 0 to the number of levels, %d", w.Weight, w.Levels)
	}
	return nil
}

// Root returns the root.
func (Bad) Root() Task { return Task{} }

// Execute creates the children that the family allows.
func (w Bad) Execute(t *Task, c *Children, _ *Sum) {
	if int(t.Level)+1 >= w.Levels {
		return
	}
	turns := t.RightTurns()
	if w.Family == "complete" {
		turns = int(t.Level)
	}
	switch {
	case turns < w.Weight:
		c.setBothChildren(t)
	case w.Family != "capped":
		c.Left, c.HasLeft = t.leftChild(), true
	}
}

// Check returns an error if a task is impossible; it checks the number of right turns too.
func (w Bad) Check(t *Task) error {
	if n := t.RightTurns(); n > w.Weight {
		return fmt.Errorf("a task cannot have the weight %d: expected at most %d", n, w.Weight)
	}
	return checkTree(t, w.Levels, [2]uint64{})
}
