package chaos

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/search"
	"treesplit/sim"
	"treesplit/termination"
	"treesplit/topology"
)

// segment holds the values drawn for a part of a search: from its beginning, or from an
// interruption, to its end or to the next interruption.
type segment struct {
	scheme, detector string
	ranks            int
	seed             uint64 // of the simulation
	machine          sim.Machine
	faults           sim.Faults
	split            search.Splitting
	damage           float64 // α of a damaged splitting function; 0: none
	refuse           int     // one in refuse splits is refused; 0: none
	options          lb.Options
	pauseAt          comm.Time // 0: never
	encode           bool      // the remaining pieces are encoded as a checkpoint and decoded
}

// happensOnceIn returns true once in n times on average.
func happensOnceIn(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

// drawOneOf draws one of several values.
func drawOneOf[T any](r *rand.Rand, all []T) T { return all[r.IntN(len(all))] }

// drawLogUniform draws from least to most; every order of magnitude has the same probability.
func drawLogUniform(r *rand.Rand, least, most float64) float64 {
	return least * math.Exp(r.Float64()*math.Log(most/least))
}

// drawSegment draws a segment of a search of t, which begins with the given number of pieces, or
// with the root if there are none.
func drawSegment(r *rand.Rand, t *tree, pieces int) segment {
	l := segment{detector: drawOneOf(r, termination.DetectorNames()), ranks: 1 + r.IntN(2<<r.IntN(6)), seed: r.Uint64(), machine: drawMachine(r)}
	l.faults = drawFaults(r, l.machine.Expand)
	l.split = search.Splitting{Rule: drawOneOf(r, []search.Rule{search.Half, search.Half, search.Bottom}), MinOpen: 1 + r.IntN(4)}
	if happensOnceIn(r, 4) {
		l.split.Cutoff = 2 + r.IntN(8)
	}
	if happensOnceIn(r, 4) {
		if l.split.Rule == search.Bottom {
			l.split.Skip = 1 + r.IntN(5)
		} else {
			l.damage = drawLogUniform(r, 0.02, 1)
		}
	}
	if happensOnceIn(r, 4) {
		l.refuse = 2 + r.IntN(4)
	}
	l.scheme = drawOneOf(r, l.fittingSchemes(t, pieces))
	l.options = l.drawOptions(r, pieces)
	l.options.Kept = pieces > 0 && lb.CanKeepWork(l.scheme) && happensOnceIn(r, 2)
	return l
}

// fittingSchemes returns the schemes that can balance shares of this tree, damaged or not.
func (l *segment) fittingSchemes(t *tree, pieces int) (fit []string) {
	share := t.blind()
	if l.damage > 0 {
		share = search.NewDamaged(share, l.damage, t.blind)
	}
	if pieces > 0 {
		share = search.NewResumed(share, nil, nil, false)
	}
	for _, s := range append(lb.SchemeNames(), "static+grr-m", "static+lifeline", "static+sb", "static+shuffle") {
		if lb.CheckShare(s, share) == nil && !(l.damage > 0 && lb.MovesShares(s) && lb.HasStaticStart(s)) { // runs refuse a static start with moving shares
			fit = append(fit, s)
		}
	}
	return fit
}

// drawOptions draws the options of all schemes, whether or not the drawn scheme uses them.
func (l *segment) drawOptions(r *rand.Rand, pieces int) lb.Options {
	o := lb.Options{
		Backoff: l.machine.Rest, Seed: l.seed,
		Delay:                 comm.Time(r.IntN(2)) * comm.Time(float64(l.machine.Expand)*drawLogUniform(r, 0.1, 100)),
		Cutoff:                1 + r.IntN(10),
		Levels:                r.IntN(4),
		Arity:                 r.IntN(2) * (2 + r.IntN(5)),
		EqualTargets:          happensOnceIn(r, 2),
		RouteThroughScheduler: happensOnceIn(r, 2),
		Splits:                r.IntN(12),
		Cluster:               drawLogUniform(r, 0.5, 4) * float64(r.IntN(2)),
		Trigger:               drawOneOf(r, lb.Triggers),
		TriggerAt:             drawLogUniform(r, 0.01, 1) * float64(r.IntN(2)),
		Permutation:           drawOneOf(r, lb.ShufflePermutations),
		Phase:                 comm.Time(float64(l.machine.Expand) * drawLogUniform(r, 2, 200)),
	}
	if happensOnceIn(r, 2) {
		o.PhaseNodes = 1 + r.IntN(32)
	}
	if o.Levels > 0 {
		o.Cutoff = max(o.Cutoff, o.Levels)
	}
	switch {
	case pieces > 0 && happensOnceIn(r, 2):
		o.Splits = bits.Len(uint(pieces))
	case pieces == 0 && happensOnceIn(r, 6):
		o.Splits = lb.AutoSplits
	}
	return o
}

// drawMachine draws the costs of a machine. Costs of messages are drawn relative to the time of a
// node: with far cheaper messages a run would consist of requests only.
func drawMachine(r *rand.Rand) sim.Machine {
	m := drawOneOf(r, sim.Builtin)
	if happensOnceIn(r, 3) {
		m.Topology = drawOneOf(r, topology.NetworkNames())
	} else if !happensOnceIn(r, 3) {
		node := drawLogUniform(r, 1e3, 1e5)
		cost := func() comm.Time { return comm.Time(node * drawLogUniform(r, 0.1, 10) * float64(r.IntN(2))) }
		m = sim.Machine{
			Topology: drawOneOf(r, topology.NetworkNames()), Expand: comm.Time(node), ExpandPico: r.Int64N(1000),
			Poll: comm.Time(node / 20), Startup: cost(), Receive: comm.Time(node * drawLogUniform(r, 0.1, 10)), PerWord: cost() / 16, PerHop: cost(),
			Split: cost(), Accept: cost(), Closing: cost(), HeaderWords: r.IntN(8),
		}
		m.Work = drawOneOf(r, []sim.WorkSize{{}, {Rule: sim.Fixed, Bytes: 500}, {Rule: sim.Sqrt, Bytes: 20}})
	}
	if happensOnceIn(r, 4) {
		m.Contention = drawOneOf(r, []sim.Contention{sim.CutThrough, sim.StoreAndForward})
		if m.CheckFields() != nil { // the network has no links
			m.Contention = sim.NoContention
		}
	}
	if happensOnceIn(r, 4) {
		m.Neighbours = drawOneOf(r, topology.NetworkNames())
	}
	if happensOnceIn(r, 4) {
		m.Rest = comm.Time(float64(m.Expand) * drawLogUniform(r, 0.2, 20))
	}
	m.Name, m.Quantum, m.Serve = "drawn", int(drawLogUniform(r, 1, 65)), int(drawLogUniform(r, 1, 9))
	if happensOnceIn(r, 8) {
		m.Serve = 1 << 20
	}
	return m
}

// drawFaults draws the kinds of faults, and then their extent relative to the time of a node.
func drawFaults(r *rand.Rand, node comm.Time) (f sim.Faults) {
	if happensOnceIn(r, 3) {
		f.SlowOneIn, f.SlowBy = 1+r.IntN(8), 2+r.IntN(7)
	}
	if happensOnceIn(r, 3) {
		f.Jitter = comm.Time(float64(node) * drawLogUniform(r, 0.1, 200))
	}
	if happensOnceIn(r, 3) {
		f.PauseOneIn, f.Pause = 20+r.IntN(200), comm.Time(float64(node)*drawLogUniform(r, 1, 300))
	}
	return f
}

// drawPause draws the moment at which to interrupt a segment with nodes remaining nodes: any time
// from before the arrival of the first message to after the end.
func (l *segment) drawPause(r *rand.Rand, nodes int64) {
	l.pauseAt = 1 + comm.Time(float64(l.machine.Expand)*drawLogUniform(r, 0.1, 20+4*float64(nodes)/math.Sqrt(float64(l.ranks))))
	l.encode = happensOnceIn(r, 6)
}

// String describes everything that was drawn.
func (l segment) String() string {
	o := l.options
	return fmt.Sprintf("%s, %s, %d ranks, seed %d, pause at %d ns, encoded %v\n  machine %+v\n  faults %+v, split %+v, damage %g, one split in %d refused\n"+
		"  delay %d ns, cutoff %d, levels %d of arity %d, splits %d, cluster %g, phase %d ns or %d nodes, trigger %s at %g, permutation %s, by way of the scheduler %v, equal targets %v, all begin with pieces %v",
		l.scheme, l.detector, l.ranks, l.seed, l.pauseAt, l.encode, l.machine, l.faults, l.split, l.damage, l.refuse,
		o.Delay, o.Cutoff, o.Levels, o.Arity, o.Splits, o.Cluster, o.Phase, o.PhaseNodes, o.Trigger, o.TriggerAt, o.Permutation, o.RouteThroughScheduler, o.EqualTargets, o.Kept)
}
