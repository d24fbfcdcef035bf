package e2e

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// slurm is one that runs while a test does: four nodes on this machine.
type slurm struct{ conf string }

// startSlurm starts one, which ends with the test.
func startSlurm(t *testing.T) slurm {
	t.Helper()
	logs := t.TempDir()
	// The command in it says where it is, and ends with its input, even if the test is killed.
	cmd := exec.Command("../scripts/slurm-here", "--cpus", "4", "--log", logs, "sh", "-c", `echo "$SLURM_CONF"; cat`)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	conf, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		cmd.Wait()
		if strings.Contains(errs.String(), "is not installed") {
			t.Skip(strings.TrimSpace(errs.String()))
		}
		t.Fatalf("no Slurm: %v: %s", err, &errs)
	}
	t.Cleanup(func() {
		stdin.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("Slurm ends: %v: %s", err, &errs)
		}
		if t.Failed() {
			log, _ := os.ReadFile(filepath.Join(logs, "slurmctld.log"))
			t.Logf("%s", log)
		}
	})
	return slurm{strings.TrimSpace(conf)}
}

// run runs a command in a directory as on a machine of that cluster.
func (s slurm) run(t *testing.T, in string, args ...string) outcome {
	t.Helper()
	o := run(t, "", slices.Concat([]string{"env", "--chdir=" + in, "SLURM_CONF=" + s.conf, "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"}, args)...)
	if o.status != 0 {
		t.Fatalf("%q: status %d: %s%s", args, o.status, o.stdout, o.stderr)
	}
	return o
}

// ended returns when none of the jobs is left.
func (s slurm) ended(t *testing.T, jobs ...string) {
	t.Helper()
	s.until(t, "jobs that end", func() bool {
		return s.run(t, ".", "squeue", "--noheader", "--jobs", strings.Join(jobs, ",")).stdout == ""
	})
}

// until returns when something is so.
func (s slurm) until(t *testing.T, what string, so func() bool) {
	t.Helper()
	end := time.After(2 * limit())
	look := time.NewTicker(200 * time.Millisecond)
	defer look.Stop()
	for !so() {
		select {
		case <-look.C:
		case <-end:
			t.Fatalf("no %s: %s", what, s.run(t, ".", "squeue").stdout)
		}
	}
}

// job is what Slurm says of a job: key=value.
func (s slurm) job(t *testing.T, id, key string) string {
	t.Helper()
	text := s.run(t, ".", "scontrol", "show", "job", id).stdout
	found := regexp.MustCompile(`\b` + key + `=(\S*)`).FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("no %s in %s", key, text)
	}
	return found[1]
}

// submitted finds the numbers of jobs that sweep --submit tells.
var submitted = regexp.MustCompile(` is submitted as (\d+), link`)

// launchers are those that a job under Slurm uses for each MPI.
var launchers = map[library]string{openMPI: "mpirun.openmpi", mpich: "srun"}

// submitSweep submits a plan, of which a launcher starts each rank on another node, and
// returns the directory of its results and the numbers of its jobs.
func (s slurm) submitSweep(t *testing.T, l library, plan string) (dir string, jobs []string) {
	t.Helper()
	dir = t.TempDir()
	o := s.run(t, ".", treesplit(t, l), "sweep", plan, "--launcher", launchers[l], "--batch", "slurm", "--out", dir, "--submit")
	for _, m := range submitted.FindAllStringSubmatch(o.stdout, -1) {
		jobs = append(jobs, m[1])
	}
	return dir, jobs
}

// sweptIn reads all results of a directory of jobs.
func sweptIn(t *testing.T, dir string) []swept {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(dir, "results", "*.jsonl"))
	all := results(t, paths...)
	if t.Failed() || len(all) == 0 {
		logs, _ := filepath.Glob(filepath.Join(dir, "logs", "*"))
		for _, name := range logs {
			text, _ := os.ReadFile(name)
			t.Logf("%s: %s", name, text)
		}
	}
	return all
}

// A real Slurm runs what sweep submits, with ranks on four nodes, each of which search the
// sequential W: Open MPI under its mpirun, MPICH under srun. A job that is warned of its limit is
// continued by the next one; long searches go through chains of jobs.
func TestSlurm(t *testing.T) {
	t.Parallel()
	s := startSlurm(t)
	t.Run("limit", func(t *testing.T) {
		mpich.need(t)
		needTime(t)
		t.Parallel()
		s.limit(t)
	})
	for _, l := range libraries {
		t.Run("sweep/"+l.String(), func(t *testing.T) {
			l.need(t)
			t.Parallel()
			s.sweep(t, l)
		})
	}
	for _, l := range libraries {
		t.Run("job/"+l.String(), func(t *testing.T) {
			l.need(t)
			t.Parallel()
			s.oneJob(t, l)
		})
	}
	t.Run("links", func(t *testing.T) {
		mpich.need(t)
		t.Parallel()
		s.goesOn(t, mpich, false)
	})
	t.Run("requeue", func(t *testing.T) {
		openMPI.need(t)
		needTime(t)
		t.Parallel()
		s.goesOn(t, openMPI, true)
	})
	t.Run("cancel", func(t *testing.T) {
		mpich.need(t)
		t.Parallel()
		s.cancel(t, mpich)
	})
	t.Run("chain", func(t *testing.T) {
		openMPI.need(t)
		needTime(t)
		t.Parallel()
		s.chain(t)
	})
}

