package sweep

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

const clusterPlan = `name: big
ranks: [4, 64]
schemes: [rp, grr-m]
repeats: 5
checkpoint-every: 5m
instances:
  - {name: a, verb: uts, args: [--tree, T1]}
  - {name: b, verb: sat, args: ["it's a file.cnf"]}
batch:
  time: 90m
  warn: 90s
  per-job: 3
  links: 3
  directives: [--account=abc]
  setup: |
    module load openmpi
    export X="1 2"
`

func clusterJobs(t *testing.T, scheduler, plan string) []Job {
	t.Helper()
	p, err := ParsePlan([]byte(plan), "p.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.SettleLauncher("srun"); err != nil {
		t.Fatal(err)
	}
	const program = "/opt/tree split/treesplit"
	jobs, err := p.BuildJobs(scheduler, Launch{Binary: program, Launcher: "srun", Args: []string{"--mpi=pmix"}}, Places{program, "/home/me/jobs", "/home/me/it's mine"})
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

// Every run of the plan is in one task of one job, and all runs of a job have the same number of
// ranks.
func TestJobsCoverThePlan(t *testing.T) {
	p := parse(t, strings.Replace(clusterPlan, "ranks:", "launcher: srun\nranks:", 1))
	runs := p.ExpandRuns()
	next := 0
	names := map[string]bool{}
	for _, j := range clusterJobs(t, "slurm", clusterPlan) {
		if j.First != next || names[j.Name] || j.Count != (j.Last-j.First+3)/3 {
			t.Errorf("%+v after run %d", j, next-1)
		}
		next = j.Last + 1
		names[j.Name] = true
		for _, r := range runs[j.First : j.Last+1] {
			if r.Ranks != j.Tasks {
				t.Errorf("%s in a job of %d processes", r.Key, j.Tasks)
			}
		}
	}
	if next != len(runs) {
		t.Errorf("the jobs end with run %d of %d", next, len(runs))
	}
}

// No array has more tasks than Slurm's default allows.
func TestLongArrays(t *testing.T) {
	plan := "name: x\nranks: [2]\nsequential: never\nrepeats: 1000\nseeds: [1, 2, 3]\ninstances: [{name: a, verb: uts}]\n"
	jobs := clusterJobs(t, "slurm", plan)
	if len(jobs) != 3 {
		t.Fatalf("%d jobs, want 3", len(jobs))
	}
	for _, j := range jobs {
		if j.Count != 1000 {
			t.Errorf("%d tasks", j.Count)
		}
	}
}

// The scripts are valid shell, and give the scheduler the values of the plan.
func TestScripts(t *testing.T) {
	for scheduler, wants := range map[string][]string{
		"slurm": {"#SBATCH --array=0-6", "#SBATCH --ntasks=4\n", "#SBATCH --ntasks=64\n", "#SBATCH --time=1:30:00", "#SBATCH --signal=B:USR1@90", "#SBATCH --account=abc"},
		"pbs":   {"#PBS -J 0-6", "#PBS -l select=64:ncpus=1:mpiprocs=1", "#PBS -l walltime=1:30:00", "--stop-after 1h28m30s", "#PBS --account=abc"},
		"lsf":   {"#BSUB -J ts-big-01-p4[1-7]", "#BSUB -n 64\n", "#BSUB -W 90", "#BSUB -wa USR1", "#BSUB -wt 2", "#BSUB --account=abc"},
		"sge":   {"#$ -t 1-7", "#$ -pe mpi 64", "#$ -l h_rt=1:30:00", "#$ -l s_rt=1:28:30", "#$ --account=abc"},
	} {
		text := ""
		for _, j := range clusterJobs(t, scheduler, clusterPlan) {
			script, err := j.RenderScript(scheduler)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.HasPrefix(script, []byte("#!/bin/bash\n")) {
				t.Errorf("%s: %.40q", scheduler, script)
			}
			check := exec.Command("bash", "-n")
			check.Stdin = bytes.NewReader(script)
			if out, err := check.CombinedOutput(); err != nil {
				t.Errorf("%s: %v: %s\n%s", scheduler, err, out, script)
			}
			text += string(script)
		}
		for _, want := range append(wants, "module load openmpi\nexport X=\"1 2\"\n", `cd '/home/me/it'\''s mine' ||`, "'/opt/tree split/treesplit' sweep /home/me/jobs/big-", "--launcher srun --launcher-args --mpi=pmix") {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q", scheduler, want)
			}
		}
		if m := regexp.MustCompile(`.*(\{\{|<no value>).*`).FindString(text); m != "" {
			t.Errorf("%s: %s", scheduler, m)
		}
	}
}

