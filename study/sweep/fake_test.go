package sweep

import (
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fakeEnvironment makes this test's own binary act as the measured program.
const fakeEnvironment = "SWEEP_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(fakeEnvironment) != "" {
		os.Exit(fake(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// fake acts as the argument after the verb requests, as the real program could.
func fake(args []string) (status int) {
	const object = `{"world":"local","scheme":"rp","termination":"ring","seconds":0.5,"expanded":12,"mpiLibrary":"Fake MPI 1"}`
	value := func(flag string) string {
		if i := slices.Index(args, flag); i >= 0 {
			return args[i+1]
		}
		return ""
	}
	switch what := args[1]; what {
	case "ok":
		fmt.Println(object)
	case "sat":
		fmt.Println("a launcher has something to say\n\n" + object)
		return 10
	case "fail":
		fmt.Fprintln(os.Stderr, strings.Repeat("x", 3*maxTail)+"\nlast words")
		return 7
	case "stopped": // under a launcher that does not report it
		fmt.Println(`{"reason":"interrupted","seconds":0.5}`)
	case "silent":
	case "signals":
		fmt.Println(EndSignals())
	case "sweep":
		return sweepUntilSignal(args[2], args[3], args[4])
	case "endless":
		for range maxOutput>>20 + 1 {
			fmt.Print(strings.Repeat("y", 1<<20))
		}
	case "killed":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "search": // runs until it is asked to end, with a checkpoint, for which it may need some time; resumed it runs to its end
		// Like the real program it counts SIGTERM and not SIGUSR1, and the second counted signal ends it at once.
		if value("--resume") != "" {
			fmt.Println(object)
			return 0
		}
		signals := make(chan os.Signal, 4)
		signal.Notify(signals, syscall.SIGTERM, syscall.SIGUSR1)
		begun, err := os.OpenFile(args[2], os.O_WRONLY, 0) // a pipe, which the test has opened
		if err != nil {
			return 1
		}
		fmt.Fprintln(begun, os.Getpid())
		begun.Close()
		span, _ := time.ParseDuration(args[3])
		if !untilSaved(signals, span) {
			return 3
		}
		if file := value("--checkpoint"); file != "" {
			if os.WriteFile(file, []byte("half of it"), 0o600) != nil {
				return 1
			}
		}
		return 3
	}
	return 0
}

// untilSaved waits for a signal, and then for the time that saving takes. It returns false if a second SIGTERM
// comes before that.
func untilSaved(signals <-chan os.Signal, span time.Duration) bool {
	var saved <-chan time.Time
	for counted := 0; ; {
		select {
		case s := <-signals:
			if s == syscall.SIGTERM {
				counted++
			}
			if counted > 1 {
				return false
			}
			if saved == nil {
				saved = time.After(span)
			}
		case <-saved:
			return true
		}
	}
}

// sweepOf returns a sweep of the fake program; the results are in the log's file.
func sweepOf(t *testing.T, plan, results string) *Sweep {
	t.Helper()
	t.Setenv(fakeEnvironment, "1")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := parse(t, plan)
	facts, err := GatherFacts(self)
	if err != nil {
		t.Fatal(err)
	}
	log, err := OpenLog(results)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	return &Sweep{Plan: p, Runs: p.ExpandRuns(), Launch: Launch{Binary: self, Launcher: LocalLauncher}, Facts: facts, Log: log, Checkpoints: t.TempDir(), Progress: func(Progress) {}}
}
