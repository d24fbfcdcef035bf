package lb

import (
	"math/bits"

	"treesplit/comm"
)

// Keeps says whether ranks under the scheme of that name can begin each with work of its
// own, as they do where a search goes on from where it was halted (Options.Kept). Schemes
// that cut off subtasks cannot: they begin at the root, in one place.
func Keeps(name string) bool {
	s, err := find(name)
	return err == nil && !s.tasks
}

// keptExponent is e where the credit of what a rank of size begins with is 2^−e. Over all
// ranks that adds up to 1: of 2^k + r ranks the first 2r begin with 2^−(k+1), the others with
// 2^−k.
func keptExponent(rank, size int) int64 {
	k := bits.Len(uint(size)) - 1
	if rank < 2*(size-1<<k) {
		k++
	}
	return int64(k)
}

// goOn begins with the work that the rank has kept, or without any.
func (r *rank) goOn(env comm.Env) {
	r.account.entered(r.work)
	r.credit.take(keptExponent(env.Rank(), env.Size()))
	if !r.work.Empty() {
		r.state = Busy
		return
	}
	r.detector.Recover(env, r.credit.recover())
	r.state = Seeking
	r.runIdle(env)
}
