package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// swept is what these tests read of a line of results.
type swept struct {
	Key        string
	World      string
	Instance   string
	Ranks      int
	Scheme     string
	Sequential bool
	Status     int
	Error      string
	Stderr     string
	Resumed    bool
	MPILibrary string
	Launcher   string
	Scheduler  string
	Job        string
	// Environment is that of the sweep, of the variables that it looks at.
	Environment map[string]string
	Output      struct {
		World    string
		Ranks    int
		Expanded float64
		Audit    string
	}
}

// results reads files of results.
func results(t *testing.T, paths ...string) (all []swept) {
	t.Helper()
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var s swept
			if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
				t.Fatal(err)
			}
			all = append(all, s)
		}
	}
	return all
}

// sizes are the nodes of the instances of plans below.
var sizes = map[string]float64{"T3": 4112897, "php6": 23485, "slow": 4130071}

// exact holds what was swept against the sizes of the trees.
func exact(t *testing.T, all []swept) {
	t.Helper()
	for _, s := range all {
		if s.Error != "" || s.Output.Expanded != sizes[s.Instance] || s.Output.Ranks != s.Ranks || s.Output.Audit != "ok" {
			t.Errorf("%+v", s)
		}
	}
}

// plan writes a plan of two instances that every launcher gets through quickly.
func plan(t *testing.T, more string) string {
	t.Helper()
	formula := write(t, "php6.cnf", []byte(generate(t, "php", "--n", "6")))
	return write(t, "plan.yaml", []byte(fmt.Sprintf(`name: e2e
ranks: [2, 3]
schemes: [rp, grr-m]
instances:
  - {name: T3, verb: uts, args: [--tree, T3]}
  - {name: php6, verb: sat, args: [%q, --rule, paper]}
%s`, formula, more)))
}

// A sweep measures each combination in each world, under the launchers of Open MPI and
// MPICH too; started again it has nothing to do, and a report shows all of it.
func TestSweep(t *testing.T) {
	t.Parallel()
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		program := treesplit(t, l)
		file := filepath.Join(t.TempDir(), "r.jsonl")
		command := []string{program, "sweep", plan(t, ""), "--results", file}
		world := "local"
		if l != none {
			launch := l.launch(0)
			command = append(command, "--launcher", launch[0], "--launcher-args", strings.Join(slices.Concat(launch[1:len(launch)-2], l.hasty()), " "))
			world = "mpi"
		}
		for range 2 {
			if o := run(t, "", command...); o.status != 0 || !strings.HasPrefix(o.stdout, "10 of 10 runs done, 0 failed") || o.stderr != "" {
				t.Fatalf("status %d: %s%s", o.status, o.stdout, o.stderr)
			}
		}
		all := results(t, file)
		exact(t, all)
		sequential := 0
		for _, s := range all {
			if s.World != world || s.Output.World != world || (s.MPILibrary != "") != (l != none) || (s.Launcher == "local") != (l == none) {
				t.Errorf("%+v", s)
			}
			if s.Sequential {
				sequential++
			}
		}
		if len(all) != 10 || sequential != 2 {
			t.Errorf("%d results, %d of them of one rank alone", len(all), sequential)
		}
		out := t.TempDir()
		o := run(t, "", program, "report", file, "--out", out)
		if o.status != 0 || !strings.Contains(o.stdout, "world "+world) || strings.Contains(o.stdout, "*") {
			t.Errorf("status %d: %s%s", o.status, o.stdout, o.stderr)
		}
		// The efficiencies are drawn always, the speedups unless their curves lie on one line.
		figures, _ := filepath.Glob(filepath.Join(out, "*.svg"))
		efficiencies, _ := filepath.Glob(filepath.Join(out, "*-efficiency.svg"))
		if page, err := os.ReadFile(filepath.Join(out, "index.html")); err != nil || len(efficiencies) != 1 || strings.Count(string(page), "<svg") != len(figures) {
			t.Errorf("%v: %d figures on the page, %q in files", err, strings.Count(string(page), "<svg"), figures)
		}
	})
}

