package replay

import (
	"fmt"

	"treesplit/search"
)

// Tree is a recorded tree. It lies in one array of words, family by family in
// preorder. The family of a node with n ≥ 1 children is n + 2 words:
//
//	familyFlag | n
//	the number of nodes of the node's subtree
//	for each child the index of its family, or leaf
//
// A child's place is known at once, so that a share can be split anywhere and
// needs no index beside the tree. A binary tree takes 8 bytes a node, one with
// many leaves a little over 4.
type Tree struct {
	words []uint32
	batch int
	nodes int64
	inner bool // the root has children; its family is at index 0
}

const (
	familyFlag = 1 << 31 // set in the first word of a family and in no index
	leaf       = 0       // the root's family is nobody's child
	header     = 2       // words of a family before its children
)

// MaxNodes is the largest tree that can be recorded: indices have 31 bits.
const MaxNodes = 1 << 29

// RecordTree walks a shape and keeps it. A tree of more than limit nodes is an error,
// after limit nodes; 1 ≤ limit ≤ MaxNodes. It takes O(depth) memory beside the tree.
func RecordTree(shape search.Shape, limit int64) (*Tree, error) {
	if limit < 1 || limit > MaxNodes || shape.Batch < 1 {
		return nil, fmt.Errorf("a limit of %d nodes, a batch of %d: expected 1 to %d, and at least 1", limit, shape.Batch, MaxNodes)
	}
	r := recorder{tree: &Tree{batch: shape.Batch}}
	for n := range shape.Children {
		switch {
		case r.tree.nodes == limit:
			return nil, fmt.Errorf("the tree has more than %d nodes", limit)
		case n < 0 || n >= familyFlag || r.tree.nodes > 0 && len(r.path) == 0:
			return nil, fmt.Errorf("node %d, with %d children, does not follow in preorder", r.tree.nodes, n)
		case len(r.tree.words)+header+n >= familyFlag:
			return nil, fmt.Errorf("the tree takes more than 2^31 words: %d nodes so far", r.tree.nodes)
		}
		r.appendNode(n)
	}
	if r.tree.nodes == 0 || len(r.path) > 0 {
		return nil, fmt.Errorf("the tree breaks off after %d nodes", r.tree.nodes)
	}
	return r.tree, nil
}

// recorder builds a tree from its nodes in preorder.
type recorder struct {
	tree *Tree
	path []open // the families that are not complete, from the root down
}

// open is a family whose next child is yet to come.
type open struct {
	family, next uint32
	begin        int64 // the number of nodes before the one whose family it is
}

// appendNode adds the next node, which has n children.
func (r *recorder) appendNode(n int) {
	t := r.tree
	begin, family := t.nodes, uint32(len(t.words))
	t.nodes++
	if n > 0 {
		if len(r.path) > 0 {
			top := &r.path[len(r.path)-1]
			t.words[top.family+header+top.next] = family
		} else {
			t.inner = true
		}
		t.words = append(t.words, familyFlag|uint32(n), 0)
		for range n {
			t.words = append(t.words, leaf)
		}
		r.path = append(r.path, open{family: family, begin: begin})
		return
	}
	for len(r.path) > 0 { // the node ends every family whose last child it is
		top := &r.path[len(r.path)-1]
		if top.next++; top.next < t.countChildren(top.family) {
			return
		}
		t.words[top.family+1] = uint32(t.nodes - top.begin)
		r.path = r.path[:len(r.path)-1]
	}
}

// NodeCount is W, the number of nodes.
func (t *Tree) NodeCount() int64 { return t.nodes }

// MemoryBytes is the memory that the tree takes.
func (t *Tree) MemoryBytes() int64 { return 4 * int64(len(t.words)) }

// countChildren is the number of children of a family.
func (t *Tree) countChildren(family uint32) uint32 { return t.words[family] &^ familyFlag }

// childFamilies are the indices of the families of children lo … hi−1.
func (t *Tree) childFamilies(family, lo, hi uint32) []uint32 {
	return t.words[family+header+lo : family+header+hi]
}

// countNodes is the number of nodes in the subtrees of children lo … hi−1.
func (t *Tree) countNodes(family, lo, hi uint32) (nodes int64) {
	for _, c := range t.childFamilies(family, lo, hi) {
		if c == leaf {
			nodes++
		} else {
			nodes += int64(t.words[c+1])
		}
	}
	return nodes
}