// Jobs queue again if the plan requests it and the scheduler supports it.
func TestRequeue(t *testing.T) {
	plan := strings.Replace(clusterPlan, "links: 3", "requeue: true", 1)
	for scheduler, want := range map[string]string{"slurm": "scontrol requeue", "sge": "status=99"} {
		script, err := clusterJobs(t, scheduler, plan)[0].RenderScript(scheduler)
		if err != nil || !bytes.Contains(script, []byte(want)) {
			t.Errorf("%s: %v, no %q", scheduler, err, want)
		}
	}
	p := parse(t, strings.Replace(plan, "ranks:", "launcher: srun\nranks:", 1))
	for _, c := range []struct{ scheduler, dir string }{{"pbs", "/jobs"}, {"lsf", "/jobs"}, {"slurm", "/my jobs"}, {"cron", "/jobs"}} {
		if _, err := p.BuildJobs(c.scheduler, Launch{Launcher: "srun"}, Places{"/ts", c.dir, "/"}); err == nil {
			t.Errorf("%+v is not refused", c)
		}
	}
}

// A warning that a scheduler cannot give is refused.
func TestWarnings(t *testing.T) {
	for _, c := range []struct {
		scheduler, batch string
		ok               bool
	}{
		{"slurm", "time: 24h, warn: 65535s", true},
		{"slurm", "time: 24h, warn: 65536s", false},
		{"pbs", "time: 24h, warn: 65536s", true},
		{"lsf", "time: 1m", false},
		{"lsf", "time: 90s, warn: 1m", true},
		{"lsf", "time: 2m, warn: 61s", false},
		{"sge", "time: 1m", true},
	} {
		p := parse(t, "name: x\nranks: [2]\ninstances: [{name: a, verb: uts}]\nbatch: {"+c.batch+"}\n")
		_, err := p.BuildJobs(c.scheduler, Launch{Launcher: LocalLauncher}, Places{"/ts", "/jobs", "/"})
		if (err == nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// A second plan in the same directory leaves the copy of the first plan to its queued jobs.
func TestPlanCopies(t *testing.T) {
	dir := t.TempDir()
	copies := map[string]string{} // the text of the plan for each name in a script
	for _, seeds := range []string{"[1]", "[1, 2]"} {
		text := "name: x\nranks: [2]\nseeds: " + seeds + "\ninstances: [{name: a, verb: uts}]\n"
		p := parse(t, text)
		jobs, err := p.BuildJobs("slurm", Launch{Launcher: LocalLauncher}, Places{"/ts", dir, "/"})
		if err == nil {
			err = p.WriteJobs("slurm", dir, jobs)
		}
		if err != nil {
			t.Fatal(err)
		}
		copies[jobs[0].Plan] = text
	}
	for name, text := range copies {
		if got, err := os.ReadFile(name); err != nil || string(got) != text || len(copies) != 2 || filepath.Dir(name) != dir {
			t.Errorf("%s: %v, %q, want %q", name, err, got, text)
		}
	}
}

// A job calls this program, which measures the program of --binary.
func TestMeasuredProgram(t *testing.T) {
	p := parse(t, "name: x\nranks: [2]\ninstances: [{name: a, verb: uts}]\n")
	for binary, want := range map[string]string{"/bin/ts": "", "/my wrapper": " --binary '/my wrapper'"} {
		jobs, err := p.BuildJobs("slurm", Launch{Binary: binary, Launcher: LocalLauncher}, Places{"/bin/ts", "/jobs", "/"})
		if err != nil {
			t.Fatal(err)
		}
		script, err := jobs[0].RenderScript("slurm")
		if err != nil || !bytes.Contains(script, []byte("\t/bin/ts sweep ")) || !bytes.Contains(script, []byte(" --launcher local"+want+" &\n")) {
			t.Errorf("%s: %v: %s", binary, err, script)
		}
	}
}

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

// Each link of a chain is submitted to wait for the link before. The schedulers are shell scripts
// that record their arguments.
func TestSubmit(t *testing.T) {
	for scheduler, c := range map[string]struct {
		command, prints string
		want            []string
	}{
		"slurm": {"sbatch", "10$n;cluster", []string{"--parsable FILE", "--parsable --dependency=afterany:101 FILE", "--parsable --dependency=afterany:102 FILE"}},
		"pbs":   {"qsub", "10$n[].server", []string{"FILE", "-W depend=afterany:101[].server FILE", "-W depend=afterany:102[].server FILE"}},
		"lsf":   {"bsub", "Job <10$n> is submitted to queue <normal>.", []string{"", "-w ended(101)", "-w ended(102)"}},
		"sge":   {"qsub", "10$n.1-7:1", []string{"-terse FILE", "-terse -hold_jid 101 FILE", "-terse -hold_jid 102 FILE"}},
	} {
		dir := t.TempDir()
		t.Setenv("PATH", dir+":/usr/bin:/bin")
		fake := fmt.Sprintf("#!/bin/sh\necho \"$*\" >>%[1]s/calls\nn=$(($(wc -l <%[1]s/calls)))\necho \"%[2]s\"\n", dir, c.prints)
		if err := os.WriteFile(filepath.Join(dir, c.command), []byte(fake), 0o755); err != nil {
			t.Fatal(err)
		}
		j := clusterJobs(t, scheduler, clusterPlan)[0]
		j.File = filepath.Join(dir, "script")
		if err := os.WriteFile(j.File, nil, 0o755); err != nil {
			t.Fatal(err)
		}
		var ids []string
		if err := SubmitJobs(t.Context(), scheduler, []Job{j}, 3, func(_ Job, _ int, id string) { ids = append(ids, id) }); err != nil {
			t.Errorf("%s: %v", scheduler, err)
		}
		calls, _ := os.ReadFile(filepath.Join(dir, "calls"))
		if got := strings.ReplaceAll(strings.TrimSuffix(string(calls), "\n"), j.File, "FILE"); got != strings.Join(c.want, "\n") {
			t.Errorf("%s was called with\n%s\nwant\n%s", c.command, got, strings.Join(c.want, "\n"))
		}
		if len(ids) != 3 || !slices.ContainsFunc(ids, func(id string) bool { return strings.HasPrefix(id, "103") }) {
			t.Errorf("%s: %v", scheduler, ids)
		}
		refuse := "#!/bin/sh\necho 'no such\naccount' >&2\nexit 1\n"
		if err := os.WriteFile(filepath.Join(dir, c.command), []byte(refuse), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := SubmitJobs(t.Context(), scheduler, []Job{j}, 1, nil); err == nil || !strings.Contains(err.Error(), "no such account") {
			t.Errorf("%s: %v", scheduler, err)
		}
	}
}

// Limits are written in the form that schedulers read.
func TestClock(t *testing.T) {
	for d, want := range map[time.Duration]string{time.Minute: "0:01:00", 90 * time.Minute: "1:30:00", 100*time.Hour + 59*time.Second: "100:00:59"} {
		if got := formatClock(d); got != want {
			t.Errorf("%v is %s, want %s", d, got, want)
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

// separateErrors has the line that makes a scheduler write messages to a file of their own, if it
// needs one.
var separateErrors = map[string]string{"sbatch": "#SBATCH --error=", "lsf": "#BSUB -e "}

// The job scripts for submission by hand are valid shell, have the lines of their scheduler, and
// write results and messages to separate files: two schedulers do so unless a line says otherwise.
func TestHostfiles(t *testing.T) {
	for name, prefix := range map[string]string{"sbatch": "#SBATCH ", "pbs": "#PBS ", "lsf": "#BSUB ", "sge": "#$ "} {
		path := "../../hostfiles/treesplit." + name
		if out, err := exec.Command("bash", "-n", path).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", path, err, out)
		}
		if text, err := os.ReadFile(path); err != nil || bytes.Count(text, []byte("\n"+prefix)) < 3 {
			t.Errorf("%s: %v, few lines begin with %q", path, err, prefix)
		} else if joined, separate := bytes.Contains(text, []byte("\n"+prefix+"-j ")), separateErrors[name]; joined || !bytes.Contains(text, []byte("\n"+separate)) {
			t.Errorf("%s: messages are not written to a file of their own", path)
		}
	}
}

// The example plans for users are valid plans, and the plan of the guide has every key.
func TestWrittenPlans(t *testing.T) {
	guide, err := os.ReadFile("../../docs/sweeps.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := bytes.Cut(guide, []byte("```yaml\n"))
	text, _, found := bytes.Cut(text, []byte("```"))
	if !found {
		t.Fatal("no plan in the guide")
	}
	if _, err := ParsePlan(text, "docs/sweeps.md"); err != nil {
		t.Error(err)
	}
	for _, of := range []reflect.Type{reflect.TypeFor[Plan](), reflect.TypeFor[Instance](), reflect.TypeFor[Batch]()} {
		for i := range of.NumField() {
			if key := of.Field(i).Tag.Get("yaml"); !bytes.Contains(text, []byte(key+":")) {
				t.Errorf("the guide's plan has no %s", key)
			}
		}
	}
	p, err := ReadPlan("../../testdata/sweep.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.SettleLauncher(""); err != nil || len(p.ExpandRuns()) != 56 { // as its first lines state
		t.Errorf("%v, %d runs", err, len(p.ExpandRuns()))
	}
}
