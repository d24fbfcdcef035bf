// Package gen makes the formula families that treesplit is measured on: random
// ones, where the search tree is unbalanced and grows smoothly with the size, and
// structured ones, whose trees or answers are known by theorem. Each family is a file
// that opens with its encoding and where it comes from, and an entry of ListFamilies.
//
// A formula follows from its family, parameters and seed alone, on every machine: all
// randomness is drawn from a PCG generator in 32-bit and floating-point draws, whose
// results do not depend on the word size.
package gen

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"treesplit/sat"
)

// Param is one parameter of a family.
type Param struct {
	Name     string // as a command line flag is named
	Help     string // one line
	Default  float64
	Min, Max float64 // the range, both ends allowed
	Real     bool    // any number; otherwise whole numbers only
}

// checkRange returns nil if v is in the parameter's range.
func (p Param) checkRange(v float64) error {
	kind := "a whole number"
	if p.Real {
		kind = "a number"
	}
	if !(v >= p.Min && v <= p.Max) || !p.Real && v != math.Trunc(v) {
		return fmt.Errorf("%s = %s: expected %s from %s to %s", p.Name, formatNumber(v), kind, formatNumber(p.Min), formatNumber(p.Max))
	}
	return nil
}

// Family is a set of formulas that differ in their parameters.
type Family struct {
	Name    string
	Help    string // one line: what is asked, and what the answer is where it is known
	Example string // values that MakeFormula takes, as "name=value …"
	Params  []Param
	Seeded  bool // the seed makes a difference

	build func(v values, d *draft) error
}

// families is the registry, in the order in which a user reads it.
var families = []*Family{
	&randomFamily, &phpFamily, &parityFamily, &tseitinTorusFamily, &tseitinRegularFamily,
	&vdwFamily, &ramseyFamily, &adderFamily, &multiplierFamily,
	&mycielskiFamily, &queensFamily, &randomColouringFamily,
}

// ListFamilies lists all families. The slice is the caller's, the families are not.
func ListFamilies() []*Family { return slices.Clone(families) }

// FindFamily returns the family of that name.
func FindFamily(name string) (*Family, error) {
	names := make([]string, len(families))
	for i, f := range families {
		if f.Name == name {
			return f, nil
		}
		names[i] = f.Name
	}
	return nil, fmt.Errorf("unknown family %q: expected one of %s", name, strings.Join(names, ", "))
}

// MakeFormula returns the formula of the given parameters and a comment for its DIMACS
// header, which names the family, the value of every parameter and the seed.
// Parameters that values leaves out take their defaults. The error names the
// parameter, its value and what was expected.
func (f *Family) MakeFormula(given map[string]float64, seed uint64) (formula *sat.Formula, comment string, err error) {
	v, err := f.completeValues(given)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", f.Name, err)
	}
	d := &draft{rng: newRand(seed)}
	if err := d.buildFormula(f.build, v); err != nil {
		return nil, "", fmt.Errorf("%s: %w", f.Name, err)
	}
	return &d.formula, f.headerComment(v, seed), nil
}

// completeValues returns the value of each parameter.
func (f *Family) completeValues(given map[string]float64) (values, error) {
	v := values{}
	for _, p := range f.Params {
		v[p.Name] = p.Default
		if g, ok := given[p.Name]; ok {
			v[p.Name] = g
		}
		if err := p.checkRange(v[p.Name]); err != nil {
			return nil, err
		}
	}
	for name := range given {
		if _, ok := v[name]; !ok {
			return nil, fmt.Errorf("no parameter %q: expected %s", name, f.listParameters())
		}
	}
	return v, nil
}

// listParameters names the parameters.
func (f *Family) listParameters() string {
	names := make([]string, len(f.Params))
	for i, p := range f.Params {
		names[i] = p.Name
	}
	return strings.Join(names, ", ")
}

// headerComment says how the formula was made, in the first line as a command.
func (f *Family) headerComment(v values, seed uint64) string {
	var b strings.Builder
	b.WriteString("treesplit gen " + f.Name)
	for _, p := range f.Params {
		b.WriteString(" --" + p.Name + " " + formatNumber(v[p.Name]))
	}
	if f.Seeded {
		b.WriteString(" --seed " + strconv.FormatUint(seed, 10))
	}
	return b.String() + "\n" + f.Help
}

// formatNumber writes v in the shortest way that reads back as v, without an exponent.
func formatNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// values are checked parameters by name.
type values map[string]float64

// wholeNumber is the value of a parameter that is not Real.
func (v values) wholeNumber(name string) int { return int(v[name]) }

// maxLiterals bounds a formula made here, far below what package sat could hold: a
// parameter mistyped must not fill the memory.
const maxLiterals = 1 << 24

// tooLarge is the panic that leaves a build whose formula has grown beyond maxLiterals.
type tooLarge struct{}

// draft is a formula being made.
type draft struct {
	formula sat.Formula
	rng     *rand.Rand
}

// buildFormula builds the formula, or returns what was wrong.
func (d *draft) buildFormula(build func(v values, d *draft) error, v values) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case tooLarge:
			err = fmt.Errorf("the formula would have more than %d literals: expected smaller parameters", maxLiterals)
		default:
			panic(r)
		}
	}()
	return build(v, d)
}

// newRand is the generator of a seed.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// newVariables adds n variables and returns the first.
func (d *draft) newVariables(n int) int32 {
	if n > sat.MaxVariables-d.formula.Variables {
		panic(tooLarge{})
	}
	first := int32(d.formula.Variables + 1)
	d.formula.Variables += n
	return first
}

// addClause adds a clause.
func (d *draft) addClause(clause ...int32) {
	if d.formula.LiteralCount()+len(clause) > maxLiterals {
		panic(tooLarge{})
	}
	d.formula.AddClause(clause...)
}

// drawBelow draws from 0..n−1, the same on every machine.
func (d *draft) drawBelow(n int) int { return int(d.rng.Int32N(int32(n))) }

// randomSign returns v or −v with equal chances.
func (d *draft) randomSign(v int32) int32 {
	if d.drawBelow(2) == 0 {
		return -v
	}
	return v
}
