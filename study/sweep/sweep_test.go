package sweep

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// kinds is a plan of runs that end in different ways.
const kinds = `name: kinds
ranks: [2]
sequential: never
instances:
  - {name: ok, verb: uts, args: [ok]}
  - {name: fail, verb: uts, args: [fail]}
  - {name: sat, verb: sat, args: [sat]}
  - {name: stopped, verb: uts, args: [stopped]}
  - {name: silent, verb: uts, args: [silent]}
  - {name: killed, verb: uts, args: [killed]}
  - {name: endless, verb: uts, args: [endless]}
  - {name: last, verb: uts, args: [ok]}
`

// A failed run is recorded with its status and the end of its standard error, and the other runs
// are made.
func TestFailuresAreRecorded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.jsonl")
	s := sweepOf(t, kinds, path)
	p, err := s.RunMissing(t.Context())
	if err != nil || p.Done != 8 || p.Total != 8 || p.Failed != 5 {
		t.Fatalf("%+v, %v", p, err)
	}
	recorded := linesOf(t, path)
	for _, r := range s.Runs {
		l, there := recorded[r.Key]
		want := map[string]struct {
			status int
			says   string
		}{"ok": {0, ""}, "last": {0, ""}, "sat": {10, ""}, "fail": {7, "exit status 7"}, "stopped": {0, "stopped early"}, "silent": {0, "no JSON object"}, "killed": {-1, "ended by a signal"}, "endless": {0, "more than"}}[r.Instance]
		if !there || l.Status != want.status || l.OK() != (want.says == "") || !strings.Contains(l.Error, want.says) {
			t.Errorf("%s: status %d, %q", r.Instance, l.Status, l.Error)
		}
		if l.OK() && (l.MPI != "Fake MPI 1" || len(l.Output) == 0) {
			t.Errorf("%s: %q of %q", r.Instance, l.Output, l.MPI)
		}
		if r.Instance == "fail" && (!strings.HasSuffix(l.Stderr, "x\nlast words\n") || len(l.Stderr) > maxTail) {
			t.Errorf("stderr of %d bytes: …%q", len(l.Stderr), l.Stderr[max(0, len(l.Stderr)-20):])
		}
	}
}

// The recorded facts describe the machine and the build.
func TestFacts(t *testing.T) {
	t.Setenv("SLURM_JOB_ID", "4711")
	t.Setenv("OMPI_MCA_btl", "tcp,self")
	t.Setenv("HOME_OF_SECRETS", "no")
	path := filepath.Join(t.TempDir(), "r.jsonl")
	s := sweepOf(t, kinds, path)
	s.Runs = s.Runs[:1]
	if _, err := s.RunMissing(t.Context()); err != nil {
		t.Fatal(err)
	}
	l := linesOf(t, path)[s.Runs[0].Key]
	host, _ := os.Hostname()
	if l.Host != host || l.Cores != runtime.NumCPU() || l.OS != runtime.GOOS || l.Build.Go != runtime.Version() || len(l.Build.SHA256) != 64 {
		t.Errorf("%+v", l.Facts)
	}
	if l.Scheduler != "slurm" || l.Job != "4711" || l.Environment["OMPI_MCA_btl"] != "tcp,self" || l.Environment["HOME_OF_SECRETS"] != "" {
		t.Errorf("%+v", l.Facts)
	}
	if l.Start.IsZero() || l.Seconds <= 0 || l.Command[1] != "uts" {
		t.Errorf("%+v", l)
	}
}

// A run that has a result is not repeated. A failed run is repeated on request.
func TestGoingOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.jsonl")
	s := sweepOf(t, kinds, path)
	s.Runs = slices.DeleteFunc(s.Runs, func(r Run) bool { return r.Instance == "stopped" || r.Instance == "killed" }) // after these a sweep waits
	made := func() (n int) {
		s.Progress = func(p Progress) {
			if p.Run != nil {
				n++
			}
		}
		p, err := s.RunMissing(t.Context())
		if err != nil || p.Done != 6 || p.Failed != 3 {
			t.Fatalf("%+v, %v", p, err)
		}
		return n
	}
	if n := made(); n != 6 {
		t.Errorf("%d runs, want all 6", n)
	}
	if n := made(); n != 0 {
		t.Errorf("%d runs again, want none", n)
	}
	s.Retry = true
	if n := made(); n != 3 {
		t.Errorf("%d runs again, want the 3 that have failed", n)
	}
}

// pipe returns a named pipe, and a channel that gets the number of the process that has written it into the pipe.
func pipe(t *testing.T) (path string, opened chan int) {
	t.Helper()
	path, opened = filepath.Join(t.TempDir(), "pipe"), make(chan int, 1)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skipf("no named pipes here: %v", err)
	}
	go func() {
		number := 0
		if f, err := os.Open(path); err == nil {
			fmt.Fscan(f, &number)
			f.Close()
			opened <- number
		}
	}()
	return path, opened
}

const long = `name: long
ranks: [2]
sequential: never
instances:
  - {name: first, verb: uts, args: [ok]}
  - {name: long, verb: uts, args: [search, PIPE]}
  - {name: last, verb: uts, args: [ok]}
`

