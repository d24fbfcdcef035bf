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

// rounding is the relative error that sums of weights may have.
const rounding = 1e-12

// measuredSize returns the size that a share reports, if it is a Sizer.
func measuredSize(w search.Work) search.Size { return search.SizeOf(w) }

// nearlyEqual reports whether two sums of weights are equal within rounding. scale is the
// largest of the summands.
func nearlyEqual(a, b, scale float64) bool {
	return math.Abs(a-b) <= rounding*scale+math.SmallestNonzeroFloat64
}

// canWeighWork reports whether the work under test is a search.Sizer.
func (s suite) canWeighWork() bool {
	_, ok := search.As[search.Sizer](s.newEmpty())
	return ok
}

// checkWeights checks, for a Sizer, that shares which expand, split, cut off subtasks and are
// packed in a random order together have the weight of the whole tree minus the weight of the
// closed nodes, and that only Expand closes nodes.
func (s suite) checkWeights() error {
	if !s.canWeighWork() {
		return nil
	}
	root, empty := measuredSize(s.newRoot()), measuredSize(s.newEmpty())
	if root.Open == 1 && root.Weight != 1 || !search.IsSoundWeight(root.Weight) || empty != (search.Size{}) { // several open nodes: the rest of a tree
		return fmt.Errorf("the whole tree has weight and nodes %v, an empty share has %v: expected {1 1} and {0 0}", root, empty)
	}
	moves := 0
	for seed := range s.schedules(4, 16) {
		rng := rand.New(rand.NewPCG(9, uint64(seed)))
		n, err := s.weighSchedule(rng, 2+rng.IntN(6), 1+rng.IntN(60))
		if err != nil {
			return fmt.Errorf("schedule %d fails: %w", seed, err)
		}
		moves += n
	}
	if moves == 0 {
		return errors.New("no piece was given away in any schedule: the check shows nothing")
	}
	return nil
}

// weighSchedule searches the tree on some shares in steps of at most quantum nodes. It returns
// the number of pieces that were given away.
func (s suite) weighSchedule(rng *rand.Rand, shares, quantum int) (moves int, err error) {
	works := []search.Work{s.newRoot()}
	for len(works) < shares {
		works = append(works, s.newEmpty())
	}
	busy, unsettled := func(w search.Work) bool { return !w.Empty() }, new(unsettledMoves)
	for expanded := int64(0); expanded <= s.wantW && slices.ContainsFunc(works, busy); {
		from, to := works[rng.IntN(shares)], works[rng.IntN(shares)]
		before := measuredSize(from)
		if from != to && !from.Empty() && to.Empty() {
			moved, err := s.handPiece(rng, from, to, unsettled)
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
			return moves, fmt.Errorf("method Expand changed weight and nodes of a share from %v to %v, empty %v", before, after, from.Empty())
		}
	}
	return moves, nil
}

// handPiece gives a piece of one share to another, empty one, and compares their weights.
func (s suite) handPiece(rng *rand.Rand, from, to search.Work, unsettled *unsettledMoves) (moved bool, err error) {
	before := measuredSize(from)
	how, moved, err := givePiece(rng, from, to, unsettled)
	if err != nil || !moved {
		return false, err
	}
	kept, given := measuredSize(from), measuredSize(to)
	if !nearlyEqual(kept.Weight+given.Weight, before.Weight, before.Weight) || kept.Open+given.Open != before.Open || given.Open < 1 {
		return true, fmt.Errorf("%s divided weight and nodes %v into %v kept and %v given: they do not add up", how, before, kept, given)
	}
	return true, nil
}

// givePiece gives a piece of one share to another, empty one, by a random method.
func givePiece(rng *rand.Rand, from, to search.Work, unsettled *unsettledMoves) (how string, moved bool, err error) {
	var piece []byte
	how = []string{"Split", "Pack", "Subtask"}[rng.IntN(3)]
	if how != "Split" && !unsettled.allow(from) {
		return how, false, nil
	}
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

// partsWeigh checks, for a Sizer that is a Bisecter, that a part has a positive weight unless
// it is empty, and that an empty part has the weight 0.
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

// weighingDoesNotAllocate checks that Weight and Open do not allocate.
func (s suite) weighingDoesNotAllocate() error {
	if !s.canWeighWork() {
		return nil
	}
	w, _ := s.begunShare()
	sizer := asCapability[search.Sizer](w)
	if n := testing.AllocsPerRun(20, func() { sizer.Weight(); sizer.Open() }); n != 0 {
		return fmt.Errorf("methods Weight and Open make %v allocations, want none", n)
	}
	return nil
}
