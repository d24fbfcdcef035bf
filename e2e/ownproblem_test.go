package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// A user's own problem runs in every world under every scheme: under MPI all
// schemes within one launch, and the program itself under one of them.
// Reference: the On-Line Encyclopedia of Integer Sequences, A000170: 2680 ways to place 11
// queens. The nodes are those of the sequential search, on one rank.
func TestOwnProblem(t *testing.T) {
	t.Parallel()
	built := func(l library) string { return ownExample(t, l, "queens", "&queens{size: 11}") }
	own := func(l library, ranks int, scheme string) outcome {
		program := built(l)
		args := []string{program, "-size", "11", "-scheme", scheme}
		if l == none {
			return run(t, "", append(args, "-n", fmt.Sprint(ranks))...)
		}
		return run(t, "", append(append(l.launch(ranks), l.hasty()...), args...)...)
	}
	alone := own(none, 1, "rp")
	counts, _, _ := strings.Cut(alone.stdout, " 1 ranks")
	if !strings.HasPrefix(counts, "2680 solutions, ") || alone.status != 0 {
		t.Fatalf("status %d: %s%s", alone.status, alone.stdout, alone.stderr)
	}
	all := schemes(t)
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		some := all
		if l != none {
			some = all[len(all)-1:]
			for _, r := range ownSuite(t, l, built(l), all) {
				if got := fmt.Sprintf("%d solutions, %d nodes,", r.Sums, r.Expanded); got != strings.Replace("["+counts, " ", "] ", 1) {
					t.Errorf("%s: %s, want %s", r.Scheme, got, counts)
				}
			}
		}
		for i, scheme := range some {
			ranks := 2 + i%3
			want := fmt.Sprintf("%s %d ranks, %s, exhausted\n", counts, ranks, scheme)
			if o := own(l, ranks, scheme); o.status != 0 || o.stdout != want {
				t.Errorf("%s: status %d: %q, want %q\n%s", scheme, o.status, o.stdout, want, o.stderr)
			}
		}
	})
	refused := own(none, 2, "no such scheme")
	if refused.status != 1 || !strings.HasPrefix(refused.stderr, "queens: --scheme: ") {
		t.Errorf("status %d: %s", refused.status, refused.stderr)
	}
}
