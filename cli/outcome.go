package cli

import "treesplit/run"

// outcome is the result of a command, in addition to its error, for the end of the process.
type outcome struct {
	status     int          // exit status, unless something fails
	trouble    error        // an additional failure: reported after the answer, with status 1
	endMPI     func() error // ends MPI; nil: this process has not started MPI
	othersLeft bool         // the other ranks have left, and cannot receive an error
}

// endProcess reports the errors of the command, ends MPI, and returns the exit status. MPI ends
// last, because its end may block.
func (a *app) endProcess(o outcome, err error) int {
	if err != nil {
		o.status = a.reportError(err)
	}
	if o.trouble != nil {
		a.reportError(o.trouble)
		o.status = statusFailed
	}
	if o.endMPI == nil {
		return o.status
	}
	if err := o.endMPI(); err != nil {
		return a.reportError(err)
	}
	return o.status
}

// statusOf returns the exit status of a run.
func statusOf(r *run.Result) int {
	if isStoppedEarly(r.Why) {
		return statusStopped
	}
	return statusDone
}
