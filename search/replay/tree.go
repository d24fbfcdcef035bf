package replay

import (
	"fmt"

	"treesplit/search"
)

// Tree is a recorded tree. It is stored in one array of words, family by family in preorder.
// The family of a node with n ≥ 1 children consists of n + 2 words:
//
//	familyFlag | n
//	the number of nodes of the node's subtree
//	for each child the index of its family, or leaf
//
// The index of a child is stored, so that a share can be split anywhere without a further
// index. A binary tree takes 8 bytes per node, a tree with many leaves a little over 4.
type Tree struct {
	words []uint32
	batch int
	nodes int64
	inner bool // the root has children; its family is at index 0
	timed bool // a node with one child and its child are parts of one node; see RecordTimedTree

	levels map[uint32]int32 // of a timed tree: the levels of nodes that are subtrees, by the families of their first parts
}

const (
	familyFlag = 1 << 31 // set in the first word of a family and in no index
	leaf       = 0       // the root's family is the family of no child
	header     = 2       // words of a family before its children
)

// MaxNodes is the size of the largest tree that can be recorded: indices have 31 bits.
const MaxNodes = 1 << 29

// RecordTree traverses a shape and stores it. It returns an error after limit nodes if the
// tree has more nodes, 1 ≤ limit ≤ MaxNodes. It takes O(depth) memory in addition to the tree.
func RecordTree(shape search.Shape, limit int64) (*Tree, error) {
	if limit < 1 || limit > MaxNodes || shape.Batch < 1 {
		return nil, fmt.Errorf("a tree cannot be recorded with a limit of %d nodes and a batch of %d: expected 1 to %d, and at least 1", limit, shape.Batch, MaxNodes)
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
		return nil, fmt.Errorf("the tree is incomplete: it ends after %d nodes", r.tree.nodes)
	}
	return r.tree, nil
}

// recorder builds a tree from its nodes in preorder.
type recorder struct {
	tree *Tree
	path []open // the incomplete families, from the root down
}

// open is a family for which the next child is not yet recorded.
type open struct {
	family, next uint32
	begin        int64 // the number of nodes before the family's node
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
	for len(r.path) > 0 { // the node completes every family of which it is the last child
		top := &r.path[len(r.path)-1]
		if top.next++; top.next < t.countChildren(top.family) {
			return
		}
		t.words[top.family+1] = uint32(t.nodes - top.begin)
		r.path = r.path[:len(r.path)-1]
	}
}

// NodeCount returns W, the number of nodes.
func (t *Tree) NodeCount() int64 { return t.nodes }

// MemoryBytes returns the number of bytes that the tree takes.
func (t *Tree) MemoryBytes() int64 { return 4 * int64(len(t.words)) }

// countChildren returns the number of children of a family.
func (t *Tree) countChildren(family uint32) uint32 { return t.words[family] &^ familyFlag }

// childFamilies returns the indices of the families of children lo … hi−1.
func (t *Tree) childFamilies(family, lo, hi uint32) []uint32 {
	return t.words[family+header+lo : family+header+hi]
}

// countNodes returns the number of nodes in the subtrees of children lo … hi−1.
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
