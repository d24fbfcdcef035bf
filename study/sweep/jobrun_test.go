package sweep

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Scripts of jobs and of chains, run by a shell with a scheduler and a launcher of the tests.

// runScript runs the script of a job of one task, whose sweep and setup are lines of the shell.
func runScript(t *testing.T, scheduler, plan, setup, sweep string) (out string, status int) {
	t.Helper()
	j, dir := clusterJobs(t, scheduler, plan)[0], t.TempDir()
	j.WorkDir, j.Program, j.Setup = dir, filepath.Join(dir, "sweep"), setup
	if err := os.WriteFile(j.Program, []byte("#!/bin/bash\n"+sweep+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	script, err := j.RenderScript(scheduler)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "-c", string(script))
	text, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(text), cmd.ProcessState.ExitCode()
}

// The setup of a plan may use variables that are not set, as scripts of module systems do.
func TestSetupWithUnsetVariables(t *testing.T) {
	for _, scheduler := range Schedulers {
		out, status := runScript(t, scheduler, clusterPlan, `echo "setup$NOT_SET"`, "echo sweep")
		if out != "setup\nsweep\n" || status != 0 {
			t.Errorf("%s: status %d: %s", scheduler, status, out)
		}
	}
}

// PBS gives no warning: the sweep of a job ends as long before the limit as the plan requests it. The time of
// the setup counts. A setup of this test makes the shell's clock a variable that does not move.
func TestPBSJobReadsTheClock(t *testing.T) {
	for setup, c := range map[string]struct {
		want   string // the time of --stop-after, or the start of a message
		status int
	}{
		"unset SECONDS; SECONDS=0":    {"5310s", 0},
		"unset SECONDS; SECONDS=1000": {"4310s", 0},
		"unset SECONDS; SECONDS=5309": {"1s", 0},
		"unset SECONDS; SECONDS=5310": {"the job makes no run", 3},
		"SECONDS=9999":                {"the job makes no run", 3},
	} {
		out, status := runScript(t, "pbs", clusterPlan, setup, `while [[ $1 != --stop-after ]]; do shift; done; echo "$2"`)
		said, _, _ := strings.Cut(strings.TrimSpace(out), ":")
		if said != c.want || status != c.status {
			t.Errorf("setup %q: status %d, the sweep ends after %q, want %q", setup, status, out, c.want)
		}
	}
}

// A job under SGE that has not finished queues again (status 99), but not after qdel.
func TestSGEJobQueuesAgain(t *testing.T) {
	plan := strings.Replace(clusterPlan, "links: 3", "requeue: true", 1)
	for sweep, want := range map[string]int{
		"exit 0": 0, "exit 1": 1, "exit 3": 99,
		"kill -USR1 $PPID; /bin/sleep 0.1; exit 3": 99,
		"kill -TERM $PPID; /bin/sleep 0.1; exit 3": 3,
	} {
		if out, status := runScript(t, "sge", plan, "", sweep); status != want {
			t.Errorf("%s: status %d, want %d: %s", sweep, status, want, out)
		}
	}
}

// The job of a chain queues again whenever the warning of its limit comes: before the search begins,
// before the launcher can handle it, or during the search.
func TestChainWarned(t *testing.T) {
	script, err := filepath.Abs("../../hostfiles/treesplit-chain.sbatch")
	if err != nil {
		t.Fatal(err)
	}
	const (
		warnBefore = "cd() { kill -USR1 $$; builtin cd \"$@\"; }; export -f cd; "
		ready      = "trap 'exit 3' USR1; kill -USR1 $PPID; while :; do sleep 0.01; done"
	)
	for name, c := range map[string]struct {
		setup, launcher string
		refused         int // refusals of the scheduler
	}{
		"before the search":         {warnBefore, "exec sleep 60", 0},
		"a launcher not ready":      {"", "kill -USR1 $PPID; exec sleep 60", 0},
		"during the search":         {"", ready, 0},
		"the search is not done":    {"", "exit 3", 0},
		"a busy scheduler":          {"", "exit 3", 3},
		"a scheduler that is away":  {"", "touch treesplit-7.checkpoint; exit 3", 9},
		"away, and nothing saved":   {"", "kill -USR1 $PPID; exec sleep 60", 9},
		"busy, before the search":   {warnBefore, "exec sleep 60", 1},
		"the search is not allowed": {"", "exit 2", 0},
	} {
		dir := t.TempDir()
		for file, text := range map[string]string{"srun": c.launcher, "scontrol": refusing(c.refused), "sleep": longSleep} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte("#!/bin/bash\n"+text+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command("bash", "-c", c.setup+`exec bash "$0" uts`, script)
		cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "TREESPLIT_MPI=mpich", "SLURM_JOB_ID=7", "SLURM_SUBMIT_DIR="+dir)
		out, err := cmd.CombinedOutput()
		calls, _ := os.ReadFile(filepath.Join(dir, "calls"))
		want := strings.Repeat("requeue 7\n", min(c.refused+1, 5))
		if c.launcher == "exit 2" {
			want = ""
		}
		if string(calls) != want || (err == nil) != (want != "" && c.refused < 5) {
			t.Errorf("%s: %v, calls of scontrol %q, want %q: %s", name, err, calls, want, out)
		}
		told := strings.Contains(string(out), "type: scontrol requeue 7\n")
		saved := strings.Contains(string(out), "saved in treesplit-7.checkpoint\n")
		if told != (c.refused >= 5) || saved != strings.Contains(c.launcher, "checkpoint") {
			t.Errorf("%s: %s", name, out)
		}
	}
}

// The job of a chain gives its flags to the search, and none of them to a worker.
func TestChainFlags(t *testing.T) {
	script, err := filepath.Abs("../../hostfiles/treesplit-chain.sbatch")
	if err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"uts --tree T1":               "uts --checkpoint treesplit-7.checkpoint --resume auto --tree T1",
		"run -n 2 -- python3 a.py -n": "run --checkpoint treesplit-7.checkpoint --resume auto -n 2 -- python3 a.py -n",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "srun"), []byte("#!/bin/bash\necho \"$@\"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("bash", append([]string{script}, strings.Fields(args)...)...)
		cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "TREESPLIT_MPI=mpich", "SLURM_JOB_ID=7", "SLURM_SUBMIT_DIR="+dir)
		out, err := cmd.CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != "--mpi=pmi2 bin/treesplit-mpich "+want {
			t.Errorf("%s: %v, the job runs %q, want %q", args, err, got, want)
		}
	}
}

