package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// All outputs are written where the system finds their names, if the working directory was entered by a
// link. Files of the same name beside the link stay.
func TestOutputsBehindParents(t *testing.T) {
	top := t.TempDir()
	formula, err := os.ReadFile("../testdata/php4.cnf")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"home", "disk/user"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(top, "disk", "f.cnf"), string(formula))
	write(t, filepath.Join(top, "disk", "plan.yaml"), "name: x\nranks: [2]\ninstances: [{name: a, verb: uts}]\n")
	outputs := []string{"p.drat", "p.lrat", "t.json", "g.cnf", "progress.jsonl", "c", "g.json", "cubes.icnf"}
	for _, name := range append([]string{"f.cnf"}, outputs...) {
		write(t, filepath.Join(top, "home", name), "other")
	}
	before := folderText(t, filepath.Join(top, "home"))
	if err := os.Symlink("../disk/user", filepath.Join(top, "home", "scratch")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(top, "home", "scratch"))
	for _, line := range []string{
		"sat ../f.cnf --rule cdcl --proof ../p.drat --trace ../t.json --progress-file ../progress.jsonl",
		"sat ../f.cnf --rule cubes --cubes ../cubes.icnf",
		"check ../f.cnf ../p.drat --lrat ../p.lrat",
		"gen php --n 2 -o ../g.cnf",
		"objects --objects 4 --iterations 1 --graph ../g.json",
		"report ../t.json --out ../pages",
		"sweep ../plan.yaml --batch slurm --out ../jobs",
		"uts -b 20 --checkpoint ../c --checkpoint-every 1ns",
	} {
		var stdout, stderr bytes.Buffer
		if status := Main(strings.Fields(line), strings.NewReader(""), &stdout, &stderr); status != statusDone && status != statusUnsatisfiable {
			t.Errorf("%s: status %d: %s", line, status, &stderr)
		}
	}
	for _, name := range append(outputs, "pages/index.html", "jobs") {
		if _, err := os.Stat(filepath.Join(top, "disk", name)); err != nil {
			t.Error(err)
		}
	}
	if err := os.Remove(filepath.Join(top, "home", "scratch")); err != nil {
		t.Error(err)
	}
	if after := folderText(t, filepath.Join(top, "home")); after != before {
		t.Errorf("the files beside the link were %s and are %s", before, after)
	}
}