// A run that fails is recorded, the others are made, and the sweep's status is 1.
func TestSweepWithFailures(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "r.jsonl")
	o := run(t, "", treesplit(t, none), "sweep", plan(t, "  - {name: bad, verb: sat, args: [nowhere.cnf]}\n"), "--results", file)
	if o.status != 1 || !strings.HasPrefix(o.stdout, "15 of 15 runs done, 5 failed") || len(o.lines()) != 1 {
		t.Errorf("status %d: %s%s", o.status, o.stdout, o.stderr)
	}
	for _, s := range results(t, file) {
		if bad := s.Instance == "bad"; bad != (s.Error != "") || bad && (s.Status != 2 || !strings.Contains(s.Stderr, "nowhere.cnf")) {
			t.Errorf("%+v", s)
		}
	}
	refused(t, run(t, "", treesplit(t, none), "sweep", write(t, "p.yaml", []byte("name: x\nrank: [1]\n"))), "p.yaml:2: ", "rank")
}

// Every verb can be swept.
func TestSweepVerbs(t *testing.T) {
	t.Parallel()
	files := []string{"../testdata/mesh16.graph", "../testdata/workers/queens.py"}
	for i, name := range files {
		path, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		files[i] = path
	}
	file := filepath.Join(t.TempDir(), "r.jsonl")
	o := run(t, "", treesplit(t, none), "sweep", write(t, "p.yaml", []byte(fmt.Sprintf(`name: verbs
ranks: [2]
schemes: [rp]
detectors: [tree]
instances:
  - {name: ring, verb: ring, args: [tree, --levels, "10"]}
  - {name: board, verb: puzzle, args: ["1 5 2 3 4 9 6 7 8 10 14 11 12 13 0 15", --all-solutions]}
  - {name: map, verb: map, args: [%q, -p, "2", --strategy, bb]}
  - {name: queens, verb: run, args: [--quantum, "5", --, python3, %q, "6"]}
`, files[0], files[1]))), "--results", file)
	if o.status != 0 || !strings.HasPrefix(o.stdout, "8 of 8 runs done") {
		t.Fatalf("status %d: %s%s\n%+v", o.status, o.stdout, o.stderr, results(t, file))
	}
	want := map[string]float64{"ring": 1023 /* 2^10 − 1 tasks */, "queens": 153}
	for _, s := range results(t, file) {
		if w, known := want[s.Instance]; known && s.Output.Expanded != w {
			t.Errorf("%+v, want %v nodes", s, w)
		}
	}
}

// A sweep whose time is over says how to go on, and goes on; parts of a plan can be made
// one by one.
func TestSweepStops(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "r.jsonl")
	command := []string{treesplit(t, none), "sweep", plan(t, ""), "--results", file}
	o := run(t, "", append(command, "--stop-after", "1ns")...)
	if o.status != 3 || !strings.HasPrefix(o.stdout, "0 of 10 runs done") || len(o.lines()) != 1 || !strings.Contains(o.stderr, "the same command makes the remaining 10 runs") {
		t.Errorf("status %d: %s%s", o.status, o.stdout, o.stderr)
	}
	for _, c := range []struct{ only, says string }{{"0", "1 of 1 runs done"}, {"0-3", "4 of 4 runs done"}, {"2-9", "8 of 8 runs done"}} {
		if o := run(t, "", append(command, "--only-index", c.only)...); o.status != 0 || !strings.HasPrefix(o.stdout, c.says) {
			t.Errorf("%s: status %d: %s%s", c.only, o.status, o.stdout, o.stderr)
		}
	}
	all := results(t, file)
	if exact(t, all); len(all) != 10 {
		t.Errorf("%d results", len(all))
	}
	for _, only := range []string{"10", "-1", "3-2", "x", "0-10"} {
		refused(t, run(t, "", append(command, "--only-index="+only)...), "--only-index", "expected an index of 0 to 9")
	}
	refused(t, run(t, "", append(command[:3:3], "--batch", "cron")...), "cron", "slurm, pbs, lsf, sge")
	refused(t, run(t, "", append(command[:3:3], "--submit")...), "--submit", "--batch")
	refused(t, run(t, "", append(command, "--launcher", "mpirun", "--binary", "/nowhere")...), "/nowhere")
}

