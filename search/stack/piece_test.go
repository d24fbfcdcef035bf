package stack_test

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"treesplit/search"
	"treesplit/search/stack"
)

// node returns the documented encoding of one node.
func node(depth uint64, weight float64, n uint16) []byte {
	data := binary.AppendUvarint(nil, depth)
	data = binary.LittleEndian.AppendUint64(data, math.Float64bits(weight))
	return binary.LittleEndian.AppendUint16(data, n)
}

// Invalid pieces are refused with a reason, and the share stays empty.
func TestBadPieces(t *testing.T) {
	join := func(nodes ...[]byte) []byte {
		piece := []byte("s")
		for _, n := range nodes {
			piece = append(piece, n...)
		}
		return piece
	}
	for _, c := range []struct {
		piece []byte
		want  string
	}{
		{nil, "expected its mark"},
		{[]byte("s"), "expected its mark"},
		{append([]byte("t"), node(1, 0.5, 3)...), "expected its mark"},
		{join(node(1, 0.5, fibRoot+1)), "the number does not occur"},
		{join(node(2, 0.25, 3), node(1, 0.5, 3)), "node 2 of a piece is invalid: depth 1 follows depth 2"},
		{join(node(1, 0.5, 3), node(2, 0.25, 3)[:5]), "cut short"},
		{join(node(1, 0.5, 3)[:10]), "cut short"},
		{join(node(math.MaxInt32, 0.5, 3)), "the depth or the weight is invalid: 2147483647: expected at most 2147483646"},
		{join(node(1, math.NaN(), 3)), "weight"},
		{join(node(1, -0.5, 3)), "weight"},
		{join(node(1, 1.5, 3)), "weight"},
	} {
		w := stack.New(fibs{new(int64)}, search.DefaultSplitting, false)
		if err := w.Accept(c.piece); err == nil || !strings.Contains(err.Error(), c.want) || !w.Empty() {
			t.Errorf("%x: %v, want %q", c.piece, err, c.want)
		}
	}
	w := stack.New(fibs{new(int64)}, search.DefaultSplitting, false)
	good := join(node(1, 0.5, 3), node(1, 0.5, 4))
	if err := w.Accept(good); err != nil || w.Open() != 2 {
		t.Errorf("%v, %d nodes", err, w.Open())
	}
	if w.Accept(good) == nil || w.Open() != 2 {
		t.Error("a share that is not empty accepts a piece")
	}
}
