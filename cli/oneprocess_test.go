package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// launched runs the program as rank 0 of three and as rank 1.
func launched(t *testing.T, line string, rank string) (status int, stdout, stderr string) {
	t.Helper()
	t.Setenv("PMI_SIZE", "3")
	t.Setenv("PMI_RANK", rank)
	var out, errs bytes.Buffer
	status = Main(strings.Fields(line), strings.NewReader(""), &out, &errs)
	return status, out.String(), errs.String()
}

// A command of one process that a launcher has started several times prints one error. All ranks
// except rank 0 exit with status 0, as after any bad input: the status of rank 0 counts.
func TestCommandsOfOneProcess(t *testing.T) {
	dir := t.TempDir()
	for _, line := range []string{
		"gen php -n 4 -o " + dir + "/f.cnf",
		"check ../testdata/php4.cnf ../testdata/php4.drat",
		"chaos --runs 1",
		"reproduce fig3 --out " + dir,
		"report ../testdata/x.jsonl",
		"sweep ../testdata/sweep.yaml --list",
		"predict --nodes 1000 ncube2",
		"completion bash",
	} {
		status, stdout, stderr := launched(t, line, "0")
		if status != statusInput || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "the MPI launcher has started 3: start it without the launcher") {
			t.Errorf("%s on rank 0: status %d, %q, %q", line, status, stdout, stderr)
		}
		if status, stdout, stderr := launched(t, line, "1"); status != statusDone || stdout+stderr != "" {
			t.Errorf("%s on rank 1: status %d, %q, %q", line, status, stdout, stderr)
		}
	}
}

// Help and versions are printed once.
func TestPrintedOnce(t *testing.T) {
	for _, line := range []string{"version", "version --json", "--version", "--help", "uts --help", ""} {
		if status, stdout, stderr := launched(t, line, "0"); status != statusDone || stdout == "" || stderr != "" {
			t.Errorf("%q on rank 0: status %d, %q", line, status, stderr)
		}
		if status, stdout, stderr := launched(t, line, "2"); status != statusDone || stdout+stderr != "" {
			t.Errorf("%q on rank 2: status %d, %q, %q", line, status, stdout, stderr)
		}
	}
}

// Each rank of a program without MPI prints why it does not search: another rank can have another program, and wait.
func TestSearchWithoutMPI(t *testing.T) {
	for _, rank := range []string{"0", "1"} {
		if status, stdout, stderr := launched(t, "uts", rank); status != statusInput || stdout != "" || !strings.Contains(stderr, "as one of 3 ranks, but built without MPI") {
			t.Errorf("rank %s: status %d, %q, %q", rank, status, stdout, stderr)
		}
	}
}

// A launcher that has started one process of a program without MPI, as srun -n 1 does, sets no number of ranks. Nor does
// it set the number of ranks of a simulated machine.
func TestLaunchedAlone(t *testing.T) {
	t.Setenv("PMI_SIZE", "1")
	t.Setenv("PMI_RANK", "0")
	const tree = "uts -t 1 -a 3 -d 3 -b 3 --json "
	worker := "read start; echo '" + helloLine + `'; while read l; do case "$l" in *stop*) exit;; esac; echo '{"expanded":1,"open":[],"found":'"$start"'}'; done`
	for _, c := range []struct {
		line  []string
		ranks int
	}{
		{strings.Fields(tree + "--machine ncube2 -n 64"), 64},
		{strings.Fields(tree + "-n 3"), 3},
		{strings.Fields(tree + "-n 3 --pace 1us --pace-slow 2=2"), 3},
		{[]string{"run", "--json", "-n", "3", "--", "sh", "-c", worker}, 3},
		{[]string{"run", "--json", "-n", "3", "--machine", "ncube2", "--", "sh", "-c", worker}, 3},
	} {
		var stdout, stderr bytes.Buffer
		status := Main(c.line, strings.NewReader(""), &stdout, &stderr)
		var object struct {
			Ranks int
			Found *struct{ Ranks int }
		}
		if err := json.Unmarshal(stdout.Bytes(), &object); status != statusDone || err != nil || object.Ranks != c.ranks {
			t.Errorf("%q: status %d, %s%s; want %d ranks", c.line, status, &stdout, &stderr, c.ranks)
		}
		if object.Found != nil && object.Found.Ranks != c.ranks {
			t.Errorf("%q: the worker was told of %d ranks, want %d", c.line, object.Found.Ranks, c.ranks)
		}
	}
}