// When a sweep is interrupted, the current run is ended and not recorded; earlier runs are
// recorded. With checkpoints the run resumes the next time.
func TestInterrupted(t *testing.T) {
	pipe, opened := pipe(t)
	path := filepath.Join(t.TempDir(), "r.jsonl")
	s := sweepOf(t, strings.Replace(long, "PIPE", pipe, 1)+"checkpoint-every: 5m\n", path)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-opened
		cancel()
	}()
	p, err := s.RunMissing(ctx)
	if err != nil || p.Done != 1 || p.Failed != 0 || len(s.Log.OK) != 1 {
		t.Fatalf("%+v, %v: %d results", p, err, len(s.Log.OK))
	}
	if files, _ := filepath.Glob(filepath.Join(s.Checkpoints, "*", "checkpoint")); len(files) != 1 {
		t.Fatalf("%d checkpoints, want one", len(files))
	}
	p, err = s.RunMissing(t.Context())
	if err != nil || p.Done != 3 || p.Failed != 0 {
		t.Fatalf("%+v, %v", p, err)
	}
	lines := linesOf(t, path)
	for _, r := range s.Runs {
		if l := lines[r.Key]; l.Resumed != (r.Instance == "long") || !l.OK() {
			t.Errorf("%s: resumed %v, %q", r.Instance, l.Resumed, l.Error)
		}
	}
	if files, _ := os.ReadDir(s.Checkpoints); len(files) != 0 {
		t.Errorf("%d checkpoints are left", len(files))
	}
}

// When a sweep is interrupted, the current run has the grace time to save its search. Then it is killed.
func TestGrace(t *testing.T) {
	for _, c := range []struct {
		save  string
		grace time.Duration
		saved int
	}{{"1m", 10 * time.Millisecond, 0}, {"200ms", 10 * time.Minute, 1}, {"0s", 0, 1}} { // 0: the default
		pipe, opened := pipe(t)
		plan := strings.Replace(long, "PIPE", pipe+", "+c.save, 1) + "checkpoint-every: 5m\n"
		s := sweepOf(t, plan, filepath.Join(t.TempDir(), "r.jsonl"))
		s.Runs, s.Grace = s.Runs[1:2], c.grace
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-opened
			cancel()
		}()
		start := time.Now()
		p, err := s.RunMissing(ctx)
		if err != nil || p.Done != 0 || time.Since(start) >= DefaultGrace {
			t.Errorf("%+v: %+v, %v, after %v", c, p, err, time.Since(start))
		}
		if files, _ := filepath.Glob(filepath.Join(s.Checkpoints, "*", "checkpoint")); len(files) != c.saved {
			t.Errorf("%+v: %d checkpoints, want %d", c, len(files), c.saved)
		}
	}
}

// The end of a job may send SIGTERM to the run and to its sweep. The sweep then must not end the run a second
// time, while the run saves its search.
func TestRunSavesIfAllGetSIGTERM(t *testing.T) {
	pipe, opened := pipe(t)
	plan := strings.Replace(long, "PIPE", pipe+", 300ms", 1) + "checkpoint-every: 5m\n"
	s := sweepOf(t, plan, filepath.Join(t.TempDir(), "r.jsonl"))
	s.Runs, s.Grace = s.Runs[1:2], 10*time.Minute
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		syscall.Kill(<-opened, syscall.SIGTERM)
		cancel()
	}()
	if p, err := s.RunMissing(ctx); err != nil || p.Done != 0 {
		t.Errorf("%+v, %v", p, err)
	}
	if files, _ := filepath.Glob(filepath.Join(s.Checkpoints, "*", "checkpoint")); len(files) != 1 {
		t.Errorf("%d checkpoints, want one", len(files))
	}
}

// A run that was ended from outside is not recorded if the sweep is asked to end right after it: a
// scheduler signals all processes of a job, and the run may be the first.
func TestEndedBeforeTheSweep(t *testing.T) {
	for _, second := range []string{"stopped", "killed"} {
		s := sweepOf(t, strings.Replace(long, "search, PIPE", second, 1), filepath.Join(t.TempDir(), "r.jsonl"))
		ctx, cancel := context.WithCancel(t.Context())
		p, err := s.RunMissing(&endingContext{ctx, cancel, 3}) // the sweep waits for it during both runs and after the second
		if err != nil || p.Done != 1 || p.Failed != 0 || len(s.Log.OK) != 1 {
			t.Errorf("%s: %+v, %v: %d results", second, p, err, len(s.Log.OK))
		}
	}
}

// The same holds for the signal to a launcher, also if the plan allows no other launch.
func TestLauncherEndedBeforeTheSweep(t *testing.T) {
	launcher := script(t, "kill -TERM $$")
	s := sweepOf(t, "name: x\nranks: [2]\nsequential: never\nretries: 0\nlauncher: "+launcher+"\ninstances: [{name: a, verb: uts}]\n", filepath.Join(t.TempDir(), "r.jsonl"))
	s.Launch.Launcher = launcher
	ctx, cancel := context.WithCancel(t.Context())
	p, err := s.RunMissing(&endingContext{ctx, cancel, 2}) // the sweep waits for it during the run and after it
	if err != nil || p.Done != 0 || len(s.Log.OK) != 0 {
		t.Errorf("%+v, %v: %d results", p, err, len(s.Log.OK))
	}
}

