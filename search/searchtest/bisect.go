package searchtest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"treesplit/search"
)

// part holds the observable properties of a part of a bisection.
type part struct {
	expanded, redundant int   // as Bisect returns them
	owned               int64 // nodes expanded on the way to the part and in it
}

// searchPart makes an empty or untouched share a part and searches it.
func (s suite) searchPart(w search.Work, k int, number uint64) (p part) {
	p.expanded, p.redundant = asCapability[search.Bisecter](w).Bisect(k, number)
	p.owned = int64(p.expanded) + drainShare(w, s.wantW)
	return p
}

// canBisectWork reports whether the work under test is a search.Bisecter.
func (s suite) canBisectWork() bool {
	_, ok := search.As[search.Bisecter](s.newEmpty())
	return ok
}

// checkParts checks, for a Bisecter, that all 2^k parts together are the tree, for every k up
// to 10, and that each level of parts refines the level above.
func (s suite) checkParts() error {
	if !s.canBisectWork() {
		return nil
	}
	levels := 10
	if testing.Short() {
		levels = 6
	}
	w, treeless := s.newRoot(), s.isTreeless()
	above := []part{s.searchPart(w, 0, 0)}
	if whole := (part{0, 0, s.wantW}); above[0] != whole {
		return fmt.Errorf("part 0 of 1 is %+v, want %+v", above[0], whole)
	}
	for k := 1; k <= levels; k++ {
		parts, total := make([]part, 1<<k), int64(0)
		for n := range parts {
			parts[n] = s.searchPart(w, k, uint64(n))
			total += parts[n].owned
		}
		if total != s.wantW {
			return fmt.Errorf("the 2^%d parts have %d nodes in all, want %d", k, total, s.wantW)
		}
		for n, up := range above {
			if err := checkRefinement(k, treeless, up, parts[2*n], parts[2*n+1]); err != nil {
				return fmt.Errorf("parts %d and %d of 2^%d are wrong: %w", 2*n, 2*n+1, k, err)
			}
		}
		above = parts
	}
	return nil
}

// isTreeless reports whether the work has no tree, so that a halving expands no node. It may
// count its halvings as redundant, as if each took the time of a node.
func (s suite) isTreeless() bool {
	expanded, _ := asCapability[search.Bisecter](s.newEmpty()).Bisect(1, 0)
	return expanded == 0
}

// checkRefinement checks two parts of 2^k against the part of 2^(k−1) from which they are cut.
// A node on the way belongs to the part whose remaining bits are all zero. So the nodes of the
// part above belong to the first half, which also expands the nodes of the last halving. All
// of these are redundant for the second half. The redundant nodes of the part above are
// redundant for both.
func checkRefinement(k int, treeless bool, up, first, second part) error {
	parts := fmt.Sprintf("%+v and %+v, cut from %+v", first, second, up)
	switch {
	case first.owned+second.owned != up.owned:
		return fmt.Errorf("%s: their nodes are not the nodes of that part", parts)
	case second.expanded != 0 || treeless && first.expanded != 0:
		return fmt.Errorf("%s: nodes on the way belong to the wrong part", parts)
	case first.expanded < up.expanded:
		return fmt.Errorf("%s: the first has fewer nodes on its way than that part", parts)
	case treeless && max(first.redundant, second.redundant) <= k:
		return nil
	case first.redundant != up.redundant || second.redundant != up.redundant+first.expanded:
		return fmt.Errorf("%s: the numbers of redundant nodes are wrong", parts)
	}
	return nil
}

// deepParts checks parts at the end of the longest ways.
func (s suite) deepParts() error {
	if !s.canBisectWork() {
		return nil
	}
	const k = search.MaxSplits
	rng := rand.New(rand.NewPCG(5, uint64(s.wantW)))
	numbers := []uint64{0, 1<<(k-1) - 1, 1 << (k - 2)}
	for range s.schedules(20, 60) {
		zeros := rng.IntN(k) // trailing zeros, which make nodes on the way the part's own
		numbers = append(numbers, rng.Uint64N(1<<(k-1))>>zeros<<zeros)
	}
	w, treeless := s.newEmpty(), s.isTreeless()
	for _, n := range numbers {
		up, first, second := s.searchPart(w, k-1, n), s.searchPart(w, k, 2*n), s.searchPart(w, k, 2*n+1)
		if err := checkRefinement(k, treeless, up, first, second); err != nil {
			return fmt.Errorf("parts %d and %d of 2^%d are wrong: %w", 2*n, 2*n+1, k, err)
		}
	}
	return nil
}

