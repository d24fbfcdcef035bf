package e2e

import (
	"encoding/csv"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// tableOnMPI returns a command that measures table 3 on paced MPI ranks. It writes to a directory.
func tableOnMPI(l library, program, out string, more ...string) []string {
	launch := l.launch(1)
	args := strings.Join(slices.Concat(launch[1:len(launch)-2], l.hasty()), " ")
	return slices.Concat([]string{program, "reproduce", "table3", "--runtime", "mpi", "--formulas", "1", "--out", out, "--launcher", launch[0], "--launcher-args", args}, more)
}

// reproduce starts paced ranks under both MPIs and prints their speedups beside the simulated ones. The
// ranks expand the nodes of the recorded tree, which reproduce itself checks.
func TestTable3OnMPI(t *testing.T) {
	t.Parallel()
	inEachWorld(t, libraries, func(t *testing.T, l library) {
		out := t.TempDir()
		o := run(t, "", tableOnMPI(l, treesplit(t, l), out, "--ranks", "2,4", "--variables", "20", "--pace", "100us")...)
		if o.status != 0 || !strings.Contains(o.stdout, "MPI ranks, started by "+l.launch(1)[0]) {
			t.Fatalf("status %d: %s%s", o.status, o.stdout, o.stderr)
		}
		rows, err := csv.NewReader(strings.NewReader(string(readFile(t, filepath.Join(out, "table3-mpi.csv"))))).ReadAll()
		if err != nil || len(rows) != 13 {
			t.Fatalf("%d rows, %v:\n%s", len(rows), err, o.stdout)
		}
		for _, row := range rows[1:] {
			for _, cell := range []string{row[2], row[3], row[5]} { // measured, simulated, their ratio
				if v, err := strconv.ParseFloat(cell, 64); err != nil || v <= 0 || v > 100 {
					t.Errorf("%v: %q is no measurement", row, cell)
				}
			}
		}
	})
}

// After a signal reproduce ends the ranks that it has started.
func TestTable3OnMPIEnds(t *testing.T) {
	t.Parallel()
	needProc(t)
	inEachWorld(t, libraries, func(t *testing.T, l library) {
		b := &background{program: ownProgram(t, l)}
		command := tableOnMPI(l, b.program, t.TempDir(), "--ranks", "2", "--variables", "30", "--pace", "100ms")
		cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
		cmd.Stdout, cmd.Stderr = &b.out, &b.err
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			for _, r := range b.ranks() {
				r.Kill()
			}
		})
		await := func(what string, met func(processes int) bool) {
			t.Helper()
			for end := time.Now().Add(limit()); !met(len(b.ranks())); time.Sleep(100 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("%d processes, not %s: %s%s", len(b.ranks()), what, &b.out, &b.err)
				}
			}
		}
		await("all ranks", func(n int) bool { return n == 1+6*2 })
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		if status := cmd.ProcessState.ExitCode(); status != 3 {
			t.Errorf("status %d: %s%s", status, &b.out, &b.err)
		}
		await("none", func(n int) bool { return n == 0 }) // a launcher that was killed leaves ranks, which end when they notice it
	})
}
