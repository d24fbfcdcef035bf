package sweep

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/template"
	"time"

	"treesplit/internal/outfile"
	"treesplit/scripts/batch"
)

// Schedulers lists the schedulers for which job scripts can be written.
var Schedulers = []string{"slurm", "pbs", "lsf", "sge"}

// maxArray is the largest number of tasks of one array: Slurm's default MaxArraySize is 1001.
const maxArray = 1000

// Job holds the values for the template of a job script.
type Job struct {
	Title, Name string // a line about the job; the job's name
	First, Last int    // runs of the plan, both included
	PerTask     int    // runs per task
	Count       int    // tasks of the array; 1: no array
	Tasks, CPUs int    // processes, and cores per process
	Time, Warn  time.Duration
	StopAfter   int // PBS: seconds from the start of the script until the sweep ends; 0: the scheduler warns
	Places
	Plan       string   // the plan's copy
	Flags      []string // further flags of the sweep
	PE         string
	Requeue    bool
	Directives []string
	Setup      string
	File       string // name of the script
}

// Places are the absolute paths that job scripts refer to.
type Places struct {
	Program string // makes the sweep of a job: this program
	Dir     string // directory of scripts, logs and results
	WorkDir string // directory in which the runs are made
}

// LastTask returns the index of the last task, counted from 0.
func (j Job) LastTask() int { return j.Count - 1 }

// Slots returns the number of cores of all processes.
func (j Job) Slots() int { return j.Tasks * j.CPUs }

// Clock returns the time limit as hours, minutes and seconds.
func (j Job) Clock() string { return formatClock(j.Time) }

// SoftClock returns the time of the warning, in the same form.
func (j Job) SoftClock() string { return formatClock(j.Time - j.Warn) }

// Minutes returns the time limit in minutes, rounded up.
func (j Job) Minutes() int { return int((j.Time + time.Minute - 1) / time.Minute) }

// WarnMinutes returns the time between the warning and the limit in minutes, rounded up.
func (j Job) WarnMinutes() int { return int((j.Warn + time.Minute - 1) / time.Minute) }

// WarnSeconds returns the same time in seconds.
func (j Job) WarnSeconds() int { return int((j.Warn + time.Second - 1) / time.Second) }

