package lb

import (
	"treesplit/comm"
	"treesplit/termination"
)

// CanKeepWork reports whether every rank under the scheme of that name can begin with work of
// its own, as in a search that resumes after it was halted (Options.Kept). Schemes that cut
// off subtasks cannot: they begin at the root, on one rank.
func CanKeepWork(name string) bool {
	s, err := findScheme(name)
	return err == nil && !s.tasks
}

// resumeKeptWork begins with the work that the rank has kept, if any.
func (r *rank) resumeKeptWork(env comm.Env) {
	r.account.noteReceived(r.work)
	r.credit.holdPiece(termination.EvenExponent(env.Rank(), env.Size()))
	if !r.work.Empty() {
		r.state = Busy
		return
	}
	r.detector.Recover(env, r.credit.recoverHeld())
	r.state = Seeking
	r.reportIdle(env)
}
