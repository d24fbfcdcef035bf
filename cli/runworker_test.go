package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"treesplit/run/workloads"
)

// helloLine is the first line of a worker that obeys the protocol.
const helloLine = `{"worker":1,"name":"x","root":0}`

// answering returns a shell program that writes a first line, and then the same answer to every
// request.
func answering(hello, answer string) string {
	return fmt.Sprintf("read l; echo '%s'; while read l; do echo '%s'; done", hello, answer)
}

// leaf is the answer of a worker whose root has no children.
const leaf = `{"expanded":1,"open":[]}`

// runsWorkers runs the program and returns the object that it prints.
func runsWorkers(t *testing.T, args ...string) map[string]any {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status := Main(append([]string{"run", "--json"}, args...), strings.NewReader(""), &stdout, &stderr)
	var object map[string]any
	if err := json.Unmarshal(stdout.Bytes(), &object); err != nil || status != statusDone {
		t.Fatalf("%v: status %d, %v: %s", args, status, err, &stderr)
	}
	return object
}

// The least value is found under every kind of scheme. Reference: testdata/README.md.
func TestKnapsackWorker(t *testing.T) {
	for _, scheme := range []string{"rp", "sb", "shuffle"} {
		t.Run(scheme, func(t *testing.T) {
			object := runsWorkers(t, "-n", "2", "--quantum", "2", "--scheme", scheme, "--problem", "../testdata/workers/knapsack.json", "--", "python3", "../testdata/workers/knapsack.py")
			if object["value"] != -769.0 {
				t.Errorf("the value is %v, want -769", object["value"])
			}
		})
	}
}

// The problem reaches the workers from a file and from the command line alike.
func TestWorkerProblem(t *testing.T) {
	text, err := os.ReadFile("../testdata/workers/knapsack.json")
	if err != nil {
		t.Fatal(err)
	}
	object := runsWorkers(t, "-n", "2", "--problem-json", string(text), "--", "python3", "../testdata/workers/knapsack.py")
	if object["value"] != -769.0 {
		t.Errorf("the value is %v, want -769", object["value"])
	}
}

// A search that --first ends reports the solution that ended it.
func TestFirstSolution(t *testing.T) {
	object := runsWorkers(t, "-n", "2", "--first", "--", "python3", "../testdata/workers/queens.py", "8")
	if found, ok := object["found"].([]any); !ok || len(found) != 8 || object["reason"] != "decided" {
		t.Errorf("found %v, reason %v", object["found"], object["reason"])
	}
}

