package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// programDir is the directory in which the program is built for the tests that start it.
var programDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "treesplit-cli-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	programDir = dir
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// buildProgram builds the program without debugging information, whose generation takes the most
// time.
var buildProgram = sync.OnceValues(func() (path string, err error) {
	path = filepath.Join(programDir, "treesplit")
	out, err := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-w", "-o", path, "treesplit").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return path, err
})

// builtProgram returns the path of the program, which is built once.
func builtProgram(t *testing.T) string {
	t.Helper()
	path, err := buildProgram()
	if err != nil {
		t.Fatal(err)
	}
	return path
}
