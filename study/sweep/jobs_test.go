package sweep

import (
	"bytes"
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
		"pbs":   {"#PBS -J 0-6", "#PBS -l select=64:ncpus=1:mpiprocs=1", "#PBS -l walltime=1:30:00", "left=$((5310 - SECONDS))", `--stop-after "${left}s"`, "#PBS --account=abc"},
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
		if err != nil || !bytes.Contains(script, []byte("\t/bin/ts sweep ")) || !bytes.Contains(script, []byte(" --launcher local"+want+" --grace 55s &\n")) {
			t.Errorf("%s: %v: %s", binary, err, script)
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
