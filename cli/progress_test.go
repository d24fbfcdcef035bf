package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Lines of standard output go through the progress line if both are on one terminal, here one file.
// Otherwise they do not.
func TestAbove(t *testing.T) {
	dir := t.TempDir()
	create := func(name string) *os.File {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	screen, other := create("screen"), create("other")
	for _, stdout := range []*os.File{screen, other} {
		for progress, through := range map[string]bool{"on": stdout == screen, "off": false} {
			a := &app{stdout: stdout, stderr: screen}
			p := a.startProgress(progress, "nodes")
			w := p.linesWriter(stdout)
			if _, past := w.(*os.File); past == through {
				t.Errorf("progress %s, to %s: goes past the line %v", progress, stdout.Name(), past)
			}
			fmt.Fprintln(w, "row of", stdout.Name(), progress)
			p.removeLine()
			if text, _ := os.ReadFile(stdout.Name()); strings.Count(string(text), "row of "+stdout.Name()+" "+progress) != 1 {
				t.Errorf("progress %s, to %s: %q", progress, stdout.Name(), text)
			}
		}
	}
}
