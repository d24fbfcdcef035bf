package lb

import "treesplit/comm"

// backoff makes a requester pause between its requests. After P refusals in a row it pauses
// for least. The pause doubles after each further refusal, up to longestBackoff times least. A
// grant ends the series. If least is 0 there are no pauses.
type backoff struct {
	least    comm.Time
	refusals int
	span     comm.Time // the next pause, or the current one
	until    comm.Time
}

// longestBackoff is the longest pause in multiples of the shortest.
const longestBackoff = 32

// noteRefusal counts a refusal and begins a pause if there were enough of them.
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
