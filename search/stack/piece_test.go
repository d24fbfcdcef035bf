package stack_test

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"treesplit/search"
	"treesplit/search/stack"
)

// node is the encoding of one node, as documented.
func node(depth uint64, weight float64, n uint16) []byte {
	data := binary.AppendUvarint(nil, depth)
	data = binary.LittleEndian.AppendUint64(data, math.Float64bits(weight))
	return binary.LittleEndian.AppendUint16(data, n)
}

// Pieces that can be none are refused, with what is wrong; the share stays empty.
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
		{join(node(1, 0.5, fibRoot+1)), "no such number"},
		{join(node(2, 0.25, 3), node(1, 0.5, 3)), "node 2 of a piece: depth 1 above depth 2"},
		{join(node(1, 0.5, 3), node(2, 0.25, 3)[:5]), "cut short"},
		{join(node(1, 0.5, 3)[:10]), "cut short"},
		{join(node(math.MaxInt32, 0.5, 3)), "depth and weight: 2147483647: expected at most 2147483646"},
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
		t.Error("a piece was taken by a share that has work")
	}
}