// Command lines that cannot be run are refused with one line.
func TestWorkerRefusals(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.json")
	if err := os.WriteFile(bad, []byte("{\n\"a\": 1,\n\"b\" 2}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"run":                                     "run: no program is given: expected -- COMMAND [ARG...]",
		"run -- /no/such/program":                 "the program cannot be started: ",
		"run --problem /no/such.json -- cat":      "--problem: open /no/such.json",
		"run --problem " + bad + " -- cat":        "--problem: " + bad + ":3: invalid character",
		"run --problem-json {1} -- cat":           "--problem-json: ",
		"run --problem x --problem-json 1 -- cat": "--problem-json: --problem is given too",
		"run --quantum-time 0s -- cat":            "--quantum-time: 0s: expected a time above 0",
		"run --worker-timeout -1s -- cat":         "--worker-timeout: ",
		"run --worker-retries 1001 -- cat":        "--worker-retries: 1001: expected 0 to 1000",
		"run --worker-memory -1 -- cat":           "--worker-memory: -1: expected 0 or more",
		"run --worker-retries 0 --log-level error --worker-memory 1 -- python3 -c 1":                                 "the worker ended",
		"run --scheme static --problem ../testdata/workers/knapsack.json -- python3 ../testdata/workers/knapsack.py": "--scheme: static needs the children of a node",
		"run --first --problem ../testdata/workers/knapsack.json -- python3 ../testdata/workers/knapsack.py":         "--first: the worker minimises",
		"run --resume /no/such.ckpt -- python3 ../testdata/workers/queens.py 5":                                      "--resume: ",
	} {
		refuses(t, line, want)
	}
}

// A worker that ignores the request to stop is killed, and the result is printed.
func TestWorkerThatIgnoresStop(t *testing.T) {
	t.Parallel()
	runsWorkers(t, "-n", "1", "--", "sh", "-c", "read l; echo '"+helloLine+"'; read l; echo '"+leaf+"'; exec sleep 1000")
}

// A checkpoint of another search is refused, and the error names the difference.
func TestWorkerIdentity(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.ckpt")
	var stdout, stderr bytes.Buffer
	Main(strings.Fields("run -n 1 --checkpoint "+file+" --timeout 1ns -- python3 ../testdata/workers/queens.py 6"), nil, &stdout, &stderr)
	refuses(t, "run --resume "+file+" -- python3 ../testdata/workers/queens.py 7", "the name in the first line of the worker is queens+6 there and queens+7 here")
}

// The longest times of an answer and the most retries are accepted: the watchdog then waits for the
// longest time that a program can measure.
func TestLongWorkerTimeout(t *testing.T) {
	for _, args := range [][]string{
		{"--worker-timeout", "900000h"},
		{"--worker-timeout", "2562047h", "--worker-retries", "1000"},
	} {
		runsWorkers(t, append(args, "-n", "1", "--", "sh", "-c", "read l; echo '"+helloLine+"'; read l; echo '"+leaf+"'; read l")...)
	}
}

// The watchdog waits for all tries of an answer, and its time does not overflow.
func TestStallOfTries(t *testing.T) {
	const most = time.Duration(math.MaxInt64)
	for _, c := range []struct {
		stall, timeout time.Duration
		tries          int
		want           time.Duration
	}{
		{time.Minute, time.Minute, 3, 4 * time.Minute},
		{time.Minute, most / 3, 3, most},
		{time.Minute, most / 2, 3, most},
		{time.Minute, most, 1001, most},
		{0, most, 1, 0},
		{time.Minute, 0, 3, 0},
	} {
		if got := extendStall(c.stall, c.timeout, c.tries); got != c.want {
			t.Errorf("%v and %d tries of %v are %v, want %v", c.stall, c.tries, c.timeout, got, c.want)
		}
	}
}

// Without --stall the watchdog waits for every exchange of a request: the request itself, and for each
// retry the first lines and the request.
func TestStallOfWorkers(t *testing.T) {
	for _, c := range []struct {
		args string
		want time.Duration
	}{
		{"", 6 * time.Minute},
		{"--worker-retries 0", 2 * time.Minute},
		{"--worker-retries 3 --worker-timeout 10m", 71 * time.Minute},
		{"--worker-timeout 0", 0},
		{"--stall 5s", 5 * time.Second},
	} {
		a, cmd, f := &app{stdout: io.Discard, stderr: io.Discard}, &cobra.Command{}, workerFlags{searchFlags: newSearchFlags()}
		f.addFlags(cmd)
		f.programFlags.addFaultFlags(cmd.Flags())
		f.plan.QuantumTime = time.Millisecond
		if err := cmd.ParseFlags(strings.Fields(c.args)); err != nil {
			t.Fatal(err)
		}
		j, err := f.parse(a, []string{"true"})
		if err != nil || j.plan.Stall != c.want {
			t.Errorf("%q: the watchdog waits for %v, error %v; want %v", c.args, j.plan.Stall, err, c.want)
		}
	}
}

// A rank above 0 logs that its worker has written a faulty last line: rank 0 may have no error.
func TestFaultyLastLineOfOtherRanks(t *testing.T) {
	const script = "read l; echo '" + helloLine + `'; while read l; do case "$l" in *stop*) echo '{}';; *) echo '` + leaf + "';; esac; done"
	for rank, logged := range map[string]bool{"0": false, "1": true} {
		j := workerJob{workers: &workloads.Worker{Command: []string{"sh", "-c", script}, Ranks: 1, Timeout: time.Minute, Log: func(int, string) {}}}
		j.logLevel = "warning"
		if _, err := j.workers.Load(); err != nil {
			t.Fatal(err)
		}
		t.Setenv("OMPI_COMM_WORLD_SIZE", "2")
		t.Setenv("OMPI_COMM_WORLD_RANK", rank)
		var stderr bytes.Buffer
		err := (&app{stderr: &stderr}).stopWorkers(j)
		if text := stderr.String(); err == nil || logged != (strings.Contains(text, "the worker wrote more than one line") && strings.Contains(text, "(rank "+rank+", ")) || !logged && text != "" {
			t.Errorf("rank %s: %v, and the log has %q", rank, err, text)
		}
	}
}
