package lookahead

// A trial of literal l makes all literals true that l implies. If l implies literal p and p is
// tried too, then the consequences of p are consequences of l. So p is tried first, and the trial
// of l reuses its consequences. The literals to try form a forest: the parent of a literal is one
// of the literals that it implies. Trials are made in preorder. The times of the trials are
// numbered in postorder. So the stamps of a parent are later than the times of all literals below
// it and count as assigned there. The stamps of an earlier tree are earlier and do not count
// (Knuth, 7.2.2.2, "look-ahead forest").
//
// Literals that imply each other share one trial: the nodes of the trees are the strongly
// connected components of the implications among candidates. Tarjan's algorithm finds them.

// trial is an entry in the order of trials.
type trial struct {
	literal int32
	parent  int32  // the literal whose trial this trial reuses, or none
	offset  uint32 // its time after the base of the round; even
}

const none = int32(-1)

// tree is the state of a literal in Tarjan's algorithm and in the forest.
type tree struct {
	low     int32 // 0: not a candidate; unseen; otherwise the smallest index reached
	at      int32 // number of its implications that were followed
	above   int32 // literal whose implications led here
	root    int32 // the literal that represents its component, once known
	parent  int32 // of a root: its parent in the forest
	child   int32 // of a root: the first child; sibling is the next child of its parent
	sibling int32
}

// unseen marks a candidate that is not yet reached. finished marks a candidate whose component is
// known.
const (
	unseen   = 1
	finished = int32(1)<<30 - 1
)

// orderTrials computes the order of trials of the candidates.
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

// findComponents runs Tarjan's algorithm from a literal, without recursion.
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

// component closes the component that begins at l on the stack. l represents it. Its parent is
// the literal of largest weight that a literal of the component implies.
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

// linkForest links children to parents and walks the forest: in preorder for the order of trials,
// in postorder for their times.
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
