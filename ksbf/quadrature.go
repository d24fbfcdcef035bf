package ksbf

import (
	"fmt"
	"math"
)

// Quadrature integrates a function by adaptive trapezoids. A task is an interval [c,d]. T is
// the area of its trapezoid; T1 and T2 are the areas of the trapezoids of its halves. If T and
// T1+T2 differ by at most the tolerance, or ½(d−c) is at most the resolution, the interval is
// accepted and gives T. This follows the paper's text, although T1+T2 is usually more
// accurate. Otherwise its halves are the children. The tolerance applies to each interval and
// does not shrink with it.
//
// The areas are added up exactly, so that the integral is the same, bit for bit, on any number
// of ranks.
type Quadrature struct {
	tree
	Function   Function
	From, To   float64 // From < To
	Tolerance  float64 // 0 or more
	Resolution float64 // above (To−From)/2^MaxLevels
}

// Validate returns an error if the interval is invalid or the tree is not bounded.
func (w Quadrature) Validate() error {
	if err := w.Function.checkInterval(w.From, w.To); err != nil {
		return err
	}
	if !(w.Tolerance >= 0) {
		return fmt.Errorf("the tolerance cannot be %v: expected 0 or more", w.Tolerance)
	}
	if least := math.Ldexp(w.To-w.From, -MaxLevels); !(w.Resolution > least) {
		return fmt.Errorf("the resolution cannot be %v: expected more than %v, 2^-%d of the interval", w.Resolution, least, MaxLevels)
	}
	return nil
}

// ExactIntegral returns the integral in closed form.
func (w Quadrature) ExactIntegral() float64 {
	return w.Function.Antiderived(w.To) - w.Function.Antiderived(w.From)
}

// Root returns the whole interval.
func (w Quadrature) Root() Task {
	return Task{State: [2]uint64{math.Float64bits(w.From), math.Float64bits(w.To)}}
}

// IntervalBounds returns the interval of a quadrature's task.
func (t *Task) IntervalBounds() (c, d float64) {
	return math.Float64frombits(t.State[0]), math.Float64frombits(t.State[1])
}

// Execute accepts the interval or halves it.
func (w Quadrature) Execute(t *Task, children *Children, sum *Sum) {
	c, d := t.IntervalBounds()
	half := (d - c) / 2
	m := c + half
	fc, fm, fd := w.Function.At(c), w.Function.At(m), w.Function.At(d)
	whole := (fc + fd) * half
	halves := ((fc+fm)*(m-c) + (fm+fd)*(d-m)) / 2
	// c < m < d is false if c and d are neighbours among floating point numbers.
	if math.Abs(whole-halves) <= w.Tolerance || half <= w.Resolution || !(c < m && m < d) {
		sum.AddFloat64(whole)
		return
	}
	children.setBothChildren(t)
	children.Left.State[1] = math.Float64bits(m)
	children.Right.State[0] = math.Float64bits(m)
}

// Check returns an error unless the task's interval is within the whole one and can be a half.
func (w Quadrature) Check(t *Task) error {
	c, d := t.IntervalBounds()
	if !(w.From <= c && c < d && d <= w.To) {
		return fmt.Errorf("a task cannot have the interval [%v, %v]: expected a part of [%v, %v]", c, d, w.From, w.To)
	}
	return checkPlace(t, MaxLevels)
}
