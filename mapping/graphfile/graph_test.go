package graphfile

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"treesplit/mapping"
	"treesplit/mapping/gen"
)

// example opens a file of testdata.
func example(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// read reads text as a file of that name.
func read(name, text string, o Options) (*File, error) {
	return Read(name, strings.NewReader(text), o)
}

// The ring of testdata, in both formats: vertices of 10, 20, 30 and 40, edges of 2 and 4
// cut. Processor 0 has 10 + 20 + 2 + 4, processor 1 30 + 40 + 2 + 4.
func TestRingByHand(t *testing.T) {
	for _, names := range [][2]string{{"ring.graph", "ring.part"}, {"ring.grf", "ring.map"}} {
		for _, unit := range []int64{0, 1, 100} {
			f, err := Read(names[0], example(t, names[0]), Options{Processors: 2, Unit: unit})
			if err != nil {
				t.Fatal(err)
			}
			m, err := ReadPart(names[1], example(t, names[1]), f.Problem)
			if err != nil {
				t.Fatal(err)
			}
			unit = max(unit, 1)
			e := f.Problem.EvaluateMap(m)
			if e.Cost[0] != 36*unit || e.Cost[1] != 76*unit || e.Comm != 12*unit || f.Start != nil {
				t.Errorf("%v, unit %d: %+v", names, unit, e)
			}
		}
	}
}

// Every fmt of METIS's: the path 1 - 2 - 3 with weights 5, 6 and 7, or 1 each, and edges
// of 8 and 9, or 1 each, of which the first is cut.
func TestMetisFormats(t *testing.T) {
	for _, c := range []struct {
		text          string
		first, others int64 // costs of the processors
	}{
		{text: "3 2\n2\n1 3\n2\n", first: 1 + 1, others: 1 + 1 + 1},
		{text: "3 2 0\n2\n1 3\n2\n", first: 2, others: 3},
		{text: "3 2 1\n2 8\n1 8 3 9\n2 9\n", first: 1 + 8, others: 2 + 8},
		{text: "3 2 10\n5 2\n6 1 3\n7 2\n", first: 5 + 1, others: 13 + 1},
		{text: "3 2 011 1\n5 2 8\n6 1 8 3 9\n7 2 9", first: 13, others: 21},
		{text: "3 2 100\n99 2\n99 1 3\n99 2\n", first: 2, others: 3},
		{text: "%\n\n3 2 110\n99 5 2\n%\n99 6 1 3\n99 7 2\n%\n\n", first: 6, others: 14},
		{text: "3 2 111\r\n99 5 2 8\r\n99 6 1 8 3 9\r\n99 7 2 9\r\n", first: 13, others: 21},
		{text: "3 0\n\n\n\n", first: 1, others: 2},
	} {
		f, err := read("g.metis", c.text, Options{Processors: 2})
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if e := f.Problem.EvaluateMap(mapping.Map{0, 1, 1}); e.Cost[0] != c.first || e.Cost[1] != c.others {
			t.Errorf("%q: %+v, want %d and %d", c.text, e, c.first, c.others)
		}
	}
}

// Vertices of Scotch's may be numbered from 0 or from 1, and lines do not matter: the
// path 0 - 1 - 2 without weights, of which the first edge is cut.
func TestScotchBases(t *testing.T) {
	for _, text := range []string{"0\n3 4\n0 000\n1 1\n2 0 2\n1 1\n", "0 3 4 1 0\n1 2 2 1\n3 1 2"} {
		f, err := read("g.scotch", text, Options{Processors: 2})
		if err != nil {
			t.Fatal(err)
		}
		if e := f.Problem.EvaluateMap(mapping.Map{0, 1, 1}); e.Cost[0] != 2 || e.Cost[1] != 3 {
			t.Errorf("%q: %+v", text, e)
		}
	}
}

// An error about a file names its line.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"g.graph", "", "g.graph:1: the file ends: expected a line with the numbers"},
		{"g.graph", "% nothing\n", "g.graph:2: the file ends"},
		{"g.graph", "3\n", "g.graph:1: the line ends: expected the number of edges"},
		{"g.graph", "3 x\n", `g.graph:1: the number of edges "x": expected a whole number`},
		{"g.graph", "-3 1\n", "expected a whole number"},
		{"g.graph", "1000000000 1\n", "g.graph:1: number of vertices 1000000000: expected 0 to 16777216"},
		{"g.graph", "99999999999999999999999999 1\n", "expected 0 to"},
		{"g.graph", "16777216 1\n2\n1\n", "g.graph:4: the file ends after 2 vertices: expected 16777216, the number in line 1"},
		{"g.graph", "2 1 2\n", "g.graph:1: fmt 2: expected up to three digits, each 0 or 1"},
		{"g.graph", "2 1 1000\n", "g.graph:1: fmt 1000: expected 0 to 111"},
		{"g.graph", "2 1 10 2\n", "g.graph:1: the vertices have 2 weights each: expected one"},
		{"g.graph", "2 1 10 1 5\n", `"5" after ncon`},
		{"g.graph", "2 1\n2\n\n", "g.graph:1: 1 edges, but the vertices have 1 neighbours: expected 2"},
		{"g.graph", "2 1\n2\n3\n", "g.graph:3: neighbour 3: expected 1 to 2"},
		{"g.graph", "2 1\n0\n1\n", "g.graph:2: neighbour 0: expected 1 to 2"},
		{"g.graph", "2 1\n2\n1 1\n", "g.graph:3: more neighbours than the 2 that 1 edges have"},
		{"g.graph", "2 1\n1\n2\n", "g.graph:2: vertex 1 (line 2) has itself as a neighbour"},
		{"g.graph", "1 1\n1 1\n", "has itself as a neighbour"},
		{"g.graph", "18446744073709551618 1\n2\n1\n", "expected 0 to 16777216"},
		{"g.graph", "3 2\n2 2\n1 3\n\n", "g.graph:2: vertex 1 (line 2) has vertex 2 (line 3) as a neighbour twice"},
		{"g.graph", "3 2\n2\n1 1\n2\n", "g.graph:3: vertex 2 (line 3) has vertex 1 (line 2) as a neighbour twice"},
		{"g.graph", "3 1\n2\n%\n3\n\n", "g.graph:2: vertex 1 (line 2) has vertex 2 (line 4) as a neighbour: expected the other"},
		{"g.graph", "2 1 1\n2 5\n1 6\n", "g.graph:2: vertex 1 (line 2) has vertex 2 (line 3) as a neighbour with weight 5, which has it with weight 6"},
		{"g.graph", "2 1 1\n2 0\n1 0\n", "g.graph:2: the edge's weight 0: expected 1 to"},
		{"g.graph", "2 1 1\n2\n1\n", "g.graph:2: the line ends: expected the edge's weight"},
		{"g.graph", "2 1 10\n1 2\n\n", "g.graph:3: the line ends: expected the vertex's weight"},
		{"g.graph", "1 0\n\n7\n", `g.graph:3: "7" after the last vertex`},
		{"g.graph", "2 0 10\n1152921504606846976\n1\n", "sum of at most 2^60"},
		{"g.graph", "1 0 10\n11111111111111111111111111111111111111\n", "expected a whole number"},
		{"g.grf", "", "g.grf:1: the file ends: expected version 0"},
		{"g.grf", "1\n", "g.grf:1: version 0 1: expected 0 to 0"},
		{"g.grf", "0\n2 1\n0 0\n", "g.grf:2: 1 arcs: expected an even number"},
		{"g.grf", "0\n2 2\n2 0\n", "g.grf:3: the number of the first vertex 2: expected 0 to 1"},
		{"g.grf", "0\n2 2\n0 20\n", "g.grf:3: numeric flag 20"},
		{"g.grf", "0\n2 2\n0 0\n1 1\n1 2\n", "g.grf:5: a neighbour 2: expected 0 to 1"},
		{"g.grf", "0\n2 2\n1 0\n1 2\n2\n", "g.grf:5: a vertex's degree 2: expected 0 to 1"},
		{"g.grf", "0\n2 2\n0 0\n1 1\n1\n", "g.grf:5: the file ends: expected a neighbour"},
		{"g.grf", "0\n2 2\n0 0\n1 1\n1 0 5\n", `g.grf:5: "5" after the last vertex`},
		{"g.grf", "0\n2 2\n0 0\n1 1\n0\n", "g.grf:2: 1 edges, but the vertices have 1 neighbours"},
		{"g.grf", "0\n2 2\n0 100\n9 1 8\n9 1 9\n", "g.grf:5: label 9: expected another one, since it is that of the vertex of line 4"},
		{"g.grf", "0\n2 2\n0 100\n9 1 8\n7 1 9\n", "g.grf:4: neighbour 8: expected the label of a vertex"},
		{"g.grf", "0\n3 2\n0 0\n1 1\n1 2\n0\n", "g.grf:4: vertex 0 (line 4) has vertex 1 (line 5) as a neighbour: expected the other"},
		{"g.txt", "", "g.txt: the format is unknown from the name"},
	} {
		if _, err := read(c.name, c.text, Options{Processors: 2}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: %v, want %q", c.name, c.text, err, c.want)
		}
	}
}

