package sweep

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The input of an mpirun stays open until it ends, and holds nothing. Other programs have an empty input.
// Only the sweep can write to the input, which is closed after the run.
func TestInputOfRuns(t *testing.T) {
	program := script(t, `exec bash -c '
read -t 0.1; status=$? # 1 at the end of the input, above 128 while it is open
input=$(readlink /proc/$$/fd/0) ends=0
for f in /proc/$$/fd/*; do if [[ $(readlink $f) == "$input" ]]; then ((ends++)); fi; done
echo "{\"status\": $status, \"input\": \"$input\", \"ends\": $ends}"'`)
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
			Status, Ends int
			Input        string
		}
		if err := json.Unmarshal(out, &said); err != nil {
			t.Fatal(err)
		}
		empty := said.Status == 1 && said.Input == os.DevNull
		open := said.Status > 128 && strings.HasPrefix(said.Input, "pipe:") && said.Ends == 1
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
