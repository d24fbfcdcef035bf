package lb

import "treesplit/comm"

// backoff makes a requester pause between its requests. Refused as often in a row as there are
// ranks, it pauses for least, and for twice as long after each further refusal, up to
// longestBackoff times that, until it is granted work. With least 0 it never pauses.
type backoff struct {
	least    comm.Time
	refusals int
	span     comm.Time // the pause to come, or the one in progress
	until    comm.Time
}

// longestBackoff bounds a pause, in multiples of the shortest.
const longestBackoff = 32

// noteRefusal notes a refusal and begins a pause where there were enough of them.
func (p *backoff) noteRefusal(env comm.Env) {
	p.refusals++
	if p.least == 0 || p.refusals < env.Size() {
		return
	}
	p.span = min(max(2*p.span, p.least), longestBackoff*p.least)
	p.until = env.Now() + p.span
	env.Alarm(p.until)
}

// noteGrant ends the series of refusals.
func (p *backoff) noteGrant() { p.refusals, p.span, p.until = 0, 0, 0 }

// isPausing reports whether a pause is in progress.
func (p *backoff) isPausing(env comm.Env) bool { return p.until > 0 && env.Now() < p.until }