// The name of a file gives its format.
func TestByName(t *testing.T) {
	for name, want := range map[string]Format{
		"a.graph": Metis, "a.b.metis.gz": Metis, "x/y.grf.zst": Scotch, "a.scotch": Scotch, "data.0.json.br": VT, "a.json": VT, "a.json.xz": VT, "a.graph.bz2": Metis,
	} {
		if f, err := FormatByName(name); f != want || err != nil {
			t.Errorf("%s: %s, %v", name, f, err)
		}
	}
	for _, name := range []string{"a", "json", "a.br", "a.json.lz4", ""} {
		if _, err := FormatByName(name); err == nil {
			t.Errorf("%s: expected an error", name)
		}
	}
}

// An error about a map names its line.
func TestPartRefused(t *testing.T) {
	p := &mapping.Problem{Processors: 2, Objects: []mapping.Object{{Home: mapping.Nowhere}, {Home: 1, Fixed: true}}}
	for _, c := range []struct{ name, text, want string }{
		{"a.part", "0\n", "a.part:1: the file ends: expected the processor of object 2 of 2"},
		{"a.part", "0\n2\n", "a.part:2: the processor of object 2 of 2 2: expected 0 to 1"},
		{"a.part", "0\n0\n", "a.part:2: object 2 on processor 0: expected 1, which it cannot leave"},
		{"a.part", "0\n1\n1\n", `a.part:3: "1" after the last object`},
		{"a.part", "0 1\n", `a.part:1: "1" after a processor`},
		{"a.part", "-1\n0\n", "expected a whole number"},
		{"a.map", "3\n", "a.map:1: the number of vertices 3: expected 2 to 2"},
		{"a.map", "2\n0\t0\n2\t1\n", "a.map:3: vertex 2: expected the 2. one"},
	} {
		if _, err := ReadPart(c.name, strings.NewReader(c.text), p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

// draw draws a graph whose edges cost both ends alike, in units, several arcs of either
// direction between the same two among them.
func draw(rng *rand.Rand, unit int64) *mapping.Problem {
	p := &mapping.Problem{Processors: 1 + rng.IntN(4)}
	n := rng.IntN(9)
	for range n {
		p.Objects = append(p.Objects, mapping.Object{Comp: unit * rng.Int64N(30), Home: mapping.Nowhere})
	}
	for range rng.IntN(20) * min(n, 1) {
		w := unit * rng.Int64N(9)
		p.Arcs = append(p.Arcs, mapping.Arc{From: int32(rng.IntN(n)), To: int32(rng.IntN(n)), Send: w, Receive: w, Proxy: mapping.NoProxy})
	}
	return p
}

// A graph that is written and read again costs the same under every map: METIS, Scotch,
// and vt's data with a byte for each nanosecond; and a map is the same map.
func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for round := range 600 {
		unit := []int64{1, 7, 1000}[round%3]
		p := draw(rng, unit)
		for name, write := range map[string]func(*bytes.Buffer) error{
			"a.graph": func(w *bytes.Buffer) error { return WriteMetis(w, p, unit) },
			"a.grf":   func(w *bytes.Buffer) error { return WriteScotch(w, p, unit) },
			"a.json":  func(w *bytes.Buffer) error { return WriteVT(w, &File{Problem: p}, make(mapping.Map, len(p.Objects))) },
		} {
			var text bytes.Buffer
			if err := write(&text); err != nil {
				t.Fatal(err)
			}
			o := Options{Processors: p.Processors, Unit: unit, Machine: mapping.Machine{SendByte: 1, ReceiveByte: 1}}
			f, err := read(name, text.String(), o)
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, &text)
			}
			same(t, rng, p, f.Problem)
		}
	}
}

