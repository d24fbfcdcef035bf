package lb

import (
	"math"
	"math/bits"

	"treesplit/comm"
)

// The triggers of a shuffle: which cycles end in one.
const (
	// TriggerCount shuffles where enough ranks were idle as the cycle began, by an
	// exact count that the reports of the cycle add up.
	TriggerCount = "count"
	// TriggerNotify shuffles where rank 0 estimates so from the notifications that idle
	// ranks send it now and then (section 5 of the paper).
	TriggerNotify = "notify"
	// TriggerAlways shuffles after every cycle.
	TriggerAlways = "always"
)

// Triggers lists the triggers; the first is the one where Options names none.
var Triggers = []string{TriggerCount, TriggerNotify, TriggerAlways}

// DefaultTriggerAt is the share of idle ranks from which on a cycle ends in a shuffle,
// where Options names none.
const DefaultTriggerAt = 0.05

// trigger is a rank's part in the decision whether the current cycle ends in a shuffle.
//
// The reports of a cycle carry two words, reduced over all ranks by recursive doubling
// along the dimensions: the number of ranks that were idle as the cycle began, which is
// added up, and rank 0's wish, which is handed on. Going through each dimension once,
// in any order but the same on all ranks, every rank below 2^d gets the words of all of
// them; the ranks above hand theirs to their partner in the fold that opens the cycle
// and get the result in the one that closes it. So at the end of a cycle all ranks hold
// the same words of the same cycle and decide alike, however far apart in time they
// come there. (Under TriggerAlways the words may be incomplete, on networks whose
// cycles leave out dimensions, and nothing depends on them.)
//
// If all ranks were idle as the cycle began, the search is over. For the beginnings of
// a cycle are a consistent cut that no piece crosses: a rank goes on from a phase only
// when what it has asked for has come, and from a shuffle when its share has. Idle
// ranks with no piece between them stay idle.
type trigger struct {
	always bool
	wishes bool  // rank 0 wishes by its estimate
	ranks  int64 // P
	least  int64 // so many idle ranks make a shuffle
	cycles int   // begun so far; 2 are many

	idle   int64 // the number of idle ranks, as far as this rank knows it
	wished bool  // rank 0's wish, likewise
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

// beginPhase begins a phase: an idle rank may notify rank 0, but not in the first cycle.
// Rank 0 knows without being told how many are idle as the run begins, and has better
// things to do then than to hear it from all of them.
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

// Bits of a report's Arg; the rest is the number of idle ranks.
const (
	idleBit = 1 << iota
	wishBit
	countShift = iota
)

// reportWords are what a report tells.
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

// combination is what becomes of the words in a partner's report.
type combination uint8

const (
	joinWords combination = iota // they are joined with this rank's
	takeWords                    // they take the place of this rank's
	dropWords
)

// combinationAt says what becomes of them in a phase of the cycle.
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

// absorbWords takes in a partner's words.
func (t *trigger) absorbWords(arg int64, how combination) {
	switch how {
	case joinWords:
		t.idle += arg >> countShift
		t.wished = t.wished || arg&wishBit != 0
	case takeWords:
		t.idle, t.wished = arg>>countShift, arg&wishBit != 0
	}
}

// allRanksIdle says, at the end of a cycle, that the search is over.
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

// notifyRate is c of estimate: more would make the estimate better, and rank 0 busier
// with it.
const notifyRate = 4

// estimate is rank 0's estimate of the share of ranks that are idle. At the beginning of
// a phase an idle rank notifies rank 0 with probability c/P, or 1 where c > P; rank 0
// adds up, and at the beginning of a phase of its own discounts the sum by a factor of
// 1 − 1/d, d being about log P, so that old notifications count for less (section 5,
// lemmas 4 and 5). While a share f of the ranks is idle, f·c notifications come in a
// phase, the mean of the sum is f·c·d, and its variance about half of that, so that the
// estimate is off by about √(f/2cd).
//
// It counts in units of 1/one, since a simulation is to be the same on all machines.
type estimate struct {
	rate   int   // c, at most P
	window int64 // d
	sum    int64
	enough int64 // a sum from which on the estimate is high
}

// one is a notification.
const one = 1 << 24

// newEstimate returns the estimate of a run that begins with all ranks idle, or none;
// it is high from a share of at on.
func newEstimate(rate int, at float64, size int, idle bool) estimate {
	e := estimate{rate: min(rate, size), window: int64(max(bits.Len(uint(size))-1, 1))}
	all := one * e.window * int64(e.rate)
	e.enough = int64(math.Ceil(at * float64(all)))
	if idle {
		e.sum = all
	}
	return e
}

// drawsNotification reports whether this rank notifies, if it is idle.
func (e *estimate) drawsNotification(env comm.Env) bool { return env.Rand().IntN(env.Size()) < e.rate }

func (e *estimate) addNotification()   { e.sum += one }
func (e *estimate) discountSum()       { e.sum -= e.sum / e.window }
func (e *estimate) isHighEnough() bool { return e.sum >= e.enough }
