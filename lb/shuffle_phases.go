package lb

import (
	"math"

	"treesplit/comm"
	"treesplit/topology"
)

// plan is the list of phases that a cycle of poll and shuffle consists of, the same on
// every rank and never changed: with d = ⌊log2 P⌋, a fold unless P = 2^d, the
// dimensions of the hypercube of ranks below 2^d, nearest first, and the fold again.
//
// How many dimensions are polled is the network's (section 4 of the paper): all of
// them on a hypercube; on a mesh of r dimensions all but the last r·log2 log2 P, the
// farthest (4.1); on a fat tree the first ⌈√(log2 P)⌉ (4.2); at least one. A ring
// counts as a mesh of one dimension, and other networks as hypercubes. Where the
// decision to shuffle is one of all ranks the others are not left out: in them reports
// are exchanged at once and without work. They cost the latency of a message each, at
// the end of a cycle, but no time of work, since busy ranks work on meanwhile.
type plan struct {
	size  int
	dims  int // d
	cycle []phase
	// exchange follows the cycle where a permutation is drawn exactly (exchange).
	exchange []phase
	// global says that the cycle's phases take in every dimension, so that at its end
	// each rank has heard, by way of others, from all.
	global bool
	// generators are the set of pseudorandom permutations whose products shuffle.
	generators *generators
}

// phase is one phase of a plan.
type phase struct {
	dim  int8 // that of the partner, or plan.dims for the fold
	kind phaseKind
}

// phaseKind is what ranks do in a phase.
type phaseKind uint8

const (
	polling    phaseKind = iota // work, report, and share
	telling                     // report
	scattering                  // pass on items (exchange)
	counting                    // add up items (exchange)
)

// planKey is what a plan is made from.
type planKey struct {
	network topology.Topology
	always  bool
	exact   bool
	seed    uint64
}

// plan returns the plan for a rank's options, one for all that share Permutations.
func (p *Permutations) plan(o *Options, size int) *plan {
	network := o.Network
	if network == nil {
		network = topology.Hypercube{P: size}
	}
	key := planKey{network, o.Trigger == TriggerAlways, o.Permutation == exactPermutation, o.Seed}
	if made, ok := p.plans[key]; ok {
		return made
	}
	if p.plans == nil {
		p.plans = map[planKey]*plan{}
	}
	made := newPlan(network, key.always, size)
	if !key.exact && size > 1 {
		made.generators = newGenerators(p, o.Seed, size)
	}
	p.plans[key] = made
	return made
}

// newPlan makes the plan for a network.
func newPlan(network topology.Topology, always bool, size int) *plan {
	order := topology.Dims(network)
	p := &plan{size: size, dims: len(order)}
	polled := polledDims(network, p.dims)
	p.global = polled == p.dims || !always
	folds := size > 1<<p.dims
	if folds {
		p.cycle = append(p.cycle, phase{int8(p.dims), polling})
		p.exchange = append(p.exchange, phase{int8(p.dims), scattering})
	}
	for i, d := range order {
		switch {
		case i < polled:
			p.cycle = append(p.cycle, phase{int8(d), polling})
		case p.global:
			p.cycle = append(p.cycle, phase{int8(d), telling})
		}
		p.exchange = append(p.exchange, phase{int8(d), scattering})
	}
	if folds {
		p.cycle = append(p.cycle, phase{int8(p.dims), polling})
	}
	for _, d := range order {
		p.exchange = append(p.exchange, phase{int8(d), counting})
	}
	return p
}

// polledDims is how many of d dimensions are polled on a network.
func polledDims(network topology.Topology, d int) int {
	if d == 0 {
		return 0
	}
	polled := float64(d)
	log := math.Log2(float64(network.Size()))
	switch m := network.(type) {
	case topology.Ring:
		polled -= math.Round(math.Log2(log))
	case topology.Mesh:
		polled -= math.Round(2 * math.Log2(log))
	case topology.MeshR:
		polled -= math.Round(float64(m.R) * math.Log2(log))
	case topology.FatTree:
		polled = math.Ceil(math.Sqrt(log))
	}
	return min(max(int(polled), 1), d)
}

// partner is the rank that a rank meets along a dimension or in the fold, or −1.
func (p *plan) partner(rank int, dim int8) int {
	low := 1 << p.dims
	switch {
	case int(dim) < p.dims && rank < low:
		return rank ^ 1<<dim
	case int(dim) == p.dims && rank >= low:
		return rank - low
	case int(dim) == p.dims && rank+low < p.size:
		return rank + low
	}
	return -1
}

// between is the dimension along which two ranks meet, or −1.
func (p *plan) between(a, b int) int {
	for d := range p.dims + 1 {
		if p.partner(a, int8(d)) == b {
			return d
		}
	}
	return -1
}

// report is what a partner has reported before this rank came to the phase. One place
// for each partner is enough: two ranks meet in the same phases, and neither goes on
// from one before it has the other's report, and its answer if one is due. So when a
// partner reports its next phase with this rank, this rank has sent its report of the
// last one; and it has done with the partner's, because the messages between two ranks
// keep their order, and handling one takes the rank as far as it gets.
type report struct {
	there bool
	phase int32
	arg   int64
}

// keep takes in a partner's report.
func (r *ShuffleRank) keep(env comm.Env, m comm.Message) {
	dim := r.plan.between(env.Rank(), int(m.From))
	if dim < 0 || r.early[dim].there {
		r.unexpected(m)
		return
	}
	r.early[dim] = report{there: true, phase: m.Tag, arg: m.Arg}
}

