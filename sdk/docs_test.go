package sdk

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// file matches a block of a page that is the text of a file.
var file = regexp.MustCompile("(?ms)^```(python|bash) (\\S+)$\n(.*?)^```$")

// The workers that docs/workers.md shows are exact. Reference: the On-Line Encyclopedia of Integer
// Sequences, A000170 and A024770.
func TestDocuments(t *testing.T) {
	t.Parallel()
	need(t, "python3", "bash", "factor")
	page, err := os.ReadFile("../docs/workers.md")
	if err != nil {
		t.Fatal(err)
	}
	workers := map[string]struct {
		args     []string
		expanded int64
		sums     map[string]int64
	}{
		"my_queens.py": {[]string{"env", "PYTHONPATH=python", "python3"}, 552, map[string]int64{"solutions": 40}},
		"primes.sh":    {[]string{"bash"}, 84, map[string]int64{"primes": 83}},
	}
	for _, match := range file.FindAllStringSubmatch(string(page), -1) {
		name := filepath.Join(t.TempDir(), match[2])
		if err := os.WriteFile(name, []byte(match[3]), 0o644); err != nil {
			t.Fatal(err)
		}
		want, ok := workers[match[2]]
		if !ok {
			t.Errorf("%s has no known totals", match[2])
		}
		delete(workers, match[2])
		got := searchTree(t, program{append(want.args, name, "7"), ""}, 2, 1, 1)
		if got.expanded != want.expanded || !maps.Equal(got.sums, want.sums) {
			t.Errorf("%s: %+v, want %d nodes and %v", match[2], got, want.expanded, want.sums)
		}
	}
	if len(workers) > 0 {
		t.Errorf("the page lacks %v", workers)
	}
}
