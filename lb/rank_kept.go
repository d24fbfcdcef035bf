package lb

import (
	"treesplit/comm"
	"treesplit/termination"
)

// CanKeepWork reports whether ranks under the scheme of that name can begin each with work of its
// own, as they do where a search goes on from where it was halted (Options.Kept). Schemes
// that cut off subtasks cannot: they begin at the root, in one place.
func CanKeepWork(name string) bool {
	s, err := findScheme(name)
	return err == nil && !s.tasks
}

// resumeKeptWork begins with the work that the rank has kept, or without any.
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
