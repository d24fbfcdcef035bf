package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"treesplit/cli/internal/help"
	"treesplit/mapping"
	"treesplit/mapping/bb"
	"treesplit/run"
	"treesplit/run/workloads"
)

// mapTree holds the options of the search of the whole tree by branch and bound: the optimisations
// of section 3.1 of Radhakrishnan, Brunner and Kalé.
type mapTree struct {
	sort, childOrder, firstBound, symmetry, bound string
	narrow                                        int
}

// The values of the flags. The first is the default.
var (
	sorts       = workloads.MappingOrders
	bounds      = workloads.MappingBounds
	childOrders = workloads.MappingChildOrders
	symmetries  = workloads.MappingSymmetries
)

// noBound is the value of --first-bound for none.
const noBound = "none"

// firstBounds returns the values of --first-bound: the strategies that need no map to begin with.
func firstBounds() (names []string) {
	for _, s := range mapping.Strategies() {
		if s.Name == "refine" { // refine and all following strategies begin with a map
			break
		}
		names = append(names, s.Name)
	}
	return append(names, noBound)
}

// addFlags defines the flags.
func (t *mapTree) addFlags(flags *pflag.FlagSet) {
	help.SetRest(flags, help.Problem)
	flags.StringVar(&t.firstBound, "first-bound", "comm-greedy", "bb, pair-bb: `strategy` of the first map: "+strings.Join(firstBounds(), ", "))
	flags.StringVar(&t.sort, "sort", sorts[0], "bb: `order` in which objects are placed: heaviest, costly, given")
	flags.StringVar(&t.childOrder, "child-order", childOrders[0], "bb: `order` in which processors are tried: bound, number")
	flags.StringVar(&t.symmetry, "symmetry", symmetries[0], "bb: `mode` of leaving out processors that are alike: on, off")
	flags.StringVar(&t.bound, "bound", bounds[0], "bb: lower `bound`: admissible, costliest, printed (the paper's; it proves nothing)")
	flags.IntVar(&t.narrow, "narrow", 0, "bb: leave out maps that are not better by this `percentage`")
	help.SetRest(flags, help.Expert)
}

// checkFlags returns an error for unknown values.
func (t *mapTree) checkFlags(strategy string, changed func(flag string) bool) error {
	if changed("first-bound") && strategy != "bb" && strategy != "pair-bb" {
		return flagError("first-bound", fmt.Errorf("strategy %s makes no use of it: expected --strategy bb or pair-bb with it", strategy))
	}
	for _, c := range []struct {
		flag, value string
		values      []string
	}{
		{"sort", t.sort, sorts}, {"child-order", t.childOrder, childOrders}, {"symmetry", t.symmetry, symmetries},
		{"bound", t.bound, bounds}, {"first-bound", t.firstBound, firstBounds()},
	} {
		if !slices.Contains(c.values, c.value) {
			return flagError(c.flag, fmt.Errorf("%q: expected one of %s", c.value, strings.Join(c.values, ", ")))
		}
	}
	if t.firstBound == noBound && strategy == "pair-bb" {
		return flagError("first-bound", errors.New("pairs need a map to begin with: expected a strategy"))
	}
	if t.narrow < 0 || t.narrow > 99 {
		return flagError("narrow", fmt.Errorf("%d: expected 0 to 99", t.narrow))
	}
	return nil
}

// searchOptions returns the options of branch and bound.
func (t *mapTree) searchOptions() bb.Options {
	return bb.Options{
		Bound: bb.Bound(slices.Index(bounds, t.bound)), Order: bb.Order(slices.Index(sorts, t.sort)),
		Numbered: t.childOrder != childOrders[0], Symmetric: t.symmetry != symmetries[0], Narrow: t.narrow,
	}
}

// mapWorkload is branch and bound with a problem that the run reads when it loads it: on rank 0
// alone, so that all ranks receive an error of the problem.
type mapWorkload struct {
	*workloads.Mapping
	load func() error
}

// Load reads and prepares the problem.
func (w mapWorkload) Load() (run.Problem, error) {
	if err := w.load(); err != nil {
		return nil, err
	}
	return w.Mapping.Load()
}
