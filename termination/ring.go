package termination

import (
	"fmt"

	"treesplit/comm"
)

// Ring is Safra's algorithm (Dijkstra, EWD 998; Kumar et al., section 5). A token visits all
// ranks in turn, waits at each until the rank is idle, and collects its count and colour. A
// round takes P messages. The paper's ring token (Dijkstra, Feijen, van Gasteren 1983) assumes
// that a grant arrives at once. The counts make the algorithm correct for grants that take
// time.
//
// The zero value is ready for use on every rank.
type Ring struct {
	ledger
	token visit // what the token has collected, while this rank holds it
	held  bool  // the token is at this rank and waits until the rank is idle
	out   bool  // rank 0 has started a round
	done  bool  // a round was clear
}

// Idle sends the token on if it is at this rank. Rank 0 starts the first round.
func (d *Ring) Idle(env comm.Env) {
	switch {
	case d.held:
		d.passToken(env)
	case env.Rank() == 0 && (!d.out || env.Size() == 1):
		d.startRound(env)
	}
}

// Receive takes the token, and sends it on at once if the rank is idle.
func (d *Ring) Receive(env comm.Env, m comm.Message, idle bool) {
	d.token, d.held = visitFromToken(m), true
	if idle {
		d.passToken(env)
	}
}

// passToken adds this rank to the round. Rank 0 is visited last; it either ends the search or
// starts the next round.
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

// startRound begins a round at rank 0. If there is no other rank, it decides at once whether
// the search is over.
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

// String returns a description of the state.
func (d *Ring) String() string {
	return fmt.Sprintf("ring: grants sent-received %d, black %v, token here %v, done %v", d.count, d.black, d.held, d.done)
}