// same checks that two problems have the same costs under some maps, and that these maps are
// unchanged after they are written and read.
func same(t *testing.T, rng *rand.Rand, p, q *mapping.Problem) {
	t.Helper()
	for range 5 {
		var m mapping.Map
		for range p.Objects {
			m = append(m, int32(rng.IntN(p.Processors)))
		}
		if len(q.Objects) != len(m) || fmt.Sprint(p.EvaluateMap(m)) != fmt.Sprint(q.EvaluateMap(m)) {
			t.Fatalf("%+v became %+v: under %v they cost %+v", p, q, m, p.EvaluateMap(m))
		}
		var text bytes.Buffer
		if err := WritePart(&text, m); err != nil {
			t.Fatal(err)
		}
		if again, err := ReadPart("a.part", &text, p); err != nil || fmt.Sprint(again) != fmt.Sprint(m) {
			t.Fatalf("%v became %v: %v", m, again, err)
		}
	}
}

// Ends with different costs are written as their mean. An edge with any cost has a weight of at
// least 1; an edge without cost is left out.
func TestWeightsByHand(t *testing.T) {
	p := &mapping.Problem{
		Processors: 1, Objects: []mapping.Object{{Comp: 149}, {Comp: 150}, {}},
		Arcs: []mapping.Arc{
			{From: 0, To: 1, Send: 100, Receive: 300, Proxy: mapping.NoProxy},
			{From: 1, To: 0, Send: 400, Receive: 400, Proxy: 0},
			{From: 1, To: 2, Send: 1, Proxy: mapping.NoProxy},
			{From: 2, To: 0, Proxy: mapping.NoProxy},
			{From: 2, To: 2, Send: 900, Receive: 900, Proxy: mapping.NoProxy},
		},
	}
	var metis, scotch bytes.Buffer
	if err := WriteMetis(&metis, p, 100); err != nil {
		t.Fatal(err)
	}
	if err := WriteScotch(&scotch, p, 100); err != nil {
		t.Fatal(err)
	}
	if want := "3 2 011\n1 2 6\n2 1 6 3 1\n0 2 1\n"; metis.String() != want {
		t.Errorf("%q, want %q", &metis, want)
	}
	if want := "0\n3 4\n0 011\n1 1 6 1\n2 2 6 0 1 2\n0 1 1 1\n"; scotch.String() != want {
		t.Errorf("%q, want %q", &scotch, want)
	}
}

