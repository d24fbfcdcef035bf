package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// long are searches that no test waits for the end of: T1WL has 2.7·10^11 nodes.
var long = []string{"uts", "--tree", "T1WL"}

// paced makes the ranks of long searches wait for most of the time, where a test needs no busy processor.
var paced = slices.Concat(long, []string{"--pace", "1ms"})

// --timeout ends a search with what is known, and status 3.
func TestTimeout(t *testing.T) {
	t.Parallel()
	formula := generate(t, "php", "--n", "14")
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		o := runIn(t, l, 2, formula, "sat", "-", "--rule", "paper", "--timeout", "100ms")
		if s := line(o.stdout, "s "); o.status != 3 || s != "s UNKNOWN" {
			t.Errorf("status %d, %q: %s", o.status, s, o.stderr)
		}
		r := object(t, runIn(t, l, 2, "", slices.Concat(long, []string{"--timeout", "100ms", "--json"})...), 3)
		if r["reason"] != "timeout" || r["audit"] != "ok" || r["expanded"].(float64) < 1 {
			t.Errorf("%v", r)
		}
	})
}

// searching is the progress line of a search that has begun.
var searching = regexp.MustCompile(`[1-9][\d,]* nodes`)

// background is a command that runs while a test goes on.
type background struct {
	*exec.Cmd
	program  string // whose processes are its ranks
	out, err output
	begun    <-chan struct{}
	over     chan struct{}
}

// output collects what a command writes and closes found at the first match.
type output struct {
	mu    sync.Mutex
	text  bytes.Buffer
	match *regexp.Regexp
	found chan struct{}
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text.Write(p)
	if o.match != nil && o.match.Match(o.text.Bytes()) {
		close(o.found)
		o.match = nil
	}
	return len(p), nil
}

// until returns a channel that is closed once there is a match.
func (o *output) until(match *regexp.Regexp) <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.match, o.found = match, make(chan struct{})
	if match.Match(o.text.Bytes()) {
		close(o.found)
		o.match = nil
	}
	return o.found
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// begin starts a long search and returns when it runs. The search is
// removed when the test ends.
func begin(t *testing.T, l library, ranks int, input string, args ...string) *background {
	t.Helper()
	return beginUntil(t, l, ranks, searching, input, args...)
}

// beginUntil is begin that returns once standard error has a match.
func beginUntil(t *testing.T, l library, ranks int, until *regexp.Regexp, input string, args ...string) *background {
	t.Helper()
	b := &background{program: ownProgram(t, l), over: make(chan struct{})}
	b.begun = b.err.until(until)
	all := slices.Concat([]string{b.program}, args, []string{"--progress", "on"})
	if l == none {
		all = append(all, "-n", strconv.Itoa(ranks))
	} else {
		all = slices.Concat(l.launch(ranks), all)
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit())
	b.Cmd = exec.CommandContext(ctx, all[0], all[1:]...)
	b.Stdin, b.Stdout, b.Stderr = stdin(t, input, all), &b.out, &b.err
	// Processes that the command has left may hold its output open. The cleanup kills them: a time would
	// cut the output off on a busy machine.
	b.WaitDelay = limit()
	mark := markProcesses(b.Cmd, b.program)
	if err := b.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		b.Wait()
		close(b.over)
	}()
	t.Cleanup(func() {
		cancel()
		killMarked(mark)
		<-b.over
	})
	select {
	case <-b.begun:
	case <-b.over:
		t.Fatalf("ended before it began: %s%s", &b.out, &b.err)
	}
	return b
}

// ends waits for the end and returns the exit status.
func (b *background) ends(t *testing.T, within time.Duration) int {
	t.Helper()
	select {
	case <-b.over:
	case <-time.After(within):
		t.Fatalf("still running after %v: %s%s", within, &b.out, &b.err)
	}
	return b.ProcessState.ExitCode()
}

// ranks are the processes of the program, found by their executable. Dead ones that
// nobody has waited for have none.
func (b *background) ranks() (all []*os.Process) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, d := range dirs {
		if exe, err := os.Readlink(d + "/exe"); err == nil && exe == b.program {
			pid, _ := strconv.Atoi(filepath.Base(d))
			if p, err := os.FindProcess(pid); err == nil {
				all = append(all, p)
			}
		}
	}
	return all
}

// rank is the process of that rank, known by what the launcher has left in its
// environment.
func (b *background) rank(t *testing.T, rank int) *os.Process {
	t.Helper()
	for _, p := range b.ranks() {
		environment, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.Pid))
		for v := range strings.SplitSeq(string(environment), "\x00") {
			if v == fmt.Sprintf("OMPI_COMM_WORLD_RANK=%d", rank) || v == fmt.Sprintf("PMI_RANK=%d", rank) {
				return p
			}
		}
	}
	t.Fatalf("no process of rank %d among %v", rank, b.ranks())
	return nil
}

// signalled sends a signal to the process of a rank, or to the only process, and returns the
// status of the end.
func (b *background) signalled(t *testing.T, l library, rank int, signal os.Signal) int {
	t.Helper()
	p := b.Process
	if l != none {
		needProc(t)
		p = b.rank(t, rank)
	}
	if err := p.Signal(signal); err != nil {
		t.Fatal(err)
	}
	return b.ends(t, 20*time.Second)
}

// needProc skips a test that has to find processes where it cannot.
func needProc(t *testing.T) {
	t.Helper()
	if _, err := os.Readlink("/proc/self/exe"); err != nil {
		t.Skipf("processes cannot be found here: %v", err)
	}
}

// A signal ends a search with what is known, on whichever rank it arrives.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	formula := generate(t, "php", "--n", "14")
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGUSR1} {
			b := begin(t, l, 2, formula, "sat", "-", "--rule", "paper")
			status := b.signalled(t, l, 1, signal)
			if s := line(b.out.String(), "s "); status != 3 || s != "s UNKNOWN" {
				t.Errorf("%v: status %d, %q: %s", signal, status, s, &b.err)
			}
		}
	})
}

// A rank that is killed takes the others with it: the launcher ends within ten seconds,
// with a status and a message, and leaves nothing running.
func TestKilledRank(t *testing.T) {
	t.Parallel()
	needProc(t)
	inEachWorld(t, libraries, func(t *testing.T, l library) {
		for _, victim := range []int{0, 3} {
			b := begin(t, l, 4, "", long...)
			if n := len(b.ranks()); n != 4 {
				t.Fatalf("%d processes, want 4", n)
			}
			if err := b.rank(t, victim).Kill(); err != nil {
				t.Fatal(err)
			}
			killed := time.Now()
			status := b.ends(t, 10*time.Second)
			// The message is the launcher's, beside the progress line.
			told := regexp.MustCompile(`(?i)killed|signal 9|bad termination`).MatchString(b.err.String() + b.out.String())
			if status == 0 || !told {
				t.Errorf("rank %d: status %d, message %v: %s%s", victim, status, told, &b.out, &b.err)
			}
			for left := b.ranks(); len(left) > 0; left = b.ranks() {
				if time.Since(killed) > 10*time.Second {
					t.Fatalf("rank %d: still running: %v", victim, left)
				}
			}
			t.Logf("rank %d: over after %v", victim, time.Since(killed).Round(10*time.Millisecond))
		}
	})
}
