package graphfile

import (
	"bufio"
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"

	"treesplit/mapping"
)

// Graphs for METIS and Scotch, which hold less than a problem. An edge is undirected and has one
// weight: the mean of the payments of its two ends for all arcs between them, so that nothing is
// lost if both ends pay the same. Arcs of proxy groups count one by one. Background load and
// fixed objects cannot be expressed. Weights are rounded, and weights of edges are at least 1, as
// both programs require. An edge that costs nothing is left out.

// WriteMetis writes a graph for METIS; a weight of 1 is unit ns. O(n + a log a) time.
func WriteMetis(w io.Writer, p *mapping.Problem, unit int64) error {
	all := halfEdgesOf(p, unit)
	out := bufio.NewWriter(w)
	writeNumbers(out, int64(len(p.Objects)), int64(len(all)/2))
	out.WriteString(" 011\n")
	for i, o := range p.Objects {
		writeNumbers(out, roundToUnit(o.Comp, unit))
		for ; len(all) > 0 && int(all[0].from) == i; all = all[1:] {
			out.WriteByte(' ')
			writeNumbers(out, int64(all[0].to)+1, all[0].weight)
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}

// WriteScotch writes a graph for Scotch, as WriteMetis does for METIS; vertices are
// numbered from 0.
func WriteScotch(w io.Writer, p *mapping.Problem, unit int64) error {
	all := halfEdgesOf(p, unit)
	out := bufio.NewWriter(w)
	out.WriteString("0\n")
	writeNumbers(out, int64(len(p.Objects)), int64(len(all)))
	out.WriteString("\n0 011\n")
	for i, o := range p.Objects {
		degree := 0
		for degree < len(all) && int(all[degree].from) == i {
			degree++
		}
		writeNumbers(out, roundToUnit(o.Comp, unit), int64(degree))
		for _, h := range all[:degree] {
			out.WriteByte(' ')
			writeNumbers(out, h.weight, int64(h.to))
		}
		all = all[degree:]
		out.WriteByte('\n')
	}
	return out.Flush()
}

// WeightUnit returns the least power of ten that is a suitable unit: all weights of vertices, and
// all weights of edges, then add up to less than 2^31, the limit of METIS and Scotch in their
// usual builds.
func WeightUnit(p *mapping.Problem) int64 {
	vertices, edges := int64(0), int64(0)
	for _, o := range p.Objects {
		vertices += o.Comp
	}
	for _, a := range p.Arcs {
		edges += a.Send + a.Receive // each edge twice, its weight half of both ends
	}
	unit := int64(1)
	// Rounding, and the least weight, may add one for each.
	room := func(most int64, n int) bool { return most/unit < math.MaxInt32-2*int64(n) }
	for !room(vertices, len(p.Objects)) || !room(edges, len(p.Arcs)) {
		if unit *= 10; unit > mapping.MaxTotal {
			break
		}
	}
	return unit
}

// halfEdgesOf returns the edges of a problem, each twice, by vertex.
func halfEdgesOf(p *mapping.Problem, unit int64) []half {
	var all []half
	for _, a := range p.Arcs {
		if ns := a.Send + a.Receive; ns > 0 && a.From != a.To {
			all = append(all, half{a.From, a.To, ns}, half{a.To, a.From, ns})
		}
	}
	slices.SortFunc(all, func(x, y half) int { return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to)) })
	merged := all[:0]
	for _, h := range all {
		if last := len(merged) - 1; last >= 0 && merged[last].from == h.from && merged[last].to == h.to {
			merged[last].weight += h.weight
		} else {
			merged = append(merged, h)
		}
	}
	for k := range merged {
		merged[k].weight = max(1, roundToUnit((merged[k].weight+1)/2, unit))
	}
	return merged
}

// roundToUnit returns a weight in units.
func roundToUnit(ns, unit int64) int64 {
	unit = max(unit, 1)
	return (ns + unit/2) / unit
}

// writeNumbers writes numbers with blanks between them.
func writeNumbers(out *bufio.Writer, all ...int64) {
	for k, n := range all {
		if k > 0 {
			out.WriteByte(' ')
		}
		out.Write(strconv.AppendInt(out.AvailableBuffer(), n, 10))
	}
}
