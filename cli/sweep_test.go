package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// jobFlagsOf writes the scripts of a plan for Slurm, and returns the copy of the plan and the further flags that
// the first script gives to its sweep.
func jobFlagsOf(t *testing.T, plan, flags string) (copied string, job []string) {
	t.Helper()
	dir := t.TempDir()
	file, out := filepath.Join(dir, "plan.yaml"), filepath.Join(dir, "jobs")
	write(t, file, plan)
	var stdout, stderr bytes.Buffer
	line := append([]string{"sweep", file, "--batch", "slurm", "--out", out}, strings.Fields(flags)...)
	if status := Main(line, nil, &stdout, &stderr); status != statusDone {
		t.Fatalf("%s %q: status %d: %s", plan, flags, status, &stderr)
	}
	scripts, _ := filepath.Glob(filepath.Join(out, "*.slurm"))
	copies, _ := filepath.Glob(filepath.Join(out, "*.yaml"))
	if len(scripts) == 0 || len(copies) != 1 {
		t.Fatalf("%d scripts, %d plans", len(scripts), len(copies))
	}
	text, err := os.ReadFile(scripts[0])
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "--results ")
	words, _, found := strings.Cut(after, " &\n")
	_, words, isRest := strings.Cut(words, " ") // after the file of results
	if !found || !isRest {
		t.Fatalf("no flags in\n%s", text)
	}
	return copies[0], shellWords(words)
}

// shellWords splits a command line whose only quotes are single ones.
func shellWords(line string) (words []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}

// The command of a job is accepted, whichever launcher and worlds the plan and the flags name. Under Slurm ranks
// of world mpi are started by srun unless another launcher is named.
func TestJobCommands(t *testing.T) {
	const (
		rest   = "name: x\nranks: [2]\ninstances: [{name: a, verb: uts}]\n"
		mpirun = "launcher: mpirun\n"
		bound  = "launcher-args: [--bind-to, core]\n"
	)
	for _, c := range []struct{ plan, flags, launcher, args string }{
		{mpirun + bound, "", "mpirun", "--bind-to core"},
		{mpirun + bound, "--launcher local", "local", ""},
		{bound, "", "srun", "--bind-to core"},
		{bound + "worlds: [local]\n", "", "local", ""},
		{bound + "worlds: [ncube2, local]\n", "", "local", ""},
		{bound + "worlds: [mpi]\n", "", "srun", "--bind-to core"},
		{"worlds: [local, mpi]\n", "", "srun", ""},
		{"worlds: [local, mpi]\n", "--launcher mpiexec", "mpiexec", ""},
		{"", "--launcher-args --mpi=pmix", "srun", "--mpi=pmix"},
	} {
		copied, flags := jobFlagsOf(t, c.plan+rest, c.flags)
		want := "--launcher " + c.launcher
		if c.args != "" {
			want += " --launcher-args " + c.args
		}
		if got := strings.Join(flags, " "); !strings.HasPrefix(got+" ", want+" ") || c.args == "" && strings.Contains(got, "--launcher-args") {
			t.Errorf("%+v: the job has the flags %q, want %q", c, got, want)
		}
		var stdout, stderr bytes.Buffer
		flags = append(flags, "--results", filepath.Join(t.TempDir(), "r.jsonl"), "--stop-after", "1ns")
		if status := Main(append([]string{"sweep", copied, "--only-index", "0-1"}, flags...), nil, &stdout, &stderr); status != statusStopped {
			t.Errorf("%+v: the sweep of the job ends with status %d: %s", c, status, &stderr)
		}
	}
}

// A job gives its run the time of the warning, less a few seconds, to save its search. It keeps more time if
// it queues again, because the scheduler may refuse at first.
func TestJobGrace(t *testing.T) {
	for batch, want := range map[string]string{
		"warn: 10m": " --grace 9m55s", "warn: 20s": "", "warn: 25s": "", "warn: 26s": " --grace 21s", "time: 2h": " --grace 55s", "time: 1m": " --grace 25s",
		"requeue: true, warn: 10m": " --grace 9m25s", "requeue: true, warn: 70s": " --grace 35s", "requeue: true, warn: 1m": " --grace 30s",
		"requeue: true, warn: 50s": " --grace 25s", "requeue: true, warn: 40s": "", "requeue: true, warn: 10s": "",
	} {
		_, flags := jobFlagsOf(t, "name: x\nranks: [2]\ncheckpoint-every: 5m\ninstances: [{name: a, verb: uts}]\nbatch: {"+batch+"}\nworlds: [local]\n", "")
		if got := strings.Join(flags, " "); got != "--launcher local"+want {
			t.Errorf("%s: the job has the flags %q, want %q", batch, got, "--launcher local"+want)
		}
	}
	refuses(t, "sweep ../testdata/sweep.yaml --grace 0s", "--grace: 0s: expected a time above 0")
	refuses(t, "sweep ../testdata/sweep.yaml --list --grace 1m", "--grace: it has no effect here")
}
