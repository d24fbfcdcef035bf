package lb

import (
	"math"
	"math/bits"

	"treesplit/comm"
)

// The triggers of a shuffle determine the cycles that end in one.
const (
	// TriggerCount shuffles if enough ranks were idle at the beginning of the cycle. The
	// reports of the cycle count them exactly.
	TriggerCount = "count"
	// TriggerNotify shuffles if rank 0 estimates that enough ranks are idle. It estimates from
	// the notifications that idle ranks send at random (section 5 of the paper).
	TriggerNotify = "notify"
	// TriggerAlways shuffles after every cycle.
	TriggerAlways = "always"
)

// Triggers lists the triggers; the first is the default.
var Triggers = []string{TriggerCount, TriggerNotify, TriggerAlways}

// DefaultTriggerAt is the default of the fraction of idle ranks from which a cycle ends in a
// shuffle.
const DefaultTriggerAt = 0.05

// trigger is a rank's part in the decision whether the current cycle ends in a shuffle.
//
// The reports of a cycle carry two values, which are reduced over all ranks by recursive
// doubling along the dimensions: the number of ranks that were idle at the beginning of the
// cycle, which is added up, and rank 0's wish to shuffle, which is passed on. After each
// dimension has been used once, in any order that is the same on all ranks, every rank below
// 2^d has the values of all of them. The ranks from 2^d on send theirs to their partner in the
// fold that opens the cycle, and receive the result in the fold that closes it. So at the end
// of a cycle all ranks have the same values of the same cycle and decide alike, at whatever
// times they reach it. Under TriggerAlways, on networks whose cycles leave out dimensions, the
// values may be incomplete; nothing depends on them then.
//
// If all ranks were idle at the beginning of the cycle, the search is over. The reason: the
// beginnings of a cycle are a consistent cut that no piece crosses, because a rank leaves a
// phase only when the requested piece has arrived, and a shuffle only when its share has
// arrived. Ranks that are idle with no piece in flight stay idle.
type trigger struct {
	always bool
	wishes bool  // rank 0's estimate decides
	ranks  int64 // P
	least  int64 // the number of idle ranks from which the cycle ends in a shuffle
	cycles int   // number of cycles begun; 2 means two or more

	idle   int64 // the number of idle ranks, as far as this rank knows it
	wished bool  // rank 0's wish, as far as this rank knows it
	estimate
}

func newTrigger(o *Options, size int) trigger {
	at := o.TriggerAt
	if at <= 0 {
		at = DefaultTriggerAt
	}
	return trigger{
		always: o.Trigger == TriggerAlways, wishes: o.Trigger == TriggerNotify,
		ranks: int64(size), least: max(int64(math.Ceil(at*float64(size))), 1),
		estimate: newEstimate(notifyRate, at, size, !o.static),
	}
}

// beginCycle begins a cycle.
func (t *trigger) beginCycle(env comm.Env, idle bool) {
	t.idle = 0
	if idle {
		t.idle = 1
	}
	t.wished = t.wishes && env.Rank() == 0 && t.isHighEnough()
	t.cycles = min(t.cycles+1, 2)
}

// beginPhase begins a phase. An idle rank may notify rank 0, except in the first cycle: rank 0
// knows the number of idle ranks at the beginning of the run, and should not receive messages
// from all of them then.
func (t *trigger) beginPhase(env comm.Env, idle bool) {
	if !t.wishes {
		return
	}
	if env.Rank() == 0 {
		t.discountSum()
	}
	if !idle || t.cycles < 2 || !t.drawsNotification(env) {
		return
	}
	if env.Rank() == 0 {
		t.addNotification()
		return
	}
	env.Send(comm.Message{To: 0, Kind: comm.Notify})
}

// Bits of a report's Arg. The higher bits are the number of idle ranks.
const (
	idleBit = 1 << iota
	wishBit
	countShift = iota
)

// reportWords returns the values of a report as its Arg.
func (t *trigger) reportWords(idle bool) int64 {
	w := t.idle << countShift
	if idle {
		w |= idleBit
	}
	if t.wished {
		w |= wishBit
	}
	return w
}

// reportsIdle reports whether the sender of a report is idle.
func reportsIdle(arg int64) bool { return arg&idleBit != 0 }

// combination determines the use of the values in a partner's report.
type combination uint8

const (
	joinWords combination = iota // they are combined with this rank's values
	takeWords                    // they replace this rank's values
	dropWords                    // they are ignored
)

// combinationAt returns the use of the values in a phase of the cycle.
func (r *ShuffleRank) combinationAt(env comm.Env, at phase) combination {
	upper := env.Rank() >= 1<<r.plan.dims
	switch {
	case int(at.dim) < r.plan.dims, r.place == 0 && !upper:
		return joinWords
	case r.place > 0 && upper:
		return takeWords
	}
	return dropWords
}

// absorbWords applies a partner's values.
func (t *trigger) absorbWords(arg int64, how combination) {
	switch how {
	case joinWords:
		t.idle += arg >> countShift
		t.wished = t.wished || arg&wishBit != 0
	case takeWords:
		t.idle, t.wished = arg>>countShift, arg&wishBit != 0
	}
}

// allRanksIdle reports, at the end of a cycle, whether the search is over.
func (t *trigger) allRanksIdle() bool { return t.idle == t.ranks }

// isShuffleDue reports whether the cycle ends in a shuffle.
func (t *trigger) isShuffleDue() bool {
	switch {
	case t.always:
		return true
	case t.wishes:
		return t.wished
	}
	return t.idle >= t.least
}

// notifyRate is c of estimate. A larger c makes the estimate better and increases the load of
// rank 0.
const notifyRate = 4

// estimate is rank 0's estimate of the fraction of idle ranks. At the beginning of a phase an
// idle rank notifies rank 0 with probability c/P, or 1 if c > P. Rank 0 adds up the
// notifications. At the beginning of each of its own phases it multiplies the sum by 1 − 1/d,
// d being about log P, so that old notifications count less (section 5, lemmas 4 and 5). While
// a fraction f of the ranks is idle, f·c notifications arrive per phase. The mean of the sum
// is f·c·d, and its variance about half of that. So the error of the estimate is about
// √(f/2cd).
//
// It counts in units of 1/one in integers, so that a simulation gives the same result on all
// machines.
type estimate struct {
	rate   int   // c, at most P
	window int64 // d
	sum    int64
	enough int64 // the sum from which the estimate is high
}

// one is the value of a notification.
const one = 1 << 24

// newEstimate returns the estimate of a run that begins with all ranks idle, or with none
// idle. The estimate is high from the fraction at on.
func newEstimate(rate int, at float64, size int, idle bool) estimate {
	e := estimate{rate: min(rate, size), window: int64(max(bits.Len(uint(size))-1, 1))}
	all := one * e.window * int64(e.rate)
	e.enough = int64(math.Ceil(at * float64(all)))
	if idle {
		e.sum = all
	}
	return e
}

// drawsNotification reports whether this rank, if it is idle, notifies rank 0.
func (e *estimate) drawsNotification(env comm.Env) bool { return env.Rand().IntN(env.Size()) < e.rate }

func (e *estimate) addNotification()   { e.sum += one }
func (e *estimate) discountSum()       { e.sum -= e.sum / e.window }
func (e *estimate) isHighEnough() bool { return e.sum >= e.enough }
