package stack

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"treesplit/internal/wire"
	"treesplit/search"
)

// A piece is a mark and nodes, from the root end of the stack to its top. Each node is its
// depth as an unsigned varint, its weight, and its value. All numbers are stored with the low
// byte first.
const mark = 's'

// appendTo appends a node to a piece.
func (o open[N]) appendTo(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(o.depth))
	dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(o.weight))
	dst, err := binary.Append(dst, binary.LittleEndian, o.node)
	if err != nil {
		panic(err) // New has checked that it has a fixed size
	}
	return dst
}

// Accept takes over a piece. It checks the depths and the weights. Tree.Check checks the
// nodes.
func (s *Share[N]) Accept(piece []byte) error {
	if !s.Empty() {
		return errors.New("stack: the share is not empty: it cannot accept a piece")
	}
	if len(piece) < 2 || piece[0] != mark {
		return errors.New("stack: the bytes are no piece: expected its mark and a node")
	}
	stack, depth := s.stack[:0], int32(0)
	for in := wire.NewReader(piece[1:]); len(in.Rest()) > 0; {
		o, err := s.parseNode(&in)
		if err == nil && o.depth < depth {
			err = fmt.Errorf("depth %d follows depth %d: expected depths that do not decrease", o.depth, depth)
		}
		if err != nil {
			return fmt.Errorf("stack: node %d of a piece is invalid: %w", len(stack)+1, err)
		}
		stack, depth = append(stack, o), o.depth
	}
	s.stack = stack
	return nil
}

// parseNode reads one node.
func (s *Share[N]) parseNode(in *wire.Reader) (o open[N], err error) {
	o.depth, o.weight = int32(in.Uvarint(math.MaxInt32-1)), math.Float64frombits(in.LittleEndian())
	if in.Err() != nil {
		return o, fmt.Errorf("the depth or the weight is invalid: %w", in.Err())
	}
	if !search.IsSoundWeight(o.weight) {
		return o, fmt.Errorf("the weight %v is invalid: expected 0 to 1", o.weight)
	}
	size, err := binary.Decode(in.Rest(), binary.LittleEndian, &o.node)
	if err != nil {
		return o, wire.ErrShort
	}
	in.Bytes(uint64(size))
	return o, s.tree.Check(o.node)
}

// Pack appends all remaining nodes.
func (s *Share[N]) Pack(dst []byte) (piece []byte) {
	dst = append(dst, mark)
	for _, o := range s.stack {
		dst = o.appendTo(dst)
	}
	s.stack = s.stack[:0]
	return dst
}

var _ search.Packer = (*Share[struct{}])(nil)