// partsRepeat checks that a part is always the same, whether the share was empty, used, or the
// whole tree before.
func (s suite) partsRepeat() error {
	if !s.canBisectWork() {
		return nil
	}
	rng := rand.New(rand.NewPCG(6, uint64(s.wantW)))
	used := s.newRoot()
	for _, k := range []int{0, 1, 2, 5, 10, 10, 10} {
		n := rng.Uint64N(1 << k)
		want := s.searchPart(used, k, n)
		for _, w := range []search.Work{used, s.newEmpty(), s.newRoot()} {
			if got := s.searchPart(w, k, n); got != want {
				return fmt.Errorf("part %d of 2^%d is %+v, and another time %+v", n, k, got, want)
			}
		}
	}
	return nil
}

// noSuchPart checks that Bisect panics if the part does not exist.
func (s suite) noSuchPart() error {
	if !s.canBisectWork() {
		return nil
	}
	for _, c := range []struct {
		k    int
		part uint64
	}{{-1, 0}, {0, 1}, {3, 8}, {search.MaxSplits, 1 << search.MaxSplits}, {search.MaxSplits + 1, 0}} {
		w := asCapability[search.Bisecter](s.newEmpty())
		if !doesPanic(func() { w.Bisect(c.k, c.part) }) {
			return fmt.Errorf("Bisect(%d, %d) did not panic", c.k, c.part)
		}
	}
	return nil
}

// doesPanic reports whether f panics.
func doesPanic(f func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	f()
	return false
}

// partsAreWork checks that parts can be split and their pieces accepted. It deals all parts to
// a few shares, which also take pieces from each other.
func (s suite) partsAreWork() error {
	if !s.canBisectWork() {
		return nil
	}
	splits := 0
	for seed := range s.schedules(4, 16) {
		rng := rand.New(rand.NewPCG(7, uint64(seed)))
		total, n, err := s.dealParts(rng, 1+rng.IntN(6), 2+rng.IntN(5))
		if err == nil && total != s.wantW {
			err = fmt.Errorf("expanded %d nodes with %d splits, want W = %d", total, n, s.wantW)
		}
		if err != nil {
			return fmt.Errorf("schedule %d fails: %w", seed, err)
		}
		splits += n
	}
	if splits == 0 {
		return errors.New("no split succeeded in any schedule: the check shows nothing")
	}
	return nil
}

// dealParts searches all of 2^k parts on the given number of shares, and returns the numbers
// of expanded nodes and of splits. It stops after more than W nodes.
func (s suite) dealParts(rng *rand.Rand, k, shares int) (total int64, splits int, err error) {
	works := make([]search.Work, shares)
	for i := range works {
		works[i] = s.newEmpty()
	}
	busy := func(w search.Work) bool { return !w.Empty() }
	next := uint64(0)
	for total <= s.wantW && (next < 1<<k || slices.ContainsFunc(works, busy)) {
		w := works[rng.IntN(shares)]
		if !w.Empty() {
			total += int64(w.Expand(1 + rng.IntN(60)))
			continue
		}
		if piece, ok := works[rng.IntN(shares)].Split(nil); ok {
			if err := w.Accept(piece); err != nil {
				return total, splits, fmt.Errorf("a piece of a part was refused: %w", err)
			}
			splits++
		} else if next < 1<<k {
			expanded, _ := asCapability[search.Bisecter](w).Bisect(k, next)
			total += int64(expanded)
			next++
		}
	}
	return total, splits, nil
}

// bisectDoesNotAllocate checks that a share that has been all parts once can be all parts
// again without allocation.
func (s suite) bisectDoesNotAllocate() error {
	if !s.canBisectWork() {
		return nil
	}
	const k = 5
	w := s.newEmpty()
	if n := testing.AllocsPerRun(3, func() {
		for number := range uint64(1 << k) {
			s.searchPart(w, k, number)
		}
	}); n != 0 {
		return fmt.Errorf("method Bisect makes %v allocations in 2^%d parts, want none", n, k)
	}
	return nil
}
