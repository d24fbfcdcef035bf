package e2e

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Workers of the tests are the scripts in testdata.
const (
	queensScript   = "../testdata/workers/queens.py"
	knapsackScript = "../testdata/workers/knapsack.py"
)

// runWorkers runs treesplit run in a world: flags, and after them a worker's command.
func runWorkers(t *testing.T, l library, ranks int, flags []string, command ...string) outcome {
	t.Helper()
	args := []string{treesplit(t, l), "run"}
	if l == none {
		args = append(args, "-n", strconv.Itoa(ranks))
	} else {
		args = slices.Concat(l.launch(ranks), l.hasty(), args)
	}
	return run(t, "", slices.Concat(args, flags, []string{"--"}, command)...)
}

// Workers search the same tree under MPI. A search that was begun on goroutines resumes under MPI
// and another scheme. Reference: 9 queens have 352 solutions; the tree has 8,394 nodes.
func TestWorkersUnderMPI(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "queens.ckpt")
	flags := []string{"--checkpoint", file, "--quantum", "10"}
	o := runWorkers(t, none, 2, append(flags, "--timeout", "1ms"), "python3", queensScript, "9")
	if o.status != 3 {
		t.Fatalf("status %d: %s%s", o.status, o.stdout, o.stderr)
	}
	inEachWorld(t, libraries, func(t *testing.T, l library) {
		scheme := map[library]string{openMPI: "static+rp", mpich: "shuffle"}[l]
		r := object(t, runWorkers(t, l, 3, []string{"--json", "--resume", file, "--scheme", scheme}, "python3", queensScript, "9"), 0)
		if sums := r["sums"].(map[string]any); r["expanded"] != 8394.0 || sums["solutions"] != 352.0 || r["solutions"] != 352.0 {
			t.Errorf("%v nodes, sums %v, %v solutions; want 8394 nodes and 352 solutions", r["expanded"], sums, r["solutions"])
		}
		r = object(t, runWorkers(t, l, 2, []string{"--json", "--problem", "../testdata/workers/knapsack.json"}, "python3", knapsackScript), 0)
		if r["value"] != -769.0 {
			t.Errorf("the value is %v, want -769", r["value"])
		}
	})
}

// A worker that fails on one rank under MPI ends the run on all ranks with an error that names the
// rank, and no worker is left.
func TestFailingWorkersUnderMPI(t *testing.T) {
	t.Parallel()
	inEachWorld(t, libraries, func(t *testing.T, l library) {
		marker := fmt.Sprintf("failing-worker-%d-%v", os.Getpid(), l)
		for _, c := range []struct {
			program, want string
			status        int
		}{
			{`read l; case "$l" in *'"rank":1,'*) exit 3; esac; echo '{"worker":1,"name":"x","root":0}'; cat > /dev/null`, "rank 1: the worker ended (exit status 3)", 2},
			{`read l; echo '{"worker":1,"name":"x","root":0}'; case "$l" in *'"rank":1,'*) read l; echo broken >&2; exit 3; esac; while read l; do echo '{"expanded":1,"open":[1,1,1],"found":1}'; done`, "rank 1: request ", 1},
		} {
			o := runWorkers(t, l, 2, []string{"--worker-retries", "0", "--quantum", "1", "--split", "half"}, "sh", "-c", c.program, marker)
			if o.status != c.status || !strings.Contains(o.stderr, c.want) {
				t.Errorf("status %d, want %d and %q: %s%s", o.status, c.status, c.want, o.stdout, o.stderr)
			}
			awaitNone(t, marker)
		}
	})
}

// No worker survives a program that is killed by SIGKILL.
func TestKilledWithWorkers(t *testing.T) {
	t.Parallel()
	marker := fmt.Sprintf("orphan-worker-%d-", os.Getpid()) // it is no beginning of another process's marker
	const program = `read l; echo '{"worker":1,"name":"x","root":0}'; read l; echo ready >&2; while :; do :; done`
	cmd := exec.CommandContext(t.Context(), treesplit(t, none), "run", "-n", "1", "--", "sh", "-c", program, marker)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(stderr); lines.Scan() && !strings.Contains(lines.Text(), "ready"); {
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	awaitNone(t, marker)
}

// awaitNone waits until no process has a text in its command line, except launchers and ranks, which
// have it too.
func awaitNone(t *testing.T, marker string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		var left []string
		files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		for _, f := range files {
			if line, err := os.ReadFile(f); err == nil && strings.Contains(string(line), marker) {
				left = append(left, string(line))
			}
		}
		if len(left) == 0 {
			return
		}
		if time.Now().After(end) {
			t.Errorf("processes are left: %q", left)
			return
		}
	}
}