// endingContext is a context that ends when something begins to wait for its end the given number of times.
type endingContext struct {
	context.Context
	cancel context.CancelFunc
	waits  int
}

func (c *endingContext) Done() <-chan struct{} {
	if c.waits--; c.waits == 0 {
		c.cancel()
	}
	return c.Context.Done()
}

// A run that takes longer than the plan allows has failed.
func TestTimeout(t *testing.T) {
	pipe, _ := pipe(t)
	path := filepath.Join(t.TempDir(), "r.jsonl")
	s := sweepOf(t, strings.Replace(long, "PIPE", pipe, 1), path)
	s.Plan.Timeout = 300 * time.Millisecond
	s.Runs = s.Runs[1:2] // this run would never end
	p, err := s.RunMissing(t.Context())
	if err != nil || p.Done != 1 || p.Failed != 1 {
		t.Fatalf("%+v, %v", p, err)
	}
	if l := linesOf(t, path)[s.Runs[0].Key]; l.Status == 0 || !strings.Contains(l.Error, "timeout of 300ms") {
		t.Errorf("status %d, %q", l.Status, l.Error)
	}
}

// The estimated remaining time follows from the times of the runs so far and the cost of the other
// runs.
func TestEstimate(t *testing.T) {
	runs := []Run{{World: WorldLocal, Ranks: 1}, {World: WorldLocal, Ranks: 2}, {World: WorldLocal, Ranks: 8}, {World: "ncube2", Ranks: 1024}, {World: WorldMPI, Ranks: 4}}
	e := newEstimate(runs, 2)
	if e.rest != 1+0.5+0.5+1+0.25 || e.remainingTime() != 0 {
		t.Fatalf("%+v", e)
	}
	e.finishRun(runs[0])
	e.start = time.Now().Add(-time.Hour)
	if left := e.remainingTime(); left < 2*time.Hour || left > 3*time.Hour { // 2.25
		t.Errorf("%v left", left)
	}
}

// Only runs that can save checkpoints get the flags for them.
func TestCheckpointFlags(t *testing.T) {
	for _, c := range []struct {
		verb string
		args []string
		want bool
	}{
		{"sat", []string{"x.cnf"}, true},
		{"puzzle", nil, true},
		{"uts", nil, true},
		{"run", []string{"--", "worker"}, true},
		{"ring", []string{"tree"}, false},
		{"map", []string{"x.graph"}, false},
		{"map", []string{"x.graph", "--strategy", "bb"}, true},
		{"map", []string{"--strategy=BB", "x.graph"}, true},
		{"map", []string{"--strategy=bb", "x.graph", "--strategy", "auto"}, false},
		{"map", []string{"--strategy", "auto", "x.graph", "--strategy=bb"}, true},
	} {
		s := &Sweep{Plan: &Plan{CheckpointEvery: time.Minute}, Checkpoints: t.TempDir()}
		flags, err := s.checkpointFlags(&Line{Run: Run{Key: "k", Verb: c.verb, Args: c.args}})
		if err != nil || (len(flags) > 0) != c.want {
			t.Errorf("%s %q: %q, %v", c.verb, c.args, flags, err)
		}
	}
}

// Runs that the program refuses with an interval between checkpoints get a checkpoint without one.
func TestCheckpointInterval(t *testing.T) {
	for _, c := range []struct {
		verb, scheme, args string
		want               bool
	}{
		{"sat", "sl", "x.cnf --rule cdcl", false},
		{"sat", "ml", "x.cnf --rule=CDCL", false},
		{"sat", "ra", "--rule auto x.cnf", true},
		{"sat", "ranade", "x.cnf", true},
		{"sat", "sl", "x.cnf --rule cdcl --engine cadical", false},
		{"sat", "sl", "x.cnf --rule cdcl --rule cubes", true},
		{"sat", "sl", "x.cnf --rule plain", true},
		{"sat", "rp", "x.cnf --rule cdcl", true},
		{"sat", "static+rp", "x.cnf --rule cdcl", true},
		{"sat", "", "x.cnf", true}, // the default scheme
		{"uts", "sl", "--tree T1", true},
		{"run", "sl", "-- worker", true},
	} {
		s := &Sweep{Plan: &Plan{CheckpointEvery: time.Minute}, Checkpoints: t.TempDir()}
		flags, err := s.checkpointFlags(&Line{Run: Run{Key: "k", Verb: c.verb, Scheme: c.scheme, Args: strings.Fields(c.args)}})
		want := "--checkpoint " + filepath.Join(s.Checkpoints, "k", "checkpoint")
		if c.want {
			want += " --checkpoint-every 1m0s"
		}
		if got := strings.Join(flags, " "); err != nil || got != want {
			t.Errorf("%+v: %q, %v, want %q", c, got, err, want)
		}
	}
}
