package lb

import (
	"treesplit/comm"
	"treesplit/topology"
)

// Trigger is a trigger for tests.
type Trigger struct{ trigger }

// NewNotifyTrigger returns a rank's trigger of notifications at rate c, in the first phase of
// the second cycle of a run that began with no rank idle.
func NewNotifyTrigger(c, size int) *Trigger {
	t := newTrigger(&Options{Trigger: TriggerNotify}, size)
	t.estimate = newEstimate(c, DefaultTriggerAt, size, false)
	t.cycles = 2
	return &Trigger{t}
}

func (t *Trigger) Phase(env comm.Env, idle bool) { t.beginPhase(env, idle) }
func (t *Trigger) Notified()                     { t.addNotification() }

// Share returns the estimated fraction of idle ranks.
func (t *Trigger) Share() float64 {
	return float64(t.sum) / float64(one*t.window*int64(t.rate))
}

// Position is the progress of a rank.
type Position struct {
	Phase, Cycle, Shuffles int32
	Partner                int  // in the phase, or −1
	Reported               bool // to the partner
	Quiet                  bool
}

// PositionOf returns the progress of the given rank.
func PositionOf(b Balancer, rank int) Position {
	r := b.(*ShuffleRank)
	p := Position{
		Phase: r.number, Cycle: r.cycle, Shuffles: r.shuffles, Partner: -1, Quiet: r.stage == quiet,
		Reported: r.stage == reported || r.stage == awaiting,
	}
	if r.place < len(r.currentPhases()) && !p.Quiet && r.stage != targeting && r.stage != shuffling {
		p.Partner = r.plan.partnerAlong(rank, r.currentPhases()[r.place].dim)
	}
	return p
}

// CycleLen returns the number of phases of a cycle, and the number of its phases with polling.
func CycleLen(network topology.Topology, always bool) (phases, polled int) {
	p := newPlan(network, always, network.Size())
	return len(p.cycle), p.polls
}

// ReduceWords passes the values of size ranks through the phases of a cycle: idle reports the
// ranks that are idle at its beginning, wish whether rank 0 wishes a shuffle. It returns the
// values of each rank at the end.
func ReduceWords(network topology.Topology, idle func(rank int) bool, wish bool) (counts []int64, wishes []bool) {
	size := network.Size()
	p := newPlan(network, false, size)
	ranks := make([]*ShuffleRank, size)
	for i := range ranks {
		ranks[i] = &ShuffleRank{plan: p}
		if idle(i) {
			ranks[i].trigger.idle = 1
		}
		ranks[i].trigger.wished = wish && i == 0
	}
	for place, at := range p.cycle {
		words := make([]int64, size)
		for i, r := range ranks {
			r.place, words[i] = place, r.trigger.reportWords(false)
		}
		for i, r := range ranks {
			if partner := p.partnerAlong(i, at.dim); partner >= 0 {
				r.trigger.absorbWords(words[partner], r.combinationAt(numbered{rank: i}, at))
			}
		}
	}
	for _, r := range ranks {
		counts, wishes = append(counts, r.trigger.idle), append(wishes, r.trigger.wished)
	}
	return counts, wishes
}

// numbered is an Env that knows its rank only.
type numbered struct {
	comm.Env
	rank int
}

func (e numbered) Rank() int { return e.rank }

// PseudoShuffle returns the permutation of a cycle.
func PseudoShuffle(seed uint64, cycle int32, size int) []int {
	g := newGenerators(new(Permutations), seed, size)
	to := make([]int, size)
	for i := range to {
		to[i] = g.imageOfRank(cycle, i, size)
	}
	return to
}
