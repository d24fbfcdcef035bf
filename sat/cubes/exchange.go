package cubes

import (
	"math"

	"treesplit/sat"
	"treesplit/sat/mailbox"
)

// Exchange of learnt clauses between shares (package mailbox). A share takes in the clauses of other
// shares when its solver begins the next cube.
//
// Every clause that leaves a share is logged as kept, so that the copies of other shares follow from
// it whatever the share deletes later. A clause that comes in is logged as learnt: its copy in the
// proof belongs to the receiver. The logs have the clocks of the boxes: what a share has exported at a clock
// is taken in at a higher clock, and proof.MergeLearntFirst arranges the records by clocks.

// shared is the filter of the exchange.
var shared = mailbox.Filter{Literals: 8, LBD: 2}

var _ sat.Exchanger = (*walk)(nil)

// Exchanges reports whether the solver exchanges clauses with solvers of other shares.
func (w *walk) Exchanges() bool { return w.rule.options.Exchange }

// TakenIn returns the number of clauses that were taken in.
func (w *walk) TakenIn() int64 { return w.box.Taken() }

// Export appends clauses with the clock, at most limit bytes.
func (w *walk) Export(dst []byte, limit int) []byte { return w.box.Export(dst, limit) }

// Import receives clauses that follow from the formula.
func (w *walk) Import(facts []byte) error { return w.box.Import(facts, w.rule.Variables()) }

// takeIncoming gives the clauses of other shares to the solver, which has no assumptions.
func (w *walk) takeIncoming() {
	if !w.box.HasIncoming() {
		return
	}
	w.log.SetClock(w.box.Clock())
	w.box.TakeIn(math.MaxInt, func(clause []int32) {
		w.log.WriteLearnt(clause)
		w.solver.AddLearnt(clause...)
	})
}

// offerLemma offers a lemma of the solver to other shares, and logs the copy that stays for all shares.
func (w *walk) offerLemma(clause []int32) {
	if w.rule.options.Exchange && w.box.Offer(clause, w.solver.LemmaLBD()) {
		w.log.WriteKept(clause)
	}
}
