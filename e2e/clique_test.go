package e2e

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"
)

// Somebody's own branch and bound prints a largest clique in every world under every scheme:
// that of the sequential search, on one rank. Under MPI all schemes run within one launch, and
// the program itself under the default one. Reference: the words of the largest binary code
// of length 6 and distance 2 are 32; with distance 4 there are 4.
func TestOwnOptimum(t *testing.T) {
	t.Parallel()
	built := func(l library) string {
		return ownExample(t, l, "clique", "&input{vertices: 90, density: 0.7, seed: 2}")
	}
	clique := func(l library, ranks int, args ...string) outcome {
		program := append([]string{built(l)}, args...)
		if l == none {
			return run(t, "", append(program, "-n", fmt.Sprint(ranks))...)
		}
		return run(t, "", append(append(l.launch(ranks), l.hasty()...), program...)...)
	}
	graph := []string{"-vertices", "90", "-density", "0.7", "-seed", "2"}
	alone := clique(none, 1, graph...)
	want, _, _ := strings.Cut(alone.stdout, ":")
	if !strings.HasPrefix(want, "clique of 1") || alone.status != 0 {
		t.Fatalf("status %d: %s%s", alone.status, alone.stdout, alone.stderr)
	}
	all := schemes(t)
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		some := all
		if l != none {
			some = nil
			for _, r := range ownSuite(t, l, built(l), all) {
				if got := fmt.Sprint("clique of ", len(r.Witness)); got != want {
					t.Errorf("%s: %s, want %s", r.Scheme, got, want)
				}
			}
		}
		for i, scheme := range some {
			ranks := 2 + i%3
			o := clique(l, ranks, append(graph, "-scheme", scheme)...)
			size, rest, _ := strings.Cut(o.stdout, ":")
			if o.status != 0 || size != want || !strings.HasSuffix(rest, fmt.Sprintf(" nodes, %d ranks, %s, exhausted\n", ranks, scheme)) {
				t.Errorf("%s: status %d: %q, want %q\n%s", scheme, o.status, o.stdout, want, o.stderr)
			}
		}
		for distance, want := range map[int]string{2: "clique of 32:", 4: "clique of 4:"} {
			file := write(t, "hamming.clq", hamming(6, distance))
			if o := clique(l, 3, "-graph", file); o.status != 0 || !strings.HasPrefix(o.stdout, want) {
				t.Errorf("distance %d: status %d: %q, want %q\n%s", distance, o.status, o.stdout, want, o.stderr)
			}
		}
		refused := clique(l, 2, "-graph", write(t, "bad.clq", []byte("p edge 3 1\ne 1 4\n")))
		if refused.status != 1 || !strings.Contains(refused.stderr, "bad.clq: line 2: ") {
			t.Errorf("a vertex too many: status %d: %s", refused.status, refused.stderr)
		}
	})
}

// hamming is a graph in the format of the DIMACS challenges: words of length bits, joined if
// they differ in distance bits or more.
func hamming(length, distance int) []byte {
	text := fmt.Sprintf("c hamming%d-%d\np edge %d 0\n", length, distance, 1<<length)
	for v := range uint(1) << length {
		for u := range v {
			if bits.OnesCount(u^v) >= distance {
				text += fmt.Sprintf("e %d %d\n", u+1, v+1)
			}
		}
	}
	return []byte(text)
}
