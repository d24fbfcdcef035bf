package cubes

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Measure is the quantity by which a cut decides. It never falls along a path.
type Measure uint8

const (
	// Assigned is the number of assigned variables, without the variables assigned at the root.
	// Source: the splitting of O. Kullmann's OKsolver.
	Assigned Measure = iota
	// Free is the number of variables without a value, with a negative sign. Source: the parameter
	// -n of M. Heule's march_cu.
	Free
	// Difficulty is the number of assigned variables times the square of the number of decisions,
	// divided by the number of variables. Source: Heule et al. 2011, section 3.2.
	Difficulty
)

var measureNames = [...]string{"assigned", "free", "difficulty"}

// String returns the name of the measure.
func (m Measure) String() string { return measureNames[m] }

// MeasureNames lists the names of the measures.
func MeasureNames() []string { return measureNames[:] }

// Cut determines which nodes are anchors and cubes. A node is an anchor if its measure is at least Anchor
// and no node above it is one. A node is a cube if its measure is at least Cube. The root is
// neither.
type Cut struct {
	Measure Measure
	Anchor  float64
	Cube    float64
}

// ParseCut reads "NAME=NUMBER", such as "free=120": a measure and the value at which a node is a
// cube. The anchor is left open: it is equal to Cube.
func ParseCut(s string) (Cut, error) {
	name, value, _ := strings.Cut(s, "=")
	for m, known := range measureNames {
		x, err := strconv.ParseFloat(value, 64)
		if name != known || err != nil || !(x >= 0 && x <= 1e9) {
			continue
		}
		if Measure(m) == Free {
			x = -x
		}
		return Cut{Measure(m), x, x}, nil
	}
	return Cut{}, fmt.Errorf("unknown cut %q: expected auto, or %s with a number from 0 to 1e9, such as free=120", s, strings.Join(measureNames[:], ", "))
}

// IsSound reports whether the numbers of the cut are valid: finite, and the anchor at most the cube.
func (c Cut) IsSound() bool {
	return c.Anchor <= c.Cube && !math.IsInf(c.Anchor, 0) && !math.IsInf(c.Cube, 0)
}

// String returns the cut as ParseCut reads it.
func (c Cut) String() string {
	return c.Measure.String() + "=" + strconv.FormatFloat(math.Abs(c.Cube), 'g', -1, 64)
}

// place is the position of a node, as far as cuts depend on it.
type place struct {
	assigned, depth int
}

// measure returns the measure of a node. atRoot is the number of variables assigned at the root.
func (m Measure) measure(p place, atRoot, variables int) float64 {
	switch m {
	case Free:
		return float64(p.assigned - variables)
	case Difficulty:
		return float64(p.assigned-atRoot) * float64(p.depth) * float64(p.depth) / float64(max(variables, 1))
	}
	return float64(p.assigned - atRoot)
}
