package sweep

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// script writes a program of a shell and returns its path.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mpirun-of-test")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// A single run returns the JSON of the program, repeats a launch that has failed by itself, and returns the
// last line of a program that has failed.
func TestSingleRuns(t *testing.T) {
	r := Run{World: WorldMPI, Verb: "sat", Args: []string{"f.cnf", "--delay", "1ms"}, Ranks: 3, Scheme: "rp", Detector: "tree", Seed: 1}
	good := Launch{Binary: "program", Launcher: script(t, `echo "{\"arguments\": \"$*\"}"`), Args: []string{"--more"}}
	out, err := good.RunSingle(t.Context(), r)
	if want := `{"arguments": "-n 3 --more program sat f.cnf --scheme rp --termination tree --seed 1 --json --progress off"}`; err != nil || string(out) != want {
		t.Errorf("%s, %v; want %s", out, err, want)
	}
	mark := filepath.Join(t.TempDir(), "mark")
	again := Launch{Binary: "program", Launcher: script(t, `if [ -e `+mark+` ]; then echo "{}"; else : >`+mark+`; echo "An ORTE daemon has unexpectedly failed" >&2; exit 1; fi`)}
	if out, err := again.RunSingle(t.Context(), r); err != nil || string(out) != "{}" {
		t.Errorf("after a failed launch: %s, %v", out, err)
	}
	bad := Launch{Binary: "program", Launcher: script(t, `echo first >&2; echo "treesplit: f.cnf: no such file" >&2; exit 2`)}
	if _, err := bad.RunSingle(t.Context(), r); err == nil || !strings.HasSuffix(err.Error(), "exit status 2: treesplit: f.cnf: no such file") {
		t.Errorf("a run that fails: %v", err)
	}
}

// The end of the context ends a single run, also if its ranks do not listen to the first signal.
func TestSingleRunEnds(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	l := Launch{Binary: "program", Launcher: script(t, `trap 'trap "exit 3" USR1' USR1; while :; do sleep 0.05; done`)}
	if _, err := l.RunSingle(ctx, Run{World: WorldMPI, Verb: "uts", Ranks: 2}); err != context.DeadlineExceeded {
		t.Errorf("it ends with %v", err)
	}
}

func TestCheckLauncher(t *testing.T) {
	for launcher, ok := range map[string]bool{"mpirun": true, "/opt/bin/mpiexec.hydra": true, "srun": true, "local": false, "ssh": false, "": false} {
		if err := CheckLauncher(launcher); (err == nil) != ok {
			t.Errorf("%q: %v", launcher, err)
		}
	}
}
