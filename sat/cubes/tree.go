package cubes

import (
	"errors"
	"slices"

	"treesplit/sat"
)

// A Tree is a splitting that another program has made, read from its cubes. The search follows the
// tree and conquers its leaves. A leaf is a node at which a cube ends, or which no cube reaches. So
// the leaves cover all assignments, and the verdict and the proof are right for every list of cubes.
//
// A node branches on the first literal without a value of the first cube that reaches the node. The
// cubes that look-ahead solvers such as march_cu write are the leaves of a binary tree, and give this
// tree again. In other lists a cube without the variable of a node reaches both children.

// Tree is a binary tree of decisions. It does not change.
type Tree struct{ twigs []twig }

// twig is an inner node of a Tree. The root is twig 0.
type twig struct {
	literal int32    // of the rule; branch 0 makes it true, branch 1 false
	next    [2]int32 // the children; noTwig: a leaf
	leaves  int32    // number of leaves below
}

// noTwig stands for a leaf, and for all nodes below leaves.
const noTwig int32 = -1

// Limits of trees.
const (
	mostTwigs  = 1 << 24
	mostDepth  = 1 << 16
	mostCopies = 1 << 22 // of cubes that reach both children of a node
	mostSteps  = 1 << 31 // literals that are read
)

// NewTree makes the tree of a list of cubes for a formula. Literals whose variable occurs in no clause
// are omitted. It takes time proportional to the number of literals if the cubes are the leaves of a
// binary tree. It returns an error if the tree is too large or too deep, or if too many cubes reach
// both children of nodes.
func NewTree(f, cubes *sat.Formula) (*Tree, error) {
	b := newPlanter(f, cubes)
	if _, err := b.plantTwig(b.listAll(), 0); err != nil {
		return nil, err
	}
	return &b.tree, nil
}

// root returns the root, or noTwig.
func (t *Tree) root() int32 {
	if t == nil || len(t.twigs) == 0 {
		return noTwig
	}
	return 0
}

// child returns the child of a twig at which a literal is true.
func (t *Tree) child(at, literal int32) int32 {
	if t == nil || at == noTwig {
		return noTwig
	}
	return t.twigs[at].next[(literal^t.twigs[at].literal)&1]
}

// leaves returns the number of leaves below a node.
func (t *Tree) leaves(at int32) int32 {
	if at == noTwig {
		return 1
	}
	return t.twigs[at].leaves
}

// planter makes a Tree.
type planter struct {
	tree   Tree
	cubes  [][]int32 // literals of the rule
	value  []int8    // of each literal on the path: 1 true, -1 false, 0 none
	copies int
	steps  int64
}

// reaching is a cube that reaches a node. Its literals before next are true there.
type reaching struct{ cube, next int32 }

// newPlanter translates the cubes.
func newPlanter(f, cubes *sat.Formula) *planter {
	names := sat.VariableNamesOf(f)
	b := &planter{value: make([]int8, 2*len(names))}
	all := make([]int32, 0, cubes.LiteralCount())
	for _, cube := range cubes.Clauses() {
		begin := len(all)
		for _, l := range cube {
			if _, occurs := slices.BinarySearch(names, max(l, -l)); occurs {
				all = append(all, names.FromDIMACS(l))
			}
		}
		b.cubes = append(b.cubes, all[begin:])
	}
	return b
}

// listAll returns all cubes.
func (b *planter) listAll() []reaching {
	list := make([]reaching, len(b.cubes))
	for i := range list {
		list[i].cube = int32(i)
	}
	return list
}

// plantTwig adds the subtree that a list of cubes makes, and overwrites the list.
func (b *planter) plantTwig(list []reaching, depth int) (at int32, err error) {
	list, ended := b.skipTrue(list)
	switch {
	case ended || len(list) == 0:
		return noTwig, nil
	case len(b.tree.twigs) == mostTwigs || depth == mostDepth:
		return noTwig, errors.New("the cubes make too large a tree: expected at most 16 M branches and 65,536 decisions")
	}
	literal := b.cubes[list[0].cube][list[0].next]
	at = int32(len(b.tree.twigs))
	b.tree.twigs = append(b.tree.twigs, twig{literal: literal})
	agree, differ := b.divideCubes(list, literal)
	if b.copies > mostCopies || b.steps > mostSteps {
		return noTwig, errors.New("the cubes make too large a tree: expected the leaves of a binary tree of decisions")
	}
	yes, err := b.plantBranch(agree, literal, depth)
	if err != nil {
		return noTwig, err
	}
	no, err := b.plantBranch(differ, literal^1, depth)
	t := &b.tree.twigs[at]
	t.next, t.leaves = [2]int32{yes, no}, b.tree.leaves(yes)+b.tree.leaves(no)
	return at, err
}

// plantBranch adds the subtree below a branch.
func (b *planter) plantBranch(list []reaching, literal int32, depth int) (int32, error) {
	b.value[literal], b.value[literal^1] = 1, -1
	at, err := b.plantTwig(list, depth+1)
	b.value[literal], b.value[literal^1] = 0, 0
	return at, err
}

// skipTrue advances each cube to its next literal without a value, and removes cubes with a false
// literal before it. ended reports whether all literals of a cube are true.
func (b *planter) skipTrue(list []reaching) (rest []reaching, ended bool) {
	rest = list[:0]
	for _, r := range list {
		literals := b.cubes[r.cube]
		for int(r.next) < len(literals) && b.value[literals[r.next]] > 0 {
			r.next++
			b.steps++
		}
		switch {
		case int(r.next) == len(literals):
			return nil, true
		case b.value[literals[r.next]] == 0:
			rest = append(rest, r)
		}
	}
	return rest, false
}

// divideCubes returns the cubes that agree with a literal, and the cubes that differ from it. A cube without the
// variable does both.
func (b *planter) divideCubes(list []reaching, literal int32) (agree, differ []reaching) {
	differ = list[:0]
	for i, r := range list {
		switch b.findVariable(r, literal) {
		case literal:
			agree = append(agree, r)
		case literal ^ 1:
			differ = append(differ, r)
		default:
			b.copies++
			agree, differ = append(agree, r), append(differ, list[i])
		}
	}
	return agree, differ
}

// findVariable returns the first literal of a cube, from its next one on, with the variable of a
// literal; sat.NoLiteral: there is none.
func (b *planter) findVariable(r reaching, literal int32) int32 {
	for _, l := range b.cubes[r.cube][r.next:] {
		b.steps++
		if l>>1 == literal>>1 {
			return l
		}
	}
	return sat.NoLiteral
}
