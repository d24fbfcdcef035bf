package lb_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The table in doc.go names every file of the package.
func TestTableOfFiles(t *testing.T) {
	table, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(string(table))
	for _, f := range files {
		if f != "doc.go" && !strings.HasSuffix(f, "_test.go") && !slices.Contains(words, f) {
			t.Errorf("doc.go does not name %s", f)
		}
	}
}
