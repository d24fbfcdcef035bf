package lb

import (
	"treesplit/comm"
	"treesplit/termination"
)

// Keeps says whether ranks under the scheme of that name can begin each with work of its
// own, as they do where a search goes on from where it was halted (Options.Kept). Schemes
// that cut off subtasks cannot: they begin at the root, in one place.
func Keeps(name string) bool {
	s, err := find(name)
	return err == nil && !s.tasks
}

// goOn begins with the work that the rank has kept, or without any.
func (r *rank) goOn(env comm.Env) {
	r.account.entered(r.work)
	r.credit.take(termination.EvenExponent(env.Rank(), env.Size()))
	if !r.work.Empty() {
		r.state = Busy
		return
	}
	r.detector.Recover(env, r.credit.recover())
	r.state = Seeking
	r.runIdle(env)
}
