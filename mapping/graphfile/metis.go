package graphfile

import (
	"io"

	"treesplit/mapping"
)

// METIS's graph files (G. Karypis, METIS 5.1 manual, section 4.1.1) begin with a line "n m fmt
// ncon"; fmt and ncon may be missing. One line per vertex follows: its size if fmt has hundreds,
// its weight if fmt has tens, and its neighbours, numbered from 1, each followed by the edge's
// weight if fmt has units. Lines that begin with % are comments. A size is the cost of moving the
// vertex, which no map pays: it is skipped. Several weights per vertex are refused, because a
// processor's cost is one number.

// Bounds on the numbers of a header, so that no sum of int32s overflows. No memory is allocated
// for an announced number. A file that holds the announced data takes up to 4 GiB.
const (
	maxVertices = 1 << 24
	maxEdges    = 1 << 26
)

// readMetis reads a graph; O(n + m log m) time.
func readMetis(name string, r io.Reader, o Options) (*File, error) {
	s := newScanner(name, r)
	h, err := metisHeader(s)
	if err != nil {
		return nil, err
	}
	b := newBuilder(s, o, h.edges, 1)
	for v := int64(1); v <= h.vertices; v++ {
		more, err := s.advanceLine('%')
		if err != nil {
			return nil, err
		}
		if !more {
			return nil, s.errorAtLine(s.line+1, "the file ends after %d vertices: expected %d, the number in line %d", v-1, h.vertices, h.line)
		}
		if err := b.metisVertex(h); err != nil {
			return nil, err
		}
	}
	if err := s.requireFileEnd('%', "the last vertex"); err != nil {
		return nil, err
	}
	return b.finishFile(Metis, h.line)
}

// header is a METIS file's first line.
type header struct {
	vertices, edges       int64
	sizes, weights, loads bool // of vertices, of vertices, of edges
	line                  int
}

func metisHeader(s *scanner) (h header, err error) {
	var n int64
	for ok := false; !ok; {
		more, err := s.advanceLine('%')
		if err != nil {
			return h, err
		}
		if !more {
			return h, s.errorAtLine(s.line+1, "the file ends: expected a line with the numbers of vertices and edges")
		}
		if h.vertices, ok, err = s.readNumber("number of vertices", 0, maxVertices); err != nil {
			return h, err
		}
	}
	h.line = s.line
	if h.edges, err = s.requireNumber("the number of edges", 0, maxEdges); err != nil {
		return h, err
	}
	n, ok, err := s.readNumber("fmt", 0, 111)
	if err != nil || !ok {
		return h, err
	}
	if h.sizes, h.weights, h.loads, err = s.splitFlags("fmt", n); err != nil {
		return h, err
	}
	if n, ok, err = s.readNumber("ncon", 1, maxVertices); err != nil {
		return h, err
	}
	if ok && n > 1 {
		return h, s.errorInLine("the vertices have %d weights each: expected one, because a processor's cost is one number", n)
	}
	return h, s.requireLineEnd("ncon")
}

// metisVertex reads the line of the next vertex.
func (b *builder) metisVertex(h header) (err error) {
	weight := int64(1)
	if h.sizes {
		if _, err = b.requireNumber("the vertex's size", 0, mapping.MaxTotal); err != nil {
			return err
		}
	}
	if h.weights {
		if weight, err = b.requireNumber("the vertex's weight", 0, b.most); err != nil {
			return err
		}
	}
	b.addVertex(weight, "")
	for {
		to, ok, err := b.readNumber("neighbour", 1, h.vertices)
		if err != nil || !ok {
			return err
		}
		load := int64(1)
		if h.loads {
			if load, err = b.requireNumber("the edge's weight", 1, b.most); err != nil {
				return err
			}
		}
		if err := b.addHalfEdge(int32(to-1), load); err != nil {
			return err
		}
	}
}
