package searchtest

import (
	"encoding/binary"
	"testing"

	"treesplit/search"
)

// Bisect makes the share a part of the tree; the first child of a node is n−1.
func (w *fib) Bisect(k int, part uint64) (expanded, redundant int) {
	if w.fault == "takes any part" {
		k = min(max(k, 0), search.MaxSplits)
		part &= 1<<k - 1
	}
	if w.fault == "keeps its old nodes" && !w.Empty() {
		return 0, 0
	}
	if w.fault == "depends on the share" && !w.Empty() && k > 0 {
		part ^= 1
	}
	if w.fault == "allocates parts" {
		w.leak = make([]byte, 64)
	}
	n, leaf := uint16(fibRoot), false
	way := search.NewWay(k, part)
	for !way.IsFinished() && !leaf {
		if way.OwnsCurrentNode() || w.fault == "owns all" {
			expanded++
		} else {
			redundant++
		}
		if leaf = n <= 1; leaf {
			break
		}
		if from, _ := way.HalveSiblings(0, 2); from == 0 || w.fault == "has no second half" {
			n--
		} else {
			n -= 2
		}
	}
	w.stack, w.bisected = w.stack[:0], true
	switch {
	case !leaf && w.fault == "opens the parent" && k > 3:
		w.stack = append(w.stack, n+1)
	case !leaf || w.fault == "opens leaves" || w.fault == "opens leaves far down" && k > 20:
		w.stack = append(w.stack, n)
	}
	return w.miscount(k, expanded, redundant)
}

// miscount returns the results of Bisect, changed by some faults.
func (w *fib) miscount(k, expanded, redundant int) (int, int) {
	switch {
	case w.fault == "counts all as redundant":
		return expanded, redundant + expanded
	case w.fault == "hides redundant nodes":
		return expanded, 0
	case w.fault == "forgets a node of its own" && k > 5:
		return max(expanded-1, 0), redundant
	case w.fault == "owns nothing":
		return 0, expanded + redundant
	}
	return expanded, redundant
}

// Pack gives away all nodes of the stack, encoded as in a piece.
func (w *fib) Pack(dst []byte) []byte {
	w.unshare()
	if w.fault == "packs over dst" {
		dst = dst[:0]
	}
	dst = append(dst, 'f')
	if w.fault == "looks like a scheme's" {
		dst[len(dst)-1] |= 128
	}
	packed := w.stack
	if n := len(packed); n > 1 {
		switch w.fault {
		case "packs without the next node":
			packed = packed[:n-1]
		case "packs the next node alone":
			packed = packed[n-1:]
		}
	}
	if w.fault == "cannot pack the root" && len(packed) == 1 && packed[0] == fibRoot {
		packed = nil
	}
	for _, n := range packed {
		dst = binary.LittleEndian.AppendUint16(dst, n)
	}
	if w.fault != "keeps the packed nodes" {
		w.stack = w.stack[:0]
	}
	if w.fault == "is spent by Pack" {
		w.spent = true
	}
	return dst
}

// Weight returns the fraction of all nodes in the subtrees of the stack's nodes. fib knows
// these numbers; they add up like Knuth's weights.
func (w *fib) Weight() (left float64) {
	if w.fault == "weighing allocates" {
		w.leak = make([]byte, 64)
	}
	w.unshare()
	for _, n := range w.stack {
		left += float64(nodesBelow(n)) / float64(nodesBelow(fibRoot))
	}
	switch {
	case w.fault == "weighs its height" && len(w.stack) > 0:
		return float64(w.stack[0]) / fibRoot
	case w.fault == "weighs its number of nodes":
		return min(1, float64(len(w.stack))/20)
	case w.fault == "weighs too little at first" && left == 1:
		return 0.99
	case w.fault == "the empty weigh" && left == 0:
		return 1e-9
	case w.fault == "forgets what deep nodes weigh" && len(w.stack) > 6:
		return left - float64(nodesBelow(w.stack[6]))/float64(nodesBelow(fibRoot))
	}
	return left
}

// nodesBelow returns 2·fib(n+1) − 1.
func nodesBelow(n uint16) int {
	a, b := 1, 1
	for range n {
		a, b = b, a+b
	}
	return 2*a - 1
}

// Open returns the length of the stack.
func (w *fib) Open() int {
	w.unshare()
	if w.fault == "leaves out the next node" && len(w.stack) > 1 {
		return len(w.stack) - 1
	}
	return len(w.stack)
}

// Each fault of a Sizer must be caught by one of these checks.
func TestChecksCatchFaultsOfSizers(t *testing.T) {
	checks := map[string]bool{"Weights": true, "PartsWeigh": true, "WeighingDoesNotAllocate": true}
	for _, fault := range []string{
		"weighs its height", "weighs its number of nodes", "weighs too little at first", "the empty weigh", "forgets what deep nodes weigh",
		"leaves out the next node", "weighing allocates",
	} {
		if by := caughtBy(fibSuite(fault)); !checks[by] {
			t.Errorf("the fault %q of Weight or Open was caught by %q", fault, by)
		} else {
			t.Logf("%s: caught by %s", fault, by)
		}
	}
}

// Each fault of a Bisecter or a Packer must be caught by one of these checks.
func TestChecksCatchFaultsOfFacets(t *testing.T) {
	parts := map[string]bool{
		"Parts": true, "PartsRepeat": true, "DeepParts": true, "NoSuchPart": true, "PartsAreWork": true, "BisectDoesNotAllocate": true,
	}
	for _, fault := range []string{
		"takes any part", "keeps its old nodes", "depends on the share", "allocates parts", "owns all", "has no second half", "opens the parent",
		"opens leaves", "opens leaves far down", "keeps the nodes a part gives", "counts all as redundant", "hides redundant nodes", "forgets a node of its own", "owns nothing",
	} {
		if by := caughtBy(fibSuite(fault)); !parts[by] {
			t.Errorf("the fault %q of Bisect was caught by %q", fault, by)
		} else {
			t.Logf("%s: caught by %s", fault, by)
		}
	}
	packs := map[string]bool{"PackWhole": true, "PackAnytime": true, "PacksAreCopied": true, "HostilePacks": true}
	for _, fault := range []string{
		"packs over dst", "looks like a scheme's", "packs without the next node", "packs the next node alone", "cannot pack the root",
		"keeps the packed nodes", "is spent by Pack", "aliases packs", "panics on odd packs", "keeps refused packs",
	} {
		if by := caughtBy(fibSuite(fault)); !packs[by] {
			t.Errorf("the fault %q of Pack was caught by %q", fault, by)
		} else {
			t.Logf("%s: caught by %s", fault, by)
		}
	}
}