// refusing is the text of an scontrol that notes its calls, and fails the first n times. longSleep is the
// text of a sleep that does not pause between these calls.
func refusing(n int) string {
	return fmt.Sprintf(`echo "$@" >>calls; (($(wc -l <calls) > %d))`, n)
}

const longSleep = `if [[ -s calls ]]; then exit; fi; exec /bin/sleep "$@"`

// A job of a sweep that has not finished queues again, also if the scheduler refuses at first, but not after
// scancel.
func TestSlurmJobQueuesAgain(t *testing.T) {
	j := clusterJobs(t, "slurm", strings.Replace(clusterPlan, "links: 3", "requeue: true", 1))[0]
	for name, c := range map[string]struct {
		sweep           string
		refused, status int
		calls           int
	}{
		"not finished":             {"exit 3", 0, 0, 1},
		"finished":                 {"exit 0", 0, 0, 0},
		"failed":                   {"exit 1", 0, 1, 0},
		"cancelled":                {"kill -TERM $PPID; /bin/sleep 0.1; exit 3", 0, 3, 0},
		"a busy scheduler":         {"exit 3", 2, 0, 3},
		"a scheduler that is away": {"exit 3", 9, 3, 5},
	} {
		dir := t.TempDir()
		j.WorkDir, j.Program, j.Setup = dir, filepath.Join(dir, "sweep"), ""
		for file, text := range map[string]string{"sweep": c.sweep, "scontrol": refusing(c.refused), "sleep": longSleep} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte("#!/bin/bash\n"+text+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		script, err := j.RenderScript("slurm")
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("bash", "-c", string(script))
		cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "SLURM_JOB_ID=7", "SLURM_ARRAY_TASK_ID=0")
		out, err := cmd.CombinedOutput()
		calls, _ := os.ReadFile(filepath.Join(dir, "calls"))
		if got := cmd.ProcessState.ExitCode(); got != c.status || strings.Count(string(calls), "requeue 7\n") != c.calls {
			t.Errorf("%s: %v, status %d, want %d; calls of scontrol %q, want %d: %s", name, err, got, c.status, calls, c.calls, out)
		}
		if told := strings.Contains(string(out), "type: scontrol requeue 7\n"); told != (c.calls == 5) {
			t.Errorf("%s: %s", name, out)
		}
	}
}
