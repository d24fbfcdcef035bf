package sdk

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// file matches a block of a page that is the text of a file.
var file = regexp.MustCompile("(?ms)^```(python|bash) (\\S+)$\n(.*?)^```$")

// The workers that pages show are exact. Reference: the On-Line Encyclopedia of Integer Sequences,
// A000170, A024770 and A000045. The tree of strings of length n has F(n+4)−2 nodes.
func TestDocuments(t *testing.T) {
	t.Parallel()
	need(t, "python3", "bash", "factor")
	var pages []byte
	for _, name := range []string{"../docs/workers.md", "../README.md", "README.md"} {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, page...)
	}
	interpreters := map[string][]string{"python": {"env", "PYTHONPATH=python", "python3"}, "bash": {"bash"}}
	workers := map[string]string{
		"my_queens.py": "552 nodes, map[solutions:40]",
		"primes.sh":    "84 nodes, map[primes:83]",
		"strings.py":   "46366 nodes, map[strings:17711]", // of README.md
		"strings.py#2": "375 nodes, map[strings:144]",     // of sdk/README.md
	}
	for _, match := range file.FindAllStringSubmatch(string(pages), -1) {
		key := match[2]
		if _, ok := workers[key]; !ok {
			key += "#2"
		}
		name := filepath.Join(t.TempDir(), match[2])
		if err := os.WriteFile(name, []byte(match[3]), 0o644); err != nil {
			t.Fatal(err)
		}
		totals := searchTree(t, program{append(slices.Clone(interpreters[match[1]]), name, "7"), ""}, 2, 1, 1)
		if got := fmt.Sprintf("%d nodes, %v", totals.expanded, totals.sums); got != workers[key] {
			t.Errorf("%s: %s, want %q", key, got, workers[key])
		}
		delete(workers, key)
	}
	if len(workers) > 0 {
		t.Errorf("the pages lack %v", workers)
	}
}
