package run

import (
	"treesplit/comm"
	"treesplit/spmd"
)

// callBegin calls Hooks.Begin on rank 0; its error is that of all ranks.
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

// callBeginAlone is callBegin where one process has all ranks.
func (h Hooks) callBeginAlone() error {
	if h.Begin == nil {
		return nil
	}
	return h.Begin()
}