// In the unit that is chosen all weights fit into 32 bits, and in a tenth of it not.
func TestUnit(t *testing.T) {
	sums := func(p *mapping.Problem, unit int64) (vertices, edges int64) {
		for _, o := range p.Objects {
			vertices += roundToUnit(o.Comp, unit)
		}
		for _, h := range halfEdgesOf(p, unit) {
			edges += h.weight
		}
		return vertices, edges
	}
	for _, scale := range []int64{1, 1000, 1e6, 1e9} {
		p := gen.RandomProblem(9, 100, 400, 300, 1)
		for i := range p.Objects {
			p.Objects[i].Comp *= scale
		}
		for i := range p.Arcs {
			p.Arcs[i].Send *= scale
			p.Arcs[i].Receive *= scale
		}
		unit := WeightUnit(p)
		if vertices, edges := sums(p, unit); max(vertices, edges) >= 1<<31 {
			t.Errorf("scale %d: unit %d gives %d and %d", scale, unit, vertices, edges)
		}
		if unit > 1 {
			if vertices, edges := sums(p, unit/10); max(vertices, edges) < 1<<31 {
				t.Errorf("scale %d: unit %d would do", scale, unit/10)
			}
		}
	}
	if unit := WeightUnit(&mapping.Problem{}); unit != 1 {
		t.Errorf("unit %d of nothing", unit)
	}
}
