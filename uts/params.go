package uts

import (
	"fmt"
	"math"
)

// Type is the kind of a tree: the rule by which the number of children depends on the state.
type Type int

// The types, by their number in the reference program (-t).
const (
	Binomial  Type = iota // BIN: M children with probability Q, else none
	Geometric             // GEO: geometrically distributed about a mean that the height sets
	Hybrid                // HYBRID: Geometric near the root, Binomial below
	Balanced              // BALANCED: every node above height Depth has the same number of children
)

// Shape is the rule by which the mean number of children of a Geometric tree depends on the
// height.
type Shape int

// The shapes, by their number in the reference program (-a).
const (
	Linear Shape = iota // LINEAR: decreases linearly, to 0 at height Depth
	ExpDec              // EXPDEC: decreases by a power law, to 1 at height Depth, and decreases further
	Cyclic              // CYCLIC: varies between B0 and 1/B0 with period Depth, for five periods
	Fixed               // FIXED: constant, and 0 from height Depth on
)

// Params are the parameters of a tree. The comments name the flags of the reference program.
type Params struct {
	Type        Type    // -t
	B0          float64 // -b: children of the root, or their mean in a Geometric tree; 0 ≤ B0 < 2^31
	Seed        int     // -r: the root's seed, 0 ≤ Seed < 2^31
	Shape       Shape   // -a: Geometric and Hybrid only
	Depth       int     // -d: the depth that Shape or Balanced refers to (gen_mx)
	Q           float64 // -q: Binomial: probability that a node has children, 0 ≤ Q < 1
	M           int     // -m: Binomial: number of children of a node with children
	Shift       float64 // -f: Hybrid: Binomial from height Shift·Depth on, 0 ≤ Shift ≤ 1
	Granularity int     // -g: number of times each state is computed, at least 1
}

// DefaultParams returns the parameters of the reference program without options: a tree
// of 1732 nodes.
func DefaultParams() Params {
	return Params{
		Type: Geometric, B0: 4, Shape: Linear, Depth: 6,
		Q: 15.0 / 64, M: 4, Shift: 0.5, Granularity: 1,
	}
}

// Validate returns nil if p describes a tree. Otherwise the error names the flag, its value and
// the expected range. It refuses values that make the formulas of children.go meaningless (a
// division by zero, a tree that cannot end). The reference program accepts these values and uses
// the results of its arithmetic.
func (p Params) Validate() error {
	const limit = 1 << 31
	for _, c := range []struct {
		ok       bool
		letter   string
		value    any
		expected string
	}{
		{p.Type >= Binomial && p.Type <= Balanced, "-t", int(p.Type), "a tree type: 0 (binomial), 1 (geometric), 2 (hybrid) or 3 (balanced)"},
		{p.B0 >= 0 && p.B0 < limit, "-b", p.B0, "a branching factor, 0 ≤ b < 2^31"},
		{p.Seed >= 0 && p.Seed < limit, "-r", p.Seed, "a seed, 0 ≤ r < 2^31"},
		{p.Shape >= Linear && p.Shape <= Fixed, "-a", int(p.Shape), "a shape: 0 (linear), 1 (exponential decrease), 2 (cyclic) or 3 (fixed)"},
		{p.Depth >= 0 && p.Depth < limit/8, "-d", p.Depth, "a depth, 0 ≤ d < 2^28"},
		{p.Q >= 0 && p.Q <= 1-1.0/limit, "-q", p.Q, "a probability, 0 ≤ q < 1"},
		{p.M >= 0 && p.M < limit, "-m", p.M, "a number of children, 0 ≤ m < 2^31"},
		{p.Shift >= 0 && p.Shift <= 1, "-f", p.Shift, "a fraction, 0 ≤ f ≤ 1"},
		{p.Granularity >= 1 && p.Granularity < limit, "-g", p.Granularity, "a granularity, 1 ≤ g < 2^31"},
	} {
		if !c.ok {
			return fmt.Errorf("%s %v: expected %s", c.letter, c.value, c.expected)
		}
	}
	if p.Type == Geometric || p.Type == Hybrid {
		return p.validateShape()
	}
	return nil
}

// validateShape checks the requirements of the shapes of a Geometric tree on -b, -d and -f.
func (p Params) validateShape() error {
	switch {
	case p.Type == Hybrid && p.Shift*float64(p.Depth) <= 0:
		return fmt.Errorf("-f %v -d %d: expected f·d > 0 in a hybrid tree (without its geometric part it is -t 0)", p.Shift, p.Depth)
	case (p.Shape == Linear || p.Shape == Cyclic) && p.Depth < 1:
		return fmt.Errorf("-d %d: expected a depth of at least 1 with -a %d", p.Depth, p.Shape)
	case p.Shape == ExpDec && p.Depth < 2:
		return fmt.Errorf("-d %d: expected a depth of at least 2 with -a 1", p.Depth)
	case p.Shape == ExpDec && p.B0 < 1:
		return fmt.Errorf("-b %v: expected at least 1 with -a 1, whose mean otherwise grows with the height", p.B0)
	case p.Shape == Cyclic && p.B0 < 1.0/(1<<31):
		return fmt.Errorf("-b %v: expected b > 0 with -a 2", p.B0)
	}
	return nil
}

// geometricBelow returns the height at which the geometric rule ends: no node of that height or
// more follows the rule.
func (p Params) geometricBelow() int {
	switch p.Type {
	case Geometric:
		return math.MaxInt32
	case Hybrid:
		return int(math.Ceil(p.Shift * float64(p.Depth))) // least whole h with !(h < f·d)
	}
	return 0
}
