package run

import (
	"treesplit/internal/outfile"
	"treesplit/run/proofs"
)

// process is a run whose ranks are all in this process, loaded and ready to begin.
type process struct {
	problem Problem
	from    *resumePoint      // what the run resumes; or nil
	hooks   Hooks             // that end the run if its logs cannot be kept
	logs    *proofs.Spool     // for a proof; or nil
	names   *outfile.NameLock // the names of its checkpoint
}

// openProcess loads the problem of a run and what it resumes. settle returns the problem as the
// runtime searches it, and may change the plan. The caller must close the process if err is nil.
func openProcess(p *Plan, w Workload, h Hooks, settle func(Problem) Problem) (own *process, err error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if err := h.callBeginAlone(); err != nil {
		return nil, err
	}
	names, err := reserveNames(*p)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			names.ReleaseLock()
		}
	}()
	problem, err := w.Load()
	if err != nil {
		return nil, InputError{err}
	}
	problem = settle(problem)
	from, err := prepareResumption(*p, problem)
	if err != nil {
		return nil, err
	}
	h.warnOfDamage(from)
	h.tellStart(*p, from)
	logs, err := openSpool(problem, false)
	if err != nil {
		return nil, err
	}
	return &process{problem, from, watchLogs(logs, h), logs, names}, nil
}

// closeProcess gives up the logs and the names.
func (r *process) closeProcess() {
	r.logs.Close()
	r.names.ReleaseLock()
}