// length is when a phase is over.
type length struct {
	nodes int       // that a rank expands in it; 0: span
	span  comm.Time // how long it takes
	pause comm.Time // between two idle ranks that have met and their next phase

	done  int       // nodes so far
	until comm.Time // the end of the phase, or of the pause
}

// DefaultPhase is the length of a phase where Options names none.
const DefaultPhase comm.Time = 200 * 1000

func newLength(o *Options) length {
	l := length{nodes: o.PhaseNodes, span: o.Phase, pause: o.Rest}
	if l.nodes > 0 {
		return l
	}
	if l.span <= 0 {
		l.span = DefaultPhase
	}
	l.pause = l.span
	return l
}

// cut cuts a step down to what is left of the phase.
func (l *length) cut(max int) int {
	if l.nodes > 0 {
		return min(max, l.nodes-l.done)
	}
	return max
}

// begin begins a phase.
func (l *length) begin(env comm.Env) {
	l.done = 0
	if l.nodes == 0 {
		l.until = env.Now() + l.span
	}
}

// over says whether a busy rank has come to the end of the phase.
func (l *length) over(env comm.Env) bool {
	if l.nodes > 0 {
		return l.done >= l.nodes
	}
	return env.Now() >= l.until
}

// phases is the list that the rank goes through now.
func (r *ShuffleRank) phases() []phase {
	if r.exchanging {
		return r.plan.exchange
	}
	return r.plan.cycle
}

// idling says that the rank has no work.
func (r *ShuffleRank) idling() bool { return r.state != Busy }

// enter begins the phase at hand, or what follows the last one.
func (r *ShuffleRank) enter(env comm.Env) {
	if r.place == len(r.phases()) {
		r.turn(env)
		return
	}
	if r.place == 0 && !r.exchanging {
		r.trigger.open(env, r.idling())
	}
	at := r.phases()[r.place]
	if !r.exchanging {
		r.trigger.phase(env, r.idling())
	}
	if r.plan.partner(env.Rank(), at.dim) < 0 {
		r.next()
		return
	}
	r.stage = working
	if at.kind == polling && r.idling() && r.lonely && r.length.pause > 0 {
		r.stage = pausing
		r.length.until = env.Now() + r.length.pause
		env.Alarm(r.length.until)
		return
	}
	r.length.begin(env)
}

// resume begins the phase after a pause: when the time is up, or when the partner has
// reported it, since waiting then spares nobody anything.
func (r *ShuffleRank) resume(env comm.Env) bool {
	at := r.plan.cycle[r.place]
	if env.Now() < r.length.until && !r.early[at.dim].there {
		return false
	}
	r.stage = working
	r.length.begin(env)
	return true
}

// report tells the partner that the phase is over here, if it is.
func (r *ShuffleRank) report(env comm.Env) bool {
	at := r.phases()[r.place]
	if at.kind == polling && !r.idling() && !r.length.over(env) {
		return false
	}
	r.idled = r.idling()
	partner := r.plan.partner(env.Rank(), at.dim)
	var arg int64
	switch at.kind {
	case polling, telling:
		arg = r.trigger.words(r.idled)
	case scattering:
		r.exact.pass(env, r.plan, at.dim, r.number)
	case counting:
		arg = r.exact.total
	}
	env.Send(comm.Message{To: int32(partner), Kind: comm.Status, Tag: r.number, Arg: arg})
	r.stage = reported
	return true
}

// meet ends the phase once the partner's report is there.
func (r *ShuffleRank) meet(env comm.Env) bool {
	at := r.phases()[r.place]
	their := &r.early[at.dim]
	if !their.there {
		return false
	}
	partner := r.plan.partner(env.Rank(), at.dim)
	if their.phase != r.number {
		r.unexpected(comm.Message{From: int32(partner), Kind: comm.Status, Tag: their.phase, Arg: their.arg})
		return false
	}
	their.there = false
	switch at.kind {
	case polling, telling:
		r.trigger.absorb(their.arg, r.combine(env, at))
	case scattering:
		r.exact.gather(r.number)
	case counting:
		r.exact.add(their.arg, env.Rank()>>at.dim&1 == 1)
	}
	if at.kind == polling {
		r.share(env, partner, saysIdle(their.arg))
	} else {
		r.next()
	}
	return true
}

// share evens out between partners: an idle rank waits for a busy one's answer. A rank
// that has reported itself busy may have run idle meanwhile and refuses then.
func (r *ShuffleRank) share(env comm.Env, partner int, theyIdle bool) {
	r.lonely = r.idled && theyIdle
	switch {
	case r.idled && !theyIdle:
		r.stats.Requests++
		r.stage = awaiting
		return
	case theyIdle && !r.idled && !r.give(env, partner, r.number):
		r.stats.Rejects++
		env.Send(comm.Message{To: int32(partner), Kind: comm.Reject, Tag: r.number})
	}
	r.next()
}

// next goes on to the next phase.
func (r *ShuffleRank) next() {
	r.place++
	r.number++
	r.stage = entering
}

// turn follows the last phase of a list: the end of a cycle with or without a shuffle,
// or of the exchange before one.
func (r *ShuffleRank) turn(env comm.Env) {
	r.place = 0
	switch {
	case r.exchanging:
		r.exchanging = false
		r.exact.place(env, r.cycle)
		r.stage = targeting
	case r.plan.global && r.trigger.allIdle():
		r.stage = quiet
	case !r.trigger.shuffle():
		r.cycle++
	case r.exact != nil:
		r.exchanging = true
		r.exact.begin(env, r.plan)
	default:
		r.move(env, r.plan.generators.image(r.cycle, env.Rank(), r.plan.size))
	}
}
