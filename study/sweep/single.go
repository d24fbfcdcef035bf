package sweep

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// A study that is no sweep makes single runs with the launchers of sweeps: each launcher gets a signal
// when the context ends, and a launch that has failed by itself is repeated.

// singleRetries is the number of times that the launch of a single run is repeated.
const singleRetries = 3

// CheckLauncher returns an error unless ranks under MPI can be started by a launcher of this name.
func CheckLauncher(launcher string) error {
	kind, err := launcherKind(launcher)
	if err == nil && kind == LocalLauncher {
		err = fmt.Errorf("launcher %q starts no ranks under MPI: expected mpirun, srun, or a program whose name begins with mpirun or mpiexec", launcher)
	}
	return err
}

// RunSingle makes a run and returns the JSON of the program. If the context ends, RunSingle ends the
// run, and returns the cause.
func (l Launch) RunSingle(ctx context.Context, r Run) (json.RawMessage, error) {
	retries := singleRetries
	s := Sweep{Plan: &Plan{Retries: &retries}, Launch: l}
	line := Line{Run: r, Launcher: LocalLauncher}
	if l.usesLauncher(r) {
		line.Launcher = l.Launcher
	}
	p, err := s.launchRun(ctx, &line)
	if err != nil {
		return nil, err
	}
	line.judgeProcess(p, 0)
	switch {
	case line.OK():
		return line.Output, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	return nil, fmt.Errorf("%s: %s%s", CommandLine(line.Command), line.Error, lastLine(line.Stderr))
}

// lastLine returns the last line of a text, after a colon; "" if there is none.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if last := toOneLine(lines[len(lines)-1]); last != "" {
		return ": " + last
	}
	return ""
}
