// Package gen makes the families of formulas that treesplit is measured with. Random formulas
// have unbalanced search trees whose size grows smoothly with the parameters. Structured formulas
// have trees or answers that are known by theorem. Each family is a file, which begins with the
// encoding and its source, and an entry of ListFamilies.
//
// A formula depends only on its family, parameters and seed, and is the same on every machine.
// All randomness comes from a PCG generator in 32-bit and floating-point draws, whose results do
// not depend on the word size.
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
	Name     string // in the form of a command line flag
	Help     string // one line
	Default  float64
	Min, Max float64 // the range, including both ends
	Real     bool    // any number; otherwise only whole numbers
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
	Help    string // one line: the question, and the answer if it is known
	Example string // values for MakeFormula, as "name=value …"
	Params  []Param
	Seeded  bool // the formula depends on the seed

	build  func(v values, d *draft) error
	status func(v values) Status // the known answer; nil: it is Open for all values
}

// families is the registry, in the order of display.
var families = []*Family{
	&randomFamily, &phpFamily, &parityFamily, &tseitinTorusFamily, &tseitinRegularFamily,
	&vdwFamily, &ramseyFamily, &adderFamily, &multiplierFamily,
	&mycielskiFamily, &queensFamily, &randomColouringFamily,
	&palindromicFamily, &greenTaoFamily, &schurFamily, &weakSchurFamily, &pythagoreanFamily,
	&discrepancyFamily, &phpVariantFamily, &chessboardFamily, &sgenFamily, &latinFamily,
	&langfordFamily, &parityLearningFamily,
}

// ListFamilies lists all families. The caller may change the slice, but not the families.
func ListFamilies() []*Family { return slices.Clone(families) }

// FindFamily returns the family of a name.
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

// MakeFormula returns the formula of the given parameters and a comment for its DIMACS header.
// The comment names the family, the value of every parameter and the seed, and the answer if it is
// known (KnownStatus). Parameters that are not in given take their defaults. An error names the
// parameter, its value and the expected range.
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
			return nil, fmt.Errorf("there is no parameter %q: expected %s", name, f.listParameters())
		}
	}
	return v, nil
}

// listParameters lists the names of the parameters.
func (f *Family) listParameters() string {
	names := make([]string, len(f.Params))
	for i, p := range f.Params {
		names[i] = p.Name
	}
	return strings.Join(names, ", ")
}

// headerComment returns a description of how the formula was made. Its first line is a command. If
// the answer is known, it is the last line.
func (f *Family) headerComment(v values, seed uint64) string {
	var b strings.Builder
	b.WriteString("treesplit gen " + f.Name)
	for _, p := range f.Params {
		b.WriteString(" --" + p.Name + " " + formatNumber(v[p.Name]))
	}
	if f.Seeded {
		b.WriteString(" --seed " + strconv.FormatUint(seed, 10))
	}
	b.WriteString("\n" + f.Help)
	if known := f.statusOf(v); known.Answer != Open {
		b.WriteString("\nknown to be " + known.Answer.String() + ": " + known.Reason)
	}
	return b.String()
}

// formatNumber returns the shortest text without an exponent that is read back as v.
func formatNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// values maps parameter names to checked values.
type values map[string]float64

// wholeNumber returns the value of a parameter that is not Real.
func (v values) wholeNumber(name string) int { return int(v[name]) }

// maxLiterals bounds a formula made here, far below the limit of package sat: a mistyped
// parameter must not fill the memory.
const maxLiterals = 1 << 24

// tooLarge is the panic that ends a build whose formula has more than maxLiterals literals.
type tooLarge struct{}

// draft is a formula being made.
type draft struct {
	formula sat.Formula
	rng     *rand.Rand
}

// buildFormula builds the formula or returns an error.
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

// newRand returns the generator of a seed.
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

// addNumbered adds the clause of the variables base + number, with a sign.
func (d *draft) addNumbered(numbers []int, base, sign int32) {
	clause := make([]int32, len(numbers))
	for i, x := range numbers {
		clause[i] = sign * (base + int32(x))
	}
	d.addClause(clause...)
}

// drawBelow draws a number from 0..n−1, the same on every machine.
func (d *draft) drawBelow(n int) int { return int(d.rng.Int32N(int32(n))) }

// randomSign returns v or −v with equal probability.
func (d *draft) randomSign(v int32) int32 {
	if d.drawBelow(2) == 0 {
		return -v
	}
	return v
}
