package lb

import "treesplit/comm"

// rest is the patience of a requester: refused as often in a row as there are
// ranks, it rests for least, and for twice as long after each further refusal,
// up to longest times that, until it is granted work. least 0 is no rest ever.
type rest struct {
	least    comm.Time
	refusals int
	span     comm.Time // the rest to come, or the one under way
	until    comm.Time
}

// longest bounds a rest, in multiples of the shortest.
const longest = 32

// refused notes a refusal and begins a rest where the patience is at an end.
func (p *rest) refused(env comm.Env) {
	p.refusals++
	if p.least == 0 || p.refusals < env.Size() {
		return
	}
	p.span = min(max(2*p.span, p.least), longest*p.least)
	p.until = env.Now() + p.span
	env.Alarm(p.until)
}

// granted ends the series of refusals.
func (p *rest) granted() { p.refusals, p.span, p.until = 0, 0, 0 }

// resting says whether a rest is under way.
func (p *rest) resting(env comm.Env) bool { return p.until > 0 && env.Now() < p.until }
