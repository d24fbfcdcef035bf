package e2e

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// waitFor waits until standard error has a match.
func (b *background) waitFor(t *testing.T, pattern string) {
	t.Helper()
	match := regexp.MustCompile(pattern)
	for !match.MatchString(b.err.String()) {
		select {
		case <-b.over:
			t.Fatalf("ended without %q: %s%s", pattern, &b.out, &b.err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// A rank that is stopped while another one works is named in the log and in progress. When
// it goes on so does the run, and its result has the time for which the rank was silent.
func TestStoppedRank(t *testing.T) {
	t.Parallel()
	needProc(t)
	inEachWorld(t, libraries, func(t *testing.T, l library) {
		for _, victim := range []int{0, 1} {
			file := t.TempDir() + "/progress"
			b := begin(t, l, 2, "", slices.Concat(paced, []string{"--json", "--stall", "1s", "--progress-file", file})...)
			p := b.rank(t, victim)
			if err := p.Signal(syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			b.waitFor(t, fmt.Sprintf("rank %d has not been heard from for", victim))
			p.Signal(syscall.SIGCONT)
			b.waitFor(t, fmt.Sprintf("rank %d is heard from again after", victim))
			if status := b.signalled(t, l, 1, syscall.SIGUSR1); status != 3 && l == openMPI {
				t.Errorf("rank %d: status %d", victim, status)
			}
			r := object(t, outcome{stdout: b.out.String()}, 0)
			if s := fmt.Sprint(r["silent"]); r["audit"] != "ok" || r["reason"] != "interrupted" || !strings.Contains(s, fmt.Sprintf("rank:%d ", victim)) {
				t.Errorf("rank %d: silent %v: %s", victim, s, &b.out)
			}
			lines, err := os.ReadFile(file)
			if want := fmt.Sprintf(`"silent":[{"rank":%d,`, victim); err != nil || !strings.Contains(string(lines), want) {
				t.Errorf("rank %d: no %s in the progress file, %v", victim, want, err)
			}
		}
	})
}

// If all that is left waits for a rank that is stopped, the run ends, names it, and leaves
// nothing running.
func TestAllWaitForStoppedRank(t *testing.T) {
	t.Parallel()
	needProc(t)
	inEachWorld(t, libraries, func(t *testing.T, l library) {
		b := begin(t, l, 2, "", slices.Concat(long, []string{"--min-split", "1000000000", "--stall", "1s"})...)
		if err := b.rank(t, 0).Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		status := b.ends(t, time.Minute)
		if !regexp.MustCompile(`no rank has moved for .*; rank 0 has not been heard from for`).MatchString(b.err.String()) || status == 0 {
			t.Errorf("status %d: %s", status, &b.err)
		}
		b.leavesNothing(t)
	})
}

// leavesNothing waits until no rank is left.
func (b *background) leavesNothing(t *testing.T) {
	t.Helper()
	over := time.Now()
	for left := b.ranks(); len(left) > 0; left = b.ranks() {
		if time.Since(over) > 20*time.Second {
			t.Fatalf("still running: %v", left)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// A rank that is stopped while rank 0 reads the formula is noticed too, because rank 0 waits for it in a
// collective operation. When the rank continues, so does the run.
func TestRankStoppedBeforeSearch(t *testing.T) {
	t.Parallel()
	needProc(t)
	inEachWorld(t, libraries, func(t *testing.T, l library) {
		pipe := t.TempDir() + "/formula.cnf"
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
		b := beginUntil(t, l, 2, regexp.MustCompile(`rank 1 has waited for 4s in a collective operation: rank 0 reads`), "", "sat", pipe, "--stall", "2s")
		formula, err := os.OpenFile(pipe, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		p := b.rank(t, 1)
		if err := p.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(formula, "p cnf 2 2\n1 2 0\n-1 -2 0\n")
		formula.Close()
		b.waitFor(t, "rank 0 has waited for 2s in a collective operation: another rank works for a long time, or its process is stopped")
		p.Signal(syscall.SIGCONT)
		if status := b.ends(t, time.Minute); !strings.Contains(b.out.String(), "s SATISFIABLE") {
			t.Errorf("status %d: %s%s", status, &b.out, &b.err)
		}
	})
}

// A rank that is stopped while the search is saved over and over does not make the others wait for ever. It is in
// the search, in the barrier at its end, or in a collective operation.
func TestRankStoppedWhileSaving(t *testing.T) {
	t.Parallel()
	needProc(t)
	inEachWorld(t, libraries, func(t *testing.T, l library) {
		b := begin(t, l, 2, "", slices.Concat(long, []string{"--checkpoint", t.TempDir() + "/saved", "--checkpoint-every", "1ms", "--stall", "1s"})...)
		if err := b.rank(t, 1).Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		status := b.ends(t, time.Minute)
		if why := regexp.MustCompile(`rank 1 has not been heard from|rank 0 has not moved for|rank 0 has waited for 5s in a collective operation`); status == 0 || !why.MatchString(b.err.String()) {
			t.Errorf("status %d: %s", status, &b.err)
		}
		b.leavesNothing(t)
	})
}
