package sdk

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// strict are the flags of gcc under which the header has no warnings.
var strict = []string{"-std=c99", "-Wall", "-Wextra", "-pedantic", "-Wconversion", "-Wshadow", "-Werror"}

// checked are flags that end a program at a wrong access to memory, a leak or an overflow.
var checked = []string{"-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"}

// built has the programs that tests have compiled, in built.dir.
var built struct {
	sync.Mutex
	dir string
}

func TestMain(m *testing.M) {
	status := m.Run()
	os.RemoveAll(built.dir)
	os.Exit(status)
}

// compile compiles a C program once, without warnings and with checks of its memory.
func compile(t *testing.T, source string) (program string) {
	t.Helper()
	need(t, "gcc")
	built.Lock()
	defer built.Unlock()
	if built.dir == "" {
		var err error
		if built.dir, err = os.MkdirTemp("", "treesplit-sdk"); err != nil {
			t.Fatal(err)
		}
	}
	program = filepath.Join(built.dir, strings.TrimSuffix(filepath.Base(source), ".c"))
	if _, err := os.Stat(program); err == nil {
		return program
	}
	args := slices.Concat(strict, checked, []string{"-I", "c", "-o", program, source})
	if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil || len(out) != 0 {
		t.Fatalf("gcc %q: %v: %s", args, err, out)
	}
	return program
}

// runWorker runs a worker with the given input, and returns its exit status and output.
func runWorker(t *testing.T, input string, args ...string) (status int, out, errs string) {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	var stdout, stderr bytes.Buffer
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "PYTHONPATH=python")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &stdout, &stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
}
