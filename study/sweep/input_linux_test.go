package sweep

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The input of an mpirun is a pipe that the sweep keeps open, and closes after the run. Only the sweep can write
// to it. Other programs have an empty input.
func TestInputOfRuns(t *testing.T) {
	program := script(t, `exec bash -c '
input=$(readlink /proc/$$/fd/0) ends=0 kept=0
for f in /proc/$$/fd/*; do if [[ $(readlink $f) == "$input" ]]; then ((ends++)); fi; done
for f in /proc/$PPID/fd/*; do if [[ $(readlink $f) == "$input" ]]; then ((kept++)); fi; done
echo "{\"input\": \"$input\", \"ends\": $ends, \"kept\": $kept}"'`)
	srun := filepath.Join(t.TempDir(), "srun")
	if err := os.Symlink(program, srun); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		launcher string
		run      Run
		open     bool
	}{
		"mpirun":                           {program, Run{World: WorldMPI, Verb: "sat", Args: []string{"f.cnf"}, Ranks: 2}, true},
		"mpirun, the program reads it":     {program, Run{World: WorldMPI, Verb: "sat", Args: []string{"-"}, Ranks: 2}, false},
		"mpirun, the program reads a file": {program, Run{World: WorldMPI, Verb: "sat", Args: []string{"/dev/stdin"}, Ranks: 2}, false},
		"srun":                             {srun, Run{World: WorldMPI, Verb: "sat", Args: []string{"f.cnf"}, Ranks: 2}, false},
		"no launcher":                      {LocalLauncher, Run{World: WorldLocal, Verb: "sat", Args: []string{"f.cnf"}, Ranks: 2}, false},
	} {
		out, err := Launch{Binary: program, Launcher: c.launcher}.RunSingle(t.Context(), c.run)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var said struct {
			Input      string
			Ends, Kept int // how often the run and the sweep have it open
		}
		if err := json.Unmarshal(out, &said); err != nil {
			t.Fatal(err)
		}
		empty := said.Input == os.DevNull
		open := strings.HasPrefix(said.Input, "pipe:") && said.Ends == 1 && said.Kept == 2 // the sweep has both ends
		if open != c.open || empty == c.open {
			t.Errorf("%s: %+v", name, said)
		}
		files, _ := os.ReadDir("/proc/self/fd")
		for _, f := range files {
			if to, _ := os.Readlink("/proc/self/fd/" + f.Name()); to == said.Input && c.open {
				t.Errorf("%s: the input is open after the run", name)
			}
		}
	}
}
