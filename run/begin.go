package run

import (
	"treesplit/comm"
	"treesplit/spmd"
)

// callBegin calls Hooks.Begin on rank 0. All ranks return the error of that call.
func (h Hooks) callBegin(t comm.Transport) error {
	if h.Begin == nil {
		return nil
	}
	var err error
	if t.Rank() == 0 {
		err = h.Begin()
	}
	if err = spmd.AgreeOnError(t, err); err != nil {
		return InputError{err}
	}
	return nil
}

// callBeginAlone is callBegin for a run whose ranks are all in one process.
func (h Hooks) callBeginAlone() error {
	if h.Begin == nil {
		return nil
	}
	return h.Begin()
}
