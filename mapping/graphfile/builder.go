package graphfile

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"treesplit/mapping"
)

// half is an edge as stored at one of its vertices.
type half struct {
	from, to int32
	weight   int64
}

// builder builds a problem from an undirected graph whose file gives every edge twice.
type builder struct {
	*scanner
	options Options
	unit    int64 // ns of a weight of 1
	most    int64 // the largest weight
	edges   int64 // as announced by the file
	first   int   // number of the first vertex
	objects []mapping.Object
	lines   []int // by vertex
	halves  []half
}

func newBuilder(s *scanner, o Options, edges, first int64) *builder {
	unit := max(o.Unit, 1)
	return &builder{scanner: s, options: o, unit: unit, most: mapping.MaxTotal / unit, edges: edges, first: int(first)}
}

// addVertex adds a vertex, whose first field is on the current line.
func (b *builder) addVertex(weight int64, name string) {
	b.objects = append(b.objects, mapping.Object{Name: name, Comp: weight * b.unit, Home: mapping.Nowhere})
	b.lines = append(b.lines, b.line)
}

// addHalfEdge adds an edge of the last added vertex.
func (b *builder) addHalfEdge(to int32, weight int64) error {
	if int64(len(b.halves)) == 2*b.edges {
		return b.errorInLine("more neighbours than the %d that %d edges have: expected each edge twice, and no more", 2*b.edges, b.edges)
	}
	b.halves = append(b.halves, half{int32(len(b.objects) - 1), to, weight})
	return nil
}

// buildArcs makes an arc of each edge, after checking that both its vertices have the edge with
// the same weight.
func (b *builder) buildArcs() ([]mapping.Arc, error) {
	slices.SortFunc(b.halves, func(x, y half) int {
		return cmp.Or(cmp.Compare(min(x.from, x.to), min(y.from, y.to)), cmp.Compare(max(x.from, x.to), max(y.from, y.to)), cmp.Compare(x.from, y.from))
	})
	arcs := make([]mapping.Arc, 0, len(b.halves)/2)
	for k := 0; k < len(b.halves); k += 2 {
		x := b.halves[k]
		if k+1 == len(b.halves) || x.from == x.to || b.halves[k+1] != (half{x.to, x.from, x.weight}) {
			return nil, b.edgeError(k)
		}
		ns := x.weight * b.unit
		arcs = append(arcs, mapping.Arc{From: x.from, To: x.to, Send: ns, Receive: ns, Proxy: mapping.NoProxy})
	}
	return arcs, nil
}

// edgeError returns an error about an edge, of which the first half is given.
func (b *builder) edgeError(k int) error {
	x, y := b.halves[k], half{from: -1}
	if k+1 < len(b.halves) {
		y = b.halves[k+1]
	}
	one, other := b.describeVertex(x.from), b.describeVertex(x.to)
	switch {
	case x.from == x.to:
		return b.errorAtLine(b.lines[x.from], "%s has itself as a neighbour: expected others only", one)
	case y.from == x.from && y.to == x.to, k > 0 && b.halves[k-1].from == x.from && b.halves[k-1].to == x.to:
		return b.errorAtLine(b.lines[x.from], "%s has %s as a neighbour twice: expected it once", one, other)
	case y.from == x.to && y.to == x.from:
		return b.errorAtLine(b.lines[x.from], "%s has %s as a neighbour with weight %d, which has it with weight %d: expected the same", one, other, x.weight, y.weight)
	}
	return b.errorAtLine(b.lines[x.from], "%s has %s as a neighbour: expected the other to have it too", one, other)
}

// describeVertex returns the name of a vertex in messages.
func (b *builder) describeVertex(v int32) string {
	name := b.objects[v].Name
	if name == "" {
		name = strconv.Itoa(int(v) + b.first)
	}
	return fmt.Sprintf("vertex %s (line %d)", name, b.lines[v])
}

// finishFile ends the building. line is the line of the announced numbers.
func (b *builder) finishFile(f Format, line int) (*File, error) {
	if int64(len(b.halves)) != 2*b.edges {
		return nil, b.errorAtLine(line, "%d edges, but the vertices have %d neighbours: expected %d, each edge twice", b.edges, len(b.halves), 2*b.edges)
	}
	arcs, err := b.buildArcs()
	if err != nil {
		return nil, err
	}
	p := &mapping.Problem{Processors: b.options.Processors, Objects: b.objects, Arcs: arcs}
	return &File{Format: f, Problem: p}, checkProblem(b.name, p)
}

// checkProblem checks a problem, whose number of processors may still be missing.
func checkProblem(name string, p *mapping.Problem) error {
	q := *p
	if q.Processors == 0 {
		q.Processors = 1
	}
	if err := q.Check(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
