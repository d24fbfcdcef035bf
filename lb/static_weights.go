package lb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"treesplit/search"
)

// The weight of a dealt share. It differs from the weight of the inner Work: each of the 2^k
// parts has the same weight, because the position of a waiting part in the tree is not known.
// All weights of a part are scaled when its turn comes, so that its total does not change. The
// pieces that are split off carry the scale.

// rescaleWeights sets the scale of the part that has just begun. An empty part is closed at
// once.
func (d *dealt) rescaleWeights() {
	d.scale = 1
	if w := search.WeightOf(d.Work); w > 0 {
		d.scale = math.Ldexp(1, -d.order.k) / w
	}
	if math.Abs(d.scale-1) < 1e-9 { // rounded
		d.scale = 1
	}
}

// dealtSize is a dealt share whose inner Work is a search.Sizer.
type dealtSize struct{ *dealt }

// Weight returns the weight of the waiting parts and of the rest of the current one.
func (d dealtSize) Weight() float64 {
	return math.Ldexp(float64(d.end-d.next), -d.order.k) + d.scale*search.WeightOf(d.Work)
}

// Open returns the number of waiting parts plus the number of open nodes of the current one.
func (d dealtSize) Open() int {
	return int(min(d.end-d.next, math.MaxInt32)) + search.SizeOf(d.Work).Open
}

const scaledLen = 9

// appendScale appends the scale unless it is 1.
func (d *dealt) appendScale(dst []byte) []byte {
	if d.scale == 1 {
		return dst
	}
	return binary.BigEndian.AppendUint64(append(dst, search.MarkScaled), math.Float64bits(d.scale))
}

// parseScale removes the scale from a piece. The scale is 1 if the piece has none.
func parseScale(piece []byte) (scale float64, rest []byte, err error) {
	if len(piece) == 0 || piece[0] != search.MarkScaled {
		return 1, piece, nil
	}
	if len(piece) <= scaledLen {
		return 0, nil, errors.New("the piece ends after its scale: expected a piece of the share")
	}
	scale = math.Float64frombits(binary.BigEndian.Uint64(piece[1:]))
	if !(scale > 0 && scale <= math.MaxFloat64) || scale == 1 {
		return 0, nil, fmt.Errorf("a piece cannot have the scale %v: expected a positive number other than 1", scale)
	}
	return scale, piece[scaledLen:], nil
}

// acceptScaled makes the inner Work accept a piece. The scaled weight of the piece must be
// valid too; the Work is empty after an error.
func (d *dealt) acceptScaled(piece []byte, scale float64) error {
	if err := d.Work.Accept(piece); err != nil {
		return err
	}
	if w := scale * search.WeightOf(d.Work); !search.IsSoundWeight(w) {
		search.TakeRemaining(d.Work, func([]byte) {})
		return fmt.Errorf("a piece cannot have the scaled weight %v: expected at most 1", w)
	}
	d.scale = scale
	return nil
}
