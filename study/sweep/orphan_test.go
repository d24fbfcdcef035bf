package sweep

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// sweepUntilSignal acts as the command sweep for a plan, a file of results and a program.
func sweepUntilSignal(plan, results, binary string) (status int) {
	p, err := ReadPlan(plan)
	if err == nil {
		err = p.SettleLauncher("")
	}
	if err != nil {
		return 2
	}
	log, err := OpenLog(results)
	if err != nil {
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), EndSignals()...)
	defer stop()
	s := Sweep{Plan: p, Runs: p.ExpandRuns(), Launch: Launch{Binary: binary, Launcher: p.Launcher}, Log: log, Progress: func(Progress) {}}
	if progress, err := s.RunMissing(ctx); err != nil || progress.Done < progress.Total {
		return statusStopped
	}
	return statusDone
}

// acceptHangups lets the children of this test begin without an ignored SIGHUP, also under nohup.
func acceptHangups(t *testing.T) {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(hangups) })
}

// When a sweep ends for any reason, its run ends too. A sweep that ends in order sends SIGUSR1 to the program or to
// its launcher, once. For a sweep that was killed the system sends SIGUSR1, sometimes several times.
func TestRunEndsWithItsSweep(t *testing.T) {
	acceptHangups(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		world  string
		signal syscall.Signal
		status int // of the sweep; -1: ended by the signal
	}{
		{WorldLocal, syscall.SIGKILL, -1},
		{WorldMPI, syscall.SIGKILL, -1},
		{WorldLocal, syscall.SIGQUIT, 2},
		{WorldLocal, syscall.SIGHUP, statusStopped},
		{WorldMPI, syscall.SIGHUP, statusStopped},
	} {
		t.Run(fmt.Sprint(c.world, " ", c.signal), func(t *testing.T) {
			if c.signal != syscall.SIGHUP && runtime.GOOS != "linux" {
				t.Skip("only Linux ends the run of a sweep that is killed")
			}
			dir := t.TempDir()
			pipe := filepath.Join(dir, "pipe")
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Skipf("no named pipes here: %v", err)
			}
			// The run writes its process number into the pipe, and then the signal that it gets. The pipe
			// is open until the run has ended.
			run := script(t, "exec >'"+pipe+"'; trap 'echo TERM; exit 3' TERM; trap 'echo USR1; exit 3' USR1; echo $$; while :; do sleep 0.05; done")
			launcher := ""
			if c.world == WorldMPI {
				launcher = "launcher: " + run + "\n"
			}
			plan := filepath.Join(dir, "plan.yaml")
			if err := os.WriteFile(plan, []byte("name: x\nranks: [2]\nsequential: never\nworlds: ["+c.world+"]\n"+launcher+"instances: [{name: a, verb: uts}]\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(self, "x", "sweep", plan, filepath.Join(dir, "r.jsonl"), run)
			cmd.Env = append(os.Environ(), fakeEnvironment+"=1")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer cmd.Process.Kill()
			begun, err := os.Open(pipe)
			if err != nil {
				t.Fatal(err)
			}
			defer begun.Close()
			number := 0
			if _, err := fmt.Fscan(begun, &number); err != nil {
				t.Fatal(err)
			}
			cmd.Process.Signal(c.signal)
			guard := time.AfterFunc(time.Minute, func() { syscall.Kill(number, syscall.SIGKILL) })
			defer guard.Stop()
			rest, err := io.ReadAll(begun)
			got := strings.Fields(string(rest))
			if c.signal != syscall.SIGHUP {
				got = slices.Compact(got)
			}
			if err != nil || !slices.Equal(got, []string{"USR1"}) {
				t.Errorf("the run got the signals %q, %v; want USR1", got, err)
			}
			cmd.Wait()
			if got := cmd.ProcessState.ExitCode(); got != c.status {
				t.Errorf("status %d of the sweep, want %d", got, c.status)
			}
		})
	}
}

// A closed terminal ends a sweep, unless the sweep was started under nohup.
func TestHangup(t *testing.T) {
	acceptHangups(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for trap, want := range map[string]bool{"": true, "trap '' HUP;": false} {
		cmd := exec.Command("sh", "-c", trap+` exec "$0" x signals`, self)
		cmd.Env = append(os.Environ(), fakeEnvironment+"=1")
		if out, err := cmd.Output(); err != nil || strings.Contains(string(out), "hangup") != want || !strings.Contains(string(out), "terminated") {
			t.Errorf("%q: %v, the signals that end a sweep are %s", trap, err, out)
		}
	}
}
