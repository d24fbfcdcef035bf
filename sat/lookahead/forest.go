package lookahead

// A trial of literal l makes all true that l implies. If it implies literal p, which is
// tried too, then what follows from p follows from l: p is tried first, and the trial of
// l finds p's consequences done. So the literals to be tried are planted as a forest, a
// child below one of the literals that it implies, and tried in preorder. The moments
// of the trials are numbered in postorder: a parent's stamps are later than those of all
// below it, and count as assigned there, while those of a tree gone through before are
// earlier and do not (Knuth, 7.2.2.2, "look-ahead forest").
//
// Literals that imply each other share one trial: trees are made of the strongly
// connected components of the implications among candidates, found by Tarjan's
// algorithm.

// trial is a place in the order of trials.
type trial struct {
	literal int32
	parent  int32  // the literal whose trial this one builds on, or none
	offset  uint32 // its moment after the base of the round; even
}

const none = int32(-1)

// tree is a literal's place in Tarjan's algorithm and in the forest.
type tree struct {
	low     int32 // 0: not a candidate; unseen; else the smallest index reached
	at      int32 // how many of its implications were followed
	above   int32 // literal whose implications led here
	root    int32 // the literal that stands for its component, once that is known
	parent  int32 // of a root: the literal it is planted below
	child   int32 // of a root: the first child; and sibling, the next of its parent's
	sibling int32
}

// unseen marks a candidate that was not reached yet, finished one whose component is
// known.
const (
	unseen   = 1
	finished = int32(1)<<30 - 1
)

// orderTrials makes the order of trials of the candidates.
func (w *walk) orderTrials() {
	for _, c := range w.candidates {
		for l := 2 * c.variable; l <= 2*c.variable+1; l++ {
			w.trees[l] = tree{low: unseen, above: none, parent: none, child: none, sibling: none}
		}
	}
	w.roots, w.index = w.roots[:0], unseen
	for _, c := range w.candidates {
		for l := 2 * c.variable; l <= 2*c.variable+1; l++ {
			if w.trees[l].low == unseen {
				w.findComponents(l)
			}
		}
	}
	w.linkForest()
	for _, c := range w.candidates {
		w.trees[2*c.variable].low, w.trees[2*c.variable+1].low = 0, 0
	}
}

// findComponents is Tarjan's algorithm from a literal, without recursion.
func (w *walk) findComponents(l int32) {
	trees := w.trees
	stack := w.open[:0]
	w.index++
	trees[l].low, w.first[l] = w.index, w.index
	stack = append(stack, l)
	for l != none {
		t := &trees[l]
		if int(t.at) < len(w.implied[l]) {
			u := w.implied[l][t.at]
			t.at++
			switch low := trees[u].low; {
			case low == 0 || w.stamp[u] >= isTrue:
			case low == unseen:
				w.index++
				trees[u].low, w.first[u], trees[u].above = w.index, w.index, l
				stack = append(stack, u)
				l = u
			case low != finished:
				t.low = min(t.low, low)
			}
			continue
		}
		if t.low == w.first[l] {
			stack = w.component(stack, l)
		}
		up := t.above
		if up != none && t.low < finished {
			trees[up].low = min(trees[up].low, t.low)
		}
		l = up
	}
	w.open = stack
}

// component closes the component that begins at l on the stack: l stands for it, below
// the weightiest literal that one of the component implies.
func (w *walk) component(stack []int32, l int32) []int32 {
	i := len(stack) - 1
	for stack[i] != l {
		i--
	}
	for _, m := range stack[i:] {
		w.trees[m].root, w.trees[m].low = l, finished
	}
	parent, best := none, float32(-1)
	for _, m := range stack[i:] {
		for _, u := range w.implied[m] {
			if w.trees[u].low != finished || w.stamp[u] >= isTrue {
				continue
			}
			if r := w.trees[u].root; r != l && w.weight[r] > best {
				parent, best = r, w.weight[r]
			}
		}
	}
	w.trees[l].parent = parent
	w.roots = append(w.roots, l)
	return stack[:i]
}

// linkForest links children to parents and goes through the forest, preorder for the order of
// trials, postorder for their moments.
func (w *walk) linkForest() {
	trees := w.trees
	for _, l := range w.roots {
		if p := trees[l].parent; p != none {
			trees[l].sibling, trees[p].child = trees[p].child, l
		}
	}
	w.order, w.place = w.order[:0], w.place[:0]
	moment := uint32(0)
	for _, l := range w.roots {
		if trees[l].parent != none {
			continue
		}
		for {
			w.place = append(w.place, int32(len(w.order)))
			w.order = append(w.order, trial{literal: l, parent: trees[l].parent})
			if c := trees[l].child; c != none {
				l = c
				continue
			}
			for {
				moment += 2
				w.order[w.place[len(w.place)-1]].offset = moment
				w.place = w.place[:len(w.place)-1]
				if trees[l].sibling != none {
					l = trees[l].sibling
					break
				}
				if l = trees[l].parent; l == none {
					break
				}
			}
			if l == none {
				break
			}
		}
	}
}
