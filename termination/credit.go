package termination

import (
	"fmt"

	"treesplit/comm"
)

// Credit recovers credit (Mattern 1989, "Global quiescence detection based on credit
// distribution and recovery"; Kumar et al., section 5). The root of the search has credit 1.
// Every split halves the credit and gives one half to the piece. A rank returns the credit of
// a finished piece to rank 0. The search is over when rank 0 has credit 1 again. Each finished
// piece costs one message, always to rank 0. There are no rounds.
//
// The zero value is ready for use on every rank.
type Credit struct {
	back Fraction // the sum of the returned credits, on rank 0
}

// Sent does nothing: the grant carries its credit.
func (d *Credit) Sent() {}

// Received does nothing: the grant carries its credit.
func (d *Credit) Received() {}

// Idle does nothing: Recover has returned the credit already.
func (d *Credit) Idle(comm.Env) {}

// Recover returns a finished piece's credit to rank 0.
func (d *Credit) Recover(env comm.Env, e int64) {
	if env.Rank() == 0 {
		d.back.AddCredit(e)
		return
	}
	env.Send(comm.Message{To: 0, Kind: comm.Credit, Arg: e})
}

// Receive adds the credit that a rank has returned.
func (d *Credit) Receive(_ comm.Env, m comm.Message, _ bool) { d.back.AddCredit(m.Arg) }

// Done reports whether all credit has been returned.
func (d *Credit) Done() bool { return d.back.IsExactlyOne() }

// String returns a description of the state.
func (d *Credit) String() string { return fmt.Sprintf("credit: %v returned", &d.back) }
