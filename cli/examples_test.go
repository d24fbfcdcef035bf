package cli

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// Every example that --help prints runs as printed, from the project's root, and exits with the
// status of success. Package e2e tests the examples that need a launcher.
func TestExamplesRun(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the built program, which the race detector does not see")
	}
	bin := filepath.Dir(builtProgram(t))
	var examples []string
	var collect func(c *cobra.Command)
	collect = func(c *cobra.Command) {
		for line := range strings.SplitSeq(c.Example, "\n") {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "mpirun") {
				examples = append(examples, line)
			}
		}
		for _, sub := range c.Commands() {
			collect(sub)
		}
	}
	collect((&app{}).rootCommand())
	if len(examples) < 10 {
		t.Fatalf("only %d examples", len(examples))
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range examples {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			if strings.Contains(line, " calibrate ") && runtime.GOMAXPROCS(0) < 2 {
				t.Skip("calibrate needs two ranks")
			}
			dir := t.TempDir() // in case examples write files
			if err := os.Symlink(filepath.Join(root, "testdata"), filepath.Join(dir, "testdata")); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("sh", "-c", line)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			status := 0
			var exit *exec.ExitError
			if errors.As(err, &exit) {
				status = exit.ExitCode()
			} else if err != nil {
				t.Fatal(err)
			}
			if messages := withoutProgress(stderr.String()); !slices.Contains([]int{statusDone, statusSatisfiable, statusUnsatisfiable}, status) || messages != "" {
				t.Errorf("status %d\n%s", status, messages)
			}
			if len(out) == 0 && !strings.Contains(line, "-o ") {
				t.Error("no output")
			}
		})
	}
}

// withoutProgress returns the lines of standard error that do not report progress. Most commands report
// progress only if they take more than 10 s, as on a busy machine; reproduce reports each measured run.
func withoutProgress(stderr string) string {
	var b strings.Builder
	for line := range strings.Lines(stderr) {
		measured := strings.Contains(line, ", ranks waited for a core for ")
		if !strings.HasSuffix(line, " elapsed\n") && !strings.Contains(line, " elapsed, ") && !measured {
			b.WriteString(line)
		}
	}
	return b.String()
}
