package graphfile

import (
	"bufio"
	"io"
	"math"
	"path"
	"strconv"
	"strings"

	"treesplit/mapping"
)

// ReadPart reads a map of a problem: METIS's .part, the processor of an object on each line, or,
// where the name ends in .map, a mapping of Scotch's. Either may be compressed and then end in .gz
// or .zst too; what it is compressed by its first bytes tell. A processor that the problem does not
// have, an object that is missing, one too many, or a fixed one away from home is an error that
// names file and line. If p.Processors is 0 any processor will do.
func ReadPart(name string, r io.Reader, p *mapping.Problem) (mapping.Map, error) {
	text, done, err := openPlainText(name, r, "", Options{})
	if err != nil {
		return nil, err
	}
	defer done()
	s := newScanner(name, text)
	if path.Ext(plainName(name)) == ".map" {
		return readScotchMap(s, p)
	}
	var m mapping.Map
	for range p.Objects {
		if m, err = s.readProcessor(m, p, "the processor of object"); err != nil {
			return nil, err
		}
		if err := s.requireLineEnd("a processor"); err != nil {
			return nil, err
		}
	}
	return m, s.requireFileEnd(0, "the last object")
}

// readProcessor reads the next object's processor.
func (s *scanner) readProcessor(m mapping.Map, p *mapping.Problem, what string) (mapping.Map, error) {
	most := int64(p.Processors) - 1
	if p.Processors == 0 {
		most = math.MaxInt32
	}
	q, err := s.readNumberAcross(what+" "+strconv.Itoa(len(m)+1)+" of "+strconv.Itoa(len(p.Objects)), 0, most)
	if err != nil {
		return nil, err
	}
	if o := p.Objects[len(m)]; o.Fixed && int64(o.Home) != q {
		return nil, s.errorInLine("object %d on processor %d: expected %d, which it cannot leave", len(m)+1, q, o.Home)
	}
	return append(m, int32(q)), nil
}

// readScotchMap reads a mapping of Scotch's (user's guide, section 5.5): the number of
// vertices, then on each line a vertex and where it is mapped to. Scotch writes them in
// the order of the graph; others are refused: vertices must be numbered one by one from
// the first, or be called by the labels of the graph.
func readScotchMap(s *scanner, p *mapping.Problem) (m mapping.Map, err error) {
	n := int64(len(p.Objects))
	if _, err := s.readNumberAcross("the number of vertices", n, n); err != nil {
		return nil, err
	}
	first, numbered, labelled := int64(0), true, true
	for i, o := range p.Objects {
		label, err := s.readNumberAcross("a vertex", 0, math.MaxInt32)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			first = label
		}
		numbered = numbered && label == first+int64(i) && first <= 1
		labelled = labelled && o.Name == strconv.FormatInt(label, 10)
		if !numbered && !labelled {
			return nil, s.errorInLine("vertex %d: expected the %d. one of the graph, as Scotch writes them", label, i+1)
		}
		if m, err = s.readProcessor(m, p, "the processor of vertex"); err != nil {
			return nil, err
		}
	}
	return m, s.requireFileEnd(0, "the last vertex")
}

// WritePart writes a map as METIS does, the processor of an object on each line.
func WritePart(w io.Writer, m mapping.Map) error {
	out := bufio.NewWriter(w)
	for _, q := range m {
		writeNumbers(out, int64(q))
		out.WriteByte('\n')
	}
	return out.Flush()
}

// plainName is a name without the ending of its compression.
func plainName(name string) string {
	for _, c := range compressions {
		name = strings.TrimSuffix(name, c)
	}
	return name
}
