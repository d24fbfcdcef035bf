package main

import (
	"bufio"
	"fmt"
	"io"
	"math/bits"
	"math/rand/v2"
	"strings"
)

// most is the largest number of vertices of a graph. A node of the search has two sets.
const most = 256

// set is a set of vertices: one bit per vertex.
type set [most / 64]uint64

func (s *set) addVertex(v int)     { s[v/64] |= 1 << (v % 64) }
func (s *set) removeVertex(v int)  { s[v/64] &^= 1 << (v % 64) }
func (s set) hasVertex(v int) bool { return s[v/64]>>(v%64)&1 != 0 }

func (s set) intersection(t set) set {
	for i := range s {
		s[i] &= t[i]
	}
	return s
}

func (s set) difference(t set) set {
	for i := range s {
		s[i] &^= t[i]
	}
	return s
}

func (s set) countVertices() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// leastVertex returns the least vertex of a set, or -1.
func (s set) leastVertex() int {
	for i, word := range s {
		if word != 0 {
			return 64*i + bits.TrailingZeros64(word)
		}
	}
	return -1
}

// graph has the neighbours of each vertex.
type graph []set

// allVertices returns the set of all vertices.
func (g graph) allVertices() (s set) {
	for v := range g {
		s.addVertex(v)
	}
	return s
}

// isCliqueJoinedTo reports whether the vertices of s are all joined to one another and to all
// vertices of t.
func (g graph) isCliqueJoinedTo(s, t set) bool {
	if s.difference(g.allVertices()) != (set{}) || t.difference(g.allVertices()) != (set{}) {
		return false
	}
	for v := range g {
		others := s
		others.removeVertex(v)
		if s.hasVertex(v) && (others.difference(g[v]) != (set{}) || t.difference(g[v]) != (set{})) {
			return false
		}
	}
	return true
}

// listVertices returns the vertices of a set, never nil.
func (s set) listVertices() []int {
	all := []int{}
	for v := range most {
		if s.hasVertex(v) {
			all = append(all, v)
		}
	}
	return all
}

// joinVertices adds an edge.
func (g graph) joinVertices(u, v int) {
	g[u].addVertex(v)
	g[v].addVertex(u)
}

// randomGraph returns a graph in which each pair of vertices is joined with the given
// probability.
func randomGraph(vertices int, density float64, seed uint64) graph {
	g, r := make(graph, vertices), rand.New(rand.NewPCG(seed, 0))
	for v := range vertices {
		for u := range v {
			if r.Float64() < density {
				g.joinVertices(u, v)
			}
		}
	}
	return g
}

// readGraph reads a graph in the format of the DIMACS challenges: "p edge VERTICES EDGES",
// then "e U V" for each edge, with vertices from 1, and comments "c …".
func readGraph(r io.Reader) (g graph, err error) {
	lines := bufio.NewScanner(r)
	for number := 1; lines.Scan(); number++ {
		if g, err = g.readLine(lines.Text()); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if g == nil {
		return nil, fmt.Errorf("no vertices: expected a line \"p edge VERTICES EDGES\"")
	}
	return g, nil
}

// readLine reads one line. Space at its ends is left out: with it, an edge would look like an empty line.
func (g graph) readLine(line string) (graph, error) {
	var u, v int
	switch kind, rest, _ := strings.Cut(strings.TrimSpace(line), " "); kind {
	case "", "c":
	case "p":
		var format string
		if _, err := fmt.Sscan(rest, &format, &u, &v); err != nil || u < 1 || u > most || g != nil {
			return nil, fmt.Errorf("%q: expected one line \"p edge VERTICES EDGES\" with 1 to %d vertices", line, most)
		}
		g = make(graph, u)
	case "e":
		if _, err := fmt.Sscan(rest, &u, &v); err != nil || min(u, v) < 1 || max(u, v) > len(g) || u == v {
			return nil, fmt.Errorf("%q: expected \"e U V\" with different vertices from 1 to %d", line, len(g))
		}
		g.joinVertices(u-1, v-1)
	default:
		return nil, fmt.Errorf("%q: expected a line that begins with c, p or e", line)
	}
	return g, nil
}