// waitFor returns when a file matches, or fails the test after a while.
func waitFor(t *testing.T, pattern string) {
	t.Helper()
	end := time.After(limit())
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-look.C:
			if found, _ := filepath.Glob(pattern); len(found) > 0 {
				return
			}
		case <-end:
			t.Fatalf("no %s", pattern)
		}
	}
}

// Job scripts do what they say without a scheduler too: each task makes its runs into a file
// of its own. Warned that its time is over, a task ends with a checkpoint and status 3,
// and goes on from there when it is started again.
func TestJobScripts(t *testing.T) {
	t.Parallel()
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		program, dir := treesplit(t, l), t.TempDir()
		file := write(t, "plan.yaml", []byte("name: jobs\nworlds: [WORLD]\nranks: [2]\nsequential: never\ncheckpoint-every: 100ms\nschemes: [rp]\nbatch: {time: 10m}\ninstances:\n  - {name: slow, verb: uts, args: [--tree, T1, --pace, 4us]}\n  - {name: T3, verb: uts, args: [--tree, T3]}\n"))
		command := []string{program, "sweep", file, "--batch", "slurm", "--out", dir}
		world := "local"
		if l != none {
			world = "mpi"
			launch := l.launch(0)
			command = append(command, "--launcher", launch[0], "--launcher-args", strings.Join(slices.Concat(launch[1:len(launch)-2], l.hasty()), " "))
		}
		text, _ := os.ReadFile(file)
		if err := os.WriteFile(file, []byte(strings.Replace(string(text), "WORLD", world, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		if o := run(t, "", command...); o.status != 0 || strings.Count(o.stdout, "\n") != 1 {
			t.Fatalf("status %d: %s%s", o.status, o.stdout, o.stderr)
		}
		// The array has two tasks, one for each instance.
		script := filepath.Join(dir, "ts-jobs-00-p2.slurm")
		task := func(index string) *exec.Cmd {
			cmd, _, _ := start(t, "", "bash", script)
			cmd.Stdout = nil
			cmd.Env = append(os.Environ(), "SLURM_ARRAY_TASK_ID="+index, "SLURM_JOB_ID=7")
			return cmd
		}
		first := task("0")
		if err := first.Start(); err != nil {
			t.Fatal(err)
		}
		waitFor(t, filepath.Join(dir, "results", "*.checkpoints", "*slow*", "checkpoint"))
		if err := first.Process.Signal(syscall.SIGUSR1); err != nil {
			t.Fatal(err)
		}
		if first.Wait(); first.ProcessState.ExitCode() != 3 {
			t.Fatalf("status %d of the task that was warned", first.ProcessState.ExitCode())
		}
		for _, index := range []string{"0", "1"} {
			if out, err := task(index).Output(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
		paths, _ := filepath.Glob(filepath.Join(dir, "results", "*.jsonl"))
		all := results(t, paths...)
		if exact(t, all); len(paths) != 2 || len(all) != 2 {
			t.Errorf("%d results in %q", len(all), paths)
		}
		if !slices.ContainsFunc(all, func(s swept) bool { return s.Resumed && s.Instance == "slow" }) {
			t.Errorf("no run went on from a checkpoint: %+v", all)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "results", "*.checkpoints", "*")); len(left) != 0 {
			t.Errorf("left over: %q", left)
		}
	})
}
