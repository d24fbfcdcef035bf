package lb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"treesplit/search"
)

// How a dealt share weighs what it has. Its measure is not that of the Work within: each of
// the 2^k parts weighs the same, since nobody knows of one that waits where in the tree it
// lies. So that nothing changes when its turn comes, all weights of a part are scaled
// then, and the scale goes with the pieces that are split off.

// rescaleWeights finds the scale of the part that has just begun. An empty one is closed at once.
func (d *dealt) rescaleWeights() {
	d.scale = 1
	if w := search.WeightOf(d.Work); w > 0 {
		d.scale = math.Ldexp(1, -d.order.k) / w
	}
	if math.Abs(d.scale-1) < 1e-9 { // rounded
		d.scale = 1
	}
}

// dealtSize is a dealt share of a search.Sizer.
type dealtSize struct{ *dealt }

// Weight is that of the parts that wait and of what is left of the one at work.
func (d dealtSize) Weight() float64 {
	return math.Ldexp(float64(d.end-d.next), -d.order.k) + d.scale*search.WeightOf(d.Work)
}

// Open is the number of parts that wait and of the open nodes of the one at work.
func (d dealtSize) Open() int {
	return int(min(d.end-d.next, math.MaxInt32)) + search.SizeOf(d.Work).Open
}

const scaledLen = 9

// appendScale appends the scale, if there is any need to.
func (d *dealt) appendScale(dst []byte) []byte {
	if d.scale == 1 {
		return dst
	}
	return binary.BigEndian.AppendUint64(append(dst, search.MarkScaled), math.Float64bits(d.scale))
}

// parseScale takes the scale off a piece; it is 1 where there is none.
func parseScale(piece []byte) (scale float64, rest []byte, err error) {
	if len(piece) == 0 || piece[0] != search.MarkScaled {
		return 1, piece, nil
	}
	if len(piece) <= scaledLen {
		return 0, nil, errors.New("a piece that breaks off after its scale")
	}
	scale = math.Float64frombits(binary.BigEndian.Uint64(piece[1:]))
	if !(scale > 0 && scale <= math.MaxFloat64) || scale == 1 {
		return 0, nil, fmt.Errorf("a piece of scale %v: expected a number above 0, and none where it is 1", scale)
	}
	return scale, piece[scaledLen:], nil
}

// acceptScaled lets the Work within take over a piece. Its weight must be one in the measure
// of the dealt share too; the Work is empty after an error.
func (d *dealt) acceptScaled(piece []byte, scale float64) error {
	if err := d.Work.Accept(piece); err != nil {
		return err
	}
	if w := scale * search.WeightOf(d.Work); !search.IsSoundWeight(w) {
		search.TakeRemaining(d.Work, func([]byte) {})
		return fmt.Errorf("a piece of weight %v by its scale: expected at most 1", w)
	}
	d.scale = scale
	return nil
}
