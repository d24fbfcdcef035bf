// Package dive estimates the tree of a rule without searching it. A dive goes from the root to a
// leaf and draws each branch with a coin. A node at depth d that a dive visits stands for 2^d nodes,
// so the sum of these numbers along a dive is an estimate of the number of nodes whose expectation
// is exact. The mean of many dives is the estimate. In the same way the cost of the visited nodes
// gives the cost of the tree.
//
// The estimate may be far too low if a few large subtrees have most of the nodes, because dives
// seldom meet them. So callers should use it to choose among methods, and not to promise times.
//
// Source: D. E. Knuth, Estimating the efficiency of backtrack programs, Mathematics of Computation
// 29 (1975).
package dive

import (
	"math"
	"math/rand/v2"

	"treesplit/sat"
)

// Limit bounds the dives.
type Limit struct {
	Dives int   // number of dives, at most
	Steps int64 // no dive begins after this number of steps
	// Least is the number of dives without which the caller has no use for the estimate. A dive before the last of
	// them ends without a result after Steps.
	Least int
}

// Estimate is an estimate of a tree.
type Estimate struct {
	Nodes  float64 // W
	Steps  float64 // cost of all nodes
	Dives  int     // number of dives
	Spread float64 // standard error of Nodes as a fraction of Nodes; +Inf if it is too large for a float64
	Spent  int64   // steps of the dives themselves
	Models int     // number of dives that ended at a model
}

// Metered is a procedure that counts the steps of its visits. A step is about one visit of a
// clause. Of other procedures, the steps are estimated from the number of assigned variables.
type Metered interface {
	sat.Procedure
	// Steps returns the number of steps so far. It never falls.
	Steps() int64
}

// OfTree estimates the tree of a rule. occurrences is the mean number of clauses of a variable. The
// same arguments give the same estimate on every machine.
func OfTree(rule sat.Rule, occurrences float64, seed uint64, l Limit) Estimate {
	d := &diver{proc: rule.Begin(), rng: rand.New(rand.NewPCG(seed, 1))}
	d.clock = newClock(rule, d.proc, occurrences)
	branch, outcome := d.visit(sat.NoLiteral, 1)
	root := d.one
	d.clock.base = d.clock.assigned
	var sum, squares, steps float64
	for d.e.Dives < l.Dives && (d.e.Dives == 0 || d.clock.spent < l.Steps) {
		d.one = root
		limit := int64(math.MaxInt64)
		if d.e.Dives+1 < l.Least {
			limit = l.Steps
		}
		if !d.descend(branch, outcome, limit) {
			break
		}
		d.e.Dives++
		sum, squares, steps = sum+d.one.nodes, squares+float64(d.one.nodes*d.one.nodes), steps+d.one.steps
	}
	d.e.Spent = d.clock.spent
	if d.e.Dives == 0 {
		return d.e
	}
	n := float64(d.e.Dives)
	d.e.Nodes, d.e.Steps = sum/n, steps/n
	switch {
	case n == 1:
	case math.IsInf(squares, 0): // the variance may be the difference of two infinities
		d.e.Spread = math.Inf(1)
	default:
		d.e.Spread = math.Sqrt(max(squares/n-float64(d.e.Nodes*d.e.Nodes), 0)/(n-1)) / d.e.Nodes
	}
	return d.e
}

// diver is an estimation in progress.
type diver struct {
	proc  sat.Procedure
	rng   *rand.Rand
	clock clock
	one   sums // of the current dive
	e     Estimate
}

// sums are the weighted sums of a dive.
type sums struct{ nodes, steps float64 }

// visit visits a node that stands for the given number of nodes.
func (d *diver) visit(literal int32, weight float64) (branch int32, outcome sat.Outcome) {
	branch, outcome = d.proc.Visit(literal, nil)
	d.one.nodes += weight
	d.one.steps += float64(weight * d.clock.lap(outcome))
	return branch, outcome
}

// descend goes from the root, which was visited, to a leaf and back. It returns false if it has not come to a leaf
// within a limit in steps.
func (d *diver) descend(branch int32, outcome sat.Outcome, limit int64) bool {
	depth, weight := 0, 1.0
	for outcome == sat.Inner {
		if d.clock.spent > limit {
			return false
		}
		weight *= 2
		branch, outcome = d.visit(branch^int32(d.rng.IntN(2)), weight)
		depth++
	}
	if outcome == sat.Solution {
		d.e.Models++
	}
	for range depth {
		d.proc.Back()
	}
	d.clock.returned()
	return true
}

// clock measures the steps of visits.
type clock struct {
	meter    Metered // or nil
	last     int64   // of the meter
	proc     sat.Procedure
	fixed    float64 // steps of any visit
	each     float64 // steps of an assigned variable
	assigned int
	base     int // assigned at the root
	spent    int64
}

// newClock returns a clock for a procedure that has not begun.
func newClock(rule sat.Rule, proc sat.Procedure, occurrences float64) clock {
	c := clock{proc: proc, fixed: 8 + float64(rule.MaxDepth())/8, each: occurrences}
	c.meter, _ = proc.(Metered)
	return c
}

// lap returns the steps of the visit that has just ended.
func (c *clock) lap(outcome sat.Outcome) (steps float64) {
	switch {
	case c.meter != nil:
		now := c.meter.Steps()
		steps, c.last = float64(now-c.last), now
	case outcome == sat.Conflict: // the variables of the visit are already unassigned
		steps = c.fixed + float64(4*c.each)
	default:
		now := c.proc.Assigned()
		steps = c.fixed + float64(c.each*float64(max(now-c.assigned, 0)))
		c.assigned = now
	}
	c.spent += int64(steps)
	return steps
}

// returned notes that the procedure is back at the root.
func (c *clock) returned() { c.assigned = c.base }
