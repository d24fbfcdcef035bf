package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"treesplit/cli"
	"treesplit/sat/cadical"
)

// world is a way to run the program: "goroutines", in this process, or the launcher of an MPI.
type world struct {
	name    string
	dir     string // for the files of launchers
	program string // the program that the launcher starts
}

// worldNames lists the values of -world.
var worldNames = []string{"goroutines", "openmpi", "mpich"}

// launchLimit ends a launcher that hangs. The program itself ends earlier, by callLimit.
const launchLimit = callLimit + time.Minute

// output is what a call of the program printed.
type output struct {
	status         int
	stdout, stderr bytes.Buffer
}

// newWorld returns the world of the given name. For an MPI it builds the program into a directory.
func newWorld(ctx context.Context, name, dir string) (*world, error) {
	w := &world{name: name, dir: dir}
	if !slices.Contains(worldNames, name) {
		return nil, fmt.Errorf("-world: %q: expected one of %s", name, strings.Join(worldNames, ", "))
	}
	if name == worldNames[0] {
		return w, nil
	}
	for _, tool := range []string{"mpicc." + name, "mpirun." + name} {
		if _, err := exec.LookPath(tool); err != nil {
			return nil, fmt.Errorf("-world: %s is not installed: expected it, from scripts/install", tool)
		}
	}
	w.program = filepath.Join(dir, "treesplit")
	build := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-tags", buildTags(), "-o", w.program, "treesplit")
	build.Env = append(build.Environ(), "CGO_ENABLED=1", "CC=mpicc."+name, "CXX=mpicxx."+name)
	if text, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building the program for %s failed: %w\n%s", name, err, text)
	}
	return w, nil
}

// buildTags returns the tags of the program for an MPI. It has the engines that this program has.
func buildTags() string {
	if cadical.Available() {
		return "mpi,cadical"
	}
	return "mpi"
}

// isLauncher reports whether a launcher starts the ranks.
func (w *world) isLauncher() bool { return w.program != "" }

// call runs the program with the given arguments on a number of ranks. An error means that the
// launcher could not be started or did not end.
func (w *world) call(ctx context.Context, ranks int, args []string) (o *output, err error) {
	o = new(output)
	if !w.isLauncher() {
		o.status = cli.Main(append(slices.Clip(args), "--ranks", strconv.Itoa(ranks)), strings.NewReader(""), &o.stdout, &o.stderr)
		return o, nil
	}
	ctx, cancel := context.WithTimeout(ctx, launchLimit)
	defer cancel()
	line, err := w.launch(ranks)
	if err != nil {
		return o, err
	}
	line = append(append(line, w.program), args...)
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	in, open, err := os.Pipe() // the end of its input can end MPICH's launcher by a broken pipe
	if err != nil {
		return o, err
	}
	defer in.Close()
	defer open.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = in, &o.stdout, &o.stderr, 5*time.Second
	err = cmd.Run()
	if ctx.Err() != nil {
		return o, fmt.Errorf("%s did not end: %w", line[0], context.Cause(ctx))
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.Exited() {
		err = nil
	}
	o.status = cmd.ProcessState.ExitCode()
	return o, err
}

// launch returns the command line of the launcher, as far as the program. Launches of Open MPI that
// share a directory for their files disturb one another, so that each gets its own.
func (w *world) launch(ranks int) ([]string, error) {
	line := []string{"mpirun." + w.name}
	if w.name == "openmpi" {
		session, err := os.MkdirTemp(w.dir, "session")
		if err != nil {
			return nil, err
		}
		line = append(line, "--oversubscribe", "--mca", "orte_tmpdir_base", session)
		if os.Geteuid() == 0 {
			line = append(line, "--allow-run-as-root")
		}
	}
	return append(line, "-n", strconv.Itoa(ranks)), nil
}
