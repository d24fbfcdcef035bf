package sat

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What testdata/README.md says of its files is so, and it leaves none out.
func TestDataFiles(t *testing.T) {
	readme, err := os.Open("../testdata/README.md")
	if err != nil {
		t.Fatal(err)
	}
	defer readme.Close()
	described := 0
	for lines := bufio.NewScanner(readme); lines.Scan(); {
		cells := strings.Split(lines.Text(), " | ")
		if len(cells) != 4 || !strings.Contains(cells[0], "nf") {
			continue
		}
		described++
		name := strings.TrimPrefix(cells[0], "| ")
		f, err := ReadFile(filepath.Join("../testdata", name))
		if err != nil {
			t.Error(err)
			continue
		}
		s := run(NewPaper(f).NewSearch(Options{Root: true, All: true}), 1<<20)
		answer := "unsatisfiable"
		if model := s.Model(); model != nil {
			answer = "satisfiable"
			if err := f.CheckModel(model); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		c := s.Counts()
		if !strings.HasPrefix(cells[2], answer) || fmt.Sprintf("%d |", c.Expanded) != cells[3] {
			t.Errorf("%s: %s, W = %d; the description says %s, W = %s", name, answer, c.Expanded, cells[2], cells[3])
		}
		if f.DNF != strings.HasSuffix(name, ".dnf") {
			t.Errorf("%s: DNF = %v", name, f.DNF)
		}
		if c.Expanded < 100_000 { // the definition is slow
			if want := wholeTree(f); c != want {
				t.Errorf("%s: %+v, by the definition %+v", name, c, want)
			}
		}
	}
	files, err := filepath.Glob("../testdata/*.?nf")
	if err != nil || len(files) != described {
		t.Errorf("%d files, %d described (%v)", len(files), described, err)
	}
}
