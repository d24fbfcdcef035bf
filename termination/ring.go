package termination

import (
	"fmt"

	"treesplit/comm"
)

// Ring is Safra's algorithm (Dijkstra, EWD 998; Kumar et al., section 5): a
// token goes round all ranks, waits at each until it is idle, and gathers its
// count and colour. A round takes P messages. The paper's ring token (Dijkstra,
// Feijen, van Gasteren 1983) supposes that a grant arrives at once; the counts
// make up for grants that take their time.
//
// The zero value is ready for use on every rank.
type Ring struct {
	ledger
	token visit // what the token has gathered, while it is held
	held  bool  // the token is here, waiting for the rank to run idle
	out   bool  // rank 0 has started a round
	done  bool
}

// Idle sends the token on if it is here; rank 0 starts the first round.
func (d *Ring) Idle(env comm.Env) {
	switch {
	case d.held:
		d.passToken(env)
	case env.Rank() == 0 && (!d.out || env.Size() == 1):
		d.startRound(env)
	}
}

// Receive takes the token in and sends it on at once where the rank is idle.
func (d *Ring) Receive(env comm.Env, m comm.Message, idle bool) {
	d.token, d.held = visitFromToken(m), true
	if idle {
		d.passToken(env)
	}
}

// passToken adds this rank to the round. Rank 0 is the last to be visited and either
// ends the search or starts the next round.
func (d *Ring) passToken(env comm.Env) {
	d.held = false
	round := d.token.joinVisit(d.takeVisit())
	if env.Rank() != 0 {
		round.sendToken(env, (env.Rank()+1)%env.Size())
		return
	}
	if d.done = round.isClearRound(); !d.done {
		d.startRound(env)
	}
}

// startRound begins a round at rank 0, or judges the search alone where there is no
// other rank.
func (d *Ring) startRound(env comm.Env) {
	d.out = true
	if env.Size() == 1 {
		d.done = d.takeVisit().count == 0
		return
	}
	visit{}.sendToken(env, 1)
}

// Done reports whether a round was clear.
func (d *Ring) Done() bool { return d.done }

// String describes the state.
func (d *Ring) String() string {
	return fmt.Sprintf("ring: grants sent-received %d, black %v, token here %v, done %v", d.count, d.black, d.held, d.done)
}
