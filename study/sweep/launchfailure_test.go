package sweep

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// lost is the output of Open MPI when it has lost a daemon.
const lost = `--------------------------------------------------------------------------
ORTE has lost communication with a remote daemon.

  HNP daemon   : [[13271,0],0] on node vm
  Remote daemon: [[13271,0],2] on node n1
--------------------------------------------------------------------------
`

// A launch is repeated only if its launcher reports its own failure and its program printed
// nothing.
func TestLaunchFailure(t *testing.T) {
	const crash = "mpirun noticed that process rank 1 with PID 0 on node vm exited on signal 11 (Segmentation fault).\n"
	for name, c := range map[string]struct {
		p        process
		kind     string
		out, err string
		want     string
	}{
		"a daemon is lost":                  {process{status: 205}, kindMpirun, "", lost, "ORTE has lost communication"},
		"a daemon does not start":           {process{status: 1}, kindMpirun, "", "An ORTE daemon has unexpectedly failed after launch and before\n", "An ORTE daemon"},
		"Hydra loses a proxy":               {process{status: 255}, kindMpirun, "", "[mpiexec@vm] control_cb (pm/pmiserv/pmiserv_cb.c:206): assert (!closed) failed\n", "assert (!closed)"},
		"Hydra writes into a closed socket": {process{status: 255}, kindMpirun, "", "[mpiexec@vm] HYDU_sock_write (utils/sock/sock.c:254): write error (Bad file descriptor)\n", "write error"},
		"a launcher is killed":              {process{status: -1, signal: syscall.SIGPIPE}, kindMpirun, "", "", "broken pipe"},
		"srun starts nothing":               {process{status: 1}, kindSrun, "", "srun: error: Task launch for StepId=1.0 failed on node n1: Communication connection failure\n", "Communication connection failure"},
		"srun's daemons die under mpirun":   {process{status: 205}, kindMpirun, "", "srun: error: n1: task 1: Killed\n" + lost, "ORTE has lost"},
		"sessions of two launchers":         {process{status: 1}, kindMpirun, "", "A call to mkdir was unable to create the desired directory:\n", "A call to mkdir"},
		"no last line end":                  {process{status: 205}, kindMpirun, "", "ORTE has lost communication with a remote daemon.", "ORTE has lost"},

		"an error of the program":       {process{status: 205}, kindMpirun, "", "treesplit: x.cnf:1: no formula\n" + lost, ""},
		"the same, tagged":              {process{status: 205}, kindMpirun, "", "[1,0]<stderr>:treesplit: x.cnf:1: no formula\n" + lost, ""},
		"a rank crashes":                {process{status: 139}, kindMpirun, "", crash, ""},
		"a rank crashes, daemons too":   {process{status: 139}, kindMpirun, "", lost + crash, ""},
		"MPICH's rank crashes":          {process{status: 9}, kindMpirun, "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n", "[mpiexec@vm] control_cb: assert (!closed) failed\n", ""},
		"a rank panics":                 {process{status: 205}, kindMpirun, "", "panic: index out of range\n\ngoroutine 1 [running]:\n" + lost, ""},
		"a rank panics, tagged":         {process{status: 205}, kindMpirun, "", "[1,3]<stderr>:fatal error: out of memory\n" + lost, ""},
		"a rank is killed under srun":   {process{status: 137}, kindSrun, "", "srun: error: n0: task 0: Killed\nsrun: error: Application launch failed\n", ""},
		"MPI fails in a rank":           {process{status: 205}, kindMpirun, "", "*** An error occurred in MPI_Isend\n" + lost, ""},
		"a result":                      {process{status: 205}, kindMpirun, "{}\n", lost, ""},
		"no failure":                    {process{status: 0}, kindMpirun, "", lost, ""},
		"an unknown failure":            {process{status: 1}, kindMpirun, "", "something else\n", ""},
		"too slow":                      {process{status: 205, late: true}, kindMpirun, "", lost, ""},
		"too slow, killed":              {process{status: -1, signal: syscall.SIGKILL, late: true}, kindMpirun, "", "", ""},
		"asked to end":                  {process{status: 205, asked: true}, kindMpirun, "", lost, ""},
		"no launcher":                   {process{status: -1, signal: syscall.SIGPIPE}, LocalLauncher, "", lost, ""},
		"a launcher that is not there":  {process{status: -1, err: os.ErrNotExist}, kindMpirun, "", "", ""},
		"too few slots":                 {process{status: 1}, kindMpirun, "", "There are not enough slots available in the system to satisfy the 4\n", ""},
		"a long line of something else": {process{status: 1}, kindMpirun, "", strings.Repeat("x", 2*maxHeard) + "ORTE has lost communication with a remote daemon.\n", ""},
	} {
		for _, size := range []int{1, 7, 1 << 16} { // sizes of the parts in which the output arrives
			p, ears := c.p, [2]*ear{{heard: new(heard)}, {heard: new(heard)}}
			p.stdout = []byte(c.out)
			for i, text := range []string{c.out, c.err} {
				if _, err := io.CopyBuffer(struct{ io.Writer }{ears[i]}, struct{ io.Reader }{strings.NewReader(text)}, make([]byte, size)); err != nil {
					t.Fatal(err)
				}
				ears[i].scanWholeLine()
			}
			p.heard = ears[0].heard.combineWith(*ears[1].heard)
			if got := p.launchFailure(c.kind); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("%s: %q, want %q", name, got, c.want)
			}
		}
	}
}

