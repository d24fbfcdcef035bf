package cli

import (
	"fmt"
	"slices"

	"treesplit/mpi"
	"treesplit/run"
)

// ofOneProcess are the commands that run in one process. N copies of one would overwrite each
// other's files, and print everything N times.
var ofOneProcess = []string{"gen", "check", "chaos", "reproduce", "report", "sweep", "predict", "completion", "worker"}

// checkOneProcess returns an error for a command of one process that a launcher has started several
// times.
func (c *call) checkOneProcess() error {
	size, _ := mpi.Launched()
	if size < 2 || !slices.ContainsFunc(ofOneProcess, c.isCommand) {
		return nil
	}
	return run.InputError{Err: fmt.Errorf("%s runs in one process, but the MPI launcher has started %d: start it without the launcher", c.commandPath(), size)}
}
