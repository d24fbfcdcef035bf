package termination

import (
	"fmt"

	"treesplit/comm"
)

// Credit recovers credit (Mattern 1989, "Global quiescence detection based on
// credit distribution and recovery"; Kumar et al., section 5): the root of the
// search has credit 1, every split halves its piece's credit, a finished piece
// sends its credit to rank 0. The search is over when rank 0 has credit 1 again.
// One message a finished piece, all of them to rank 0, and no round to wait for.
//
// The zero value is ready for use on every rank.
type Credit struct {
	back Fraction // what has come back, on rank 0
}

// Sent needs no note: the grant carries its credit.
func (d *Credit) Sent() {}

// Received needs no note either.
func (d *Credit) Received() {}

// Idle does nothing: Recover has said it all.
func (d *Credit) Idle(comm.Env) {}

// Recover returns a finished piece's credit to rank 0.
func (d *Credit) Recover(env comm.Env, e int64) {
	if env.Rank() == 0 {
		d.back.AddCredit(e)
		return
	}
	env.Send(comm.Message{To: 0, Kind: comm.Credit, Arg: e})
}

// Receive adds what a rank has returned.
func (d *Credit) Receive(_ comm.Env, m comm.Message, _ bool) { d.back.AddCredit(m.Arg) }

// Done reports whether all credit is back.
func (d *Credit) Done() bool { return d.back.IsExactlyOne() }

// String describes the state.
func (d *Credit) String() string { return fmt.Sprintf("credit: %v back", &d.back) }
