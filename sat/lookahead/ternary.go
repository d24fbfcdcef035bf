package lookahead

// ternary holds the clauses of three literals, and for each literal the clauses that it shortens.
//
// An entry in the list of literal l is the pair (u, v) of a clause ¬l ∨ u ∨ v. The first size[l]
// places of a list hold the clauses without an assigned variable. The other clauses are swapped
// to the tail of the list. home stores their old places, so that taking back restores the exact
// order of every list.
type ternary struct {
	pairs   []pair  // all lists, one after the other
	link    []int32 // the entry of the same clause in the list of ¬u; following three links leads back
	home    []int32 // the place that an entry at the tail came from
	start   []int32 // the list of l begins at start[l]
	size    []int32 // number of its clauses without an assigned variable
	removed []int32 // the literals from whose lists entries were removed, in order
}

// pair is a struct because the compiler keeps structs in registers, but not arrays.
type pair struct{ u, v int32 }

func newTernary(clauses [][3]int32, literals int) ternary {
	t := ternary{
		pairs: make([]pair, 3*len(clauses)),
		link:  make([]int32, 3*len(clauses)),
		home:  make([]int32, 3*len(clauses)),
		start: make([]int32, literals+1),
		size:  make([]int32, literals),

		removed: make([]int32, 0, 2*len(clauses)),
	}
	for _, c := range clauses {
		for _, l := range c {
			t.start[l^1+1]++
		}
	}
	for l := range literals {
		t.start[l+1] += t.start[l]
	}
	for _, c := range clauses {
		var at [3]int32
		for i, l := range c {
			at[i] = t.start[l^1] + t.size[l^1]
			t.size[l^1]++
		}
		for i := range c {
			j, k := (i+1)%3, (i+2)%3
			t.pairs[at[i]] = pair{c[j], c[k]}
			t.link[at[i]] = at[j]
		}
	}
	return t
}

// shortenedPairs returns the pairs that literal l makes binary.
func (t *ternary) shortenedPairs(l int32) []pair {
	s := t.start[l]
	return t.pairs[s : s+t.size[l]]
}

// dropVariable removes the clauses with the variable of l from the lists of their other
// variables.
func (t *ternary) dropVariable(l int32) {
	for s, e := t.start[l], t.start[l]+t.size[l]; s < e; s++ {
		p, second := t.pairs[s], t.link[s]
		third := t.link[second]
		t.removeEntry(p.u^1, second)
		t.removeEntry(p.v^1, third)
	}
}

// removeEntry removes an entry from the list of literal l.
func (t *ternary) removeEntry(l, entry int32) {
	t.size[l]--
	last := t.start[l] + t.size[l]
	t.home[last] = entry
	t.removed = append(t.removed, l)
	t.swapEntries(entry, last)
}

// restoreEntries undoes removals until n remain.
func (t *ternary) restoreEntries(n int) {
	for i := len(t.removed) - 1; i >= n; i-- {
		l := t.removed[i]
		last := t.start[l] + t.size[l]
		t.size[l]++
		t.swapEntries(t.home[last], last)
	}
	t.removed = t.removed[:n]
}

// swapEntries exchanges two entries of a list and updates the links to them.
func (t *ternary) swapEntries(i, j int32) {
	if i == j {
		return
	}
	toI, toJ := t.link[t.link[i]], t.link[t.link[j]]
	t.link[toI], t.link[toJ] = j, i
	t.pairs[i], t.pairs[j] = t.pairs[j], t.pairs[i]
	t.link[i], t.link[j] = t.link[j], t.link[i]
}
