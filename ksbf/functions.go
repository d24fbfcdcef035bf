package ksbf

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Function is a function to be integrated whose integral has a closed form.
type Function struct {
	Name, Formula string
	// Lower and Upper bound the arguments. Open reports that Lower itself is excluded.
	Lower, Upper float64
	Open         bool
	At           func(x float64) float64
	Antiderived  func(x float64) float64 // an antiderivative
}

// peakAt is the position of the peak of function peak, peakWidth its width.
const (
	peakAt    = 0.3
	peakWidth = 1e-3
)

// Functions lists the functions that Quadrature supports. They show all behaviours: smooth,
// steep at an end, peaked, kinked, oscillating.
var Functions = []Function{
	{"abs", "|x|", math.Inf(-1), math.Inf(1), false, math.Abs, func(x float64) float64 { return x * math.Abs(x) / 2 }},
	{"atan", "1/(1+x²)", math.Inf(-1), math.Inf(1), false, func(x float64) float64 { return 1 / (1 + x*x) }, math.Atan},
	{"cbrt", "x^(1/3)", math.Inf(-1), math.Inf(1), false, math.Cbrt, func(x float64) float64 { return 0.75 * x * math.Cbrt(x) }},
	{"exp", "e^x", math.Inf(-1), 709, false, math.Exp, math.Exp},
	{"inverse", "1/x", 0, math.Inf(1), true, func(x float64) float64 { return 1 / x }, math.Log},
	{"log", "ln x", 0, math.Inf(1), true, math.Log, func(x float64) float64 { return x*math.Log(x) - x }},
	{"peak", "1/((x-0.3)²+10⁻⁶)", math.Inf(-1), math.Inf(1), false,
		func(x float64) float64 { return 1 / ((x-peakAt)*(x-peakAt) + peakWidth*peakWidth) },
		func(x float64) float64 { return math.Atan((x-peakAt)/peakWidth) / peakWidth }},
	{"sin", "sin x", math.Inf(-1), math.Inf(1), false, math.Sin, func(x float64) float64 { return -math.Cos(x) }},
	{"sqrt", "√x", 0, math.Inf(1), false, math.Sqrt, func(x float64) float64 { return x * math.Sqrt(x) / 1.5 }},
	{"square", "x²", math.Inf(-1), math.Inf(1), false, func(x float64) float64 { return x * x }, func(x float64) float64 { return x * x * x / 3 }},
}

// FunctionNames returns the names of Functions.
func FunctionNames() (names []string) {
	for _, f := range Functions {
		names = append(names, f.Name)
	}
	return names
}

// FindFunction returns the function of that name. Its error lists the known names.
func FindFunction(name string) (Function, error) {
	i := slices.IndexFunc(Functions, func(f Function) bool { return f.Name == name })
	if i < 0 {
		return Function{}, fmt.Errorf("unknown function %q: expected one of %s", name, strings.Join(FunctionNames(), ", "))
	}
	return Functions[i], nil
}

// checkInterval returns an error if the function is not defined on the interval.
func (f Function) checkInterval(from, to float64) error {
	bracket := "["
	if f.Open {
		bracket = "("
	}
	switch {
	case !(from < to) || math.IsInf(to-from, 0):
		return fmt.Errorf("the interval from %v to %v is invalid: expected two finite numbers, the smaller one first", from, to)
	case from < f.Lower || f.Open && from == f.Lower || to > f.Upper:
		return fmt.Errorf("%s is not defined everywhere from %v to %v: it is defined on %s%v, %v)", f.Formula, from, to, bracket, f.Lower, f.Upper)
	}
	return nil
}