func formatClock(d time.Duration) string {
	s := int(d / time.Second)
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// plainPath matches a path that needs no quotes in the directives of any scheduler.
var plainPath = regexp.MustCompile(`^[A-Za-z0-9._+/@,=-]+$`)

// BuildJobs divides a settled plan into jobs: one array for each number of ranks and world, and
// several if there are more runs than an array holds.
func (p *Plan) BuildJobs(scheduler string, l Launch, at Places) ([]Job, error) {
	if !slices.Contains(Schedulers, scheduler) {
		return nil, fmt.Errorf("scheduler %q: expected one of %s", scheduler, strings.Join(Schedulers, ", "))
	}
	if !plainPath.MatchString(at.Dir) {
		return nil, fmt.Errorf("directory %q: expected a path without blanks and special characters, which schedulers read differently", at.Dir)
	}
	for _, name := range []string{at.Program, l.Binary, l.Launcher, at.WorkDir} { // some schedulers search every line for directives
		if toOneLine(name) != name {
			return nil, fmt.Errorf("%q: expected a name without line ends and other control characters, for a job script", name)
		}
	}
	if err := p.Batch.checkScheduler(scheduler); err != nil {
		return nil, err
	}
	flags := p.jobFlags(scheduler, l, at.Program)
	runs := p.ExpandRuns()
	var jobs []Job
	for from := 0; from < len(runs); {
		to := from + 1
		for to < len(runs) && canShareArray(runs[from], runs[to]) && to-from < maxArray*p.Batch.PerJob {
			to++
		}
		j := Job{
			Name: jobName(p.Name, runs[from], len(jobs)), First: from, Last: to - 1,
			PerTask: p.Batch.PerJob, Count: (to - from + p.Batch.PerJob - 1) / p.Batch.PerJob, Tasks: 1, CPUs: 1,
			Time: p.Batch.Time, Warn: p.Batch.Warn, Places: at, Plan: filepath.Join(at.Dir, p.copyName()),
			StopAfter: p.stopAfter(scheduler), Flags: flags, PE: p.Batch.PE, Requeue: p.Batch.Requeue, Directives: p.Batch.Directives, Setup: strings.TrimRight(p.Batch.Setup, "\n"),
		}
		switch runs[from].World {
		case WorldMPI:
			j.Tasks = runs[from].Ranks
		case WorldLocal:
			j.CPUs = runs[from].Ranks
		}
		j.Title = fmt.Sprintf("Sweep %s: %d runs on %d ranks, world %s; written by treesplit sweep --batch %s.", p.Name, to-from, runs[from].Ranks, runs[from].World, scheduler)
		j.File = filepath.Join(at.Dir, j.Name+"."+scheduler)
		jobs = append(jobs, j)
		from = to
	}
	return jobs, nil
}

// jobFlags returns the flags of the sweep of a job, except the flags that differ between tasks.
func (p *Plan) jobFlags(scheduler string, l Launch, program string) []string {
	flags := []string{"--launcher", l.Launcher}
	if len(l.Args) > 0 && l.Launcher != LocalLauncher { // without a launcher the plan's arguments have no effect, and sweep refuses them
		flags = append(flags, "--launcher-args", strings.Join(l.Args, " "))
	}
	if l.Binary != program {
		flags = append(flags, "--binary", l.Binary)
	}
	if grace := p.Batch.Warn - p.Batch.graceReserve(); grace > DefaultGrace {
		flags = append(flags, "--grace", grace.String())
	}
	return flags
}

// stopAfter returns the time of the warning in seconds, rounded up, for a scheduler that gives none.
func (p *Plan) stopAfter(scheduler string) int {
	if scheduler != "pbs" {
		return 0
	}
	return int((p.Batch.Time - p.Batch.Warn + time.Second - 1) / time.Second)
}

// graceReserve returns the part of the time of the warning that a job does not give to its run: the sweep
// and the script need it to end. A script that queues its job again may have to try for 31 seconds
// (scripts/batch/slurm.sh).
func (b Batch) graceReserve() time.Duration {
	if b.Requeue {
		return min(35*time.Second, b.Warn/2)
	}
	return 5 * time.Second
}

// canShareArray reports whether two runs can be tasks of one array.
func canShareArray(a, b Run) bool {
	return a.Ranks == b.Ranks && a.World == b.World && a.Sequential == b.Sequential
}

// jobName returns the name of a job. The number distinguishes jobs that would have the same name.
// The name begins with a letter, as SGE requires.
func jobName(plan string, r Run, number int) string {
	what := fmt.Sprintf("p%d", r.Ranks)
	if r.Sequential {
		what = "sequential"
	}
	return fmt.Sprintf("ts-%s-%02d-%s", plan, number, what)
}

// copyName returns the name of the copy of the plan beside the scripts, whose indices refer to this
// copy. The hash of the text keeps the copies of queued jobs when another plan is written there.
func (p *Plan) copyName() string {
	sum := sha256.Sum256(p.text)
	return fmt.Sprintf("%s-%x.yaml", p.Name, sum[:4])
}

// templates returns the templates of all schedulers.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"quote": quoteForShell}).ParseFS(batch.Templates, "*.sh"))
})

// quoteForShell writes a word for the shell.
func quoteForShell(s string) string {
	if plainPath.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// CommandLine returns a command for the shell, on one line.
func CommandLine(command []string) string {
	words := make([]string, len(command))
	for i, w := range command {
		words[i] = quoteForShell(w)
		if toOneLine(w) != w {
			words[i] = ansiQuote(w)
		}
	}
	return strings.Join(words, " ")
}

// ansiQuote writes a word between $' and '; it escapes each byte that is not a plain character.
func ansiQuote(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c < ' ' || c >= 0x7f || c == '\\' || c == '\'' {
			fmt.Fprintf(&b, `\x%02x`, c)
		} else {
			b.WriteByte(c)
		}
	}
	return "$'" + b.String() + "'"
}

// RenderScript returns the text of a job's script.
func (j Job) RenderScript(scheduler string) ([]byte, error) {
	var b bytes.Buffer
	err := templates().ExecuteTemplate(&b, scheduler+".sh", j)
	return b.Bytes(), err
}

// writeBytes writes a file.
func writeBytes(path string, data []byte) error {
	return outfile.WriteFile(path, func(w io.Writer) error { _, err := w.Write(data); return err })
}

// WriteJobs writes the scripts, the plan's copy, and the directories for logs and results.
func (p *Plan) WriteJobs(scheduler, dir string, jobs []Job) error {
	for _, d := range []string{"logs", "results"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			return err
		}
	}
	if err := writeBytes(filepath.Join(dir, p.copyName()), p.text); err != nil {
		return err
	}
	for _, j := range jobs {
		text, err := j.RenderScript(scheduler)
		if err != nil {
			return err
		}
		if err := os.WriteFile(j.File, text, 0o755); err != nil {
			return err
		}
	}
	return nil
}
