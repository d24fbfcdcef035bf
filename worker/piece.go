package worker

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"treesplit/internal/wire"
	"treesplit/search"
)

// A piece is a mark and nodes, from the root end of the stack to its top. Each node is its depth as
// an unsigned varint, its weight with the low byte first, its length as an unsigned varint, and its
// JSON.
const mark = 'w'

// appendTo appends a node to a piece.
func (o open) appendTo(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(o.depth))
	dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(o.weight))
	dst = binary.AppendUvarint(dst, uint64(len(o.node)))
	return append(dst, o.node...)
}

// Accept takes over a piece. It checks that its nodes are JSON values; only the worker can check
// that they are nodes of the tree.
func (s *Share) Accept(piece []byte) error {
	if !s.Empty() {
		return errors.New("worker: the share is not empty: it cannot accept a piece")
	}
	if len(piece) < 2 || piece[0] != mark {
		return errors.New("worker: the bytes are no piece: expected its mark and a node")
	}
	var stack []open
	depth := int32(0)
	for in := wire.NewReader(bytes.Clone(piece[1:])); len(in.Rest()) > 0; {
		o, err := parseOpen(&in)
		if err == nil && o.depth < depth {
			err = fmt.Errorf("depth %d follows depth %d: expected depths that do not decrease", o.depth, depth)
		}
		if err != nil {
			return fmt.Errorf("worker: node %d of a piece is invalid: %w", len(stack)+1, err)
		}
		stack, depth = append(stack, o), o.depth
	}
	s.stack = stack
	return nil
}

// parseOpen reads one node.
func parseOpen(in *wire.Reader) (o open, err error) {
	o.depth, o.weight = int32(in.Uvarint(maxDepth)), math.Float64frombits(in.LittleEndian())
	o.node = in.Bytes(in.Uvarint(MaxNode))
	switch {
	case in.Err() != nil:
		return o, in.Err()
	case !search.IsSoundWeight(o.weight):
		return o, fmt.Errorf("the weight %v is invalid: expected 0 to 1", o.weight)
	case !json.Valid(o.node) || !utf8.Valid(o.node) || bytes.ContainsAny(o.node, "\n\r"):
		return o, errors.New("the node is no JSON value on one line")
	}
	return o, nil
}

// Pack appends all remaining nodes.
func (s *Share) Pack(dst []byte) (piece []byte) {
	dst = append(dst, mark)
	for _, o := range s.stack {
		dst = o.appendTo(dst)
	}
	s.stack = nil
	return dst
}
