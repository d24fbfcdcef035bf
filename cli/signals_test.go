//go:build unix

package cli

import (
	"bytes"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// guard ends programs that a signal has not ended.
const guard = time.Minute

// startProgram starts the program with a guard.
func startProgram(t *testing.T, stderr *bytes.Buffer, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(builtProgram(t), args...)
	cmd.Stderr = stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(guard, func() { cmd.Process.Kill() })
	t.Cleanup(func() { kill.Stop() })
	return cmd
}

// heedHangup makes programs that the test starts heed SIGHUP, also if the test itself was started by nohup: a signal
// that this process handles has its default effect in new processes.
func heedHangup(t *testing.T) {
	handled := make(chan os.Signal, 1)
	signal.Notify(handled, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(handled) })
}

// A program that is killed leaves the temporary file of its proof. The next program with the same name of the
// proof removes it, and no other file.
func TestKilledProof(t *testing.T) {
	dir := t.TempDir()
	pipe, proof := filepath.Join(t.TempDir(), "pipe"), filepath.Join(dir, "proof")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	for _, foreign := range []string{"proof.treesplit-1.new", "proof.new", "other.treesplit-x-1.new"} {
		write(t, filepath.Join(dir, foreign), "foreign")
	}
	var stderr bytes.Buffer
	cmd := startProgram(t, &stderr, "sat", "--proof", proof, pipe)
	to, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits until the program reads
	if err != nil {
		t.Fatal(err)
	}
	cmd.Process.Kill()
	cmd.Wait()
	to.Close()
	if left, _ := filepath.Glob(proof + ".treesplit-*-*.new"); len(left) != 1 {
		t.Fatalf("the killed program left %q", left)
	}
	if status, _, stderr := runLine("sat ../testdata/php4.cnf --proof " + proof); status != statusUnsatisfiable {
		t.Fatalf("status %d: %s", status, stderr)
	}
	names, err := os.ReadDir(dir)
	if err != nil || len(names) != 4 { // the proof, and the foreign files
		t.Errorf("%v, %v", names, err)
	}
}

// The first signal ends a program that still reads its input, and no file is left.
func TestSignalWhileReading(t *testing.T) {
	heedHangup(t)
	for _, command := range []string{"sat", "sat --rule cubes", "sat --trace DIR/trace --proof DIR/proof"} {
		for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
			dir := t.TempDir()
			pipe := filepath.Join(t.TempDir(), "pipe")
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Skip(err)
			}
			var stderr bytes.Buffer
			cmd := startProgram(t, &stderr, append(strings.Fields(strings.ReplaceAll(command, "DIR", dir)), pipe)...)
			to, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits until the program reads
			if err != nil {
				t.Fatal(err)
			}
			to.WriteString("p cnf 1 1\n")
			cmd.Process.Signal(signal)
			cmd.Wait()
			to.Close()
			if status := cmd.ProcessState.ExitCode(); status != statusStopped || !strings.Contains(stderr.String(), "before the search began") {
				t.Errorf("%s, %v: status %d: %s", command, signal, status, &stderr)
			}
			if text := folderText(t, dir); text != "" {
				t.Errorf("%s, %v: left %s", command, signal, text)
			}
		}
	}
}

// SIGHUP ends a search like SIGTERM, with a checkpoint, and has no effect if it was ignored at the start.
func TestHangup(t *testing.T) {
	heedHangup(t)
	for _, ignored := range []bool{false, true} {
		dir := t.TempDir()
		progress := filepath.Join(dir, "progress")
		if err := syscall.Mkfifo(progress, 0o600); err != nil {
			t.Skip(err)
		}
		words := []string{"-c", `exec "$@"`, "sh", builtProgram(t), "uts", "-n", "1", "-t", "1", "-a", "3", "-d", "30", "-b", "4",
			"--checkpoint", filepath.Join(dir, "ck"), "--progress-file", progress}
		if ignored {
			words[1] = "trap '' HUP; " + words[1]
		}
		var stderr bytes.Buffer
		cmd := exec.Command("sh", words...)
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		kill := time.AfterFunc(guard, func() { cmd.Process.Kill() })
		from, err := os.Open(progress)
		if err != nil {
			t.Fatal(err)
		}
		from.Read(make([]byte, 1)) // the first line of the search
		cmd.Process.Signal(syscall.SIGHUP)
		last := syscall.SIGHUP
		if ignored {
			last = syscall.SIGTERM
			cmd.Process.Signal(last)
		}
		cmd.Wait()
		kill.Stop()
		from.Close()
		if status := cmd.ProcessState.ExitCode(); status != statusStopped || !strings.Contains(stderr.String(), "signal "+last.String()) || !strings.Contains(stderr.String(), "search saved in") {
			t.Errorf("ignored %v: status %d: %s", ignored, status, &stderr)
		}
	}
}

// The commands that make many runs also end early on each of the signals.
func TestSignalsOfManyRuns(t *testing.T) {
	handled := make(chan os.Signal, 1) // so that a signal before the command listens has no effect
	all := []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1}
	signal.Notify(handled, all...)
	t.Cleanup(func() { signal.Stop(handled) })
	for _, line := range []string{
		"chaos --runs 1000000000 --workers 1",
		"reproduce table3 --runtime goroutines --ranks 2 --variables 20 --formulas 1 --pace 1s --out " + t.TempDir(),
	} {
		for _, one := range all {
			var stdout, stderr bytes.Buffer
			status := make(chan int, 1)
			go func() { status <- Main(strings.Fields(line), strings.NewReader(""), &stdout, &stderr) }()
			end := time.After(guard)
			for ended := false; !ended; {
				select {
				case got := <-status:
					if ended = true; got != statusStopped {
						t.Errorf("%s, %v: status %d, %s%s", line, one, got, &stdout, &stderr)
					}
				case <-end:
					t.Fatalf("%s: %v has no effect", line, one)
				case <-time.After(10 * time.Millisecond):
					syscall.Kill(os.Getpid(), one.(syscall.Signal))
				}
			}
		}
	}
}
