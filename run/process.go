package run

// process is a run whose ranks are all in this process. It is loaded and ready to begin.
type process struct {
	problem Problem
	from    *resumePoint // state that the run resumes; or nil
	hooks   Hooks        // they end the run if its logs cannot be written
	logs    Spool        // for a proof; or nil
	release func()       // releases the name of the checkpoint
}

// openProcess loads the problem of a run and the state that the run resumes. Up to helpers workers
// load it. settle returns the problem as the world searches it, and may change the plan. The caller
// must close the process if err is nil.
func openProcess(p *Plan, w Workload, h Hooks, helpers int, settle func(Problem) Problem) (made *process, err error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if err := h.callBeginAlone(); err != nil {
		return nil, err
	}
	own := &process{}
	if own.release, err = reserveName(*p); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			own.closeProcess()
		}
	}()
	l := newLoading(*p, h)
	l.Helpers = newLocalHelpers(w, l, helpers)
	problem, err := loadProblem(w, l)
	if err != nil {
		return nil, InputError{err}
	}
	own.problem = settle(problem)
	if err := checkFacets(*p, own.problem); err != nil {
		return nil, err
	}
	dropPauses(p, own.problem, h, 0)
	if own.logs, err = openSpool(own.problem, false); err != nil {
		return nil, err
	}
	if own.from, err = openResumePoint(*p, own.problem, own.logs); err != nil {
		return nil, err
	}
	h.warnOfResumed(own.from, own.logs)
	h.tellStart(*p, own.problem, own.from)
	own.hooks = watchLogs(own.logs, h)
	return own, nil
}

// closeProcess closes the logs and releases the name of the checkpoint.
func (r *process) closeProcess() {
	closeSpool(r.logs)
	r.release()
}
