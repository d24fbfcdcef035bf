package searchtest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"treesplit/search"
)

// rounding is how far sums of weights may be off, in parts of what was added up.
const rounding = 1e-12

// measuredSize is what a share that is a Sizer says of itself.
func measuredSize(w search.Work) search.Size { return search.SizeOf(w) }

// nearlyEqual reports whether two sums of weights are equal except for rounding, where scale is the
// largest number that went into them.
func nearlyEqual(a, b, scale float64) bool {
	return math.Abs(a-b) <= rounding*scale+math.SmallestNonzeroFloat64
}

// canWeighWork reports whether the work under test is a search.Sizer.
func (s suite) canWeighWork() bool {
	_, ok := search.As[search.Sizer](s.newEmpty())
	return ok
}

// checkWeights checks, of a Sizer, that shares which expand, split, cut off subtasks and are
// packed in a random order always have the whole tree's weight between them, less what
// was closed; and that nothing but Expand closes anything.
func (s suite) checkWeights() error {
	if !s.canWeighWork() {
		return nil
	}
	root, empty := measuredSize(s.newRoot()), measuredSize(s.newEmpty())
	if root.Open == 1 && root.Weight != 1 || !search.IsSoundWeight(root.Weight) || empty != (search.Size{}) { // several: what is left of a tree
		return fmt.Errorf("the whole tree has weight and nodes %v, an empty share %v: expected {1 1} and {0 0}", root, empty)
	}
	moves := 0
	for seed := range s.schedules(4, 16) {
		rng := rand.New(rand.NewPCG(9, uint64(seed)))
		n, err := s.weighSchedule(rng, 2+rng.IntN(6), 1+rng.IntN(60))
		if err != nil {
			return fmt.Errorf("schedule %d: %w", seed, err)
		}
		moves += n
	}
	if moves == 0 {
		return errors.New("nothing was given away in any schedule: the check shows nothing")
	}
	return nil
}

// weighSchedule searches the tree on some shares in steps of at most quantum nodes and returns how
// many pieces were given away.
func (s suite) weighSchedule(rng *rand.Rand, shares, quantum int) (moves int, err error) {
	works := []search.Work{s.newRoot()}
	for len(works) < shares {
		works = append(works, s.newEmpty())
	}
	busy := func(w search.Work) bool { return !w.Empty() }
	for expanded := int64(0); expanded <= s.wantW && slices.ContainsFunc(works, busy); {
		from, to := works[rng.IntN(shares)], works[rng.IntN(shares)]
		before := measuredSize(from)
		if from != to && !from.Empty() && to.Empty() {
			moved, err := s.handPiece(rng, from, to)
			if err != nil {
				return moves, err
			}
			if moved {
				moves++
				continue
			}
		}
		expanded += int64(from.Expand(1 + rng.IntN(quantum)))
		after := measuredSize(from)
		if after.Weight > before.Weight*(1+rounding) || after.Weight < 0 || from.Empty() && after != (search.Size{}) || !from.Empty() && after.Open < 1 {
			return moves, fmt.Errorf("a share of weight and nodes %v became, by Expand, one of %v, empty %v", before, after, from.Empty())
		}
	}
	return moves, nil
}

// handPiece gives a piece of one share to another, which is empty, and compares what they weigh.
func (s suite) handPiece(rng *rand.Rand, from, to search.Work) (moved bool, err error) {
	before := measuredSize(from)
	how, moved, err := givePiece(rng, from, to)
	if err != nil || !moved {
		return false, err
	}
	kept, given := measuredSize(from), measuredSize(to)
	if !nearlyEqual(kept.Weight+given.Weight, before.Weight, before.Weight) || kept.Open+given.Open != before.Open || given.Open < 1 {
		return true, fmt.Errorf("%s parted weight and nodes %v into %v kept and %v given: they do not add up", how, before, kept, given)
	}
	return true, nil
}

// givePiece gives a piece of one share to another, which is empty, by one of the ways there are.
func givePiece(rng *rand.Rand, from, to search.Work) (how string, moved bool, err error) {
	var piece []byte
	how = []string{"Split", "Pack", "Subtask"}[rng.IntN(3)]
	switch packer, packs := search.As[search.Packer](from); {
	case how == "Pack" && packs:
		piece = packer.Pack(nil)
	case how == "Subtask":
		tasks, ok := search.As[search.Subtasker](from)
		if !ok {
			return how, false, nil
		}
		if piece, _, ok = tasks.Subtask(nil, 1+rng.IntN(5), 0); !ok {
			return how, false, nil
		}
	default:
		var ok bool
		if piece, ok = from.Split(nil); !ok {
			return how, false, nil
		}
	}
	if err := to.Accept(piece); err != nil {
		return how, false, fmt.Errorf("a piece was refused: %w", err)
	}
	return how, true, nil
}

// partsWeigh checks, of a Sizer that is a Bisecter, that a part that is not empty weighs
// something, and one that is empty nothing.
func (s suite) partsWeigh() error {
	if !s.canWeighWork() || !s.canBisectWork() {
		return nil
	}
	w := s.newEmpty()
	for k := range 7 {
		for n := range uint64(1 << k) {
			asCapability[search.Bisecter](w).Bisect(k, n)
			if m := measuredSize(w); w.Empty() != (m.Weight == 0) || w.Empty() != (m.Open == 0) || !search.IsSoundWeight(m.Weight) {
				return fmt.Errorf("part %d of 2^%d has weight and nodes %v, empty %v", n, k, m, w.Empty())
			}
			drainShare(w, s.wantW)
		}
	}
	return nil
}

// weighingDoesNotAllocate checks that.
func (s suite) weighingDoesNotAllocate() error {
	if !s.canWeighWork() {
		return nil
	}
	w, _ := s.begunShare()
	sizer := asCapability[search.Sizer](w)
	if n := testing.AllocsPerRun(20, func() { sizer.Weight(); sizer.Open() }); n != 0 {
		return fmt.Errorf("%v allocations in Weight and Open", n)
	}
	return nil
}
