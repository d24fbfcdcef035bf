package pace

import "treesplit/comm"

// A rank that waits after each node needs a core for each node, if only for some microseconds. A rank coasts
// if its balancer knows that nothing but nodes comes next (lb.Steady): it waits until a message arrives, and
// expands the nodes of that time afterwards. No other rank can notice the difference, because a rank with work
// does nothing else before it finds a message at a poll. Simulated ranks coast for the same reason (sim/coast.go).
//
// Only ranks whose transport can wait for a message without receiving it coast: goroutines.

// maxCoasted bounds the number of quanta.
const maxCoasted = 1 << 20

// Coast implements spmd.Pacer. Nodes with jitter have no known time, and their ranks do not coast.
func (p *Pacer) Coast(size int, quanta int64, until comm.Time) int64 {
	a, ok := p.clock.(comm.Awaiter)
	if !ok || p.jitter > 0 {
		return 1
	}
	quanta = min(quanta, maxCoasted)
	cycle := float64(size)*p.node + float64(p.poll) // a quantum and the poll after it
	p.begin()
	now := p.clock.Now()
	began := p.from + p.debt // when the first quantum begins on the emulated processor
	wait := min(began+comm.Time(float64(quanta)*cycle)-p.poll, until)
	if wait-now < leastWait {
		return 1
	}
	a.Await(wait)
	if now = p.clock.Now(); now >= wait {
		noteWait(&p.honesty, now-wait)
	}
	// Poll i, i ≥ 1, is at began + i·cycle − poll.
	return min(max(int64(float64(now-began+p.poll)/cycle)+1, 1), quanta)
}
