package graphfile

import (
	"io"
	"math"
	"strconv"
)

// Scotch's graph files (F. Pellegrini, Scotch and libScotch 7.0 user's guide, section
// 5.1): version 0; the numbers of vertices and of arcs, two for each edge; the number of
// the first vertex and three digits; then for each vertex its label if there are
// hundreds, its load if there are units, its degree, and for each neighbour the edge's
// load if there are tens, and its number, or its label if there are labels. Scotch does
// not care about ends of lines, and there are no comments.

// readScotch reads a graph; O(n + m log m) time.
func readScotch(name string, r io.Reader, o Options) (*File, error) {
	s := newScanner(name, r)
	if _, err := s.readNumberAcross("version 0", 0, 0); err != nil {
		return nil, err
	}
	n, err := s.readNumberAcross("the number of vertices", 0, maxVertices)
	if err != nil {
		return nil, err
	}
	arcs, err := s.readNumberAcross("the number of arcs", 0, 2*maxEdges)
	if err != nil {
		return nil, err
	}
	line := s.line
	if arcs%2 != 0 {
		return nil, s.errorInLine("%d arcs: expected an even number, two for each edge", arcs)
	}
	base, err := s.readNumberAcross("the number of the first vertex", 0, 1)
	if err != nil {
		return nil, err
	}
	numeric, err := s.readNumberAcross("the numeric flag", 0, 111)
	if err != nil {
		return nil, err
	}
	labels, loads, weights, err := s.splitFlags("numeric flag", numeric)
	if err != nil {
		return nil, err
	}
	b := newBuilder(s, o, arcs/2, base)
	known := map[int32]int32{}
	for range n {
		if err := b.scotchVertex(n, base, labels, loads, weights, known); err != nil {
			return nil, err
		}
	}
	if err := s.requireFileEnd(0, "the last vertex"); err != nil {
		return nil, err
	}
	if labels {
		if err := b.resolveLabels(known); err != nil {
			return nil, err
		}
	}
	return b.finishFile(Scotch, line)
}

// scotchVertex reads the next of n vertices. Where there are labels, ends of edges are
// these until all are known.
func (b *builder) scotchVertex(n, base int64, labels, loads, weights bool, known map[int32]int32) error {
	name, low, high := "", base, base+n-1
	if labels {
		base, low, high = 0, 0, math.MaxInt32
		label, err := b.readNumberAcross("a vertex's label", low, high)
		if err != nil {
			return err
		}
		if first, twice := known[int32(label)]; twice {
			return b.errorInLine("label %d: expected another one, since it is that of the vertex of line %d", label, b.lines[first])
		}
		known[int32(label)] = int32(len(b.lines))
		name = strconv.FormatInt(label, 10)
	}
	weight, load := int64(1), int64(1)
	var err error
	if weights {
		if weight, err = b.readNumberAcross("a vertex's load", 0, b.most); err != nil {
			return err
		}
	}
	degree, err := b.readNumberAcross("a vertex's degree", 0, max(n-1, 0))
	if err != nil {
		return err
	}
	b.addVertex(weight, name)
	for range degree {
		if loads {
			if load, err = b.readNumberAcross("an edge's load", 1, b.most); err != nil {
				return err
			}
		}
		to, err := b.readNumberAcross("a neighbour", low, high)
		if err != nil {
			return err
		}
		if err := b.addHalfEdge(int32(to-base), load); err != nil {
			return err
		}
	}
	return nil
}

// resolveLabels replaces labels by the vertices that have them.
func (b *builder) resolveLabels(known map[int32]int32) error {
	for k, h := range b.halves {
		to, ok := known[h.to]
		if !ok {
			return b.errorAtLine(b.lines[h.from], "neighbour %d: expected the label of a vertex", h.to)
		}
		b.halves[k].to = to
	}
	return nil
}