// A launcher that fails is started again, as often as the plan allows. The line of the result has
// the number of launches and the reasons. After any other failure there is no second launch.
func TestRetries(t *testing.T) {
	const loses, succeeds = "cat >&2 <<'END'\n" + lost + "END\nexit 205", `echo '{"seconds":0.5,"expanded":12}'`
	for name, c := range map[string]struct {
		first, second string // actions of the launcher
		plan          string
		launches      int
		failures      int
		err           string
	}{
		"once":      {loses, succeeds, "", 2, 1, ""},
		"signal":    {"kill -PIPE $$", succeeds, "retries: 1\n", 2, 1, ""},
		"always":    {loses, loses, "", 2, 1, "the launcher has failed: ORTE has lost"},
		"none":      {loses, succeeds, "retries: 0\n", 1, 0, "the launcher has failed: ORTE has lost"},
		"a crash":   {"echo 'treesplit: internal error' >&2; exit 1", succeeds, "", 1, 0, "exit status 1"},
		"no reason": {"exit 1", succeeds, "", 1, 0, "exit status 1"},
	} {
		// All launchers are written before the first is started: a process that another test starts
		// meanwhile would keep the file open for writing.
		dir := t.TempDir()
		launcher, calls := filepath.Join(dir, "mpirun"), filepath.Join(dir, "calls")
		script := fmt.Sprintf("#!/bin/sh\necho >>%s\nif [ $(wc -l <%[1]s) = 1 ]; then\n%s\nelse\n%s\nfi\n", calls, c.first, c.second)
		if err := os.WriteFile(launcher, []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := ParsePlan([]byte("name: x\nranks: [2]\nsequential: never\nlauncher: mpirun\ninstances: [{name: a, verb: uts}]\n"+c.plan), "p.yaml")
			if err == nil {
				err = p.SettleLauncher("")
			}
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "r.jsonl")
			log, err := OpenLog(path)
			if err != nil {
				t.Fatal(err)
			}
			s := &Sweep{Plan: p, Runs: p.ExpandRuns(), Launch: Launch{Binary: "ts", Launcher: launcher}, Log: log, Progress: func(Progress) {}}
			if _, err := s.RunMissing(t.Context()); err != nil {
				t.Fatal(err)
			}
			log.Close()
			made, _ := os.ReadFile(calls)
			// This reads the file as it was written. A process that another test starts at this
			// moment may still hold the lock.
			text, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer text.Close()
			var l Line
			if _, err := ReadLines(text, path, func(line Line) error { l = line; return nil }); err != nil {
				t.Fatal(err)
			}
			attempts := 0
			if c.launches > 1 {
				attempts = c.launches
			}
			if len(made) != c.launches || l.Attempts != attempts || len(l.LaunchFailures) != c.failures || l.OK() != (c.err == "") || !strings.Contains(l.Error, c.err) {
				t.Errorf("%d launches: %+v", len(made), l)
			}
		})
	}
}
