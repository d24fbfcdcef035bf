package uts

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The assembler file in the repository must be the output of its generator. Otherwise a
// correction of the file would be lost at the next run of the generator.
func TestAssemblerIsGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the generator")
	}
	dir := t.TempDir()
	run := exec.Command("go", "run", "./internal/spawnasm", "-pkg", "uts",
		"-out", filepath.Join(dir, "spawn_amd64.s"), "-stubs", filepath.Join(dir, "spawn_amd64.go"))
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	body := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(text), "\n") // the first line names the command
		return rest
	}
	for _, name := range []string{"spawn_amd64.s", "spawn_amd64.go"} {
		if body(name) != body(filepath.Join(dir, name)) {
			t.Errorf("%s is not what internal/spawnasm writes: run go generate ./uts", name)
		}
	}
}