// needTime skips what waits for Slurm: half of its least limit, a minute, or the seconds that a job
// waits before it queues again.
func needTime(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("waits for Slurm's clock")
	}
}

// sweep submits arrays; each line of results says which task it was made by, and where.
func (s slurm) sweep(t *testing.T, l library) {
	dir, jobs := s.submitSweep(t, l, plan(t, "batch: {time: 10m, per-job: 3, directives: [--ntasks-per-node=1]}\n"))
	if len(jobs) != 3 {
		t.Fatalf("jobs %q, want one for each number of ranks", jobs)
	}
	s.ended(t, jobs...)
	all := sweptIn(t, dir)
	exact(t, all)
	tasks := map[string]bool{}
	for _, r := range all {
		tasks[r.Job] = true
		nodes := map[int]string{1: `n\d`, 2: `n\[\d[-,]\d\]`, 3: `n\[\d-\d\]|n\[\d,\d[-,]\d\]|n\[\d-\d,\d\]`}[r.Ranks]
		e := r.Environment
		if r.Scheduler != "slurm" || r.Job != e["SLURM_JOB_ID"] || e["SLURM_NTASKS"] != fmt.Sprint(r.Ranks) || !regexp.MustCompile(`^(`+nodes+`)$`).MatchString(e["SLURM_JOB_NODELIST"]) {
			t.Errorf("%d ranks: %v", r.Ranks, e)
		}
		if !r.Sequential && !slices.Contains(jobs, e["SLURM_ARRAY_JOB_ID"]) {
			t.Errorf("%q is none of %q", e["SLURM_ARRAY_JOB_ID"], jobs)
		}
		if r.World != "mpi" || r.Output.World != "mpi" || r.Launcher != launchers[l] || r.MPILibrary == "" {
			t.Errorf("%+v", r)
		}
	}
	if len(all) != 10 || len(tasks) != 5 {
		t.Errorf("%d results of %d tasks, want 10 of 5", len(all), len(tasks))
	}
}

// goesOn submits a search that is warned in its middle and ends with status 3; then the next job of a
// chain, or the same one when it has queued again, goes on from the checkpoint to the sequential W.
func (s slurm) goesOn(t *testing.T, l library, requeue bool) {
	search, nodes := slices.Concat(uneven(6), []string{"--pace", "2ms"}), 16_000.0 // 16 s on two ranks
	batch := "links: 2"
	if requeue {
		batch = "requeue: true"
	}
	text := fmt.Sprintf("name: links\nranks: [2]\nsequential: never\nschemes: [grr-m]\ncheckpoint-every: 100ms\nbatch: {time: 10m, %s, directives: [--ntasks-per-node=1]}\ninstances:\n  - {name: small, verb: uts, args: ['%s']}\n",
		batch, strings.Join(search[1:], "', '"))
	dir, jobs := s.submitSweep(t, l, write(t, "plan.yaml", []byte(text)))
	if (len(jobs) == 1) != requeue {
		t.Fatalf("jobs %q", jobs)
	}
	waitFor(t, filepath.Join(dir, "results", "*.checkpoints", "*", "checkpoint"))
	s.run(t, ".", "scancel", "--batch", "--signal=USR1", jobs[0])
	s.ended(t, jobs...)
	last := jobs[len(jobs)-1]
	if got := s.job(t, last, "ExitCode"); got != "0:0" {
		t.Errorf("the last job ends with %s", got)
	}
	if got := s.job(t, jobs[0], "ExitCode"); !requeue && got != "3:0" {
		t.Errorf("the first job ends with %s, want 3:0", got)
	}
	if got := s.job(t, last, "Restarts"); (got == "1") != requeue {
		t.Errorf("the last job was started again %s times", got)
	}
	all := sweptIn(t, dir)
	if len(all) != 1 || all[0].Error != "" || all[0].Output.Expanded != nodes || all[0].Job != last || !all[0].Resumed || (all[0].Environment["SLURM_RESTART_COUNT"] == "1") != requeue {
		t.Errorf("%+v, want %v nodes", all, nodes)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "results", "*.checkpoints", "*")); len(left) != 0 {
		t.Errorf("left over: %q", left)
	}
}

// cancel lets scancel end a job for good that would queue again if it were warned of its limit.
func (s slurm) cancel(t *testing.T, l library) {
	text := "name: cancel\nranks: [2]\nsequential: never\ncheckpoint-every: 100ms\nbatch: {time: 10m, requeue: true}\ninstances:\n  - {name: long, verb: uts, args: [--tree, T1WL, --pace, 1ms]}\n"
	dir, jobs := s.submitSweep(t, l, write(t, "plan.yaml", []byte(text)))
	waitFor(t, filepath.Join(dir, "results", "*.checkpoints", "*", "checkpoint"))
	s.run(t, ".", "scancel", jobs[0])
	s.ended(t, jobs...)
	if state, restarts := s.job(t, jobs[0], "JobState"), s.job(t, jobs[0], "Restarts"); state != "CANCELLED" || restarts != "0" {
		t.Errorf("the job is %s, and was started again %s times", state, restarts)
	}
	if all, _ := filepath.Glob(filepath.Join(dir, "results", "*.jsonl")); len(all) != 1 || len(results(t, all...)) != 0 {
		t.Errorf("a result of a search that was not done: %v", results(t, all...))
	}
}
